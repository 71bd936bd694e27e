// What the store benchmark asks of a store, so that Aduana's and the baselines do the same job on the same reports.
//
// The job of report(): bring every URL into canonical form, find out which are new, give those the next indices in
// order of appearance (a page before its links), record each new page and update the crawled ones, and keep the list
// of links of each crawled page. When it returns, the reports are seen by every later call and will be durable as the
// options say. One thread calls an adapter; what it does in threads of its own is its business.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"
#include "durability.h"

namespace aduana::bench {

struct BenchLink {
  std::string_view url;
  float score;
};

struct BenchPage {
  std::string_view url;
  int64_t time_ms;
  float score;
  std::string_view content_hash;
  std::span<const BenchLink> links;
};

struct StoreAdapterOptions {
  uint64_t cache_bytes = uint64_t{1} << 30;
  Durability durability = Durability::interval;
  // The data are to be read as if they were larger than memory: nothing but the store's own cache of cache_bytes keeps
  // what was read before.
  bool cold = false;
};

class StoreAdapter {
 public:
  virtual ~StoreAdapter() = default;

  virtual std::string name() const = 0;
  // Opens the store in `dir`, which exists; makes a new one if the folder is empty.
  virtual Status open(const std::string& dir, const StoreAdapterOptions& options) = 0;
  virtual Status report(std::span<const BenchPage> pages) = 0;
  virtual Result<uint64_t> url_count() = 0;
  // The index of a URL, counted from 0 in order of discovery.
  virtual Result<std::optional<uint64_t>> index_of(std::string_view url) = 0;
  // Returns when all reports are durable and no background work is left.
  virtual Status settle() = 0;
  virtual Status close() = 0;
};

// The names that make_store() knows, Aduana's own first.
std::vector<std::string> store_names();
Result<std::unique_ptr<StoreAdapter>> make_store(std::string_view name);

}  // namespace aduana::bench
