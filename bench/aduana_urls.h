// Aduana as the paper's URL database: each URL a discovery of its own, acknowledged before the next.
#pragma once

#include <memory>
#include <string>

#include "store/store.h"
#include "url_database.h"

namespace aduana::bench {

class AduanaUrls final : public UrlDatabase {
 public:
  std::string name() const override { return "aduana"; }
  Status open(const std::string& dir, const UrlDatabaseOptions& options) override;
  Result<bool> add(std::string_view url) override;
  Result<uint64_t> count() override;
  Status settle() override;
  Status close() override;

 private:
  std::unique_ptr<Store> store_;
};

}  // namespace aduana::bench
