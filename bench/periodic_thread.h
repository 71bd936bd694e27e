// Calls a function every so often in a thread of its own, until stopped. What the function throws away is lost: it
// keeps its own errors. Used for what the measured systems do "every 100 ms". start() and stop() are for one thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace aduana::bench {

class PeriodicThread {
 public:
  PeriodicThread() = default;
  PeriodicThread(const PeriodicThread&) = delete;
  PeriodicThread& operator=(const PeriodicThread&) = delete;
  ~PeriodicThread() { stop(); }

  void start(std::chrono::milliseconds period, std::function<void()> call);
  // Returns when the function is not running and will not be called again.
  void stop();

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace aduana::bench
