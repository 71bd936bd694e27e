// What the experiment of the URL-database paper asks of a system: add one URL, and say whether it was new.
//
// Each add() is a change of its own, acknowledged before the next one begins; the options say what it survives then.
// Every system keeps the URL with its depth and the fact of having been visited, and a queue ordered by depth, priority
// and hash. One thread calls a database.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"
#include "durability.h"

namespace aduana::bench {

struct UrlDatabaseOptions {
  uint64_t cache_bytes = uint64_t{1} << 30;
  Durability durability = Durability::interval;
  uint64_t expected_urls = 0;
};

class UrlDatabase {
 public:
  virtual ~UrlDatabase() = default;

  virtual std::string name() const = 0;
  // Makes a new database in `dir`, which is empty.
  virtual Status open(const std::string& dir, const UrlDatabaseOptions& options) = 0;
  virtual Result<bool> add(std::string_view url) = 0;  // true if it was new
  virtual Result<uint64_t> count() = 0;
  virtual Status settle() = 0;  // all that was added is durable when it returns
  virtual Status close() = 0;
};

// The place of a URL in the paper's queue Q. All URLs are starting links here, so their depth is 1.
struct QueuePlace {
  uint16_t depth;
  uint16_t priority;  // 0 to 9999, smaller is sooner; a function of the URL
  std::array<char, 16> hash;
};
QueuePlace queue_place(std::string_view url);

// The names that make_url_database() knows, Aduana's own first.
std::vector<std::string> url_database_names();
Result<std::unique_ptr<UrlDatabase>> make_url_database(std::string_view name);

}  // namespace aduana::bench
