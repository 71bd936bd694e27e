// The LMDB baseline, tuned as its users would for this load: three tables (key → index, index → record, index → links),
// look-ups and insertions in key order through one cursor, one transaction per thousand pages, the file synced by a
// thread every five seconds rather than at each commit, records appended. Syncing more often makes it several times
// slower, so under `interval` it promises less than the others; under `always` it commits and syncs every report.
//
// LMDB reads through the page cache and has none of its own. When `cold`, the pages that it has read are dropped from
// memory each time they have reached the cache's size. Calls come from one thread.
#pragma once

#include <lmdb.h>

#include <atomic>
#include <string>

#include "periodic_thread.h"
#include "report_batch.h"
#include "store_adapter.h"

namespace aduana::bench {

class LmdbStore final : public StoreAdapter {
 public:
  ~LmdbStore() override;

  std::string name() const override { return "lmdb"; }
  Status open(const std::string& dir, const StoreAdapterOptions& options) override;
  Status report(std::span<const BenchPage> pages) override;
  Result<uint64_t> url_count() override;
  Result<std::optional<uint64_t>> index_of(std::string_view url) override;
  Status settle() override;
  Status close() override;

 private:
  Status begin();
  Status commit();
  Status look_up();
  Status load_crawled();
  Status write_index(MDB_cursor* cursor);
  Status write_pages(MDB_cursor* cursor);
  Status write_links(MDB_cursor* cursor);
  Status sync();
  Status open_environment();
  void close_environment();
  Status drop_what_was_read();

  StoreAdapterOptions options_;
  std::string dir_;
  MDB_env* env_ = nullptr;
  MDB_txn* txn_ = nullptr;
  MDB_dbi index_ = 0;
  MDB_dbi pages_ = 0;
  MDB_dbi links_ = 0;
  uint64_t next_index_ = 0;
  uint64_t pages_in_txn_ = 0;
  uint64_t faults_at_drop_ = 0;
  std::atomic<int> sync_error_{0};
  ReportBatch batch_;
  std::string value_;
  PeriodicThread syncer_;
};

}  // namespace aduana::bench
