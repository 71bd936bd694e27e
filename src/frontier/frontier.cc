// How a page becomes the next request. Reports and discoveries go through the store, which tells the plan of every
// page; requests, failures and the rest are decisions of the plan, which the store journals before they count.

#include "aduana/frontier.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "frontier/freshness_sample.h"
#include "frontier/graph_of_store.h"
#include "frontier/open_frontier.h"
#include "frontier/page_links.h"
#include "frontier/plan.h"
#include "frontier/rescoring.h"
#include "frontier/steady_time.h"
#include "frontier/waiting_pages.h"
#include "pages/queue_name.h"

namespace aduana {
namespace {

constexpr std::chrono::milliseconds kLongestSleep{500};

class StoredFrontier final : public Frontier {
 public:
  StoredFrontier(const FrontierOptions& options, std::unique_ptr<Plan> plan)
      : options_(options),
        plan_(std::move(plan)),
        time_(options.clock ? *options.clock : static_cast<const Clock&>(system_clock_)) {}

  ~StoredFrontier() override { (void)close(); }

  Status open(FileSystem& fs, const std::string& dir, StoreOptions store_options) {
    files_ = &fs;
    store_options.follower = plan_.get();
    store_options.clock = &store_clock_;
    ADUANA_ASSIGN(store_, Store::open(fs, dir, store_options));
    time_.begin_at(plan_->last_time());
    if (plan_->ranks().on() && !options_.read_only) {
      rescoring_.emplace(options_, *store_, *plan_, [this] { return time_.now(); });
      rescoring_->start();
    }
    if (options_.background && !options_.read_only) keeper_ = std::thread([this] { keep_time(); });
    return {};
  }

  // ---- in

  Result<ReportResult> report(std::span<const ReportedPage> pages) override {
    ADUANA_TRY(catch_up());
    auto result = store_->report(pages);
    if (result && rescoring_) rescoring_->reported(pages.size());
    return result;
  }

  Result<DiscoverResult> discover(std::span<const Discovery> urls) override {
    ADUANA_TRY(catch_up());
    return store_->discover(urls);
  }

  Result<Outcomes> fail(std::span<const Failure> failures) override {
    ADUANA_TRY(catch_up());
    Outcomes outcomes(failures.size());
    std::vector<size_t> places;
    std::vector<PageRef> pages;
    for (size_t i = 0; i < failures.size(); ++i) {
      if (failures[i].kind == FailureKind::redirect) {
        outcomes[i] = follow_redirect(failures[i]);
      } else {
        places.push_back(i);
        pages.push_back({failures[i].url, failures[i].crawl, failures[i].queue});
      }
    }
    const Outcomes failed = act_on(pages, [&](size_t i, PageIdx page) {
      const Failure& failure = failures[places[i]];
      return plan_->fail(page, failure.kind, failure.fetch_time);
    });
    for (size_t i = 0; i < places.size(); ++i) outcomes[places[i]] = failed[i];
    return outcomes;
  }

  Result<Outcomes> release(std::span<const PageRef> pages) override {
    ADUANA_TRY(catch_up());
    return act_on(pages, [&](size_t, PageIdx page) { return plan_->release(page); });
  }

  // ---- out

  Result<std::vector<Request>> request(size_t n, const RequestOptions& options) override {
    if (options.lease) ADUANA_TRY(Plan::test_lease(*options.lease));
    ADUANA_TRY(test_queue_key(options.crawl, options.queue));
    std::vector<Request> requests;
    Plan::Grant grant;
    bool caught_up = false, behind = false;
    const auto make = [&](Instant now) -> Result<std::string> {
      const auto next = caught_up ? std::nullopt : plan_->next_time();
      behind = next && *next <= now;
      if (behind) return std::string();
      ADUANA_TRY(plan_->schedule().health());
      const auto action = plan_->grant(n, options, now, grant);
      return action ? action->encode() : std::string();
    };
    const auto undo = [&] { plan_->take_back(grant, time_.now()); };
    // All in one go: whoever waits for the lock waits once.
    const auto then = [&](Pages& pages) { return describe(pages, grant, requests); };
    ADUANA_TRY(store_->decide(make, undo, then));
    if (!behind) return requests;
    ADUANA_TRY(catch_up());
    caught_up = true;
    ADUANA_TRY(store_->decide(make, undo, then));
    return requests;
  }

  // ---- by hand

  Status control(const QueueControl& control) override {
    ADUANA_TRY(test_queue_key(control.crawl, control.key));
    const std::string_view crawl = control.crawl.empty() ? kDefaultCrawl : control.crawl;
    std::vector<HostId> queues;
    ADUANA_TRY(store_->look([&](Pages&) {
      if (!control.key.empty()) {
        const auto found = plan_->find_queue(control.crawl, control.key);
        if (found) queues.push_back(*found);
        return Status{};
      }
      const auto lane = plan_->lane_of(crawl);
      for (uint32_t id = 0; lane && id < plan_->schedule().size(); ++id) {
        if (plan_->schedule().has_queue({id}) && plan_->schedule().queue(HostId{id}).lane == *lane)
          queues.push_back({id});
      }
      return Status{};
    }));
    if (queues.empty()) {
      return Error(Code::not_found, control.key.empty() ? fmt::format("there is no crawl {}", crawl)
                                                        : fmt::format("there is no queue {}", control.key));
    }
    std::vector<Store::Decision> decisions;
    for (const HostId id : queues) {
      decisions.push_back([this, id, &control](Instant) -> Result<std::string> {
        ADUANA_ASSIGN(const Action action, plan_->control(id, control));
        return action.encode();
      });
    }
    for (const auto& outcome : store_->decide_all(decisions)) {
      if (outcome) return *outcome;
    }
    return {};
  }

  Result<uint64_t> delete_queue(std::string_view key, std::string_view crawl) override {
    ADUANA_TRY(catch_up());
    return store_->delete_queue(crawl, key);
  }

  Result<uint64_t> delete_crawl(std::string_view crawl) override {
    ADUANA_TRY(catch_up());
    return store_->delete_crawl(crawl);
  }

  Status pause(bool paused) override {
    const auto done = store_->decide([&](Instant) -> Result<std::string> {
      Action action;
      action.kind = ActionKind::paused;
      action.on = paused;
      return paused == plan_->paused() ? std::string() : action.encode();
    });
    return done ? Status{} : Status(done.error());
  }

  // ---- looking

  Result<PageInfo> page(const PageRef& page) override {
    look_after();
    ADUANA_ASSIGN(const PageIdx idx, store_->find(page.url, page.crawl, page.queue));
    return store_->page(idx);
  }

  Result<PageInfo> page(PageIdx page) override {
    look_after();
    return store_->page(page);
  }

  Result<FrontierStats> stats() override {
    look_after();
    FrontierStats stats;
    const StoreCounts counts = store_->counts();
    stats.urls = counts.pages.urls();
    stats.pages = counts.pages.by_state;
    stats.links = counts.links;
    stats.lsn = counts.lsn;
    ADUANA_TRY(store_->look([&](Pages&) {
      stats.queues = plan_->schedule().filled();
      stats.refused = plan_->refused();
      stats.paused = plan_->paused();
      stats.pending_bytes = plan_->schedule().pending_bytes();
      return Status{};
    }));
    if (rescoring_) stats.scoring = rescoring_->status();
    return stats;
  }

  Result<std::vector<QueueStatus>> queues(uint32_t from, size_t n) override {
    look_after();
    std::vector<QueueStatus> all;
    ADUANA_TRY(store_->look([&](Pages&) {
      for (uint32_t id = from; id < plan_->schedule().size() && all.size() < n; ++id) {
        if (auto status = plan_->status({id}, time_.now())) {
          status->number = id;
          all.push_back(std::move(*status));
        }
      }
      return Status{};
    }));
    return all;
  }

  Result<QueueStatus> queue(std::string_view key, std::string_view crawl) override {
    look_after();
    std::optional<QueueStatus> status;
    ADUANA_TRY(store_->look([&](Pages&) {
      if (const auto id = plan_->find_queue(crawl, key)) status = plan_->status(*id, time_.now());
      return Status{};
    }));
    if (!status) return Error(Code::not_found, fmt::format("there is no queue {}", key));
    return *status;
  }

  Result<PageLinks> links(const PageRef& page, LinkDirection direction, size_t most) override {
    look_after();
    ADUANA_ASSIGN(const PageIdx idx, store_->find(page.url, page.crawl, page.queue));
    return links_of_page(*store_, idx, direction, most);
  }

  Result<std::vector<WaitingPage>> best(size_t n) override {
    look_after();
    return best_waiting(*store_, *plan_, n);
  }

  Result<FreshnessEstimate> freshness(size_t sample) override {
    look_after();
    ADUANA_ASSIGN(FreshnessEstimate estimate, sample_freshness(store_->snapshot(), time_.now(), sample));
    estimate.pages = store_->counts().pages.crawled;
    return estimate;
  }

  Result<PageScore> score(const PageRef& page) override {
    look_after();
    ADUANA_ASSIGN(const PageIdx idx, store_->find(page.url, page.crawl, page.queue));
    PageScore score;
    ADUANA_TRY(store_->look([&](Pages& pages) -> Status {
      ADUANA_ASSIGN(const PageRecord record, pages.record(idx));
      score = rescoring_ ? plan_->ranks().scorer()->get(idx) : PageScore{record.score, record.score};
      return {};
    }));
    return score;
  }

  Status update_scores() override { return rescoring_ ? rescoring_->update() : Status{}; }

  Status build_graph(const std::string& path, const GraphOptions& options) override {
    GraphBuildOptions build;
    build.memory_bytes = options.memory_bytes;
    build.threads = options.threads;
    build.scratch_folder = options.scratch_folder;
    build.order_by_url = options.order_by_url;
    build.progress = options.progress;
    return build_graph_of(*files_, store_->snapshot(), path, build);
  }

  // ---- keeping

  Status checkpoint() override { return store_->checkpoint(); }
  Status sync() override { return store_->sync(); }

  Status check(const std::function<void(const std::string&)>& problem) override {
    ADUANA_TRY(store_->check(problem));
    return store_->look([&](Pages&) { return plan_->check(problem); });
  }

  Status close() override {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    if (keeper_.joinable()) keeper_.join();
    if (rescoring_) rescoring_->stop();
    return store_ ? store_->close() : Status{};
  }

 private:
  // The store stamps its events with the frontier's time, too.
  class StoreClock final : public Clock {
   public:
    explicit StoreClock(StoredFrontier& frontier) : frontier_(frontier) {}
    Instant now() const override { return frontier_.time_.now(); }
    Millis elapsed() const override { return frontier_.time_.now().time_since_epoch(); }

   private:
    StoredFrontier& frontier_;
  };

  // Leases that ran out return and scheduled pages are queued, before anything else is looked at; of very many only
  // some when a thread is there to do the rest, so that nobody has to wait for all of them.
  Status catch_up() {
    while (true) {
      ADUANA_ASSIGN(const bool done, catch_up_some());
      if (done || keeper_.joinable()) return {};
    }
  }

  // True when nothing is left to do.
  Result<bool> catch_up_some() {
    if (options_.read_only) return true;
    const Instant now = time_.now();
    std::optional<Instant> next;
    ADUANA_TRY(store_->look([&](Pages&) {
      next = plan_->next_time();
      return Status{};
    }));
    if (!next || *next > now) return true;
    const auto event = [](const std::optional<Action>& action) {
      return Result<std::string>(action ? action->encode() : std::string());
    };
    ADUANA_TRY(store_->decide([&](Instant then) { return event(plan_->return_ended(then)); }));
    ADUANA_TRY(store_->decide([&](Instant then) { return event(plan_->wake_due(then)); }, [&] { plan_->let_sleep(); }));
    return false;
  }

  // The same for those who only look: what can't be written now must not keep anybody from reading.
  void look_after() { (void)catch_up(); }

  void keep_time() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, kLongestSleep, [&] { return stopping_; })) {
      lock.unlock();
      // What fails here fails again in the next call that changes something, where somebody is told.
      for (auto done = catch_up_some(); done && !*done; done = catch_up_some()) {
      }
      (void)store_->look([&](Pages&) {
        plan_->schedule().run_timers(time_.now());
        return Status{};
      });
      lock.lock();
    }
  }

  // One event for each page that is there, all acknowledged together.
  Outcomes act_on(std::span<const PageRef> pages,
                  const std::function<Result<std::optional<Action>>(size_t, PageIdx)>& decide) {
    Outcomes outcomes(pages.size());
    std::vector<size_t> places;
    std::vector<Store::Decision> decisions;
    for (size_t i = 0; i < pages.size(); ++i) {
      const auto idx = store_->find(pages[i].url, pages[i].crawl, pages[i].queue);
      if (!idx) {
        outcomes[i] = idx.error();
        continue;
      }
      places.push_back(i);
      decisions.push_back([&decide, i, page = *idx](Instant) -> Result<std::string> {
        ADUANA_ASSIGN(const auto action, decide(i, page));
        return action ? action->encode() : std::string();
      });
    }
    const auto decided = store_->decide_all(decisions);
    for (size_t i = 0; i < places.size(); ++i) outcomes[places[i]] = decided[i];
    return outcomes;
  }

  // The page is done, as good as it was thought to be, and its one link is the target.
  std::optional<Error> follow_redirect(const Failure& failure) {
    const auto idx = store_->find(failure.url, failure.crawl, failure.queue);
    if (!idx) return idx.error();
    const auto from = Url::parse(failure.url);
    if (!from) return from.error();
    Canonicalizer canonicalizer(store_->canonical());
    const auto to = canonicalizer.canonicalize(failure.target, *from);
    if (!to) return to.error().within("the target of the redirect");
    PageRecord record;
    const Status read = store_->look([&](Pages& pages) -> Status {
      ADUANA_ASSIGN(record, pages.record(*idx));
      return {};
    });
    if (!read) return read.error();
    if (record.state != PageState::leased && record.state != PageState::queued) {
      const auto links = links_of_page(*store_, *idx, LinkDirection::out, 1);
      if (!links) return links.error();
      const bool said_again = links->total == 1 && links->pages.size() == 1 && links->pages[0].url == to->text;
      if (said_again) return std::nullopt;
      return Error(Code::invalid, fmt::format("the page is {}, not leased or queued", name_of(record.state)));
    }
    const ReportedLink target{failure.target, record.score, record.priority};
    ReportedPage page;
    page.url = failure.url;
    page.score = record.score;
    page.links = {&target, 1};
    page.fetch_time = failure.fetch_time;
    page.crawl = failure.crawl;
    page.queue = failure.queue;
    const auto reported = store_->report({&page, 1});
    if (!reported) return reported.error();
    return reported->pages[0].error;
  }

  // Under the store's lock.
  Status describe(Pages& pages, const Plan::Grant& grant, std::vector<Request>& requests) {
    requests.reserve(grant.taken.size());
    for (const Taken& taken : grant.taken) {
      ADUANA_ASSIGN(const PageRecord record, pages.record(taken.page));
      ADUANA_ASSIGN(const Birth birth, pages.birth_alone(taken.page, described_));
      const std::string_view queue = pages.hosts().name_of(taken.queue);
      Request request;
      request.url = birth.url;
      request.page = taken.page;
      request.score = plan_->ranks().of(taken.page, record);
      request.depth = record.depth;
      request.lease_end = grant.until;
      request.crawl = crawl_of(queue);
      request.queue = key_of(queue);
      if (record.detail) {
        ADUANA_ASSIGN(const DetailRecord detail, pages.detail(record.detail - 1));
        ADUANA_ASSIGN(request.metadata, pages.metadata(detail));
      }
      requests.push_back(std::move(request));
    }
    return {};
  }

  const FrontierOptions options_;
  const SystemClock system_clock_;
  const std::unique_ptr<Plan> plan_;
  FileSystem* files_ = nullptr;
  SteadyTime time_;
  const StoreClock store_clock_{*this};
  std::unique_ptr<Store> store_;
  std::optional<Rescoring> rescoring_;
  UrlLog::Single described_;  // by describe(), kept for its buffers

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread keeper_;
};

}  // namespace

StoreOptions store_options_of(const FrontierOptions& options) {
  StoreOptions store;
  store.create = options.create;
  store.read_only = options.read_only;
  store.background = options.background && !options.read_only;
  store.canonical.sort_query = options.sort_query;
  store.canonical.strip_params = options.strip_params;
  store.queue_by = options.queue_by;
  store.keep_journal = options.keep_journal;
  store.journal.durability = options.durability;
  store.pages.index.cache_bytes = options.cache_bytes;
  return store;
}

PendingBudget::OpenFile scratch_file(FileSystem& fs, const std::string& dir, bool read_only) {
  if (read_only) return {};
  return [&fs, path = join_path(dir, kScratchFile)] { return SpillFile::open(fs, path); };
}

Result<std::unique_ptr<Frontier>> open_frontier(FileSystem& fs, const std::string& dir, const FrontierOptions& options,
                                                const StoreOptions& store_options) {
  ADUANA_ASSIGN(auto plan, Plan::make(options, scratch_file(fs, dir, options.read_only)));
  auto frontier = std::make_unique<StoredFrontier>(options, std::move(plan));
  ADUANA_TRY(frontier->open(fs, dir, store_options));
  return std::unique_ptr<Frontier>(std::move(frontier));
}

Result<std::unique_ptr<Frontier>> Frontier::open(const std::string& dir, const FrontierOptions& options) {
  return open_frontier(real_files(), dir, options, store_options_of(options));
}

}  // namespace aduana
