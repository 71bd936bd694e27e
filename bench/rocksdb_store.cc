#include "rocksdb_store.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/bytes.h"
#include "interrupt.h"

namespace aduana::bench {
namespace {

constexpr size_t kMemtableBytes = 64u << 20;
constexpr int kFilterBitsPerKey = 10;
constexpr size_t kIndexBytes = 8;
constexpr std::chrono::minutes kLongestSettle{30};

Status check(const rocksdb::Status& status, const char* what) {
  if (status.ok()) return {};
  const Code code = status.IsNoSpace() ? Code::no_space : status.IsCorruption() ? Code::corrupt : Code::io;
  return Error(code, fmt::format("RocksDB, {}: {}", what, status.ToString()));
}

rocksdb::ColumnFamilyOptions family_options(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::ColumnFamilyOptions options;
  options.write_buffer_size = kMemtableBytes;
  options.max_write_buffer_number = 4;
  options.target_file_size_base = kMemtableBytes;
  options.max_bytes_for_level_base = 4 * kMemtableBytes;
  options.level_compaction_dynamic_level_bytes = true;
  options.compression = rocksdb::kLZ4Compression;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kFilterBitsPerKey));
  table.whole_key_filtering = true;
  table.cache_index_and_filter_blocks = false;  // never filters inside the block cache
  table.format_version = 5;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

// Random keys, most of them asked for once and not there: memtable filter, and nothing to gain from compression.
rocksdb::ColumnFamilyOptions index_options(const std::shared_ptr<rocksdb::Cache>& cache) {
  auto options = family_options(cache);
  options.compression = rocksdb::kNoCompression;
  options.memtable_prefix_bloom_size_ratio = 0.05;
  options.memtable_whole_key_filtering = true;
  options.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(4));
  return options;
}

// Keys that mostly grow, always found: the insertion hint makes an append cheap, the last level needs no filter.
rocksdb::ColumnFamilyOptions numbered_options(const std::shared_ptr<rocksdb::Cache>& cache) {
  auto options = family_options(cache);
  options.optimize_filters_for_hits = true;
  options.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(4));
  return options;
}

KeyBytes index_key(uint64_t index) {
  KeyBytes bytes{};
  store_be(bytes.data(), index);
  return bytes;
}

rocksdb::Slice as_slice(const KeyBytes& bytes, size_t size) { return {bytes.data(), size}; }

}  // namespace

RocksdbStore::~RocksdbStore() {
  if (db_) (void)close();
}

Status RocksdbStore::open(const std::string& dir, const StoreAdapterOptions& options) {
  options_ = options;
  sync_failed_ = false;
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);  // its counters take a tenth of the CPU time
  const auto cache = rocksdb::NewLRUCache(options.cache_bytes);
  rocksdb::DBOptions db_options;
  db_options.create_if_missing = true;
  db_options.create_missing_column_families = true;
  db_options.max_background_jobs = 2;  // one flush, one compaction
  db_options.allow_concurrent_memtable_write = false;
  db_options.bytes_per_sync = 1u << 20;
  db_options.max_total_wal_size = 16 * kMemtableBytes;
  db_options.use_direct_reads = options.cold;
  db_options.compaction_readahead_size = 2u << 20;
  db_options.keep_log_file_num = 2;
  const std::vector<rocksdb::ColumnFamilyDescriptor> descriptors{
      {rocksdb::kDefaultColumnFamilyName, family_options(cache)},
      {"index", index_options(cache)},
      {"pages", numbered_options(cache)},
      {"links", numbered_options(cache)}};
  rocksdb::DB* db = nullptr;
  ADUANA_TRY(check(rocksdb::DB::Open(db_options, dir, descriptors, &families_, &db), "open"));
  db_.reset(db);
  index_ = families_[1];
  pages_ = families_[2];
  links_ = families_[3];
  ADUANA_TRY(read_next_index());
  if (options.durability == Durability::interval)
    syncer_.start(kSyncInterval, [this] {
      if (!db_->FlushWAL(true).ok()) sync_failed_ = true;
    });
  return {};
}

Status RocksdbStore::read_next_index() {
  const std::unique_ptr<rocksdb::Iterator> it(db_->NewIterator({}, pages_));
  it->SeekToLast();
  next_index_ = it->Valid() ? load_be<uint64_t>(it->key().data()) + 1 : 0;
  return check(it->status(), "last page");
}

Status RocksdbStore::report(std::span<const BenchPage> pages) {
  if (sync_failed_) return Error(Code::io, "RocksDB, sync of the log failed");
  ADUANA_TRY(batch_.prepare(pages));
  ADUANA_TRY(look_up());
  batch_.number(next_index_);
  ADUANA_TRY(load_crawled());
  batch_.apply();
  ADUANA_TRY(write());
  next_index_ += batch_.new_urls().size();
  return {};
}

// The keys are in slices_[0, count) and sorted; the answers come into values_ and statuses_.
void RocksdbStore::multi_get(rocksdb::ColumnFamilyHandle* family, size_t count) {
  if (values_.size() < count) {
    values_ = std::vector<rocksdb::PinnableSlice>(count);
    statuses_.resize(count);
  }
  db_->MultiGet({}, family, count, slices_.data(), values_.data(), statuses_.data(), true);
}

Status RocksdbStore::look_up() {
  const auto urls = batch_.urls();
  keys_.clear();
  slices_.clear();
  for (const auto& url : urls) keys_.push_back(key_bytes(url.key));
  for (const auto& key : keys_) slices_.push_back(as_slice(key, kKeyBytes));
  multi_get(index_, urls.size());
  for (size_t u = 0; u < urls.size(); ++u) {
    if (!statuses_[u].IsNotFound()) {
      ADUANA_TRY(check(statuses_[u], "look-up"));
      urls[u].index = load_be<uint64_t>(values_[u].data());
    }
    values_[u].Reset();
  }
  return {};
}

Status RocksdbStore::load_crawled() {
  std::vector<uint32_t> order(batch_.crawled_before().begin(), batch_.crawled_before().end());
  std::sort(order.begin(), order.end(),
            [this](uint32_t a, uint32_t b) { return batch_.url(a).index < batch_.url(b).index; });
  keys_.clear();
  slices_.clear();
  for (uint32_t u : order) keys_.push_back(index_key(batch_.url(u).index));
  for (const auto& key : keys_) slices_.push_back(as_slice(key, kIndexBytes));
  multi_get(pages_, order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    ADUANA_TRY(check(statuses_[i], "record"));
    ADUANA_TRY(batch_.load(order[i], {values_[i].data(), values_[i].size()}));
    values_[i].Reset();
  }
  return {};
}

Status RocksdbStore::write() {
  rocksdb::WriteBatch writes;
  for (const auto& url : batch_.urls()) {  // in key order
    if (url.index < next_index_) continue;
    const KeyBytes key = key_bytes(url.key);
    const KeyBytes index = index_key(url.index);
    ADUANA_TRY(check(writes.Put(index_, as_slice(key, kKeyBytes), as_slice(index, kIndexBytes)), "index"));
  }
  for (uint32_t u : batch_.changed_urls()) {
    value_.clear();
    batch_.append_record_of(batch_.url(u), value_);
    ADUANA_TRY(check(writes.Put(pages_, as_slice(index_key(batch_.url(u).index), kIndexBytes), value_), "page"));
  }
  for (size_t page = 0; page < batch_.pages(); ++page) {
    value_.clear();
    batch_.append_links_of(page, value_);
    ADUANA_TRY(check(writes.Put(links_, as_slice(index_key(batch_.page_index(page)), kIndexBytes), value_), "links"));
  }
  rocksdb::WriteOptions options;
  options.sync = options_.durability == Durability::always;
  return check(db_->Write(options, &writes), "write");
}

Result<uint64_t> RocksdbStore::url_count() { return next_index_; }

Result<std::optional<uint64_t>> RocksdbStore::index_of(std::string_view url) {
  ADUANA_ASSIGN(const KeyedUrl keyed, batch_.keyed(url));
  const KeyBytes key = key_bytes(keyed.key);
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = db_->Get({}, index_, as_slice(key, kKeyBytes), &value);
  if (status.IsNotFound()) return std::optional<uint64_t>();
  ADUANA_TRY(check(status, "look-up"));
  return std::optional<uint64_t>(load_be<uint64_t>(value.data()));
}

Status RocksdbStore::settle() {
  ADUANA_TRY(check(db_->FlushWAL(true), "sync"));
  ADUANA_TRY(check(db_->Flush({}, families_), "flush"));
  const auto until = std::chrono::steady_clock::now() + kLongestSettle;
  auto busy = [this] {
    for (auto* family : families_)
      for (const char* property : {"rocksdb.compaction-pending", "rocksdb.num-running-compactions"}) {
        uint64_t value = 0;
        if (db_->GetIntProperty(family, property, &value) && value > 0) return true;
      }
    return false;
  };
  while (busy()) {
    if (interrupted()) return interruption();
    if (std::chrono::steady_clock::now() > until) return Error(Code::busy, "RocksDB is still compacting");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return {};
}

Status RocksdbStore::close() {
  if (!db_) return {};
  syncer_.stop();
  const rocksdb::Status synced = db_->FlushWAL(true);
  values_.clear();  // pinned blocks go before their cache
  for (auto* family : families_) db_->DestroyColumnFamilyHandle(family);
  families_.clear();
  const rocksdb::Status closed = db_->Close();
  db_.reset();
  ADUANA_TRY(check(synced, "sync"));
  return check(closed, "close");
}

}  // namespace aduana::bench
