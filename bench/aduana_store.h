// Aduana's own store under the benchmark's reports.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/store.h"
#include "store_adapter.h"

namespace aduana::bench {

class AduanaStore final : public StoreAdapter {
 public:
  std::string name() const override { return "aduana"; }
  Status open(const std::string& dir, const StoreAdapterOptions& options) override;
  Status report(std::span<const BenchPage> pages) override;
  Result<uint64_t> url_count() override;
  Result<std::optional<uint64_t>> index_of(std::string_view url) override;
  Status settle() override;
  Status close() override;

 private:
  std::unique_ptr<Store> store_;
  std::vector<ReportedPage> pages_;
  std::vector<ReportedLink> links_;
};

// The store's options for a benchmark's words.
StoreOptions store_options(uint64_t cache_bytes, Durability durability);

}  // namespace aduana::bench
