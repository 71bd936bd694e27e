// The disk of this machine, by POSIX calls on whole paths and offsets; nothing is buffered on our side.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/os_error.h"

namespace aduana {
namespace {

constexpr uint64_t kDirectUnit = 4096;

// Repeats a system call that a signal interrupted.
template <class Call>
auto uninterrupted(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  // An error of close() tells nothing that sync() would not have told: nobody relies on unsynced bytes.
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

Result<Descriptor> open_descriptor(const std::string& path, int flags) {
  const int fd = uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
  // A file system without direct I/O says EINVAL.
  if (fd < 0 && errno == EINVAL && (flags & O_DIRECT) != 0) return open_descriptor(path, flags & ~O_DIRECT);
  if (fd < 0) return os_error(path, "open", errno);
  return Descriptor(fd);
}

class RealMapping final : public Mapping {
 public:
  RealMapping(void* start, size_t size) : start_(start), size_(size) {}
  RealMapping(const RealMapping&) = delete;
  RealMapping& operator=(const RealMapping&) = delete;
  ~RealMapping() override {
    if (size_ > 0) ::munmap(start_, size_);
  }
  std::string_view bytes() const override { return {static_cast<const char*>(start_), size_}; }

 private:
  void* start_;
  size_t size_;
};

class RealFile final : public File {
 public:
  RealFile(std::string path, Descriptor fd, OpenMode mode) : path_(std::move(path)), fd_(std::move(fd)), mode_(mode) {}

  Result<size_t> read_at(uint64_t offset, char* out, size_t n) const override {
    const bool direct = mode_ == OpenMode::read_direct;
    if (direct && (offset | n | reinterpret_cast<uintptr_t>(out)) % kDirectUnit != 0)
      return Error(Code::invalid, fmt::format("{}: direct read of {} bytes at {}: offset, size and buffer must be "
                                              "multiples of {}",
                                              path_, n, offset, kDirectUnit));
    size_t done = 0;
    while (done < n) {
      const ssize_t got =
          uninterrupted([&] { return ::pread(fd_.get(), out + done, n - done, static_cast<off_t>(offset + done)); });
      if (got < 0) {
        if (direct && errno == EINVAL && leave_direct()) continue;
        return os_error(path_, "read", errno);
      }
      done += static_cast<size_t>(got);
      // A direct read may not go on from the middle of a unit; it only stops there at the end of the file.
      if (got == 0 || (direct && done % kDirectUnit != 0)) break;
    }
    return done;
  }

  Status write_at(uint64_t offset, std::string_view bytes) override {
    ADUANA_TRY(must_be_writable("write"));
    while (!bytes.empty()) {
      const ssize_t put =
          uninterrupted([&] { return ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
      if (put < 0) return os_error(path_, "write", errno);
      bytes.remove_prefix(static_cast<size_t>(put));
      offset += static_cast<uint64_t>(put);
    }
    return {};
  }

  Status sync() override {
    if (uninterrupted([&] { return ::fdatasync(fd_.get()); }) < 0) return os_error(path_, "sync", errno);
    return {};
  }

  Status truncate(uint64_t size) override {
    ADUANA_TRY(must_be_writable("truncate"));
    if (uninterrupted([&] { return ::ftruncate(fd_.get(), static_cast<off_t>(size)); }) < 0)
      return os_error(path_, "truncate", errno);
    return {};
  }

  Result<uint64_t> size() const override {
    struct stat info;
    if (::fstat(fd_.get(), &info) < 0) return os_error(path_, "size", errno);
    return static_cast<uint64_t>(info.st_size);
  }

  Result<std::unique_ptr<Mapping>> map() const override {
    ADUANA_ASSIGN(const uint64_t length, size());
    void* start = nullptr;
    if (length > 0) {  // mmap refuses an empty range
      start = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, fd_.get(), 0);
      if (start == MAP_FAILED) return os_error(path_, "map", errno);
    }
    return std::unique_ptr<Mapping>(std::make_unique<RealMapping>(start, length));
  }

 private:
  Status must_be_writable(const char* operation) const {
    if (mode_ != OpenMode::read && mode_ != OpenMode::read_direct) return {};
    return Error(Code::invalid, fmt::format("{}: {}: the file is open for reading only", path_, operation));
  }

  // Some file systems take O_DIRECT at open and refuse the reads. False when it was off already.
  bool leave_direct() const {
    const int flags = ::fcntl(fd_.get(), F_GETFL);
    return flags >= 0 && (flags & O_DIRECT) != 0 && ::fcntl(fd_.get(), F_SETFL, flags & ~O_DIRECT) == 0;
  }

  const std::string path_;
  const Descriptor fd_;
  const OpenMode mode_;
};

class RealLock final : public FileLock {
 public:
  explicit RealLock(Descriptor fd) : fd_(std::move(fd)) {}

 private:
  Descriptor fd_;  // flock belongs to the open file: closing it lets go
};

class RealFiles final : public FileSystem {
 public:
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    ADUANA_ASSIGN(Descriptor fd, open_descriptor(path, flags_of(mode)));
    struct stat info;
    if (::fstat(fd.get(), &info) < 0) return os_error(path, "open", errno);
    if (S_ISDIR(info.st_mode)) return os_error(path, "open", EISDIR);
    return std::unique_ptr<File>(std::make_unique<RealFile>(path, std::move(fd), mode));
  }

  Result<bool> exists(const std::string& path) override {
    struct stat info;
    if (::stat(path.c_str(), &info) == 0) return true;
    if (errno == ENOENT || errno == ENOTDIR) return false;
    return os_error(path, "look for", errno);
  }

  Status remove(const std::string& path) override {
    if (::unlink(path.c_str()) < 0) return os_error(path, "remove", errno);
    return {};
  }

  Status rename(const std::string& from, const std::string& to) override {
    if (std::rename(from.c_str(), to.c_str()) < 0) return os_error(from, ("rename to " + to).c_str(), errno);
    return {};
  }

  Status create_dirs(const std::string& path) override {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) return os_error(path, "create folder", error.value());
    return {};
  }

  Status remove_dir(const std::string& path) override {
    if (::rmdir(path.c_str()) < 0) return os_error(path, "remove folder", errno);
    return {};
  }

  Result<std::vector<std::string>> list(const std::string& dir) override {
    std::error_code error;
    std::vector<std::string> names;
    std::filesystem::directory_iterator at(dir, error);
    for (; !error && at != std::filesystem::directory_iterator(); at.increment(error))
      names.push_back(at->path().filename().string());
    if (error) return os_error(dir, "list", error.value());
    std::sort(names.begin(), names.end());
    return names;
  }

  Status sync_dir(const std::string& dir) override {
    ADUANA_ASSIGN(const Descriptor fd, open_descriptor(dir, O_RDONLY | O_DIRECTORY));
    if (uninterrupted([&] { return ::fsync(fd.get()); }) < 0) return os_error(dir, "sync folder", errno);
    return {};
  }

  Result<std::unique_ptr<FileLock>> lock(const std::string& path) override {
    ADUANA_ASSIGN(Descriptor fd, open_descriptor(path, O_RDONLY));
    if (uninterrupted([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) < 0) {
      if (errno != EWOULDBLOCK) return os_error(path, "lock", errno);
      return Error(Code::busy, fmt::format("{}: another process has the store open; stop it first", path));
    }
    return std::unique_ptr<FileLock>(std::make_unique<RealLock>(std::move(fd)));
  }

 private:
  static int flags_of(OpenMode mode) {
    switch (mode) {
      case OpenMode::read:
        return O_RDONLY;
      case OpenMode::write:
        return O_RDWR;
      case OpenMode::create:
        return O_RDWR | O_CREAT;
      case OpenMode::create_empty:
        return O_RDWR | O_CREAT | O_TRUNC;
      case OpenMode::read_direct:
        return O_RDONLY | O_DIRECT;
    }
    return O_RDONLY;
  }
};

}  // namespace

FileSystem& real_files() {
  // Never destroyed: stores with static lifetime may close after main().
  static RealFiles& files = *new RealFiles;
  return files;
}

}  // namespace aduana
