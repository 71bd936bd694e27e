// All hosts, sorted and searched for a table that shows a page of them.
//
// There may be millions, and the frontier tells them in order of discovery only, so what a table needs of each is
// copied now and then, a few at a time, and sorted here; an answer may be some seconds old and says how old.
// Thread-safe.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/frontier.h"

namespace aduana {

enum class HostSort : uint8_t { pending, in_flight, done, gone, temperature, next_time, failures, name };
Result<HostSort> host_sort_named(std::string_view name);

struct HostQuery {
  HostSort sort = HostSort::pending;
  bool descending = true;
  uint64_t offset = 0, limit = 50;
  std::string_view search, crawl;
};

class HostTable {
 public:
  static constexpr uint64_t kMostRows = 1000;
  static constexpr size_t kMostCrawls = 1000;

  HostTable(Frontier& frontier, const Clock& clock) : frontier_(frontier), clock_(clock) {}

  struct Page {
    uint64_t total = 0;  // that match
    Instant as_of{};
    std::vector<QueueStatus> hosts;   // as they are now
    std::vector<std::string> crawls;  // of all hosts, whether they match or not: the first kMostCrawls by name
  };
  Result<Page> find(const HostQuery& query);

 private:
  struct Row {
    std::string key, crawl;
    uint64_t pending, in_flight, done, gone;
    double temperature;
    Instant next_time;
    uint32_t failures;
  };
  struct Rows {
    Instant as_of{};
    Millis read_at{};  // on the clock that only goes forward
    Millis took{};
    std::vector<Row> rows;
    std::vector<std::string> crawls;
  };
  Result<std::shared_ptr<const Rows>> rows();
  Result<std::shared_ptr<const Rows>> read_rows();
  static bool less(const Row& a, const Row& b, HostSort sort);

  Frontier& frontier_;
  const Clock& clock_;
  std::mutex reading_;  // held while rows are read: by one thread, and others take the old ones meanwhile
  std::mutex mutex_;    // of rows_
  std::shared_ptr<const Rows> rows_;
};

}  // namespace aduana
