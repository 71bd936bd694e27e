// A new folder for what a command needs only while it runs; it goes with the object, and all that is in it.
#pragma once

#include <string>

#include "aduana/result.h"

namespace aduana {

class ScratchFolder {
 public:
  // In `parent`, or where the system keeps temporary files if that is empty.
  static Result<ScratchFolder> make(const std::string& parent);
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  ScratchFolder& operator=(ScratchFolder&&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;  // empty: moved away
};

}  // namespace aduana
