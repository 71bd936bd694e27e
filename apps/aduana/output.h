// Where a command's result goes: standard output, or a file that appears under its name only when it is whole.
//
// Invariant: a file that was there stays as it was until finish() succeeded. A reader of standard output that goes away
// (`… | head`) is no error: write() then says that there is no point in going on. Used by one thread.
#pragma once

#include <string>
#include <string_view>

#include "aduana/result.h"

namespace aduana {

class Output {
 public:
  Output() = default;  // standard output
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // Writes to this file instead; "" and "-" are standard output. What is no regular file (/dev/null, a named pipe) is
  // written to directly.
  Status open(const std::string& path);

  // False when nothing more can be written; finish() tells why.
  bool write(std::string_view bytes);
  bool flush();
  bool reader_gone() const { return reader_gone_; }

  // Writes what is left and puts the file in its place.
  Status finish();

 private:
  std::string path_ = "standard output";
  std::string temporary_;  // empty: nothing to put in place
  int fd_ = 1;
  std::string buffer_;
  int error_ = 0;
  bool reader_gone_ = false;
};

// Code::exists if what is to be written is the file that is read.
Status test_not_read(const std::string& written, const std::string& read);

}  // namespace aduana
