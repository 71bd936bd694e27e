// MappedArray: an array of fixed-size elements in a mapped file, or in anonymous memory, larger than the heap should be
// asked for: the scores of a billion pages. The system moves its pages in and out.
//
// For data that can be made again: it goes past the seam of file.h and is durable only after sync(MS_SYNC). New
// elements are zero. The file is never shorter than the array and its space is reserved, so that a full disk is an
// error of open() or resize() and not a signal later; where the file system cannot reserve, a full disk still is one
// (SIGBUS). An existing file is kept: a shorter one is grown; of a longer one the array shows the first elements, and
// the rest stays until resize() gives the file its exact size. One that is not a whole number of elements is refused.
// Threads may use different elements at once; every other call needs the array for itself.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "aduana/result.h"

namespace aduana {

class MappedArray {
 public:
  static Result<MappedArray> open(const std::string& path, size_t n_elements, size_t element_size);
  static Result<MappedArray> anonymous(size_t n_elements, size_t element_size);

  MappedArray(MappedArray&& other) noexcept;
  MappedArray& operator=(MappedArray&& other) noexcept;
  ~MappedArray();

  // Lets go of the memory and, unless it persists, removes the file. The array is empty afterwards. The destructor does
  // the same and keeps the error to itself.
  Status close();

  size_t size() const { return n_elements_; }
  size_t element_size() const { return element_size_; }
  size_t bytes() const { return n_elements_ * element_size_; }
  const std::string& path() const { return path_; }  // empty: anonymous

  // Whether the file outlives the array. It does unless told otherwise.
  bool persist() const { return persist_; }
  void set_persist(bool persist) { persist_ = persist; }

  // Elements are kept, new ones are zero; pointers and views die. After an error the array is as before.
  Status resize(size_t n_elements);
  Status advise(int flag);  // any flag of madvise(2)
  Status sync(int flag);    // any flag of msync(2)
  void zero();

  // The n-th element; Code::invalid beyond the end.
  Result<void*> at(size_t n);
  Result<const void*> at(size_t n) const;
  Status set(size_t n, const void* element);

  // All elements as what they are, without a check on each.
  template <class T>
  std::span<T> view_until_resize() {
    static_assert(std::is_trivially_copyable_v<T>);
    if (sizeof(T) != element_size_) throw std::logic_error("MappedArray: view of another element size");
    return {static_cast<T*>(memory_), n_elements_};
  }

 private:
  MappedArray(std::string path, int fd, size_t element_size)
      : path_(std::move(path)), fd_(fd), element_size_(element_size) {}

  void swap(MappedArray& other) noexcept;
  Result<size_t> bytes_for(size_t n_elements) const;
  Status reserve(size_t from, size_t to);
  Status remap(size_t from, size_t to);
  Status out_of_bounds(size_t n) const;
  std::string name() const { return path_.empty() ? "anonymous array" : path_; }

  std::string path_;
  int fd_ = -1;
  void* memory_ = nullptr;  // null exactly when bytes() is 0
  size_t n_elements_ = 0;
  size_t element_size_ = 0;
  bool persist_ = true;
};

}  // namespace aduana
