// The plan: keeps schedule, leases and recrawl in step with the page table.
//
// It follows the store: every event reaches it, under the store's lock, when it happens and at replay. The page records
// are the truth about states; the schedule's queues, the heap of scheduled pages and all counts are made from them when
// the store is opened. Leases, and the few numbers that are nowhere else, are saved with the checkpoint; what
// politeness has to remember about a queue is written to its host record at every change.
//
// The first half of the interface decides: it picks pages and returns the event to be journaled (plan.cc). The second
// applies what happened (plan_events.cc).
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aduana/frontier.h"
#include "frontier/actions.h"
#include "frontier/birthdays.h"
#include "frontier/ranks.h"
#include "schedule/leases.h"
#include "schedule/schedule.h"
#include "store/follower.h"

namespace aduana {

class Plan final : public Follower {
 public:
  // `spill_file` as of Schedule.
  static Result<std::unique_ptr<Plan>> make(const FrontierOptions& options, PendingBudget::OpenFile spill_file = {});

  // Decisions. Each returns the event, or nothing if there is nothing to do.
  struct Grant {
    std::vector<Taken> taken;
    Instant until{};
  };
  std::optional<Action> grant(size_t n, const RequestOptions& options, Instant now, Grant& grant);
  void take_back(const Grant& grant, Instant now);  // it could not be journaled
  std::optional<Action> return_ended(Instant now);
  std::optional<Action> wake_due(Instant now);
  void let_sleep();  // they could not be woken: the event was not journaled
  static Status test_lease(Millis lease);
  Result<std::optional<Action>> fail(PageIdx page, FailureKind kind, std::optional<Millis> fetch_time);
  Result<std::optional<Action>> release(PageIdx page);
  Result<Action> control(HostId queue, const QueueControl& control);

  // When a lease ends or a page is due; nothing if neither will happen.
  std::optional<Instant> next_time();
  // The latest time that an event had.
  Instant last_time() const { return last_time_; }

  bool paused() const { return paused_; }
  std::optional<uint32_t> lane_of(std::string_view crawl) const;
  std::optional<HostId> find_queue(std::string_view crawl, std::string_view key) const;  // one that has pages
  Result<std::vector<PendingEntry>> pending_of(HostId queue);  // without those left behind, in no order
  std::optional<QueueStatus> status(HostId queue, Instant now) const;
  Schedule& schedule() { return *schedule_; }
  Ranks& ranks() { return ranks_; }
  // Puts the queued pages among [from, to) where their scores say, if they stand elsewhere; returns how many did.
  Result<uint64_t> rescore(PageIdx from, PageIdx to, Instant now);
  const std::array<uint64_t, kRefusalReasons>& refused() const { return refused_; }

  // Compares all that is kept here with the page records.
  Status check(const std::function<void(const std::string&)>& problem);

  // Follower
  Status attach(Pages& pages, std::string_view saved) override;
  Status start() override;
  Status coming(const Event& event, bool again) override;
  Status born(PageIdx page, const NewUrl& url, Instant now, PageRecord& record) override;
  Status crawled(PageIdx page, const Event& event, const PageRecord& before, PageRecord& record,
                 DetailRecord& detail) override;
  Status stored(PageIdx page, std::optional<PageState> before, const PageRecord& record, Instant now) override;
  Status deleted(PageIdx page, const PageRecord& before) override;
  Status emptied(HostId queue, Instant now) override;
  Result<std::string> wanted(std::span<const PageIdx> pages) override;
  Status happened(std::string_view payload, Instant now) override;
  std::string save() const override;

 private:
  explicit Plan(const FrontierOptions& options) : options_(options), ranks_(make_scorer(options.scoring)) {}

  static PendingEntry due_entry(Instant due, PageIdx page);
  Result<bool> is_said_again(const PageRecord& record, FailureKind kind);
  Result<OrderKey> key_of(PageIdx page, const PageRecord& record);
  Queue& queue_of(HostId id);
  uint32_t lane_for(std::string_view crawl);
  void drop_old_dues();
  void count(const Queue& queue, HostId id, std::optional<PageState> from, std::optional<PageState> to);
  Status save_queue(HostId id);
  Status move(PageIdx page, PageState to, Instant now);
  Result<bool> put_by_score(PageIdx page, Instant now);
  Status apply_grant(const Action& action, Instant now);
  Status apply_failure(const Action& action, Instant now);
  Status apply_control(const Action& action, Instant now);
  Result<Instant> due_of(const PageRecord& record);
  void note_time(Instant now) { last_time_ = std::max(last_time_, now); }

  const FrontierOptions options_;
  Pages* pages_ = nullptr;
  std::unique_ptr<Schedule> schedule_;
  Leases leases_;
  PendingHeap due_;  // scheduled pages by the time they are due; entries left behind are told as in a queue
  std::vector<PendingEntry> waking_;  // taken out of it by wake_due()
  Birthdays birthdays_;
  Ranks ranks_;
  std::array<uint64_t, kRefusalReasons> refused_{};
  std::map<std::string, uint32_t, std::less<>> lanes_;  // by the crawl's name
  std::vector<uint64_t> pages_in_lane_;                 // that are not merely known
  bool paused_ = false;
  std::string policy_, learned_;  // of the recrawl policy that saved last, while there is none now
  bool granting_ = false;         // the schedule has counted the pages that are being granted
  Instant last_time_{};
};

}  // namespace aduana
