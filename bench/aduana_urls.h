// Aduana as the paper's URL database: each URL a discovery of its own, acknowledged before the next.
//
// The store has no queue yet, so the paper's Q is a heap in memory here, as the design has it: derived from the journal
// like everything else, and so as durable as the URL.
#pragma once

#include <memory>
#include <string>
#include <vector>

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
  struct Pending {
    QueuePlace place;
    PageIdx page;
  };
  std::unique_ptr<Store> store_;
  std::vector<Pending> queue_;  // a heap, the next one first
};

}  // namespace aduana::bench
