#include "base/simulated_disk_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace aduana {

using simulated::DataChange;
using simulated::NameChange;
using simulated::Node;
using simulated::NodePtr;

namespace {

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.emplace_back(part);
    }
  }
  return parts;
}

uint64_t bytes_in(const Node& node) {
  uint64_t total = node.content.size();
  for (const auto& [name, entry] : node.entries) total += bytes_in(*entry);
  return total;
}

}  // namespace

namespace simulated {

bool NameChange::shares_name_with(const NameChange& other) const {
  for (const Effect& mine : effects) {
    for (const Effect& theirs : other.effects) {
      if (mine.dir == theirs.dir && mine.name == theirs.name) return true;
    }
  }
  return false;
}

void close_over_names(const std::vector<NameChange>& changes, std::vector<bool>& chosen) {
  // Backwards, so that what is added is itself looked at later.
  for (size_t i = changes.size(); i-- > 0;) {
    if (!chosen[i]) continue;
    for (size_t j = 0; j < i; ++j) {
      if (!chosen[j] && changes[i].shares_name_with(changes[j])) chosen[j] = true;
    }
  }
}

}  // namespace simulated

SimulatedDisk::State::State() : root(std::make_shared<Node>()) { root->is_dir = true; }

Status SimulatedDisk::State::begin(const std::string& path, const char* operation) {
  std::unique_lock lock(mutex);
  const uint64_t n = ++operations;
  if (const auto called = hook) {
    lock.unlock();
    (*called)(n);
    lock.lock();
  }
  if (fault && n >= fault->from_operation)
    return Error(fault->code, fmt::format("{}: {}: injected fault", path, operation));
  return {};
}

NodePtr SimulatedDisk::State::find(std::string_view path) const {
  NodePtr node = root;
  for (const std::string& part : parts_of(path)) {
    const auto found = node->entries.find(part);  // a file has no entries
    if (found == node->entries.end()) return nullptr;
    node = found->second;
  }
  return node;
}

Result<SimulatedDisk::State::Place> SimulatedDisk::State::place_of(const std::string& path) const {
  auto parts = parts_of(path);
  if (parts.empty()) return Error(Code::io, fmt::format("{}: the root has no name to change", path));
  Place place{root, std::move(parts.back())};
  parts.pop_back();
  for (const std::string& part : parts) {
    const auto found = place.dir->entries.find(part);
    if (found == place.dir->entries.end())
      return Error(Code::not_found, fmt::format("{}: no such folder: {}", path, part));
    place.dir = found->second;
    if (!place.dir->is_dir) return Error(Code::io, fmt::format("{}: not a folder: {}", path, part));
  }
  return place;
}

void SimulatedDisk::State::change_names(std::vector<NameChange::Effect> effects) {
  for (const auto& effect : effects) set_entry(effect.dir->entries, effect.name, effect.target);
  unsynced_names.push_back({next_sequence++, std::move(effects)});
}

void SimulatedDisk::State::sync_names(const Node* dir) {
  // A rename between two folders is durable once both were synced; whether one would do depends on the file system.
  std::vector<bool> durable;
  for (NameChange& change : unsynced_names) {
    bool all_synced = true;
    for (auto& effect : change.effects) {
      if (effect.dir.get() == dir) effect.synced = true;
      all_synced = all_synced && effect.synced;
    }
    durable.push_back(all_synced);
  }
  simulated::close_over_names(unsynced_names, durable);
  std::vector<NameChange> left;
  for (size_t i = 0; i < unsynced_names.size(); ++i) {
    if (!durable[i]) {
      left.push_back(std::move(unsynced_names[i]));
      continue;
    }
    for (const auto& effect : unsynced_names[i].effects)
      set_entry(effect.dir->durable_entries, effect.name, effect.target);
  }
  unsynced_names = std::move(left);
}

Status SimulatedDisk::State::write(Node& node, const std::string& path, uint64_t offset, std::string_view bytes) {
  bool full = false;
  const uint64_t end = offset + bytes.size();
  if (capacity && !bytes.empty() && end > node.content.size()) {
    const uint64_t used = bytes_in(*root);
    const uint64_t free = *capacity > used ? *capacity - used : 0;
    const uint64_t possible_end = node.content.size() + free;
    full = end > possible_end;
    if (full) bytes = bytes.substr(0, possible_end > offset ? possible_end - offset : 0);
  }
  if (!bytes.empty()) {
    node.unsynced.push_back({next_sequence++, offset, std::make_shared<const std::string>(bytes)});
    node.unsynced.back().apply_to(node.content);
  }
  if (full) return Error(Code::no_space, fmt::format("{}: write: the disk is full; free some space", path));
  return {};
}

void SimulatedDisk::State::truncate(Node& node, uint64_t size) {
  node.unsynced.push_back({next_sequence++, size, nullptr});
  node.unsynced.back().apply_to(node.content);
}

void SimulatedDisk::State::sync(Node& node) {
  if (node.diverged) {
    for (const DataChange& change : node.unsynced) change.apply_to(node.durable_content);
  } else if (!node.unsynced.empty()) {
    uint64_t from = UINT64_MAX;
    for (const DataChange& change : node.unsynced) from = std::min(from, change.offset);
    node.durable_content.follow(node.content, from);
  }
  node.unsynced.clear();
}

void SimulatedDisk::State::sync_badly(Node& node) {
  simulated::Dice dice(next_sequence);
  for (const DataChange& change : node.unsynced) {
    if (dice.coin()) change.apply_to(node.durable_content);
  }
  // The system believes the rest is written: no later sync will try again.
  node.diverged = node.diverged || !node.unsynced.empty();
  node.unsynced.clear();
}

}  // namespace aduana
