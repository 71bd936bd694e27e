// NewFile: a file that appears under its name only when it is whole and on the disk, with a mode that is right from its
// first byte on. For secrets, which base/file.h knows nothing about.
//
// Invariant: until put() succeeds, what stands under the name stays as it was; what was written beside it goes with the
// object. Used by one thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "aduana/result.h"

namespace aduana {

class NewFile {
 public:
  // Writes the bytes beside `path`. A link stays a link: what it points to is meant. A file that is there passes its
  // owner on: the server that reads it is often another user than the one who changes it.
  static Result<NewFile> write(const std::string& path, std::string_view bytes, mode_t mode);
  ~NewFile();
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;

  enum class Over { nothing, anything };
  // Code::exists if there is a file under the name and it must not be replaced.
  Status put(Over over);

 private:
  NewFile(std::string path, std::string temporary) : path_(std::move(path)), temporary_(std::move(temporary)) {}

  std::string path_;
  std::string temporary_;  // empty: put, or moved away
};

}  // namespace aduana
