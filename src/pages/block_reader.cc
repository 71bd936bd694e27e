#include "pages/block_reader.h"

#include <new>

namespace aduana {

BlockReader::BlockReader(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

BlockReader::~BlockReader() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

Status BlockReader::read(const std::vector<Request>& requests) {
  std::unique_lock lock(mutex_);
  if (requests.size() > capacity_) {
    capacity_ = requests.size();
    buffer_.reset(static_cast<char*>(std::aligned_alloc(kRunBlockBytes, capacity_ * kRunBlockBytes)));
    if (!buffer_) throw std::bad_alloc();
  }
  requests_ = &requests;
  next_ = finished_ = 0;
  failure_.reset();
  wake_.notify_all();
  read_some(lock);
  done_.wait(lock, [&] { return finished_ == requests.size(); });
  requests_ = nullptr;
  return failure_ ? Status(*failure_) : Status{};
}

void BlockReader::read_some(std::unique_lock<std::mutex>& lock) {
  while (requests_ && next_ < requests_->size()) {
    const size_t i = next_++;
    const Request request = (*requests_)[i];
    char* const out = buffer_.get() + i * kRunBlockBytes;
    lock.unlock();
    const Status status = request.run->read_block(request.block, out);
    lock.lock();
    if (!status) failure_ = status.error();
    if (++finished_ == requests_->size()) done_.notify_all();
  }
}

void BlockReader::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (requests_ && next_ < requests_->size()) {
      read_some(lock);
    } else {
      wake_.wait(lock);
    }
  }
}

}  // namespace aduana
