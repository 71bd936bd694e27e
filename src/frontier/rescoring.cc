#include "frontier/rescoring.h"

#include <chrono>
#include <cmath>
#include <new>

namespace aduana {
namespace {

// Pages are moved for so long under the lock, so many between two looks at the clock; then others have their turn.
constexpr std::chrono::milliseconds kTurn{2};
constexpr size_t kPagesAtOnce = 128;
constexpr std::chrono::microseconds kPause{50};
constexpr std::chrono::milliseconds kLongestSleep{500};
constexpr Millis kPauseAfterFailure{10'000};

}  // namespace

Rescoring::Rescoring(const FrontierOptions& options, Store& store, Plan& plan, Now now)
    : options_(options.scoring),
      background_(options.background),
      store_(store),
      plan_(plan),
      now_(std::move(now)),
      last_update_(now_()) {
  status_.scorer = options.scoring.scorer;
}

void Rescoring::start() {
  const PageCounts counts = store_.counts().pages;
  needed_ = counts.urls() > 0;
  enough_ = enough_after(counts.crawled);
  (void)store_.look([&](Pages&) {
    plan_.ranks().start(!needed_);
    return Status{};
  });
  if (background_) {
    thread_ = std::thread([this] { work(); });
  } else if (needed_) {
    (void)update_once();
  }
}

void Rescoring::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Rescoring::due() const {
  const Instant now = now_();
  if (now < not_before_) return false;
  if (needed_) return true;
  if (crawled_since_ == 0 || plan_.ranks().scorer()->follows_by_itself()) return false;
  if (options_.update_interval > Millis{0}) return now - last_update_ >= options_.update_interval;
  return crawled_since_ >= enough_;
}

// So many more that they are the wanted share of all, themselves included.
uint64_t Rescoring::enough_after(uint64_t crawled) const {
  const double share = options_.update_share;
  const double more = share < 1 ? share / (1 - share) * static_cast<double>(crawled) : 0;
  if (share >= 1 && crawled > 0) return UINT64_MAX;
  return std::max(options_.update_pages, static_cast<uint64_t>(std::ceil(more)));
}

void Rescoring::reported(size_t pages) {
  {
    std::lock_guard lock(mutex_);
    crawled_since_ += pages;
    if (!due()) return;
  }
  if (background_) {
    wake_.notify_one();
  } else {
    (void)update_once();
  }
}

Status Rescoring::update() { return update_once(); }

ScoringStatus Rescoring::status() {
  std::lock_guard lock(mutex_);
  return status_;
}

void Rescoring::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (due()) {
      lock.unlock();
      (void)update_once();  // what went wrong is in the status; the old scores go on
      lock.lock();
      continue;
    }
    wake_.wait_for(lock, kLongestSleep);
  }
}

// Scorers are what needs most memory: that there is not enough of it must not end the crawl.
Result<Convergence> Rescoring::compute(Scorer& scorer) {
  const auto go_on = [&] {
    std::lock_guard lock(mutex_);
    return !stopping_;
  };
  try {
    auto snapshot = store_.snapshot([&] { scorer.begin(); });
    ScoreInput input{snapshot.pages, snapshot.link_stream(), store_.counts().links};
    return scorer.compute(input, go_on);
  } catch (const std::bad_alloc&) {
    return Error(Code::too_large, "not enough memory to compute scores; a smaller ScoringOptions::graph_bytes helps");
  }
}

Status Rescoring::update_once() {
  std::lock_guard one_at_a_time(updating_);
  const uint64_t crawled = store_.counts().pages.crawled;
  {
    std::lock_guard lock(mutex_);
    crawled_since_ = 0;
    enough_ = enough_after(crawled);
    last_update_ = now_();
  }
  Scorer& scorer = *plan_.ranks().scorer();
  const auto began = std::chrono::steady_clock::now();
  const auto computed = compute(scorer);
  float unit = 1;
  Status done = store_.look([&](Pages&) {
    if (computed) {
      scorer.publish();
      plan_.ranks().go_live();
      unit = scorer.unit();
    } else {
      scorer.abandon();
    }
    return Status{};
  });
  if (!computed) done = computed.error();
  if (done) done = move_pages();
  std::lock_guard lock(mutex_);
  status_.failure = done ? std::string() : done.error().message();
  if (!done) {
    not_before_ = now_() + kPauseAfterFailure;
    return done;
  }
  needed_ = false;
  ++status_.updates;
  status_.loops = computed->loops;
  status_.change = computed->change / unit;
  status_.reached = computed->reached;
  status_.took = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - began);
  return {};
}

Status Rescoring::move_pages() {
  PageIdx from{0};
  for (bool more = true; more;) {
    uint64_t moved = 0;
    ADUANA_TRY(store_.look([&](Pages& pages) -> Status {
      const auto began = std::chrono::steady_clock::now();
      do {
        const PageIdx to{std::min<uint64_t>(pages.size(), from.value + kPagesAtOnce)};
        ADUANA_ASSIGN(const uint64_t some, plan_.rescore(from, to, now_()));
        moved += some;
        from = to;
        more = from.value < pages.size();
      } while (more && std::chrono::steady_clock::now() - began < kTurn);
      return {};
    }));
    {
      std::lock_guard lock(mutex_);
      status_.moved += moved;
      if (stopping_) return {};
    }
    if (background_) std::this_thread::sleep_for(kPause);
  }
  return {};
}

}  // namespace aduana
