#include "graph/rank/row_sweep.h"

#include <atomic>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

namespace aduana {
namespace {

// Small enough that the threads end together although some rows are long, large enough that taking one costs nothing.
constexpr uint64_t kChunksPerThread = 32;
constexpr uint64_t kMinChunk = 256;

}  // namespace

Status in_chunks(uint64_t n, unsigned threads, const std::function<Status(Node lo, Node hi)>& work) {
  const uint64_t chunk = std::max(kMinChunk, n / (threads * kChunksPerThread) + 1);
  const uint64_t useful_threads = std::min<uint64_t>(threads, (n + chunk - 1) / chunk);
  std::atomic<uint64_t> next = 0;
  std::mutex mutex;
  std::optional<Error> error;
  std::exception_ptr exception;

  const auto worker = [&] {
    try {
      for (;;) {
        const Node lo = next.fetch_add(chunk, std::memory_order_relaxed);
        if (lo >= n) return;
        if (auto status = work(lo, std::min(n, lo + chunk)); !status) {
          next.store(n, std::memory_order_relaxed);
          const std::lock_guard lock(mutex);
          if (!error) error = status.error();
        }
      }
    } catch (...) {
      next.store(n, std::memory_order_relaxed);
      const std::lock_guard lock(mutex);
      exception = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (uint64_t i = 1; i < useful_threads; ++i) helpers.emplace_back(worker);
    worker();
  }
  if (exception) std::rethrow_exception(exception);
  if (error) return *error;
  return {};
}

}  // namespace aduana
