#include "store/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

#include "base/checksum.h"
#include "url/host.h"

namespace aduana {
namespace {

// Short relative links of a page with a long URL are long when resolved: a small report must not take all memory.
constexpr uint64_t kMaxRewritten = 512 << 20;

}  // namespace

void PendingUrls::reset(size_t most) {
  const size_t size = std::bit_ceil(std::max<size_t>(16, most * 2));
  slots_.assign(size, {});
  mask_ = size - 1;
}

uint64_t PendingUrls::find_or_add(const PageKey& key, uint64_t next) {
  for (size_t at = key.lo & mask_;; at = (at + 1) & mask_) {
    Slot& slot = slots_[at];
    if (!slot.idx_plus_1) {
      slot = {key, next + 1};
      return next;
    }
    if (slot.key == key) return slot.idx_plus_1 - 1;
  }
}

void Batch::begin(const Generations& generations) {
  generations_ = generations;
  arena_.clear();
  items_.clear();
  keys_.clear();
  pages_.clear();
}

Status Batch::add_item(const ItemSource& from) {
  const std::string_view url = from.url;
  if (!std::isfinite(from.score)) {
    return Error(Code::invalid,
                 fmt::format("the score {} of {} is not a finite number", from.score, url.substr(0, 200)));
  }
  if (from.priority > kMaxPriority) {
    return Error(Code::invalid, fmt::format("the priority {} of {} is not between 0 and {}", from.priority,
                                            url.substr(0, 200), kMaxPriority));
  }
  auto canonical = canonicalizer_.canonicalize(url);
  if (!canonical && from.page && canonical.error().code() == Code::invalid) {
    if (!base_) {
      if (auto base = Url::parse(from.page->url)) base_ = std::move(*base);
    }
    if (base_) canonical = canonicalizer_.canonicalize(url, *base_);
  }
  if (!canonical) return canonical.error();
  if (arena_.kept() > kMaxRewritten) {
    return Error(Code::too_large,
                 fmt::format("the links of one report grow to more than {} MiB when they are resolved; "
                             "split it",
                             kMaxRewritten >> 20));
  }
  // A view into the report is good until the batch is done; one into the canonicalizer must be copied.
  const std::string_view text = canonical->text;
  const bool in_report = std::less_equal<>()(url.data(), text.data()) &&
                         std::less_equal<>()(text.data() + text.size(), url.data() + url.size());
  Item item;
  item.host_begin = canonical->host.empty() ? 0 : static_cast<uint32_t>(canonical->host.data() - text.data());
  item.host_length = static_cast<uint32_t>(canonical->host.size());
  item.score = from.score;
  item.priority = from.priority;
  item.metadata = from.metadata;
  if (!from.crawl.empty() || !from.queue.empty() || queue_by_ != QueueBy::host) {
    const std::string name = queue_name(from.crawl, from.queue, canonical->host, queue_by_);
    if (!name.empty()) item.queue = arena_.keep(name);
  }
  keys_.push_back(generations_->key_of(*canonical, item.queue));
  item.url = in_report ? text : arena_.keep(text);
  items_.push_back(item);
  return {};
}

void Batch::prepare(std::span<const ReportedPage> pages, const Generations& generations, Instant now,
                    ReportResult& result) {
  begin(generations);
  result.pages.assign(pages.size(), {});
  for (size_t i = 0; i < pages.size(); ++i) {
    const ReportedPage& page = pages[i];
    PageOutcome& outcome = result.pages[i];
    const size_t first = items_.size();
    Status added = test_queue_key(page.crawl, page.queue);
    if (added) added = add_item({page.url, page.score, kDefaultPriority, {}, page.crawl, page.queue, nullptr});
    if (!added) {
      outcome.error = added.error();
      continue;
    }
    base_.reset();
    for (size_t j = 0; j < page.links.size(); ++j) {
      const ReportedLink& link = page.links[j];
      added = add_item({link.url, link.score, link.priority, {}, page.crawl, {}, &page});
      if (!added) outcome.refused.push_back({j, added.error()});
    }
    const bool told = page.time && *page.time <= now + kMostAhead;
    pages_.push_back({i, first, items_.size(), told ? *page.time : now, told, &page});
  }
  found_.resize(items_.size());
}

void Batch::prepare(std::span<const Discovery> urls, const Generations& generations, DiscoverResult& result) {
  begin(generations);
  result.errors.assign(urls.size(), {});
  for (size_t i = 0; i < urls.size(); ++i) {
    const Discovery& from = urls[i];
    Status added = test_queue_key(from.crawl, from.queue);
    if (added) added = add_item({from.url, from.score, from.priority, from.metadata, from.crawl, from.queue, nullptr});
    if (!added) result.errors[i] = added.error();
  }
  found_.resize(items_.size());
}

std::vector<PageIdx> Batch::known() const {
  std::vector<PageIdx> known;
  std::copy_if(found_.begin(), found_.end(), std::back_inserter(known), [](PageIdx idx) { return idx != kNoPage; });
  return known;
}

void Batch::begin_plan(uint64_t next_page, size_t events) {
  next_page_ = next_page;
  size_t unknown = 0;
  for (const PageIdx idx : found_) unknown += idx == kNoPage;
  pending_.reset(unknown);
  new_items_.clear();
  planned_.resize(events);
}

bool Batch::same_domain(std::string_view host, std::string_view other) {
  constexpr size_t kSlots = 1 << 14;
  if (host == other) return true;
  domains_.resize(kSlots);
  const auto domain_of = [&](std::string_view name) {
    const uint64_t hash = checksum64(name);
    DomainSlot& slot = domains_[hash % kSlots];
    if (slot.host_hash != hash) {
      const size_t length = registrable_domain(name).size();
      slot = {hash, length ? name.size() - length : 0};
    }
    return name.substr(std::min(slot.begin, name.size()));
  };
  return domain_of(host) == domain_of(other);
}

PageIdx Batch::resolve(size_t item, Event& event, std::string_view from_host) {
  if (found_[item] != kNoPage) return found_[item];
  const uint64_t idx = pending_.find_or_add(keys_[item], next_page_);
  if (idx == next_page_) {
    ++next_page_;
    const Item& from = items_[item];
    const bool same = !from_host.empty() && same_domain(from.host(), from_host);
    event.new_urls.push_back(
        {from.url, from.host_begin, from.host_length, from.score, from.metadata, from.priority, same, from.queue});
    new_items_.push_back(item);
  }
  return PageIdx{idx};
}

std::span<const Batch::Planned> Batch::plan_pages(uint64_t next_page, Instant now) {
  begin_plan(next_page, pages_.size());
  for (size_t i = 0; i < pages_.size(); ++i) {
    const Page& page = pages_[i];
    Planned& planned = planned_[i];
    planned.report = page.report;
    planned.first_key = new_items_.size();
    Event& event = planned.event;
    event.kind = EventKind::page;
    event.now_ms = now.time_since_epoch().count();
    event.first_new = next_page_;
    event.new_urls.clear();
    other_hosts_.clear();
    same_host_.clear();
    link_list_.clear();
    const PageIdx idx = resolve(page.first, event, {});
    const std::string_view host = items_[page.first].host();
    for (size_t item = page.first + 1; item < page.end; ++item) {
      (items_[item].host() == host ? same_host_ : other_hosts_).push_back(resolve(item, event, host));
    }
    append_link_list(link_list_, idx, other_hosts_, same_host_);
    event.page = idx.value;
    event.time_ms = page.time.time_since_epoch().count();
    event.fetch_ms.reset();
    if (page.from->fetch_time)
      event.fetch_ms = static_cast<uint64_t>(std::max<int64_t>(page.from->fetch_time->count(), 0));
    event.score = items_[page.first].score;
    event.content_hash = page.from->content_hash;
    event.metadata = page.from->metadata;
    event.links = arena_.keep(link_list_);
    event.time_told = page.time_told;
    event.may_be_repeated = page.from->may_be_repeated && !page.time_told;
  }
  return planned_;
}

std::span<const Batch::Planned> Batch::plan_discovered(uint64_t next_page, Instant now) {
  begin_plan(next_page, 1);
  Event& event = planned_[0].event;
  event = {};
  event.kind = EventKind::discovered;
  event.now_ms = now.time_since_epoch().count();
  event.first_new = next_page_;
  planned_[0].first_key = 0;
  for (size_t item = 0; item < items_.size(); ++item) resolve(item, event, {});
  if (event.new_urls.empty()) planned_.clear();
  return planned_;
}

}  // namespace aduana
