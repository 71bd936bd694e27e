// What a SimulatedDisk may hold after the power failed: see CutPolicy.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/simulated_disk_state.h"

namespace aduana {

using simulated::DataChange;
using simulated::Dice;
using simulated::NameChange;
using simulated::Node;
using simulated::NodePtr;

namespace {

constexpr uint64_t kSector = 512;

// Applies a part of a write, as a device does whose power fails meanwhile.
void apply_torn(const DataChange& write, ChunkedBytes& content, Dice& dice) {
  const std::string_view bytes = *write.bytes;
  if (dice.coin()) {
    content.write(write.offset, bytes.substr(0, dice.below(bytes.size())));
    return;
  }
  for (size_t at = 0; at < bytes.size();) {
    const size_t step = std::min<uint64_t>(kSector - (write.offset + at) % kSector, bytes.size() - at);
    if (dice.coin()) content.write(write.offset + at, bytes.substr(at, step));
    at += step;
  }
  // The new size may have reached the medium before the bytes did.
  const uint64_t end = write.offset + bytes.size();
  if (end > content.size() && dice.coin()) content.resize(end);
}

class PowerCut {
 public:
  PowerCut(const SimulatedDisk::State& from, CutPolicy policy, uint64_t seed)
      : from_(from), policy_(policy), dice_(seed) {}

  std::shared_ptr<SimulatedDisk::State> disk_left() {
    find_nodes();
    draw_survivors();
    auto left = std::make_shared<SimulatedDisk::State>();
    for (const Node* node : nodes_) copies_[node] = std::make_shared<Node>();
    for (const Node* node : nodes_) fill(*node, *copies_[node]);
    left->root = copies_[from_.root.get()];
    left->next_sequence = from_.next_sequence;
    if (policy_ == CutPolicy::keep_all) {
      for (const NameChange& change : from_.unsynced_names) left->unsynced_names.push_back(copy_of(change));
    } else {
      rename_survivors();
    }
    return left;
  }

 private:
  // All nodes, in an order that does not depend on addresses, so that a seed means the same in every run.
  void find_nodes() {
    visit(from_.root.get());
    for (const NameChange& change : from_.unsynced_names) {
      for (const auto& effect : change.effects) {
        visit(effect.dir.get());
        if (effect.target) visit(effect.target.get());
      }
    }
  }

  void visit(const Node* node) {
    if (!copies_.emplace(node, nullptr).second) return;
    nodes_.push_back(node);
    for (const auto& [name, entry] : node->entries) visit(entry.get());
    for (const auto& [name, entry] : node->durable_entries) visit(entry.get());
  }

  void draw_survivors() {
    if (policy_ == CutPolicy::reordered) chance_of_8_ = 1 + dice_.below(7);
    if (policy_ != CutPolicy::random_prefix && policy_ != CutPolicy::torn) return;
    std::vector<uint64_t> all = {0};
    std::vector<uint64_t> writes;
    for (const NameChange& change : from_.unsynced_names) all.push_back(change.sequence);
    for (const Node* node : nodes_) {
      for (const DataChange& change : node->unsynced) {
        all.push_back(change.sequence);
        if (change.is_write()) writes.push_back(change.sequence);
      }
    }
    if (policy_ == CutPolicy::torn && !writes.empty()) {
      last_ = torn_ = writes[dice_.below(writes.size())];
    } else {
      last_ = all[dice_.below(all.size())];
    }
  }

  bool survives(uint64_t sequence) {
    if (policy_ == CutPolicy::reordered) return dice_.below(8) < chance_of_8_;
    return sequence <= last_;  // lose_all: last_ is 0
  }

  bool is_torn(uint64_t sequence) { return policy_ == CutPolicy::reordered ? dice_.below(4) == 0 : sequence == torn_; }

  void fill(const Node& from, Node& to) {
    to.is_dir = from.is_dir;
    to.durable_content = from.durable_content;
    to.durable_entries = copy_of(from.durable_entries);
    if (policy_ == CutPolicy::keep_all) {
      to.content = from.content;
      to.unsynced = from.unsynced;
      to.diverged = from.diverged;
      to.entries = copy_of(from.entries);
      return;
    }
    for (const DataChange& change : from.unsynced) {
      if (!survives(change.sequence)) continue;
      if (change.is_write() && is_torn(change.sequence)) {
        apply_torn(change, to.durable_content, dice_);
      } else {
        change.apply_to(to.durable_content);
      }
    }
    to.content = to.durable_content;
  }

  void rename_survivors() {
    std::vector<bool> chosen;
    for (const NameChange& change : from_.unsynced_names) chosen.push_back(survives(change.sequence));
    simulated::close_over_names(from_.unsynced_names, chosen);
    for (size_t i = 0; i < chosen.size(); ++i) {
      if (!chosen[i]) continue;
      for (const auto& effect : copy_of(from_.unsynced_names[i]).effects)
        simulated::set_entry(effect.dir->durable_entries, effect.name, effect.target);
    }
    for (const Node* node : nodes_) copies_[node]->entries = copies_[node]->durable_entries;
  }

  NodePtr copy_of(const NodePtr& node) const { return node ? copies_.at(node.get()) : nullptr; }

  simulated::Entries copy_of(const simulated::Entries& entries) const {
    simulated::Entries copy;
    for (const auto& [name, node] : entries) copy.emplace_hint(copy.end(), name, copy_of(node));
    return copy;
  }

  NameChange copy_of(const NameChange& change) const {
    NameChange copy = change;
    for (auto& effect : copy.effects) {
      effect.dir = copy_of(effect.dir);
      effect.target = copy_of(effect.target);
    }
    return copy;
  }

  const SimulatedDisk::State& from_;
  const CutPolicy policy_;
  Dice dice_;
  std::vector<const Node*> nodes_;
  std::unordered_map<const Node*, NodePtr> copies_;
  uint64_t last_ = 0;  // sequence of the last change that survives, where they survive in order
  uint64_t torn_ = 0;
  uint64_t chance_of_8_ = 0;
};

}  // namespace

std::unique_ptr<SimulatedDisk> SimulatedDisk::after_power_cut(CutPolicy policy, uint64_t seed) const {
  const std::lock_guard guard(state_->mutex);
  return std::unique_ptr<SimulatedDisk>(new SimulatedDisk(PowerCut(*state_, policy, seed).disk_left()));
}

const char* name_of(CutPolicy policy) {
  switch (policy) {
    case CutPolicy::lose_all:
      return "lose_all";
    case CutPolicy::keep_all:
      return "keep_all";
    case CutPolicy::random_prefix:
      return "random_prefix";
    case CutPolicy::torn:
      return "torn";
    case CutPolicy::reordered:
      return "reordered";
  }
  return "unknown";
}

}  // namespace aduana
