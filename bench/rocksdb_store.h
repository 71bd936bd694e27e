// The RocksDB baseline, tuned as its users would for this load: three column families (key → index, index → record,
// index → links), each report one sorted MultiGet, one of the crawled records, and one WriteBatch; memtables of 64 MB
// with Bloom filters, whole-key filters held outside the block cache, LZ4 where it helps, the log written unsynced and
// synced by a thread every 100 ms under `interval`, at each report under `always`.
//
// When `cold`, it reads with O_DIRECT, so that the block cache is all that stays in memory. Calls come from one thread.
#pragma once

#include <rocksdb/db.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "periodic_thread.h"
#include "report_batch.h"
#include "store_adapter.h"

namespace aduana::bench {

class RocksdbStore final : public StoreAdapter {
 public:
  ~RocksdbStore() override;

  std::string name() const override { return "rocksdb"; }
  Status open(const std::string& dir, const StoreAdapterOptions& options) override;
  Status report(std::span<const BenchPage> pages) override;
  Result<uint64_t> url_count() override;
  Result<std::optional<uint64_t>> index_of(std::string_view url) override;
  Status settle() override;
  Status close() override;

 private:
  Status read_next_index();
  Status look_up();
  Status load_crawled();
  Status write();
  void multi_get(rocksdb::ColumnFamilyHandle* family, size_t count);

  StoreAdapterOptions options_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
  rocksdb::ColumnFamilyHandle* index_ = nullptr;
  rocksdb::ColumnFamilyHandle* pages_ = nullptr;
  rocksdb::ColumnFamilyHandle* links_ = nullptr;
  uint64_t next_index_ = 0;
  std::atomic<bool> sync_failed_{false};
  ReportBatch batch_;
  // One MultiGet's keys and answers, kept for their memory.
  std::vector<KeyBytes> keys_;
  std::vector<rocksdb::Slice> slices_;
  std::vector<rocksdb::PinnableSlice> values_;
  std::vector<rocksdb::Status> statuses_;
  std::string value_;
  PeriodicThread syncer_;
};

}  // namespace aduana::bench
