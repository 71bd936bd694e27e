// A batch of reports on its way into the store, in two steps.
//
// prepare() makes every URL canonical and computes its key; it needs no lock. plan() runs under the store's lock, when
// the keys have been looked up: it gives new URLs their indices and makes an event of each page, ready for the journal.
// A batch is used by one thread; its buffers are kept for the next one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "aduana/report.h"
#include "base/text_arena.h"
#include "journal/events.h"
#include "links/link_list.h"
#include "pages/queue_generations.h"
#include "pages/queue_name.h"
#include "url/canonical.h"
#include "url/keys.h"

namespace aduana {

// New URLs of one batch that are not in the index yet: key → index.
class PendingUrls {
 public:
  void reset(size_t most);
  // The index of the key; `next` is entered, and returned, if it has none.
  uint64_t find_or_add(const PageKey& key, uint64_t next);

 private:
  struct Slot {
    PageKey key;
    uint64_t idx_plus_1 = 0;
  };
  std::vector<Slot> slots_;
  size_t mask_ = 0;
};

class Batch {
 public:
  Batch(const CanonicalOptions& options, QueueBy queue_by) : canonicalizer_(options), queue_by_(queue_by) {}

  // `generations` are those that the keys were computed with: plan() needs keys of the present ones.
  using Generations = std::shared_ptr<const QueueGenerations>;
  void prepare(std::span<const ReportedPage> pages, const Generations& generations, Instant now, ReportResult& result);
  void prepare(std::span<const Discovery> urls, const Generations& generations, DiscoverResult& result);
  const Generations& generations() const { return generations_; }

  // All keys of the batch; `found` is to be filled in the same order.
  std::span<const PageKey> keys() const { return keys_; }
  PageIdx* found() { return found_.data(); }
  // Of these, the pages that were there before.
  std::vector<PageIdx> known() const;

  struct Planned {
    Event event;
    size_t report = 0;     // the place of the page in what was reported
    size_t first_key = 0;  // new_key(first_key + i) is the key of event.new_urls[i]
  };
  // The events of the batch, which happen now, given that page indices from `next_page` on are free. Good until the
  // next prepare().
  std::span<const Planned> plan_pages(uint64_t next_page, Instant now);
  std::span<const Planned> plan_discovered(uint64_t next_page, Instant now);  // one event, or none if nothing is new
  const PageKey& new_key(size_t i) const { return keys_[new_items_[i]]; }

 private:
  struct Item {
    std::string_view url;
    uint32_t host_begin, host_length;
    float score;
    uint8_t priority;
    std::string_view queue;  // empty: the host
    std::string_view metadata;
    std::string_view host() const { return url.substr(host_begin, host_length); }
  };
  struct Page {
    size_t report;      // its place in what was reported
    size_t first, end;  // items: the page, then its links
    Instant time;
    bool time_told;
    const ReportedPage* from;
  };

  struct ItemSource {
    std::string_view url;
    float score = 0;
    uint8_t priority = 0;
    std::string_view metadata, crawl, queue;
    const ReportedPage* page = nullptr;  // that links it
  };
  Status add_item(const ItemSource& from);
  void begin(const Generations& generations);
  void begin_plan(uint64_t next_page, size_t events);
  PageIdx resolve(size_t item, Event& event, std::string_view from_host);
  bool same_domain(std::string_view host, std::string_view other);

  Canonicalizer canonicalizer_;
  const QueueBy queue_by_;
  Generations generations_;
  std::optional<Url> base_;  // of the page at hand, parsed when a relative link asks for it
  TextArena arena_;
  std::vector<Item> items_;
  std::vector<PageKey> keys_;
  std::vector<PageIdx> found_;
  std::vector<Page> pages_;

  // Where the registrable domain begins in a host, of the hosts met lately, by a hash of the host.
  struct DomainSlot {
    uint64_t host_hash = 0;
    size_t begin = 0;
  };
  std::vector<DomainSlot> domains_;

  PendingUrls pending_;
  uint64_t next_page_ = 0;
  std::vector<Planned> planned_;
  std::vector<size_t> new_items_;
  std::vector<PageIdx> other_hosts_, same_host_;
  std::string link_list_;
};

}  // namespace aduana
