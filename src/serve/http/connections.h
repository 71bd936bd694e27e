// Who is connected: how many from where, and how to reach them when the server stops. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "aduana/time.h"

namespace aduana {

class Connection {
 public:
  virtual ~Connection() = default;
  // Closes it if no request is under way, else when that is answered.
  virtual void finish() = 0;
  // Closes it now.
  virtual void cut() = 0;
};

class Connections {
 public:
  Connections(uint32_t most, uint32_t most_per_client) : most_(most), most_per_client_(most_per_client) {}

  // Takes a place for a connection of this client; false: there is none.
  bool enter(const std::string& client);
  void leave(const std::string& client, const Connection* connection);
  // To be reached from now on.
  void add(const std::shared_ptr<Connection>& connection);

  uint64_t size() const;
  std::vector<std::shared_ptr<Connection>> all() const;
  // Until all have left, or the time is over.
  void wait_until_empty(Millis most) const;

 private:
  const uint32_t most_, most_per_client_;
  mutable std::mutex mutex_;
  mutable std::condition_variable left_;
  uint64_t size_ = 0;
  std::unordered_map<std::string, uint32_t> by_client_;
  std::unordered_map<const Connection*, std::weak_ptr<Connection>> reachable_;
};

}  // namespace aduana
