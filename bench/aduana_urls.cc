#include "aduana_urls.h"

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
  return result.new_urls == 1;
}

Result<uint64_t> AduanaUrls::count() { return store_->snapshot().pages.size(); }

Status AduanaUrls::settle() {
  ADUANA_TRY(store_->settle());
  return store_->sync();
}

Status AduanaUrls::close() { return store_->close(); }

}  // namespace aduana::bench
