// The inside of SimulatedDisk: nodes (files and folders), their durable and their present content, and the list of
// changes between the two. Only simulated_disk.cc and simulated_power_cut.cc include this.
//
// Invariant: a file's present content is its durable one with all its unsynced changes applied in order, unless a sync
// failed (`diverged`). A folder's present entries are its durable ones with all unsynced name changes applied in order.
// State::mutex guards everything but the chunks, which never change.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/chunked_bytes.h"
#include "base/simulated_disk.h"

namespace aduana::simulated {

// A write of `bytes` at `offset`, or, without bytes, a truncation to `offset`.
struct DataChange {
  uint64_t sequence;
  uint64_t offset;
  std::shared_ptr<const std::string> bytes;

  bool is_write() const { return bytes != nullptr; }
  void apply_to(ChunkedBytes& content) const {
    if (is_write()) {
      content.write(offset, *bytes);
    } else {
      content.resize(offset);
    }
  }
};

struct Node;
using NodePtr = std::shared_ptr<Node>;
using Entries = std::map<std::string, NodePtr, std::less<>>;

struct Node {
  bool is_dir = false;

  // Of a file.
  ChunkedBytes content;
  ChunkedBytes durable_content;
  std::vector<DataChange> unsynced;
  bool diverged = false;

  // Of a folder.
  Entries entries;
  Entries durable_entries;
};

// One atomic change of one or two names: a rename takes one away and sets the other.
struct NameChange {
  struct Effect {
    NodePtr dir;
    std::string name;
    NodePtr target;  // null: the name goes away
    bool synced = false;
  };

  uint64_t sequence;
  std::vector<Effect> effects;

  bool shares_name_with(const NameChange& other) const;
};

inline void set_entry(Entries& entries, const std::string& name, const NodePtr& target) {
  if (target) {
    entries[name] = target;
  } else {
    entries.erase(name);
  }
}

// Adds to `chosen` each earlier change on which a chosen one rests because it touches the same name.
void close_over_names(const std::vector<NameChange>& changes, std::vector<bool>& chosen);

// A small generator whose sequence is ours, so that a seed in a failed test's output means the same everywhere.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  uint64_t below(uint64_t n) { return n == 0 ? 0 : next() % n; }
  bool coin() { return (next() & 1) != 0; }

 private:
  uint64_t state_;
};

}  // namespace aduana::simulated

namespace aduana {

struct SimulatedDisk::State {
  using Hook = std::function<void(uint64_t)>;

  State();

  // Counts a mutating operation, calls the hook, and tells the injected error if it is this one's turn to fail.
  // Called without the mutex.
  Status begin(const std::string& path, const char* operation);

  // The rest is called with the mutex held.
  simulated::NodePtr find(std::string_view path) const;  // null if it is not there
  struct Place {
    simulated::NodePtr dir;
    std::string name;
  };
  Result<Place> place_of(const std::string& path) const;  // the folder must be there, the name need not
  void change_names(std::vector<simulated::NameChange::Effect> effects);
  void sync_names(const simulated::Node* dir);
  Status write(simulated::Node& node, const std::string& path, uint64_t offset, std::string_view bytes);
  void truncate(simulated::Node& node, uint64_t size);
  void sync(simulated::Node& node);
  void sync_badly(simulated::Node& node);

  mutable std::mutex mutex;
  simulated::NodePtr root;
  std::vector<simulated::NameChange> unsynced_names;
  uint64_t next_sequence = 1;
  std::set<const simulated::Node*> locked;

  uint64_t operations = 0;
  std::shared_ptr<const Hook> hook;

  struct Fault {
    uint64_t from_operation;
    Code code;
  };
  std::optional<Fault> fault;
  bool fail_next_sync = false;
  std::optional<uint64_t> capacity;
};

}  // namespace aduana
