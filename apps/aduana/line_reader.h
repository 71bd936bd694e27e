// The lines of a file or a pipe, numbered from 1, of any length up to a limit.
//
// Behind every line stand bytes that a JSON parser may read past its end, so that no line has to be copied. Used by one
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "aduana/result.h"

namespace aduana {

class LineReader {
 public:
  static constexpr size_t kMaxLine = size_t{1} << 30;

  // "-" is standard input.
  static Result<std::unique_ptr<LineReader>> open(const std::string& path);
  ~LineReader();

  struct Line {
    std::string_view text;  // without the line's end; good until the next call
    bool too_long = false;  // over kMaxLine: the text is left out
  };
  // Nothing at the end of the input, and when a signal came while waiting for more (see interrupt.h).
  Result<std::optional<Line>> next();

  // Would next() have to wait for somebody to write more?
  bool would_wait() const;

  uint64_t number() const { return number_; }  // of the line that next() returned last
  uint64_t bytes_taken() const { return taken_; }
  std::optional<uint64_t> file_size() const { return file_size_; }  // nothing for a pipe

 private:
  LineReader(std::string path, int fd);
  void reserve(size_t bytes);
  Result<bool> read_more();  // false at the end
  Line take(size_t length, size_t end_mark);

  const std::string path_;
  const int fd_;
  std::optional<uint64_t> file_size_;
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
  size_t begin_ = 0, end_ = 0;  // what was read and not handed out
  bool at_end_ = false;
  bool discarding_ = false;  // the line at hand is too long
  uint64_t number_ = 0;
  uint64_t taken_ = 0;
};

}  // namespace aduana
