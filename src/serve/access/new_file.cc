#include "serve/access/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/file.h"
#include "base/os_error.h"

namespace aduana {
namespace {

Status keep_owner(const std::string& path, int fd) {
  struct stat old, now;
  if (::stat(path.c_str(), &old) < 0 || ::fstat(fd, &now) < 0) return {};
  if (old.st_uid == now.st_uid && old.st_gid == now.st_gid) return {};
  if (::fchown(fd, old.st_uid, old.st_gid) == 0) return {};
  // Another group of the same owner takes nobody's access away where only the owner has any.
  if (old.st_uid == now.st_uid) return {};
  return Error(Code::io, path + ": it belongs to another user; run this as its owner or as root");
}

Status write_all(int fd, const std::string& name, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return os_error(name, "write", errno);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  if (::fsync(fd) < 0) return os_error(name, "sync", errno);
  return {};
}

}  // namespace

Result<NewFile> NewFile::write(const std::string& path, std::string_view bytes, mode_t mode) {
  std::error_code unresolved;
  const auto target = std::filesystem::canonical(path, unresolved);
  const std::string place = unresolved ? path : target.string();
  static std::atomic<uint64_t> count = 0;
  const std::string temporary = fmt::format("{}.{}.{}.tmp", place, ::getpid(), ++count);
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0) return os_error(temporary, "create", errno);
  NewFile file(place, temporary);
  Status written = keep_owner(place, fd);
  if (written) written = write_all(fd, temporary, bytes);
  ::close(fd);
  if (!written) return written.error();
  return file;
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, std::string())) {}

NewFile::~NewFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status NewFile::put(Over over) {
  if (over == Over::anything) {
    if (::rename(temporary_.c_str(), path_.c_str()) < 0) return os_error(path_, "replace", errno);
    temporary_.clear();
  } else if (::link(temporary_.c_str(), path_.c_str()) < 0) {  // unlike rename(), it replaces nothing
    if (errno == EEXIST) return Error(Code::exists, path_ + ": there is such a file already");
    return os_error(path_, "create", errno);
  } else {
    ::unlink(std::exchange(temporary_, std::string()).c_str());
  }
  return real_files().sync_dir(parent_of(path_));
}

}  // namespace aduana
