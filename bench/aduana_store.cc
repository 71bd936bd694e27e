#include "aduana_store.h"

namespace aduana::bench {

StoreOptions store_options(uint64_t cache_bytes, Durability durability) {
  StoreOptions options;
  options.create = true;
  options.pages.index.cache_bytes = cache_bytes;
  options.journal.durability = durability == Durability::always     ? aduana::Durability::always
                               : durability == Durability::interval ? aduana::Durability::interval
                                                                    : aduana::Durability::none;
  options.journal.sync_interval = kSyncInterval;
  return options;
}

Status AduanaStore::open(const std::string& dir, const StoreAdapterOptions& options) {
  StoreOptions with = store_options(options.cache_bytes, options.durability);
  with.pages.index.direct_reads = options.cold;
  ADUANA_ASSIGN(store_, Store::open(real_files(), dir, with));
  return {};
}

Status AduanaStore::report(std::span<const BenchPage> pages) {
  size_t n_links = 0;
  for (const BenchPage& page : pages) n_links += page.links.size();
  links_.clear();
  links_.reserve(n_links);
  pages_.clear();
  for (const BenchPage& page : pages) {
    const size_t first = links_.size();
    for (const BenchLink& link : page.links) links_.push_back({link.url, link.score});
    pages_.push_back({page.url, page.score, Instant{Millis{page.time_ms}}, page.content_hash,
                      std::span<const ReportedLink>(links_).subspan(first), std::nullopt});
  }
  ADUANA_ASSIGN(const ReportResult result, store_->report(pages_));
  for (const PageOutcome& outcome : result.pages) {
    if (outcome.error) return *outcome.error;
    if (!outcome.refused.empty()) return outcome.refused.front().error;
  }
  return {};
}

Result<uint64_t> AduanaStore::url_count() { return store_->snapshot().pages.size(); }

Result<std::optional<uint64_t>> AduanaStore::index_of(std::string_view url) {
  const auto idx = store_->find(url);
  if (idx) return std::optional<uint64_t>(idx->value);
  if (idx.error().code() == Code::not_found) return std::optional<uint64_t>();
  return idx.error();
}

Status AduanaStore::settle() {
  ADUANA_TRY(store_->settle());
  return store_->sync();
}

Status AduanaStore::close() { return store_->close(); }

}  // namespace aduana::bench
