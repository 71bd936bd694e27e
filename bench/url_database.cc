#include "url_database.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aduana_urls.h"
#include "base/bytes.h"
#include "base/checksum.h"
#include "bdb_urls.h"
#include "postgres_urls.h"

namespace aduana::bench {

QueuePlace queue_place(std::string_view url) {
  constexpr uint64_t kOtherSeed = 1;
  QueuePlace place{.depth = 1, .priority = 0, .hash = {}};
  const uint64_t hash = checksum64(url);
  store_be(place.hash.data(), hash);
  store_be(place.hash.data() + 8, checksum64(url, kOtherSeed));
  place.priority = static_cast<uint16_t>(hash % 10'000);
  return place;
}

std::vector<std::string> url_database_names() { return {"aduana", "bdb", "postgres"}; }

Result<std::unique_ptr<UrlDatabase>> make_url_database(std::string_view name) {
  if (name == "aduana") return std::unique_ptr<UrlDatabase>(std::make_unique<AduanaUrls>());
  if (name == "bdb") return std::unique_ptr<UrlDatabase>(std::make_unique<BdbUrls>());
  if (name == "postgres") return std::unique_ptr<UrlDatabase>(std::make_unique<PostgresUrls>());
  return Error(Code::invalid,
               fmt::format("no system is called {}; there are {}", name, fmt::join(url_database_names(), ", ")));
}

}  // namespace aduana::bench
