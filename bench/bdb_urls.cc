#include "bdb_urls.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace aduana::bench {
namespace {

constexpr uint32_t kLogBufferBytes = 8u << 20;
constexpr uint32_t kLogFileBytes = 256u << 20;
constexpr uint32_t kCheckpointKilobytes = 512u << 10;  // of log
constexpr std::chrono::milliseconds kCheckpointCheck{1000};

Status check(int code, const char* what) {
  if (code == 0) return {};
  return Error(code == ENOSPC ? Code::no_space : Code::io, fmt::format("Berkeley DB, {}: {}", what, db_strerror(code)));
}

DBT as_dbt(std::string_view bytes) {
  DBT dbt{};
  dbt.data = const_cast<char*>(bytes.data());
  dbt.size = static_cast<uint32_t>(bytes.size());
  return dbt;
}

// Fixed width and sortable as text, as the paper has it: "01" "0042" and the hash.
std::string queue_key(std::string_view url) {
  const QueuePlace place = queue_place(url);
  std::string key = fmt::format("{:02}{:04}", place.depth, place.priority);
  key.append(place.hash.data(), place.hash.size());
  return key;
}

}  // namespace

BdbUrls::~BdbUrls() { (void)close(); }

Status BdbUrls::open(const std::string& dir, const UrlDatabaseOptions& options) {
  options_ = options;
  ADUANA_TRY(open_environment(dir));
  ADUANA_TRY(open_table(urls_, "urls.db", DB_HASH));
  ADUANA_TRY(open_table(queue_, "queue.db", DB_BTREE));
  if (options.durability == Durability::interval)
    syncer_.start(kSyncInterval, [this] {
      if (int code = env_->log_flush(env_, nullptr)) background_error_ = code;
    });
  checkpointer_.start(kCheckpointCheck, [this] {
    if (int code = env_->txn_checkpoint(env_, kCheckpointKilobytes, 0, 0)) background_error_ = code;
  });
  return {};
}

Status BdbUrls::open_environment(const std::string& dir) {
  ADUANA_TRY(check(db_env_create(&env_, 0), "environment"));
  constexpr uint64_t kGigabyte = uint64_t{1} << 30;
  ADUANA_TRY(check(env_->set_cachesize(env_, static_cast<uint32_t>(options_.cache_bytes / kGigabyte),
                                       static_cast<uint32_t>(options_.cache_bytes % kGigabyte), 1),
                   "cache"));
  ADUANA_TRY(check(env_->set_lg_bsize(env_, kLogBufferBytes), "log buffer"));
  ADUANA_TRY(check(env_->set_lg_max(env_, kLogFileBytes), "log file"));
  ADUANA_TRY(check(env_->log_set_config(env_, DB_LOG_AUTO_REMOVE, 1), "log removal"));
  if (options_.durability == Durability::interval)
    ADUANA_TRY(check(env_->set_flags(env_, DB_TXN_WRITE_NOSYNC, 1), "durability"));
  if (options_.durability == Durability::none) ADUANA_TRY(check(env_->set_flags(env_, DB_TXN_NOSYNC, 1), "durability"));
  const uint32_t flags = DB_CREATE | DB_PRIVATE | DB_THREAD | DB_INIT_MPOOL | DB_INIT_LOG | DB_INIT_LOCK | DB_INIT_TXN;
  return check(env_->open(env_, dir.c_str(), flags, 0644), "open");
}

Status BdbUrls::open_table(DB*& table, const char* file, DBTYPE type) {
  ADUANA_TRY(check(db_create(&table, env_, 0), "table"));
  if (type == DB_HASH && options_.expected_urls > 0)  // spares it the splitting of buckets
    ADUANA_TRY(check(table->set_h_nelem(table, static_cast<uint32_t>(options_.expected_urls)), "size"));
  return check(table->open(table, nullptr, file, nullptr, type, DB_CREATE | DB_AUTO_COMMIT | DB_THREAD, 0644), file);
}

Result<bool> BdbUrls::add(std::string_view url) {
  ADUANA_TRY(check(background_error_, "sync or checkpoint"));
  DB_TXN* txn = nullptr;
  ADUANA_TRY(check(env_->txn_begin(env_, nullptr, &txn, 0), "begin"));
  const Result<bool> added = put_both(txn, url);
  if (!added || !*added) {
    ADUANA_TRY(check(txn->abort(txn), "abort"));
    return added;
  }
  ADUANA_TRY(check(txn->commit(txn, 0), "commit"));
  ++count_;
  return true;
}

Result<bool> BdbUrls::put_both(DB_TXN* txn, std::string_view url) {
  constexpr std::string_view kDepthOneNotVisited{"\1\0", 2};
  DBT key = as_dbt(url);
  DBT value = as_dbt(kDepthOneNotVisited);
  const int code = urls_->put(urls_, txn, &key, &value, DB_NOOVERWRITE);
  if (code == DB_KEYEXIST) return false;
  ADUANA_TRY(check(code, "write of U"));
  const std::string place = queue_key(url);
  DBT queue_at = as_dbt(place);
  DBT queued = as_dbt(url);
  ADUANA_TRY(check(queue_->put(queue_, txn, &queue_at, &queued, 0), "write of Q"));
  return true;
}

Result<uint64_t> BdbUrls::count() { return count_; }

Status BdbUrls::settle() {
  ADUANA_TRY(check(background_error_, "sync or checkpoint"));
  return check(env_->log_flush(env_, nullptr), "sync");
}

Status BdbUrls::close() {
  if (!env_) return {};
  syncer_.stop();
  checkpointer_.stop();
  int code = 0;
  for (DB** table : {&queue_, &urls_}) {
    if (*table)
      if (int closed = (*table)->close(*table, 0)) code = closed;
    *table = nullptr;
  }
  if (int closed = env_->close(env_, 0)) code = closed;
  env_ = nullptr;
  return check(code, "close");
}

}  // namespace aduana::bench
