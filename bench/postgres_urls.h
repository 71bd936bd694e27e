// The relational URL database that the paper compares with: one table in PostgreSQL with a unique index on the URL and
// an index in queue order, one prepared INSERT and one transaction per URL, over one connection.
#pragma once

#include <libpq-fe.h>

#include <string>

#include "postgres_server.h"
#include "url_database.h"

namespace aduana::bench {

class PostgresUrls final : public UrlDatabase {
 public:
  ~PostgresUrls() override;

  std::string name() const override { return "postgres"; }
  Status open(const std::string& dir, const UrlDatabaseOptions& options) override;
  Result<bool> add(std::string_view url) override;
  Result<uint64_t> count() override;
  Status settle() override;
  Status close() override;

 private:
  Status run(const char* sql);
  Error error(const char* what) const;

  PostgresServer server_;
  PGconn* connection_ = nullptr;
};

}  // namespace aduana::bench
