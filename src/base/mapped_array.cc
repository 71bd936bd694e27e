#include "base/mapped_array.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/os_error.h"

namespace aduana {
namespace {

Result<uint64_t> size_of_file(int fd, const std::string& path) {
  struct stat info;
  if (::fstat(fd, &info) < 0) return os_error(path, "size", errno);
  if (!S_ISREG(info.st_mode)) return Error(Code::invalid, fmt::format("{}: not a plain file to map", path));
  return static_cast<uint64_t>(info.st_size);
}

Status cut_file(int fd, const std::string& path, size_t size) {
  while (::ftruncate(fd, static_cast<off_t>(size)) < 0) {
    if (errno != EINTR) return os_error(path, "resize", errno);
  }
  return {};
}

}  // namespace

Result<MappedArray> MappedArray::open(const std::string& path, size_t n_elements, size_t element_size) {
  if (path.empty()) return Error(Code::invalid, "a mapped array needs a path, or must be asked for as anonymous");
  MappedArray array(path, -1, element_size);
  ADUANA_TRY(array.bytes_for(n_elements));  // before a file is made for nothing
  array.fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (array.fd_ < 0) return os_error(path, "open", errno);
  ADUANA_ASSIGN(const uint64_t present, size_of_file(array.fd_, path));
  if (present % element_size != 0) {
    return Error(Code::invalid, fmt::format("{}: {} bytes are not a whole number of elements of {} bytes; "
                                            "remove the file or open it with the size it was made with",
                                            path, present, element_size));
  }
  const size_t bytes = n_elements * element_size;
  ADUANA_TRY(array.reserve(std::min<uint64_t>(present, bytes), bytes));
  ADUANA_TRY(array.remap(0, bytes));
  array.n_elements_ = n_elements;
  return array;
}

Result<MappedArray> MappedArray::anonymous(size_t n_elements, size_t element_size) {
  MappedArray array("", -1, element_size);
  ADUANA_TRY(array.resize(n_elements));
  return array;
}

MappedArray::MappedArray(MappedArray&& other) noexcept { swap(other); }

MappedArray& MappedArray::operator=(MappedArray&& other) noexcept {
  MappedArray moved(std::move(other));
  swap(moved);
  return *this;
}

MappedArray::~MappedArray() { (void)close(); }

void MappedArray::swap(MappedArray& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(memory_, other.memory_);
  std::swap(n_elements_, other.n_elements_);
  std::swap(element_size_, other.element_size_);
  std::swap(persist_, other.persist_);
}

Status MappedArray::close() {
  ADUANA_TRY(remap(bytes(), 0));
  n_elements_ = 0;
  if (fd_ < 0) return {};
  ::close(std::exchange(fd_, -1));
  if (!persist_ && ::unlink(path_.c_str()) < 0) return os_error(path_, "remove", errno);
  return {};
}

Status MappedArray::resize(size_t n_elements) {
  ADUANA_ASSIGN(const size_t to, bytes_for(n_elements));
  const size_t from = bytes();
  if (!path_.empty() && fd_ < 0) return Error(Code::closed, fmt::format("{}: resize: the array is closed", path_));
  if (to <= from) {
    ADUANA_TRY(remap(from, to));
    n_elements_ = n_elements;
    return fd_ < 0 ? Status() : cut_file(fd_, path_, to);
  }
  if (fd_ >= 0) {
    ADUANA_TRY(cut_file(fd_, path_, from));  // what a longer file had here is not zero
    ADUANA_TRY(reserve(from, to));
  }
  if (const Status mapped = remap(from, to); !mapped) {
    if (fd_ >= 0) (void)cut_file(fd_, path_, from);
    return mapped;
  }
  n_elements_ = n_elements;
  return {};
}

Status MappedArray::advise(int flag) {
  if (memory_ && ::madvise(memory_, bytes(), flag) < 0) return os_error(name(), "advise", errno);
  return {};
}

Status MappedArray::sync(int flag) {
  if (memory_ && ::msync(memory_, bytes(), flag) < 0) return os_error(name(), "sync", errno);
  return {};
}

void MappedArray::zero() {
  if (memory_) std::memset(memory_, 0, bytes());
}

Result<void*> MappedArray::at(size_t n) {
  if (n >= n_elements_) return out_of_bounds(n).error();
  return static_cast<void*>(static_cast<char*>(memory_) + n * element_size_);
}

Result<const void*> MappedArray::at(size_t n) const {
  if (n >= n_elements_) return out_of_bounds(n).error();
  return static_cast<const void*>(static_cast<const char*>(memory_) + n * element_size_);
}

Status MappedArray::set(size_t n, const void* element) {
  ADUANA_ASSIGN(void* const to, at(n));
  std::memmove(to, element, element_size_);  // the element may be one of ours
  return {};
}

Status MappedArray::out_of_bounds(size_t n) const {
  return Error(Code::invalid, fmt::format("{}: element {} of {}", name(), n, n_elements_));
}

Result<size_t> MappedArray::bytes_for(size_t n_elements) const {
  if (element_size_ == 0) return Error(Code::invalid, fmt::format("{}: elements of no size", name()));
  if (n_elements > static_cast<size_t>(PTRDIFF_MAX) / element_size_) {
    return Error(Code::too_large, fmt::format("{}: {} elements of {} bytes are more than this machine can address",
                                              name(), n_elements, element_size_));
  }
  return n_elements * element_size_;
}

// Grows the file, if it is shorter, and takes the space from the disk now.
Status MappedArray::reserve(size_t from, size_t to) {
  if (to == 0) return {};
  int refused = 0;
  while (::fallocate(fd_, 0, 0, static_cast<off_t>(to)) < 0) {
    refused = errno;
    if (refused != EINTR) break;
    refused = 0;
  }
  if (refused == EOPNOTSUPP) return from < to ? cut_file(fd_, path_, to) : Status();
  if (refused == 0) return {};
  if (from < to) (void)cut_file(fd_, path_, from);  // it may have grown in part
  return os_error(path_, "reserve space", refused);
}

// Changes the mapping from so many bytes to so many; the file has its new size when this is more.
Status MappedArray::remap(size_t from, size_t to) {
  if (from == to) return {};
  if (to == 0) {
    if (::munmap(memory_, from) < 0) return os_error(name(), "unmap", errno);
    memory_ = nullptr;
    return {};
  }
  const int flags = fd_ < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  void* const memory = from == 0 ? ::mmap(nullptr, to, PROT_READ | PROT_WRITE, flags, fd_, 0)
                                 : ::mremap(memory_, from, to, MREMAP_MAYMOVE);
  if (memory == MAP_FAILED) return os_error(name(), "map", errno);
  memory_ = memory;
  if (from != 0 && from < to) {
    // The page in which the old array ended may hold what it had when it was longer.
    const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    const size_t page_end = (from + page - 1) / page * page;
    std::memset(static_cast<char*>(memory_) + from, 0, std::min(page_end, to) - from);
  }
  return {};
}

}  // namespace aduana
