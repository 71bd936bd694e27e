#include "serve/http/connections.h"

namespace aduana {

bool Connections::enter(const std::string& client) {
  const std::lock_guard lock(mutex_);
  if (size_ >= most_) return false;
  uint32_t& of_client = by_client_[client];
  if (of_client >= most_per_client_) return false;
  ++of_client;
  ++size_;
  return true;
}

void Connections::leave(const std::string& client, const Connection* connection) {
  const std::lock_guard lock(mutex_);
  --size_;
  if (const auto at = by_client_.find(client); --at->second == 0) by_client_.erase(at);
  reachable_.erase(connection);
  if (size_ == 0) left_.notify_all();
}

void Connections::add(const std::shared_ptr<Connection>& connection) {
  const std::lock_guard lock(mutex_);
  reachable_[connection.get()] = connection;
}

uint64_t Connections::size() const {
  const std::lock_guard lock(mutex_);
  return size_;
}

std::vector<std::shared_ptr<Connection>> Connections::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Connection>> all;
  for (const auto& [key, weak] : reachable_) {
    if (auto connection = weak.lock()) all.push_back(std::move(connection));
  }
  return all;
}

void Connections::wait_until_empty(Millis most) const {
  std::unique_lock lock(mutex_);
  left_.wait_for(lock, most, [&] { return size_ == 0; });
}

}  // namespace aduana
