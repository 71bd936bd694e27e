#include "temp_dir.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace aduana::bench {

namespace fs = std::filesystem;

Result<TempDir> TempDir::make(const std::string& parent) {
  std::error_code error;
  fs::path base = parent.empty() ? fs::temp_directory_path(error) : fs::path(parent);
  if (!error) fs::create_directories(base, error);
  if (error) return Error(Code::io, fmt::format("folder for the measurement, {}: {}", base.string(), error.message()));
  std::string path = (base / "aduana-bench-XXXXXX").string();
  if (!mkdtemp(path.data()))
    return Error(Code::io,
                 fmt::format("new folder in {}: {}; choose another with --dir", base.string(), std::strerror(errno)));
  return TempDir(std::move(path));
}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

void TempDir::remove() {
  if (path_.empty()) return;
  std::error_code error;
  fs::remove_all(path_, error);
  if (error) fmt::print(stderr, "{} was not removed: {}\n", path_, error.message());
}

Result<std::string> TempDir::subdir(const std::string& name) const {
  std::error_code error;
  const fs::path path = fs::path(path_) / name;
  fs::create_directory(path, error);
  if (error) return Error(Code::io, fmt::format("{}: {}", path.string(), error.message()));
  return path.string();
}

uint64_t bytes_on_disk(const std::string& dir) {
  uint64_t sum = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(dir, error), end; !error && it != end; it.increment(error)) {
    struct stat info;
    if (lstat(it->path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    const auto apparent = static_cast<uint64_t>(info.st_size);
    const auto allocated = static_cast<uint64_t>(info.st_blocks) * 512;
    sum += std::min(apparent, allocated);
  }
  return sum;
}

uint64_t free_bytes(const std::string& dir) {
  struct statvfs info;
  if (statvfs(dir.c_str(), &info) != 0) return 0;
  return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
}

}  // namespace aduana::bench
