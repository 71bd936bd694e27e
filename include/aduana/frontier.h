// The frontier: which page next.
//
// It takes crawled pages in and gives the next requests out: best pages first, politely, losing nothing. Every URL is
// in exactly one state (see PageState); a request leases its pages for a time, within which they are to be reported,
// failed or released, else they return to their queues. All that is acknowledged survives as the durability says.
//
//   auto frontier = aduana::Frontier::open("crawl.db", {});
//   const aduana::Discovery seed{.url = "https://example.com/"};
//   auto found = (*frontier)->discover({&seed, 1});  // tells what is wrong with each URL
//   auto requests = (*frontier)->request(10);
//   for (const aduana::Request& r : *requests) { … fetch r.url, then report() or fail() … }
//   aduana::Status closed = (*frontier)->close();
//
// Thread-safe: any number of threads may call anything at the same time, except close(). Batches are faster than single
// pages. (As programs: examples/first_request.cc and simulated_crawl.cc.)
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/frontier_options.h"
#include "aduana/graph_options.h"
#include "aduana/link_graph.h"
#include "aduana/page.h"
#include "aduana/page_info.h"
#include "aduana/report.h"
#include "aduana/result.h"
#include "aduana/time.h"

namespace aduana {

// A page to fetch.
struct Request {
  std::string url;
  PageIdx page;
  float score = 0;
  uint32_t depth = 0;  // links from the seed
  Instant lease_end{};
  std::string crawl;
  std::string queue;     // its key: the host, unless configured otherwise
  std::string metadata;  // what the client gave with it
};

struct RequestOptions {
  std::optional<Millis> lease;  // how long until the pages return; FrontierOptions::lease if not given
  uint32_t per_queue = 0;       // no more of one queue than this; 0: as many as politeness allows
  std::string_view crawl;       // of this crawl only; empty: of any
  std::string_view queue;       // of this queue only, in the crawl given, or in DEFAULT
};

enum class FailureKind : uint8_t {
  temporary = 0,  // no connection, a time-out, 5xx: the page is tried again, the host left alone for a while
  gone = 1,       // 404, 410 and the like: not to be asked for again
  excluded = 2,   // robots.txt forbids it, or the crawl's scope
  redirect = 3,   // it leads to `Failure::target`: the page is done, with a link to that
};

struct Failure {
  std::string_view url;
  FailureKind kind = FailureKind::temporary;
  std::optional<Millis> fetch_time = {};
  std::string_view crawl = {}, queue = {};  // as reported
  std::string_view target = {};             // of a redirect: absolute, or relative to the page
};

struct PageRef {
  std::string_view url;
  std::string_view crawl = {}, queue = {};
};

// A change of a queue by hand; what is not given stays. With an empty key: of all queues of the crawl that are there.
struct QueueControl {
  std::string_view crawl, key;
  std::optional<Instant> block_until;          // the past unblocks
  std::optional<std::optional<Millis>> delay;  // {nullopt}: the configured one again
  std::optional<uint32_t> limit;               // no more requests once so many pages were crawled; 0: none
  std::optional<Millis> crawl_delay;           // of robots.txt
  std::optional<std::string_view> address;  // its IP address as text, for FrontierOptions::per_address; empty: unknown
};

struct QueueStatus {
  uint32_t number = 0;  // in the order in which queues were first seen
  std::string crawl, key;
  std::array<uint64_t, kPageStates> pages{};  // by state
  double temperature = 0;
  Instant next_time{};  // earliest time of the next request; the past: now
  std::optional<Millis> delay;
  Instant blocked_until{};
  uint32_t limit = 0;
  uint32_t failures_in_a_row = 0;

  uint64_t count(PageState state) const { return pages[static_cast<size_t>(state)]; }
};

struct FrontierStats {
  uint64_t urls = 0, links = 0, queues = 0;
  std::array<uint64_t, kPageStates> pages{};        // by state
  std::array<uint64_t, kRefusalReasons> refused{};  // URLs that were found but not queued, so far, by reason
  uint64_t pending_bytes = 0;                       // of memory
  uint64_t lsn = 0;
  bool paused = false;
  ScoringStatus scoring;

  uint64_t count(PageState state) const { return pages[static_cast<size_t>(state)]; }
};

// A page that waits for its turn.
struct WaitingPage {
  std::string url;
  float score = 0;
  uint32_t depth = 0;
  std::string crawl, queue;
};

struct PageLinks {
  uint64_t total = 0;
  std::vector<PageInfo> pages;  // of these, as many as were asked for
};

// How well the crawled pages are kept up to date, by a sample of them.
struct FreshnessEstimate {
  uint64_t pages = 0;                // crawled at least once
  uint64_t sampled = 0;              // of these, looked at
  uint64_t known = 0;                // of these, seen more than once, so that something is known of their changes
  std::optional<double> fresh;       // the share of the latter that is expected to be still as it was when crawled
  uint64_t due = 0;                  // pages that wait for their next visit, or are being visited, about
  Millis median_age{0}, p90_age{0};  // since the last crawl, of all that were looked at
};

// One each, in order: nothing where it was done.
using Outcomes = std::vector<std::optional<Error>>;

class Frontier {
 public:
  static Result<std::unique_ptr<Frontier>> open(const std::string& dir, const FrontierOptions& options);
  virtual ~Frontier() = default;  // closes; errors of that are lost

  // Crawled pages. A report confirms the page's lease, if it has one.
  virtual Result<ReportResult> report(std::span<const ReportedPage> pages) = 0;
  // URLs to crawl: seeds. Those that are known but were not queued, because of a limit, are queued now.
  virtual Result<DiscoverResult> discover(std::span<const Discovery> urls) = 0;
  // At most n pages, the best of those that may be fetched now; fewer, or none, if there are not so many.
  virtual Result<std::vector<Request>> request(size_t n, const RequestOptions& options = {}) = 0;
  // A temporary failure ends a lease; of a page that has none it is refused, and so nothing counts twice. The other
  // kinds are taken of queued pages, too. Said again, a failure changes nothing and is no error: temporary of a queued
  // page that has failed, any kind but redirect of a gone one, a redirect of a page whose one link is its target.
  virtual Result<Outcomes> fail(std::span<const Failure> failures) = 0;
  // Gives leased pages back, as if they had not been requested; of queued ones there is nothing to give back.
  virtual Result<Outcomes> release(std::span<const PageRef> pages) = 0;

  virtual Status control(const QueueControl& control) = 0;
  // Forgets the pages of a queue, or of all queues of a crawl, as if they had never been seen: they can be found anew.
  // How polite to be to the queue is not forgotten, but fetches that are under way are. Returns how many pages there
  // were. Other calls wait meanwhile, about a second for a hundred million pages in the store.
  virtual Result<uint64_t> delete_queue(std::string_view key, std::string_view crawl = {}) = 0;
  virtual Result<uint64_t> delete_crawl(std::string_view crawl) = 0;
  // While paused, request() gives nothing.
  virtual Status pause(bool paused) = 0;

  virtual Result<PageInfo> page(const PageRef& page) = 0;
  virtual Result<PageInfo> page(PageIdx page) = 0;
  virtual Result<FrontierStats> stats() = 0;
  // Up to n queues from number `from` on, in the order in which they were first seen; empty when there are no more.
  virtual Result<std::vector<QueueStatus>> queues(uint32_t from, size_t n) = 0;
  virtual Result<QueueStatus> queue(std::string_view key, std::string_view crawl = {}) = 0;
  // The pages that a page links to, or those that link to it: for the latter all links are read, in a second about a
  // hundred million. Others go on meanwhile.
  virtual Result<PageLinks> links(const PageRef& page, LinkDirection direction, size_t most) = 0;
  // The best page of each queue, the n best of these, whether or not they may be fetched now.
  virtual Result<std::vector<WaitingPage>> best(size_t n) = 0;

  // From up to `sample` pages; others go on meanwhile.
  virtual Result<FreshnessEstimate> freshness(size_t sample = 10'000) = 0;

  // How good the page is, as FrontierOptions::scoring says; as reported if that is ScorerKind::content.
  virtual Result<PageScore> score(const PageRef& page) = 0;
  // Computes all scores anew, now, and puts every queued page where its own says. Others go on meanwhile.
  virtual Status update_scores() = 0;

  // Makes a compressed graph of the links as they are now, in a file that `aduana graph` reads. Others go on meanwhile.
  virtual Status build_graph(const std::string& path, const GraphOptions& options = {}) = 0;

  virtual Status checkpoint() = 0;
  // Makes everything acknowledged so far durable.
  virtual Status sync() = 0;
  // Every checksum and invariant; `problem` gets a sentence for each that does not hold.
  virtual Status check(const std::function<void(const std::string&)>& problem) = 0;
  // Checkpoint and close. Nothing else may be called afterwards.
  virtual Status close() = 0;
};

}  // namespace aduana
