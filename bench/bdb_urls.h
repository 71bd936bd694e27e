// The paper's URL database: Berkeley DB with a hash table U[url] = (depth, visited) and a B-tree
// Q[depth ⊕ priority ⊕ hash] = url, both changed in one transaction per URL.
//
// A transactional environment with its cache in memory. Under `interval` a commit writes the log without syncing it and
// a thread syncs it every 100 ms; checkpoints run in another thread, and logs that are not needed are removed.
#pragma once

#include <db.h>

#include <atomic>
#include <string>

#include "periodic_thread.h"
#include "url_database.h"

namespace aduana::bench {

class BdbUrls final : public UrlDatabase {
 public:
  ~BdbUrls() override;

  std::string name() const override { return "bdb"; }
  Status open(const std::string& dir, const UrlDatabaseOptions& options) override;
  Result<bool> add(std::string_view url) override;
  Result<uint64_t> count() override;
  Status settle() override;
  Status close() override;

 private:
  Status open_environment(const std::string& dir);
  Status open_table(DB*& table, const char* file, DBTYPE type);
  Result<bool> put_both(DB_TXN* txn, std::string_view url);

  UrlDatabaseOptions options_;
  DB_ENV* env_ = nullptr;
  DB* urls_ = nullptr;
  DB* queue_ = nullptr;
  uint64_t count_ = 0;
  std::atomic<int> background_error_{0};
  PeriodicThread syncer_;
  PeriodicThread checkpointer_;
};

}  // namespace aduana::bench
