#include "frontier/rescoring.h"

#include <chrono>

namespace aduana {
namespace {

constexpr size_t kPagesAtOnce = 2'048;           // looked at under the lock: about a millisecond
constexpr std::chrono::microseconds kPause{50};  // for those who wait for it
constexpr std::chrono::milliseconds kLongestSleep{500};

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

Status Rescoring::start() {
  needed_ = store_.counts().pages.urls() > 0;
  ADUANA_TRY(store_.look([&](Pages&) {
    plan_.ranks().start(!needed_);
    return Status{};
  }));
  if (background_) {
    thread_ = std::thread([this] { work(); });
    return {};
  }
  return needed_ ? update_once() : Status{};
}

void Rescoring::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool Rescoring::due() {
  if (needed_) return true;
  if (plan_.ranks().scorer()->follows_by_itself()) return false;
  if (options_.update_interval > Millis{0}) return now_() - last_update_ >= options_.update_interval;
  if (crawled_since_ < options_.update_pages) return false;
  const auto crawled = static_cast<double>(store_.counts().pages.crawled);
  return static_cast<double>(crawled_since_) >= options_.update_share * crawled;
}

Status Rescoring::reported(size_t pages) {
  bool is_due;
  {
    std::lock_guard lock(mutex_);
    crawled_since_ += pages;
    is_due = due();
  }
  if (!is_due) return {};
  if (!background_) return update_once();
  wake_.notify_one();
  return {};
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

Status Rescoring::update_once() {
  std::lock_guard one_at_a_time(updating_);
  {
    std::lock_guard lock(mutex_);
    crawled_since_ = 0;
    last_update_ = now_();
    needed_ = false;
  }
  Scorer& scorer = *plan_.ranks().scorer();
  const auto began = std::chrono::steady_clock::now();
  const auto go_on = [&] {
    std::lock_guard lock(mutex_);
    return !stopping_;
  };
  auto snapshot = store_.snapshot([&] { scorer.begin(); });
  ScoreInput input{snapshot.pages, snapshot.link_stream(), store_.counts().links};
  const auto computed = scorer.compute(input, go_on);
  Status done;
  if (computed) {
    done = store_.look([&](Pages&) {
      scorer.publish();
      plan_.ranks().go_live();
      return Status{};
    });
    if (done) done = move_pages();
  } else {
    (void)store_.look([&](Pages&) {
      scorer.abandon();
      return Status{};
    });
    done = computed.error();
  }
  std::lock_guard lock(mutex_);
  status_.failure = done ? std::string() : done.error().message();
  if (!done) return done;
  ++status_.updates;
  status_.loops = computed->loops;
  status_.change = computed->change * static_cast<double>(input.pages.size());
  status_.reached = computed->reached;
  status_.took = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - began);
  return {};
}

Status Rescoring::move_pages() {
  PageIdx from{0};
  for (bool more = true; more;) {
    uint64_t moved = 0;
    ADUANA_TRY(store_.look([&](Pages& pages) -> Status {
      const PageIdx to{std::min<uint64_t>(pages.size(), from.value + kPagesAtOnce)};
      ADUANA_ASSIGN(moved, plan_.rescore(from, to, now_()));
      from = to;
      more = from.value < pages.size();
      return {};
    }));
    std::lock_guard lock(mutex_);
    status_.moved += moved;
    if (stopping_) return {};
    if (background_) std::this_thread::sleep_for(kPause);
  }
  return {};
}

}  // namespace aduana
