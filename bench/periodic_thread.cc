#include "periodic_thread.h"

#include <utility>

namespace aduana::bench {

void PeriodicThread::start(std::chrono::milliseconds period, std::function<void()> call) {
  stop();
  stopping_ = false;
  thread_ = std::thread([this, period, call = std::move(call)] {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, period, [this] { return stopping_; })) {
      lock.unlock();
      call();
      lock.lock();
    }
  });
}

void PeriodicThread::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace aduana::bench
