// The leases: which pages are handed out, and when each comes back if nobody confirms it.
//
// Ends are kept in a heap; a lease that ended early leaves its entry there until its time comes, where it is told by
// the map. Not thread-safe.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"
#include "aduana/time.h"
#include "base/ids.h"

namespace aduana {

class Leases {
 public:
  size_t size() const { return ends_.size(); }
  // Gives the page out until `end`; a lease that it has already is replaced.
  void add(PageIdx page, Instant end);
  // False if it has none.
  bool remove(PageIdx page);
  std::optional<Instant> end_of(PageIdx page) const;

  // When the next one ends; nothing if there is none.
  std::optional<Instant> next_end();
  // The pages whose leases have ended by `now`, earliest first, at most `most`; they stay leased until removed.
  std::vector<PageIdx> ended(Instant now, size_t most);

  // All of them as bytes, and back.
  std::string save() const;
  Status load(std::string_view bytes);

 private:
  struct End {
    Instant time;
    PageIdx page;
    bool operator>(const End& other) const { return std::tie(time, page) > std::tie(other.time, other.page); }
  };
  bool is_current(const End& end) const;
  void drop_old_ends();

  boost::unordered_flat_map<PageIdx, Instant, std::hash<PageIdx>> ends_;
  std::priority_queue<End, std::vector<End>, std::greater<>> by_time_;
};

}  // namespace aduana
