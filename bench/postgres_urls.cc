#include "postgres_urls.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/bytes.h"

namespace aduana::bench {
namespace {

constexpr const char* kTable =
    "CREATE TABLE urls (url text NOT NULL, depth smallint NOT NULL, priority smallint NOT NULL, hash uuid NOT NULL, "
    "visited boolean NOT NULL DEFAULT false);"
    "CREATE UNIQUE INDEX urls_url ON urls (url);"
    "CREATE INDEX urls_queue ON urls (depth, priority, hash) WHERE NOT visited";
constexpr const char* kInsertName = "add_url";
constexpr const char* kInsert =
    "INSERT INTO urls (url, depth, priority, hash) VALUES ($1::text, $2::smallint, $3::smallint, $4::uuid) "
    "ON CONFLICT (url) DO NOTHING";

struct ResultClearer {
  void operator()(PGresult* result) const { PQclear(result); }
};
using PgResult = std::unique_ptr<PGresult, ResultClearer>;

}  // namespace

PostgresUrls::~PostgresUrls() { (void)close(); }

Error PostgresUrls::error(const char* what) const {
  return Error(Code::io, fmt::format("PostgreSQL, {}: {}", what, PQerrorMessage(connection_)));
}

Status PostgresUrls::run(const char* sql) {
  const PgResult result(PQexec(connection_, sql));
  const ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) return error(sql);
  return {};
}

Status PostgresUrls::open(const std::string& dir, const UrlDatabaseOptions& options) {
  ADUANA_TRY(server_.start(dir, {.shared_buffers_bytes = options.cache_bytes, .durability = options.durability}));
  connection_ = PQconnectdb(server_.connection().c_str());
  if (PQstatus(connection_) != CONNECTION_OK) return error("connect");
  ADUANA_TRY(run(kTable));
  const PgResult prepared(PQprepare(connection_, kInsertName, kInsert, 4, nullptr));
  if (PQresultStatus(prepared.get()) != PGRES_COMMAND_OK) return error("prepare");
  return {};
}

Result<bool> PostgresUrls::add(std::string_view url) {
  const QueuePlace place = queue_place(url);
  char depth[2];
  char priority[2];
  store_be(depth, place.depth);
  store_be(priority, place.priority);
  const char* values[] = {url.data(), depth, priority, place.hash.data()};
  const int lengths[] = {static_cast<int>(url.size()), sizeof depth, sizeof priority,
                         static_cast<int>(place.hash.size())};
  const int formats[] = {1, 1, 1, 1};  // all binary
  const PgResult result(PQexecPrepared(connection_, kInsertName, 4, values, lengths, formats, 1));
  if (PQresultStatus(result.get()) != PGRES_COMMAND_OK) return error("insert");
  return std::string_view(PQcmdTuples(result.get())) == "1";
}

Result<uint64_t> PostgresUrls::count() {
  const PgResult result(PQexec(connection_, "SELECT count(*) FROM urls"));
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK) return error("count");
  return std::strtoull(PQgetvalue(result.get(), 0, 0), nullptr, 10);
}

Status PostgresUrls::settle() { return run("CHECKPOINT"); }

Status PostgresUrls::close() {
  if (connection_) PQfinish(connection_);
  connection_ = nullptr;
  return server_.stop();
}

}  // namespace aduana::bench
