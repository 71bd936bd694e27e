#include "frontier/naive_frontier.h"

#include <algorithm>
#include <cmath>

namespace aduana {
namespace {

std::string host_of(const std::string& url) {
  const size_t begin = url.find("://") + 3;
  return url.substr(begin, url.find('/', begin) - begin);
}

// The tests' hosts are all name.domain.example: the last two parts of it are its domain.
std::string domain_of(const std::string& host) {
  const size_t last = host.rfind('.');
  const size_t before = host.rfind('.', last - 1);
  return before == std::string::npos ? host : host.substr(before + 1);
}

uint32_t repeats(const std::string& url) {
  std::map<std::string, uint32_t> times;
  uint32_t most = 0;
  size_t at = url.find('/', url.find("://") + 3);
  while (at != std::string::npos) {
    const size_t next = url.find('/', at + 1);
    const std::string segment = url.substr(at + 1, next == std::string::npos ? next : next - at - 1);
    if (!segment.empty()) most = std::max(most, ++times[segment]);
    at = next;
  }
  return most;
}

}  // namespace

NaiveFrontier::Page* NaiveFrontier::find(const std::string& url) {
  const auto found = by_url_.find(url);
  return found == by_url_.end() ? nullptr : &pages_[found->second];
}

NaiveFrontier::Page& NaiveFrontier::add(const Link& link, const Page* parent, bool crawled, Instant now) {
  Page page;
  page.url = link.url;
  page.host = host_of(link.url);
  page.idx = {next_idx_++};
  page.score = link.score;
  page.priority = link.priority;
  // Times of discovery are kept to the second.
  if (page.idx.value == 0 || now >= last_sample_ + Millis{1000}) last_sample_ = now;
  page.found = last_sample_;
  if (parent) {
    page.depth = static_cast<uint16_t>(parent->depth + 1);
    if (domain_of(parent->host) == domain_of(page.host))
      page.domain_depth = static_cast<uint8_t>(parent->domain_depth + 1);
  }
  queues_[page.host];
  if (crawled) {
    page.state = PageState::done;
  } else {
    const CrawlLimits& limits = options_.limits;
    uint64_t in_queue = 0, in_all = 0;
    for (const Page& other : pages_) {
      if (other.state == PageState::known) continue;
      ++in_all;
      in_queue += other.host == page.host;
    }
    std::optional<Refusal> why;
    if (limits.max_pages_per_crawl && in_all >= limits.max_pages_per_crawl) why = Refusal::crawl_full;
    if (limits.max_pages_per_queue && in_queue >= limits.max_pages_per_queue) why = Refusal::queue_full;
    if (parent) {
      if (limits.max_repeated_segments && repeats(page.url) > limits.max_repeated_segments)
        why = Refusal::repeated_segments;
      if (limits.max_url_length && page.url.size() > limits.max_url_length) why = Refusal::url_length;
      if (limits.max_domain_depth && page.domain_depth > limits.max_domain_depth) why = Refusal::domain_depth;
      if (limits.max_seed_depth && page.depth > limits.max_seed_depth) why = Refusal::seed_depth;
    }
    if (why) {
      ++refused_[static_cast<size_t>(*why)];
    } else {
      page.state = PageState::queued;
    }
  }
  by_url_[page.url] = pages_.size();
  pages_.push_back(page);
  return pages_.back();
}

void NaiveFrontier::discover(const Link& seed, Instant now) {
  catch_up(now);
  Page* page = find(seed.url);
  if (!page) {
    add(seed, nullptr, false, now);
  } else if (page->state == PageState::known) {
    uint64_t in_queue = 0, in_all = 0;
    for (const Page& other : pages_) {
      if (other.state == PageState::known) continue;
      ++in_all;
      in_queue += other.host == page->host;
    }
    const CrawlLimits& limits = options_.limits;
    const bool full = (limits.max_pages_per_crawl && in_all >= limits.max_pages_per_crawl) ||
                      (limits.max_pages_per_queue && in_queue >= limits.max_pages_per_queue);
    if (!full) page->state = PageState::queued;
  }
}

void NaiveFrontier::report(const std::string& url, float score, const std::vector<Link>& links,
                           std::optional<Millis> took, Instant now) {
  catch_up(now);
  if (!find(url)) add({url, 0, kDefaultPriority}, nullptr, true, now);
  for (const Link& link : links) {
    if (find(link.url)) continue;
    const Page parent = *find(url);
    add(link, &parent, false, now);
  }
  Page& page = *find(url);
  page.score = score;
  ++page.n_crawls;
  page.failures = 0;
  page.state = PageState::done;
  page.due = {};
  finished(queues_[page.host], true, took, now);
  if (!options_.recrawl) return;
  CrawlHistory history;
  history.n_crawls = page.n_crawls;
  if (const auto next = options_.recrawl->next_visit(history, now)) {
    page.state = PageState::scheduled;
    page.due = *next;
  }
}

void NaiveFrontier::finished(Queue& queue, bool success, std::optional<Millis> took, Instant now) {
  const PolitenessOptions& rule = options_.politeness;
  if (took) {
    queue.last_fetch = *took;
    const Millis gap{static_cast<int64_t>(rule.fetch_factor * static_cast<double>(took->count()))};
    queue.next_time = std::max(queue.next_time, now + std::min(gap, rule.max_fetch_delay));
  }
  if (success) {
    queue.failures_in_a_row = 0;
  } else if (rule.first_back_off > Millis{0}) {
    Millis pause = rule.first_back_off;
    for (int i = 0; i < queue.failures_in_a_row && pause < rule.max_back_off; ++i) pause *= 2;
    ++queue.failures_in_a_row;
    queue.backed_off_until = std::max(queue.backed_off_until, now + std::min(pause, rule.max_back_off));
  }
}

double NaiveFrontier::temperature(const Queue& queue, Instant now) const {
  double sum = 0;
  for (const Instant t : queue.grants) {
    sum += std::exp(-static_cast<double>((now - t).count()) / static_cast<double>(options_.politeness.window.count()));
  }
  return sum;
}

std::optional<int> NaiveFrontier::step_of(const std::string& host, const Queue& queue, Instant now) const {
  const PolitenessOptions& rule = options_.politeness;
  if (now < queue.next_time || now < queue.backed_off_until || now < queue.blocked_until) return std::nullopt;
  if (rule.max_in_flight && count(host, PageState::leased) >= rule.max_in_flight) return std::nullopt;
  uint64_t crawled = 0;
  for (const Page& page : pages_) crawled += page.host == host && page.n_crawls > 0;
  if (queue.limit && crawled >= queue.limit) return std::nullopt;
  if (!queue.address.empty() && !address_allows(queue.address, now)) return std::nullopt;
  if (rule.hard_rate == 0) return 0;
  const double seconds = static_cast<double>(rule.window.count()) / 1000;
  for (int step = 0; step < 5; ++step) {
    const double limit = rule.soft_rate * std::pow(rule.hard_rate / rule.soft_rate, step / 4.0) * seconds;
    if (temperature(queue, now) <= limit) return step;
  }
  return std::nullopt;
}

bool NaiveFrontier::address_allows(const std::string& address, Instant now) const {
  uint64_t in_flight = 0;
  for (const auto& [host, queue] : queues_) {
    if (queue.address != address) continue;
    in_flight += count(host, PageState::leased);
    if (now < queue.last_request + options_.per_address.min_delay) return false;
  }
  return !options_.per_address.max_in_flight || in_flight < options_.per_address.max_in_flight;
}

OrderKey NaiveFrontier::key_of(const Page& page) const {
  return options_.order->key({page.idx, page.score, page.depth, page.domain_depth, page.priority,
                              page.due == Instant{} ? page.found : page.due});
}

std::vector<std::string> NaiveFrontier::request(size_t n, Millis lease, uint32_t per_queue, Instant now) {
  catch_up(now);
  std::vector<std::string> urls;
  std::map<std::string, uint32_t> given;
  while (urls.size() < n) {
    std::map<std::string, int> steps;
    for (auto& [host, queue] : queues_) {
      if (per_queue && given[host] >= per_queue) continue;
      if (const auto step = step_of(host, queue, now)) steps[host] = *step;
    }
    Page* best = nullptr;
    for (Page& page : pages_) {
      if (page.state != PageState::queued || !steps.contains(page.host)) continue;
      if (!best || std::tuple(steps[page.host], key_of(page), page.idx) <
                       std::tuple(steps[best->host], key_of(*best), best->idx)) {
        best = &page;
      }
    }
    if (!best) break;
    Queue& queue = queues_[best->host];
    const PolitenessOptions& rule = options_.politeness;
    const Millis by_fetch{static_cast<int64_t>(rule.fetch_factor * static_cast<double>(queue.last_fetch.count()))};
    const Millis delay = std::max({queue.delay.value_or(rule.min_delay), std::min(by_fetch, rule.max_fetch_delay),
                                   std::min(queue.crawl_delay, rule.max_crawl_delay)});
    queue.next_time = std::max(queue.next_time, now + delay);
    queue.grants.push_back(now);
    queue.last_request = now;
    best->state = PageState::leased;
    best->lease_end = now + lease;
    ++given[best->host];
    urls.push_back(best->url);
  }
  return urls;
}

bool NaiveFrontier::fail(const std::string& url, FailureKind kind, std::optional<Millis> took, Instant now) {
  catch_up(now);
  Page* page = find(url);
  if (!page) return false;
  if (page->state == PageState::gone) return true;  // again
  if (page->state == PageState::queued && kind == FailureKind::temporary && page->failures > 0) return true;
  const bool late = page->state == PageState::queued && kind != FailureKind::temporary;
  if (page->state != PageState::leased && !late) return false;
  ++page->failures;
  if (kind != FailureKind::excluded) finished(queues_[page->host], kind != FailureKind::temporary, took, now);
  const bool again = kind == FailureKind::temporary && page->failures <= options_.max_retries;
  page->state = again ? PageState::queued : PageState::gone;
  return true;
}

bool NaiveFrontier::release(const std::string& url, Instant now) {
  catch_up(now);
  Page* page = find(url);
  if (!page || (page->state != PageState::leased && page->state != PageState::queued)) return false;
  page->state = PageState::queued;
  return true;
}

bool NaiveFrontier::control(const QueueControl& control, Instant now) {
  catch_up(now);
  const auto found = queues_.find(std::string(control.key));
  const bool has_pages =
      std::any_of(pages_.begin(), pages_.end(), [&](const Page& p) { return p.host == control.key; });
  if (found == queues_.end() || !has_pages) return false;
  Queue& queue = found->second;
  if (control.block_until) queue.blocked_until = *control.block_until;
  if (control.delay) queue.delay = *control.delay;
  if (control.limit) queue.limit = *control.limit;
  if (control.crawl_delay) queue.crawl_delay = *control.crawl_delay;
  if (control.address) queue.address = *control.address;
  return true;
}

uint64_t NaiveFrontier::delete_queue(const std::string& host, Instant now) {
  catch_up(now);
  Queue& queue = queues_[host];
  queue.blocked_until = {};
  queue.delay.reset();
  queue.limit = 0;
  const size_t deleted = std::erase_if(pages_, [&](const Page& page) { return page.host == host; });
  by_url_.clear();
  for (size_t i = 0; i < pages_.size(); ++i) by_url_[pages_[i].url] = i;
  return deleted;
}

void NaiveFrontier::catch_up(Instant now) {
  for (Page& page : pages_) {
    if (page.state == PageState::leased && page.lease_end <= now) page.state = PageState::queued;
    if (page.state == PageState::scheduled && page.due <= now) page.state = PageState::queued;
  }
}

uint64_t NaiveFrontier::count(PageState state) const {
  return static_cast<uint64_t>(
      std::count_if(pages_.begin(), pages_.end(), [&](const Page& page) { return page.state == state; }));
}

uint64_t NaiveFrontier::count(const std::string& host, PageState state) const {
  return static_cast<uint64_t>(std::count_if(
      pages_.begin(), pages_.end(), [&](const Page& page) { return page.host == host && page.state == state; }));
}

}  // namespace aduana
