#include "store/naive_store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/checksum.h"

namespace aduana {

uint64_t NaiveStore::idx_of(std::string_view url, int64_t linked_from, int depth, float score) {
  if (const auto it = by_url_.find(url); it != by_url_.end()) return it->second;
  Page page;
  page.url = url;
  Canonicalizer canonicalizer;
  page.host = canonicalizer.canonicalize(page.url)->host;
  page.linked_from = linked_from;
  page.depth = depth;
  page.score = score;
  const uint64_t idx = pages_.size();
  pages_.push_back(page);
  by_url_.emplace(page.url, idx);
  after_change(idx);
  return idx;
}

void NaiveStore::report(const ReportedPage& report) {
  const uint64_t idx = idx_of(report.url, -1, 0, 0);
  const int64_t time = report.time->time_since_epoch().count();
  if (pages_[idx].n_crawls && (pages_[idx].last == time || pages_[idx].first == time)) {  // reported before
    for (const ReportedLink& link : report.links)
      idx_of(link.url, static_cast<int64_t>(idx), pages_[idx].depth + 1, link.score);
    return;
  }
  before_change(idx);
  pages_[idx].other_hosts.clear();
  pages_[idx].same_host.clear();
  for (const ReportedLink& link : report.links) {
    const uint64_t target = idx_of(link.url, static_cast<int64_t>(idx), pages_[idx].depth + 1, link.score);
    Page& page = pages_[idx];
    (pages_[target].host == page.host ? page.same_host : page.other_hosts).insert(target);
  }
  Page& page = pages_[idx];
  page.first = page.n_crawls ? std::min(page.first, time) : time;
  page.last = page.n_crawls ? std::max(page.last, time) : time;
  ++page.n_crawls;
  page.score = report.score;
  if (!report.content_hash.empty()) {
    if (!page.content_hash.empty() && page.content_hash != report.content_hash) ++page.n_changes;
    page.content_hash = report.content_hash;
  }
  if (report.metadata) page.metadata = *report.metadata;
  after_change(idx);
}

void NaiveStore::discover(const Discovery& url) {
  const uint64_t before = pages_.size();
  const uint64_t idx = idx_of(url.url, -1, 0, url.score);
  if (idx < before) return;
  before_change(idx);
  pages_[idx].metadata = url.metadata;
  after_change(idx);
}

uint64_t NaiveStore::links() const {
  uint64_t n = 0;
  for (const Page& page : pages_) n += page.other_hosts.size() + page.same_host.size();
  return n;
}

void NaiveStore::before_change(uint64_t idx) { digest_ -= checksum64(line(idx)); }
void NaiveStore::after_change(uint64_t idx) { digest_ += checksum64(line(idx)); }

std::string NaiveStore::line(uint64_t idx) const {
  const Page& p = pages_[idx];
  return fmt::format(
      "{} {} {} from {} depth {} score {} crawls {} changes {} first {} last {} hash {} meta {} other {} same {}", idx,
      p.url, p.host, p.linked_from, p.depth, p.score, p.n_crawls, p.n_changes, p.first, p.last, p.content_hash,
      p.metadata, fmt::join(p.other_hosts, ","), fmt::join(p.same_host, ","));
}

Result<std::string> NaiveStore::line_of(const PageInfo& i, const LinkList& links) {
  std::vector<uint64_t> targets;
  for (const PageIdx target : links.targets) targets.push_back(target.value);
  const auto middle = targets.begin() + static_cast<ptrdiff_t>(links.other_hosts);
  return fmt::format(
      "{} {} {} from {} depth {} score {} crawls {} changes {} first {} last {} hash {} meta {} other {} same {}",
      i.idx.value, i.url, i.host, i.linked_from == kNoPage ? -1 : static_cast<int64_t>(i.linked_from.value), i.depth,
      i.score, i.n_crawls, i.n_changes, i.first_crawl.time_since_epoch().count(),
      i.last_crawl.time_since_epoch().count(), i.content_hash, i.metadata, fmt::join(targets.begin(), middle, ","),
      fmt::join(middle, targets.end(), ","));
}

Result<uint64_t> NaiveStore::digest_of(const StoreSnapshot& snapshot) {
  uint64_t digest = 0;
  auto stream = snapshot.page_stream();
  while (true) {
    ADUANA_ASSIGN(const auto info, stream.next());
    if (!info) return digest;
    ADUANA_ASSIGN(const auto links, snapshot.links_of(info->idx));
    ADUANA_ASSIGN(const auto text, line_of(*info, links));
    digest += checksum64(text);
  }
}

}  // namespace aduana
