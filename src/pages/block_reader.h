// Reads blocks of runs straight from the device, several at a time: one read takes as long as eight in flight.
// Used when the index does not fit in memory. One batch at a time.
#pragma once

#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "pages/run.h"

namespace aduana {

class BlockReader {
 public:
  explicit BlockReader(unsigned threads = 8);
  ~BlockReader();

  struct Request {
    const Run* run;
    uint64_t block;
  };
  // Reads all of them; block(i) is then the i-th.
  Status read(const std::vector<Request>& requests);
  std::string_view block(size_t i) const { return {buffer_.get() + i * kRunBlockBytes, kRunBlockBytes}; }

 private:
  void work();
  void read_some(std::unique_lock<std::mutex>& lock);

  std::unique_ptr<char[], void (*)(void*)> buffer_{nullptr, [](void* p) { std::free(p); }};
  size_t capacity_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::vector<Request>* requests_ = nullptr;
  size_t next_ = 0;
  size_t finished_ = 0;
  std::optional<Error> failure_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace aduana
