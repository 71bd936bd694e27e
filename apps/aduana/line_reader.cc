#include "line_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <simdjson.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/os_error.h"
#include "interrupt.h"

namespace aduana {
namespace {

constexpr size_t kFirstBuffer = 1 << 20;

}  // namespace

LineReader::LineReader(std::string path, int fd) : path_(std::move(path)), fd_(fd) { reserve(kFirstBuffer); }

LineReader::~LineReader() {
  if (fd_ > 0) ::close(fd_);
}

Result<std::unique_ptr<LineReader>> LineReader::open(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const int fd = standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return os_error(name, "open", errno);
  std::unique_ptr<LineReader> reader(new LineReader(name, fd));
  struct stat info;
  if (::fstat(fd, &info) < 0) return os_error(name, "open", errno);
  if (S_ISDIR(info.st_mode)) return os_error(name, "open", EISDIR);
  if (S_ISREG(info.st_mode)) reader->file_size_ = static_cast<uint64_t>(info.st_size);
  return reader;
}

void LineReader::reserve(size_t bytes) {
  if (bytes <= capacity_) return;
  // Not made zero: most of a large buffer may never be used.
  std::unique_ptr<char[]> larger(new char[bytes + simdjson::SIMDJSON_PADDING]);
  std::memset(larger.get() + bytes, 0, simdjson::SIMDJSON_PADDING);
  if (end_ > begin_) std::memcpy(larger.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  buffer_ = std::move(larger);
  capacity_ = bytes;
}

Result<bool> LineReader::read_more() {
  if (end_ == capacity_ && begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity_) reserve(capacity_ * 2);
  while (wait_for_input(fd_)) {
    const ssize_t n = ::read(fd_, buffer_.get() + end_, capacity_ - end_);
    if (n > 0) {
      end_ += static_cast<size_t>(n);
      return true;
    }
    if (n == 0) return false;
    if (errno != EINTR && errno != EAGAIN) return os_error(path_, "read", errno);
  }
  return false;
}

LineReader::Line LineReader::take(size_t length, size_t end_mark) {
  const bool too_long = discarding_ || length > kMaxLine;
  const Line line{too_long ? std::string_view() : std::string_view(buffer_.get() + begin_, length), too_long};
  discarding_ = false;
  begin_ += length + end_mark;
  taken_ += length + end_mark;
  ++number_;
  return line;
}

Result<std::optional<LineReader::Line>> LineReader::next() {
  size_t searched = 0;
  while (true) {
    const char* from = buffer_.get() + begin_ + searched;
    const size_t unsearched = end_ - begin_ - searched;
    if (const void* newline = unsearched ? std::memchr(from, '\n', unsearched) : nullptr) {
      return std::optional(take(static_cast<const char*>(newline) - (buffer_.get() + begin_), 1));
    }
    searched = end_ - begin_;
    if (searched > kMaxLine) {
      discarding_ = true;
      taken_ += searched;
      begin_ = end_ = searched = 0;
    }
    if (!at_end_) {
      ADUANA_ASSIGN(const bool more, read_more());
      at_end_ = !more;
      if (more) continue;
    }
    // A last line that has no end counts, but not half a line that an interrupt cut off.
    if ((searched == 0 && !discarding_) || interrupted()) return std::optional<Line>();
    return std::optional(take(searched, 0));
  }
}

bool LineReader::would_wait() const {
  if (at_end_ || std::memchr(buffer_.get() + begin_, '\n', end_ - begin_)) return false;
  pollfd ready{fd_, POLLIN, 0};
  return ::poll(&ready, 1, 0) == 0;
}

}  // namespace aduana
