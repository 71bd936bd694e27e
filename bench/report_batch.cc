#include "report_batch.h"

#include <algorithm>

#include "base/bytes.h"

namespace aduana::bench {

KeyBytes key_bytes(PageKey key) {
  KeyBytes bytes;
  store_be(bytes.data(), key.hi);
  store_be(bytes.data() + 8, key.lo);
  return bytes;
}

Result<KeyedUrl> ReportBatch::keyed(std::string_view url) {
  ADUANA_ASSIGN(const CanonicalView canonical, canonicalizer_.canonicalize(url));
  return KeyedUrl{canonical.text, page_key(canonical)};
}

Status ReportBatch::mention(std::string_view url) {
  ADUANA_ASSIGN(const KeyedUrl keyed_url, keyed(url));
  const std::string_view text = keyed_url.text_until_next_call;
  mentions_.push_back({keyed_url.key, static_cast<uint32_t>(mentions_.size()), static_cast<uint32_t>(text_.size()),
                       static_cast<uint32_t>(text.size())});
  text_.append(text);
  return {};
}

Status ReportBatch::prepare(std::span<const BenchPage> pages) {
  pages_ = pages;
  text_.clear();
  mentions_.clear();
  page_at_.clear();
  for (const BenchPage& page : pages) {
    page_at_.push_back(static_cast<uint32_t>(mentions_.size()));
    ADUANA_TRY(mention(page.url));
    for (const BenchLink& link : page.links) ADUANA_TRY(mention(link.url));
  }

  std::sort(mentions_.begin(), mentions_.end(),
            [](const Mention& a, const Mention& b) { return a.key != b.key ? a.key < b.key : a.at < b.at; });
  urls_.clear();
  named_.resize(mentions_.size());
  for (const Mention& m : mentions_) {
    if (urls_.empty() || urls_.back().key != m.key)
      urls_.push_back({m.key, kUnknownIndex, m.at, m.text_at, m.text_size, kNoRecord});
    named_[m.at] = static_cast<uint32_t>(urls_.size() - 1);
  }
  return {};
}

void ReportBatch::add_record(uint32_t url) {
  urls_[url].record = static_cast<uint32_t>(records_.size());
  records_.emplace_back();
  changed_urls_.push_back(url);
}

void ReportBatch::number(uint64_t next_index) {
  new_urls_.clear();
  crawled_before_.clear();
  changed_urls_.clear();
  records_.clear();
  for (uint32_t u = 0; u < urls_.size(); ++u)
    if (urls_[u].index == kUnknownIndex) new_urls_.push_back(u);
  std::sort(new_urls_.begin(), new_urls_.end(),
            [this](uint32_t a, uint32_t b) { return urls_[a].first < urls_[b].first; });
  for (uint32_t u : new_urls_) {
    urls_[u].index = next_index++;
    add_record(u);
  }
  for (uint32_t at : page_at_) {
    const uint32_t u = named_[at];
    if (urls_[u].record != kNoRecord) continue;
    add_record(u);
    crawled_before_.push_back(u);
  }
}

Status ReportBatch::load(uint32_t url, std::string_view record) {
  ADUANA_ASSIGN(records_[urls_[url].record], parse_record(record));
  return {};
}

void ReportBatch::apply() {
  size_t page = 0;
  for (uint32_t u : new_urls_) {  // in order of appearance, so the referrer's record is complete when it is asked
    const Url& url = urls_[u];
    PageRecord& record = records_[url.record];
    while (page + 1 < page_at_.size() && page_at_[page + 1] <= url.first) ++page;
    const Url& referrer = urls_[named_[page_at_[page]]];
    record.linked_from = referrer.index;
    if (url.first == page_at_[page]) continue;  // a seed: its score comes with the page below
    record.score = pages_[page].links[url.first - page_at_[page] - 1].score;
    record.depth = records_[referrer.record].depth + 1;
  }
  for (size_t p = 0; p < pages_.size(); ++p) {
    PageRecord& record = records_[urls_[named_[page_at_[p]]].record];
    const uint64_t hash = pages_[p].content_hash.size() == 8 ? load_be<uint64_t>(pages_[p].content_hash.data()) : 0;
    if (record.crawls == 0) record.first_crawl_ms = pages_[p].time_ms;
    if (record.crawls > 0 && record.content_hash != hash) ++record.changes;
    ++record.crawls;
    record.last_crawl_ms = pages_[p].time_ms;
    record.content_hash = hash;
    record.score = pages_[p].score;
  }
}

void ReportBatch::append_links_of(size_t page, std::string& out) {
  const uint32_t first = page_at_[page] + 1;
  targets_.clear();
  for (uint32_t l = 0; l < pages_[page].links.size(); ++l) targets_.push_back(urls_[named_[first + l]].index);
  append_links(out, page_index(page), targets_);
}

}  // namespace aduana::bench
