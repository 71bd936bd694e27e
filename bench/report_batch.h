// The part of a report that is the same for every key-value store: which distinct URLs it names, what becomes of them.
//
// A store drives it in four steps, in this order, and talks to its own tables in between:
//   prepare()   canonical forms and keys; urls() then holds each distinct URL once, sorted by key;
//               the store looks all of them up and sets `index` of those that it knows
//   number()    the others get the next indices, in order of appearance
//   load()      for every URL of crawled_before(): the record that the store has of it
//   apply()     makes the records of the new pages and brings those of the crawled ones up to date
// and then writes new_urls(), changed_urls() and the links of each page. Not thread-safe; reused for every report.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "page_record.h"
#include "store_adapter.h"
#include "url/canonical.h"
#include "url/keys.h"

namespace aduana::bench {

inline constexpr uint64_t kUnknownIndex = std::numeric_limits<uint64_t>::max();

// The canonical form of one URL and its key.
struct KeyedUrl {
  std::string_view text_until_next_call;
  PageKey key;
};

inline constexpr size_t kKeyBytes = 16;
using KeyBytes = std::array<char, kKeyBytes>;
KeyBytes key_bytes(PageKey key);  // sort as the keys do

class ReportBatch {
 public:
  struct Url {
    PageKey key;
    uint64_t index;
    uint32_t first;    // where the report names it first
    uint32_t text_at;  // in text_
    uint32_t text_size;
    uint32_t record;  // in records_, or kNoRecord
  };

  Status prepare(std::span<const BenchPage> pages);
  std::span<Url> urls() { return urls_; }
  void number(uint64_t next_index);
  std::span<const uint32_t> crawled_before() const { return crawled_before_; }
  Status load(uint32_t url, std::string_view record);
  void apply();

  // Numbers into urls(): the new ones in order of their indices; all whose records are to be written.
  std::span<const uint32_t> new_urls() const { return new_urls_; }
  std::span<const uint32_t> changed_urls() const { return changed_urls_; }
  const Url& url(uint32_t number) const { return urls_[number]; }
  std::string_view text(const Url& url) const { return std::string_view(text_).substr(url.text_at, url.text_size); }
  void append_record_of(const Url& url, std::string& out) const { append_record(out, records_[url.record], text(url)); }

  size_t pages() const { return pages_.size(); }
  uint64_t page_index(size_t page) const { return urls_[named_[page_at_[page]]].index; }
  void append_links_of(size_t page, std::string& out);

  Result<KeyedUrl> keyed(std::string_view url);

 private:
  static constexpr uint32_t kNoRecord = std::numeric_limits<uint32_t>::max();

  // A place in the report where a URL is named: a page, or one of its links.
  struct Mention {
    PageKey key;
    uint32_t at;
    uint32_t text_at;
    uint32_t text_size;
  };

  Status mention(std::string_view url);
  void add_record(uint32_t url);

  Canonicalizer canonicalizer_;
  std::span<const BenchPage> pages_;
  std::string text_;
  std::vector<Mention> mentions_;
  std::vector<Url> urls_;
  std::vector<uint32_t> named_;    // mention → number of its URL
  std::vector<uint32_t> page_at_;  // page → its mention
  std::vector<uint32_t> new_urls_;
  std::vector<uint32_t> crawled_before_;
  std::vector<uint32_t> changed_urls_;
  std::vector<PageRecord> records_;
  std::vector<uint64_t> targets_;
};

}  // namespace aduana::bench
