#include "lmdb_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

#include "base/bytes.h"

namespace aduana::bench {
namespace {

constexpr size_t kMapBytes = size_t{1} << 39;  // address space only; the file has the size of its content
constexpr uint64_t kPagesPerTransaction = 1000;
constexpr std::chrono::milliseconds kLmdbSyncInterval{5000};
constexpr uint64_t kMemoryPage = 4096;

Status check(int code, const char* what) {
  if (code == MDB_SUCCESS) return {};
  return Error(code == ENOSPC ? Code::no_space : Code::io, fmt::format("LMDB, {}: {}", what, mdb_strerror(code)));
}

struct CursorCloser {
  void operator()(MDB_cursor* cursor) const { mdb_cursor_close(cursor); }
};
using Cursor = std::unique_ptr<MDB_cursor, CursorCloser>;

Result<Cursor> open_cursor(MDB_txn* txn, MDB_dbi table) {
  MDB_cursor* cursor = nullptr;
  ADUANA_TRY(check(mdb_cursor_open(txn, table, &cursor), "cursor"));
  return Cursor(cursor);
}

MDB_val as_value(std::string_view bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }
MDB_val as_value(const KeyBytes& key) { return {key.size(), const_cast<char*>(key.data())}; }
MDB_val as_value(const uint64_t& number) { return {sizeof number, const_cast<uint64_t*>(&number)}; }

uint64_t as_number(const MDB_val& value) {
  uint64_t number = 0;
  if (value.mv_size == sizeof number) std::memcpy(&number, value.mv_data, sizeof number);
  return number;
}

uint64_t major_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_majflt);
}

}  // namespace

LmdbStore::~LmdbStore() {
  if (env_) (void)close();
}

Status LmdbStore::open(const std::string& dir, const StoreAdapterOptions& options) {
  options_ = options;
  dir_ = dir;
  sync_error_ = 0;
  ADUANA_TRY(open_environment());
  return options.cold ? drop_what_was_read() : Status{};
}

Status LmdbStore::open_environment() {
  ADUANA_TRY(check(mdb_env_create(&env_), "environment"));
  ADUANA_TRY(check(mdb_env_set_mapsize(env_, kMapBytes), "map size"));
  ADUANA_TRY(check(mdb_env_set_maxdbs(env_, 3), "number of tables"));
  const unsigned flags = MDB_NOSYNC | (options_.cold ? MDB_NORDAHEAD : 0u);
  ADUANA_TRY(check(mdb_env_open(env_, dir_.c_str(), flags, 0644), "open"));
  ADUANA_TRY(begin());
  ADUANA_TRY(check(mdb_dbi_open(txn_, "index", MDB_CREATE, &index_), "table index"));
  ADUANA_TRY(check(mdb_dbi_open(txn_, "pages", MDB_CREATE | MDB_INTEGERKEY, &pages_), "table pages"));
  ADUANA_TRY(check(mdb_dbi_open(txn_, "links", MDB_CREATE | MDB_INTEGERKEY, &links_), "table links"));
  MDB_stat stat;
  ADUANA_TRY(check(mdb_stat(txn_, pages_, &stat), "count"));
  next_index_ = stat.ms_entries;
  ADUANA_TRY(commit());
  if (options_.durability == Durability::interval)
    syncer_.start(kLmdbSyncInterval, [this] {
      if (int code = mdb_env_sync(env_, 1)) sync_error_ = code;
    });
  return {};
}

void LmdbStore::close_environment() {
  syncer_.stop();
  mdb_env_close(env_);
  env_ = nullptr;
}

Status LmdbStore::begin() {
  if (txn_) return {};
  return check(mdb_txn_begin(env_, nullptr, 0, &txn_), "begin");
}

Status LmdbStore::commit() {
  if (!txn_) return {};
  MDB_txn* txn = txn_;
  txn_ = nullptr;
  pages_in_txn_ = 0;
  return check(mdb_txn_commit(txn), "commit");
}

Status LmdbStore::report(std::span<const BenchPage> pages) {
  ADUANA_TRY(check(sync_error_, "sync"));
  ADUANA_TRY(batch_.prepare(pages));
  ADUANA_TRY(begin());
  ADUANA_TRY(look_up());
  batch_.number(next_index_);
  ADUANA_TRY(load_crawled());
  batch_.apply();

  {  // cursors end before the transaction does
    ADUANA_ASSIGN(const Cursor index, open_cursor(txn_, index_));
    ADUANA_TRY(write_index(index.get()));
    ADUANA_ASSIGN(const Cursor records, open_cursor(txn_, pages_));
    ADUANA_TRY(write_pages(records.get()));
    ADUANA_ASSIGN(const Cursor links, open_cursor(txn_, links_));
    ADUANA_TRY(write_links(links.get()));
  }
  next_index_ += batch_.new_urls().size();
  pages_in_txn_ += pages.size();
  if (options_.durability == Durability::always) {
    ADUANA_TRY(commit());
    ADUANA_TRY(sync());
  } else if (pages_in_txn_ >= kPagesPerTransaction) {
    ADUANA_TRY(commit());
  }
  if (options_.cold && (major_faults() - faults_at_drop_) * kMemoryPage > options_.cache_bytes)
    return drop_what_was_read();
  return {};
}

Status LmdbStore::look_up() {
  ADUANA_ASSIGN(const Cursor cursor, open_cursor(txn_, index_));
  for (ReportBatch::Url& url : batch_.urls()) {
    const KeyBytes bytes = key_bytes(url.key);
    MDB_val key = as_value(bytes);
    MDB_val found;
    const int code = mdb_cursor_get(cursor.get(), &key, &found, MDB_SET_KEY);
    if (code == MDB_NOTFOUND) continue;
    ADUANA_TRY(check(code, "look-up"));
    url.index = as_number(found);
  }
  return {};
}

Status LmdbStore::load_crawled() {
  for (uint32_t u : batch_.crawled_before()) {
    MDB_val key = as_value(batch_.url(u).index);
    MDB_val found;
    ADUANA_TRY(check(mdb_get(txn_, pages_, &key, &found), "record"));
    ADUANA_TRY(batch_.load(u, {static_cast<const char*>(found.mv_data), found.mv_size}));
  }
  return {};
}

Status LmdbStore::write_index(MDB_cursor* cursor) {
  for (const ReportBatch::Url& url : batch_.urls()) {  // in key order
    if (url.index < next_index_) continue;
    const KeyBytes bytes = key_bytes(url.key);
    MDB_val key = as_value(bytes);
    MDB_val value = as_value(url.index);
    ADUANA_TRY(check(mdb_cursor_put(cursor, &key, &value, 0), "write of the index"));
  }
  return {};
}

Status LmdbStore::write_pages(MDB_cursor* cursor) {
  for (uint32_t u : batch_.changed_urls()) {  // the new ones first, in order of their indices
    const ReportBatch::Url& url = batch_.url(u);
    value_.clear();
    batch_.append_record_of(url, value_);
    MDB_val key = as_value(url.index);
    MDB_val value = as_value(value_);
    const unsigned flags = url.index >= next_index_ ? MDB_APPEND : 0u;
    ADUANA_TRY(check(mdb_cursor_put(cursor, &key, &value, flags), "write of a page"));
  }
  return {};
}

Status LmdbStore::write_links(MDB_cursor* cursor) {
  for (size_t page = 0; page < batch_.pages(); ++page) {
    const uint64_t index = batch_.page_index(page);
    value_.clear();
    batch_.append_links_of(page, value_);
    MDB_val key = as_value(index);
    MDB_val value = as_value(value_);
    ADUANA_TRY(check(mdb_cursor_put(cursor, &key, &value, 0), "write of links"));
  }
  return {};
}

Result<uint64_t> LmdbStore::url_count() { return next_index_; }

Result<std::optional<uint64_t>> LmdbStore::index_of(std::string_view url) {
  ADUANA_ASSIGN(const KeyedUrl keyed, batch_.keyed(url));
  ADUANA_TRY(begin());
  const KeyBytes bytes = key_bytes(keyed.key);
  MDB_val key = as_value(bytes);
  MDB_val found;
  const int code = mdb_get(txn_, index_, &key, &found);
  if (code == MDB_NOTFOUND) return std::optional<uint64_t>();
  ADUANA_TRY(check(code, "look-up"));
  return std::optional<uint64_t>(as_number(found));
}

Status LmdbStore::sync() { return check(mdb_env_sync(env_, 1), "sync"); }

// Only pages that nobody maps leave the page cache, so the environment is closed in between.
Status LmdbStore::drop_what_was_read() {
  ADUANA_TRY(commit());
  ADUANA_TRY(sync());  // only clean pages can be dropped
  close_environment();
  const std::string file = dir_ + "/data.mdb";
  if (const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC); fd >= 0) {
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    ::close(fd);
  }
  faults_at_drop_ = major_faults();
  return open_environment();
}

Status LmdbStore::settle() {
  ADUANA_TRY(commit());
  ADUANA_TRY(check(sync_error_, "sync"));
  return options_.durability == Durability::none ? Status{} : sync();
}

Status LmdbStore::close() {
  if (!env_) return {};
  const Status committed = commit();
  const Status synced = sync();
  close_environment();
  ADUANA_TRY(committed);
  return synced;
}

}  // namespace aduana::bench
