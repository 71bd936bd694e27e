// Keeps the scores up to date: has the scorer compute from a snapshot when enough was crawled since the last time, and
// puts the pages whose score is another now where they belong, some at a time so that nobody waits for it.
//
// With a thread of its own, or inside the calls when there are to be no threads. Thread-safe.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "aduana/frontier_options.h"
#include "frontier/plan.h"
#include "store/store.h"

namespace aduana {

class Rescoring {
 public:
  using Now = std::function<Instant()>;
  Rescoring(const FrontierOptions& options, Store& store, Plan& plan, Now now);
  ~Rescoring() { stop(); }

  void start();
  void stop();

  // Pages were reported. What goes wrong with scores is no error of the report: the status tells it.
  void reported(size_t pages);
  // Until every queued page stands where its score says: an update now, whether it is due or not.
  Status update();
  ScoringStatus status();

 private:
  bool due() const;  // mutex_ held
  uint64_t enough_after(uint64_t crawled) const;
  void work();
  Status update_once();
  Result<Convergence> compute(Scorer& scorer);
  Status move_pages();

  const ScoringOptions options_;
  const bool background_;
  Store& store_;
  Plan& plan_;
  const Now now_;

  std::mutex updating_;  // one at a time
  std::mutex mutex_;     // what follows
  std::condition_variable wake_;
  bool stopping_ = false;
  uint64_t crawled_since_ = 0;
  uint64_t enough_ = 0;   // crawled since: time for an update
  Instant not_before_{};  // after a failure
  Instant last_update_{};
  bool needed_ = false;  // whatever was crawled: the store holds pages that have no score yet
  ScoringStatus status_;
  std::thread thread_;
};

}  // namespace aduana
