#include "aduana_urls.h"

#include <algorithm>
#include <tuple>

#include "aduana_store.h"

namespace aduana::bench {

Status AduanaUrls::open(const std::string& dir, const UrlDatabaseOptions& options) {
  ADUANA_ASSIGN(store_, Store::open(real_files(), dir, store_options(options.cache_bytes, options.durability)));
  return {};
}

Result<bool> AduanaUrls::add(std::string_view url) {
  const Discovery discovery{url, 0, {}};
  ADUANA_ASSIGN(const DiscoverResult result, store_->discover({&discovery, 1}));
  if (result.errors[0]) return *result.errors[0];
  if (result.new_urls == 0) return false;
  queue_.push_back({queue_place(url), PageIdx{queue_.size()}});
  std::push_heap(queue_.begin(), queue_.end(), [](const Pending& a, const Pending& b) {
    return std::tie(a.place.depth, a.place.priority, a.place.hash) >
           std::tie(b.place.depth, b.place.priority, b.place.hash);
  });
  return true;
}

Result<uint64_t> AduanaUrls::count() { return store_->snapshot().pages.size(); }

Status AduanaUrls::settle() {
  ADUANA_TRY(store_->settle());
  return store_->sync();
}

Status AduanaUrls::close() { return store_->close(); }

}  // namespace aduana::bench
