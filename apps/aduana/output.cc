#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/file.h"
#include "base/os_error.h"
#include "messages.h"

namespace aduana {
namespace {

constexpr size_t kBuffer = 256 << 10;

}  // namespace

Output::~Output() {
  if (fd_ > 1) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status Output::open(const std::string& path) {
  if (path.empty() || path == "-") return {};
  path_ = path;
  struct stat info;
  const bool there = ::stat(path.c_str(), &info) == 0;
  if (there && S_ISDIR(info.st_mode)) return os_error(path, "write", EISDIR);
  if (there && !S_ISREG(info.st_mode)) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    return fd_ < 0 ? Status(os_error(path, "open", errno)) : Status{};
  }
  // A link stays a link: what it points to is replaced.
  std::error_code unresolved;
  if (const auto target = std::filesystem::canonical(path, unresolved); !unresolved) path_ = target.string();
  const std::string temporary = fmt::format("{}.{}.tmp", path_, ::getpid());
  fd_ = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) return os_error(temporary, "create", errno);
  temporary_ = temporary;
  return {};
}

bool Output::write(std::string_view bytes) {
  if (error_) return false;
  buffer_ += bytes;
  return buffer_.size() < kBuffer || flush();
}

bool Output::flush() {
  std::string_view left = buffer_;
  while (!left.empty() && !error_) {
    const ssize_t n = ::write(fd_, left.data(), left.size());
    if (n >= 0) {
      left.remove_prefix(static_cast<size_t>(n));
    } else if (errno != EINTR) {
      error_ = errno;
      reader_gone_ = errno == EPIPE;
    }
  }
  buffer_.clear();
  return error_ == 0;
}

Status Output::finish() {
  if (!flush()) return reader_gone_ ? Status{} : Status(os_error(path_, "write", error_));
  if (temporary_.empty()) return {};
  if (::fsync(fd_) < 0) return os_error(temporary_, "sync", errno);
  ADUANA_TRY(real_files().rename(temporary_, path_));
  temporary_.clear();
  return real_files().sync_dir(parent_of(path_));
}

Status test_not_read(const std::string& written, const std::string& read) {
  std::error_code unknown;  // one of them is not there
  if (!std::filesystem::equivalent(written, read, unknown)) return {};
  return Error(Code::exists,
               fmt::format("{} would be replaced, but is what is read; give another name", printable(written)));
}

}  // namespace aduana
