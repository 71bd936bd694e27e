// ExpiringTable: at most `limit` values by key, each forgotten a fixed time after it was put in or renewed, the oldest
// first when there is no room. So what strangers send can't fill the memory.
//
// Invariant: entries stand in the order in which they end. Times come from the caller and never go back
// (Clock::elapsed()). Not thread-safe.
#pragma once

#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "aduana/time.h"

namespace aduana {

template <class Value>
class ExpiringTable {
 public:
  // Room for at least one.
  ExpiringTable(size_t limit, Millis lifetime) : limit_(limit), lifetime_(lifetime) {}

  struct Entry {
    std::string key;
    Value value;
    Millis end;
  };

  // Null if there is none, or no more.
  Entry* find(std::string_view key, Millis now) {
    drop_ended(now);
    const auto at = by_key_.find(key);
    return at == by_key_.end() ? nullptr : &*at->second;
  }
  // Of a key that is not there.
  Entry& insert(std::string key, Value value, Millis now) {
    drop_ended(now);
    if (entries_.size() >= limit_) drop_first();
    entries_.push_back({std::move(key), std::move(value), now + lifetime_});
    by_key_.emplace(entries_.back().key, std::prev(entries_.end()));
    return entries_.back();
  }
  // Its time begins anew.
  void renew(const Entry& entry, Millis now) {
    const auto at = by_key_.find(entry.key)->second;
    at->end = now + lifetime_;
    entries_.splice(entries_.end(), entries_, at);
  }
  size_t size() const { return entries_.size(); }

 private:
  void drop_ended(Millis now) {
    while (!entries_.empty() && entries_.front().end <= now) drop_first();
  }
  void drop_first() {
    by_key_.erase(entries_.front().key);
    entries_.pop_front();
  }

  const size_t limit_;
  const Millis lifetime_;
  std::list<Entry> entries_;
  std::unordered_map<std::string_view, typename std::list<Entry>::iterator> by_key_;  // views of the entries' keys
};

}  // namespace aduana
