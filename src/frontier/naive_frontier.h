// For tests: the frontier as one would write it in an afternoon, with maps, sorts and full scans, and nothing saved.
// It is told what the real one is told and must give the same answers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "aduana/frontier.h"

namespace aduana {

class NaiveFrontier {
 public:
  explicit NaiveFrontier(const FrontierOptions& options) : options_(options) {}

  struct Link {
    std::string url;  // absolute and canonical: http://host/…
    float score = 0;
    uint8_t priority = kDefaultPriority;
  };
  void discover(const Link& seed, Instant now);
  void report(const std::string& url, float score, const std::vector<Link>& links, std::optional<Millis> took,
              Instant now);
  std::vector<std::string> request(size_t n, Millis lease, uint32_t per_queue, Instant now);
  bool fail(const std::string& url, FailureKind kind, std::optional<Millis> took, Instant now);
  bool release(const std::string& url, Instant now);
  bool control(const QueueControl& control, Instant now);
  uint64_t delete_queue(const std::string& host, Instant now);

  // Leases that ended return, pages that are due are queued.
  void catch_up(Instant now);

  struct Page {
    std::string url, host;
    PageIdx idx;
    float score = 0;
    uint16_t depth = 0;
    uint8_t domain_depth = 1;
    uint8_t priority = kDefaultPriority;
    Instant found{}, due{}, lease_end{};
    PageState state = PageState::known;
    uint32_t n_crawls = 0;
    uint32_t failures = 0;
  };
  const std::vector<Page>& pages() const { return pages_; }
  uint64_t count(PageState state) const;
  uint64_t count(const std::string& host, PageState state) const;
  uint64_t refused(Refusal reason) const { return refused_.at(static_cast<size_t>(reason)); }

 private:
  struct Queue {
    std::vector<Instant> grants;
    Instant next_time{}, backed_off_until{}, blocked_until{};
    Millis last_fetch{0}, crawl_delay{0};
    int failures_in_a_row = 0;
    std::optional<Millis> delay;
    uint32_t limit = 0;
    std::string address;
    Instant last_request{};
  };

  Page* find(const std::string& url);
  Page& add(const Link& link, const Page* parent, bool crawled, Instant now);
  void finished(Queue& queue, bool success, std::optional<Millis> took, Instant now);
  double temperature(const Queue& queue, Instant now) const;
  // The step of temperature in which the queue is served now; nothing if it is not.
  std::optional<int> step_of(const std::string& host, const Queue& queue, Instant now) const;
  bool address_allows(const std::string& address, Instant now) const;
  OrderKey key_of(const Page& page) const;

  const FrontierOptions options_;
  std::vector<Page> pages_;  // in the order of their numbers
  std::map<std::string, size_t> by_url_;
  uint64_t next_idx_ = 0;
  std::map<std::string, Queue> queues_;
  std::array<uint64_t, kRefusalReasons> refused_{};
  Instant last_sample_{};
};

}  // namespace aduana
