#include "base/simulated_disk.h"

#include <fmt/format.h>

#include <utility>

#include "base/simulated_disk_state.h"

namespace aduana {

using simulated::Node;
using simulated::NodePtr;

namespace {

constexpr uint64_t kDirectUnit = 4096;

Error error_of(Code code, const std::string& path, const char* operation, const char* reason) {
  return Error(code, fmt::format("{}: {}: {}", path, operation, reason));
}

Error missing(const std::string& path, const char* operation) {
  return error_of(Code::not_found, path, operation, "no such file or folder");
}

class SimulatedMapping final : public Mapping {
 public:
  explicit SimulatedMapping(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string_view bytes() const override { return bytes_; }

 private:
  std::string bytes_;
};

class SimulatedFile final : public File {
 public:
  SimulatedFile(std::shared_ptr<SimulatedDisk::State> disk, NodePtr node, std::string path, OpenMode mode)
      : disk_(std::move(disk)), node_(std::move(node)), path_(std::move(path)), mode_(mode) {}

  Result<size_t> read_at(uint64_t offset, char* out, size_t n) const override {
    if (mode_ == OpenMode::read_direct && (offset | n | reinterpret_cast<uintptr_t>(out)) % kDirectUnit != 0)
      return error_of(Code::invalid, path_, "direct read", "offset, size and buffer must be multiples of 4096");
    const std::lock_guard guard(disk_->mutex);
    return node_->content.read(offset, out, n);
  }

  Status write_at(uint64_t offset, std::string_view bytes) override {
    ADUANA_TRY(must_be_writable("write"));
    const Status begun = disk_->begin(path_, "write");
    const std::lock_guard guard(disk_->mutex);
    if (begun) return disk_->write(*node_, path_, offset, bytes);
    simulated::Dice dice(disk_->next_sequence);
    if (dice.coin()) (void)disk_->write(*node_, path_, offset, bytes.substr(0, dice.below(bytes.size())));
    return begun;
  }

  Status sync() override {
    Status begun = disk_->begin(path_, "sync");
    const std::lock_guard guard(disk_->mutex);
    if (begun && std::exchange(disk_->fail_next_sync, false))
      begun = error_of(Code::io, path_, "sync", "injected fault");
    if (begun) {
      disk_->sync(*node_);
    } else {
      disk_->sync_badly(*node_);
    }
    return begun;
  }

  Status truncate(uint64_t size) override {
    ADUANA_TRY(must_be_writable("truncate"));
    ADUANA_TRY(disk_->begin(path_, "truncate"));
    const std::lock_guard guard(disk_->mutex);
    disk_->truncate(*node_, size);
    return {};
  }

  Result<uint64_t> size() const override {
    const std::lock_guard guard(disk_->mutex);
    return node_->content.size();
  }

  Result<std::unique_ptr<Mapping>> map() const override {
    const std::lock_guard guard(disk_->mutex);
    return std::unique_ptr<Mapping>(std::make_unique<SimulatedMapping>(node_->content.to_string()));
  }

 private:
  Status must_be_writable(const char* operation) const {
    if (mode_ != OpenMode::read && mode_ != OpenMode::read_direct) return {};
    return error_of(Code::invalid, path_, operation, "the file is open for reading only");
  }

  const std::shared_ptr<SimulatedDisk::State> disk_;
  const NodePtr node_;
  const std::string path_;
  const OpenMode mode_;
};

class SimulatedLock final : public FileLock {
 public:
  SimulatedLock(std::shared_ptr<SimulatedDisk::State> disk, NodePtr node)
      : disk_(std::move(disk)), node_(std::move(node)) {}
  ~SimulatedLock() override {
    const std::lock_guard guard(disk_->mutex);
    disk_->locked.erase(node_.get());
  }

 private:
  const std::shared_ptr<SimulatedDisk::State> disk_;
  const NodePtr node_;
};

}  // namespace

SimulatedDisk::SimulatedDisk() : SimulatedDisk(std::make_shared<State>()) {}
SimulatedDisk::SimulatedDisk(std::shared_ptr<State> state) : state_(std::move(state)) {}
SimulatedDisk::~SimulatedDisk() = default;

Result<std::unique_ptr<File>> SimulatedDisk::open(const std::string& path, OpenMode mode) {
  const auto present = [&]() -> Result<NodePtr> {  // null if it is not there
    ADUANA_ASSIGN(const State::Place place, state_->place_of(path));
    const auto found = place.dir->entries.find(place.name);
    if (found == place.dir->entries.end()) return NodePtr();
    if (found->second->is_dir) return error_of(Code::io, path, "open", "is a folder");
    return found->second;
  };

  std::unique_lock lock(state_->mutex);
  ADUANA_ASSIGN(NodePtr node, present());
  const bool creates = mode == OpenMode::create || mode == OpenMode::create_empty;
  if (!node && !creates) return missing(path, "open");
  if (!node || mode == OpenMode::create_empty) {
    lock.unlock();
    ADUANA_TRY(state_->begin(path, "create"));
    lock.lock();
    ADUANA_ASSIGN(node, present());  // another thread may have been faster
    if (!node) {
      ADUANA_ASSIGN(const State::Place place, state_->place_of(path));
      node = std::make_shared<Node>();
      state_->change_names({{place.dir, place.name, node}});
    } else if (mode == OpenMode::create_empty) {
      state_->truncate(*node, 0);
    }
  }
  return std::unique_ptr<File>(std::make_unique<SimulatedFile>(state_, std::move(node), path, mode));
}

Result<bool> SimulatedDisk::exists(const std::string& path) {
  const std::lock_guard guard(state_->mutex);
  return state_->find(path) != nullptr;
}

Status SimulatedDisk::remove(const std::string& path) {
  ADUANA_TRY(state_->begin(path, "remove"));
  const std::lock_guard guard(state_->mutex);
  ADUANA_ASSIGN(const State::Place place, state_->place_of(path));
  const NodePtr node = state_->find(path);
  if (!node) return missing(path, "remove");
  if (node->is_dir) return error_of(Code::io, path, "remove", "is a folder");
  state_->change_names({{place.dir, place.name, nullptr}});
  return {};
}

Status SimulatedDisk::rename(const std::string& from, const std::string& to) {
  ADUANA_TRY(state_->begin(from, "rename"));
  const std::lock_guard guard(state_->mutex);
  ADUANA_ASSIGN(const State::Place source, state_->place_of(from));
  ADUANA_ASSIGN(const State::Place target, state_->place_of(to));
  const NodePtr node = state_->find(from);
  const NodePtr replaced = state_->find(to);
  if (!node) return missing(from, "rename");
  if (node == replaced) return {};
  if (replaced && (node->is_dir != replaced->is_dir || !replaced->entries.empty()))
    return error_of(Code::io, to, "rename to", "a folder that is not empty, or not of the same kind, is in the way");
  if (node == target.dir) return error_of(Code::io, to, "rename to", "lies within the renamed folder");
  state_->change_names({{source.dir, source.name, nullptr}, {target.dir, target.name, node}});
  return {};
}

Status SimulatedDisk::create_dirs(const std::string& path) {
  ADUANA_TRY(state_->begin(path, "create folder"));
  const std::lock_guard guard(state_->mutex);
  for (size_t end = 0; end != path.size();) {
    end = std::min(path.find('/', end + 1), path.size());
    const std::string part = path.substr(0, end);
    NodePtr node = state_->find(part);
    if (!node) {
      ADUANA_ASSIGN(const State::Place place, state_->place_of(part));
      node = std::make_shared<Node>();
      node->is_dir = true;
      state_->change_names({{place.dir, place.name, node}});
    }
    if (!node->is_dir) return error_of(Code::io, part, "create folder", "a file is in the way");
  }
  return {};
}

Status SimulatedDisk::remove_dir(const std::string& path) {
  ADUANA_TRY(state_->begin(path, "remove folder"));
  const std::lock_guard guard(state_->mutex);
  ADUANA_ASSIGN(const State::Place place, state_->place_of(path));
  const NodePtr node = state_->find(path);
  if (!node) return missing(path, "remove folder");
  if (!node->is_dir) return error_of(Code::io, path, "remove folder", "is a file");
  if (!node->entries.empty()) return error_of(Code::io, path, "remove folder", "is not empty");
  state_->change_names({{place.dir, place.name, nullptr}});
  return {};
}

Result<std::vector<std::string>> SimulatedDisk::list(const std::string& dir) {
  const std::lock_guard guard(state_->mutex);
  const NodePtr node = state_->find(dir);
  if (!node) return missing(dir, "list");
  if (!node->is_dir) return error_of(Code::io, dir, "list", "is a file");
  std::vector<std::string> names;
  for (const auto& [name, entry] : node->entries) names.push_back(name);
  return names;
}

Status SimulatedDisk::sync_dir(const std::string& dir) {
  ADUANA_TRY(state_->begin(dir, "sync folder"));
  const std::lock_guard guard(state_->mutex);
  const NodePtr node = state_->find(dir);
  if (!node) return missing(dir, "sync folder");
  if (!node->is_dir) return error_of(Code::io, dir, "sync folder", "is a file");
  state_->sync_names(node.get());
  return {};
}

Result<std::unique_ptr<FileLock>> SimulatedDisk::lock(const std::string& path) {
  const std::lock_guard guard(state_->mutex);
  NodePtr node = state_->find(path);
  if (!node) return missing(path, "lock");
  if (!state_->locked.insert(node.get()).second)
    return error_of(Code::busy, path, "lock", "another process has the store open; stop it first");
  return std::unique_ptr<FileLock>(std::make_unique<SimulatedLock>(state_, std::move(node)));
}

uint64_t SimulatedDisk::operations() const {
  const std::lock_guard guard(state_->mutex);
  return state_->operations;
}

void SimulatedDisk::on_operation(std::function<void(uint64_t n)> hook) {
  const std::lock_guard guard(state_->mutex);
  state_->hook = hook ? std::make_shared<const State::Hook>(std::move(hook)) : nullptr;
}

void SimulatedDisk::fail_after(uint64_t n, Code code) {
  const std::lock_guard guard(state_->mutex);
  state_->fault = State::Fault{state_->operations + n, code};
}

void SimulatedDisk::fail_sync_once() {
  const std::lock_guard guard(state_->mutex);
  state_->fail_next_sync = true;
}

void SimulatedDisk::set_capacity(uint64_t bytes) {
  const std::lock_guard guard(state_->mutex);
  state_->capacity = bytes;
}

void SimulatedDisk::heal() {
  const std::lock_guard guard(state_->mutex);
  state_->fault.reset();
  state_->fail_next_sync = false;
  state_->capacity.reset();
}

Status SimulatedDisk::corrupt(const std::string& path, uint64_t offset, uint8_t mask) {
  const std::lock_guard guard(state_->mutex);
  const NodePtr node = state_->find(path);
  if (!node || node->is_dir) return missing(path, "corrupt");
  if (offset >= node->content.size()) return error_of(Code::invalid, path, "corrupt", "beyond the end of the file");

  const auto flipped = [mask](char byte) { return static_cast<char>(static_cast<uint8_t>(byte) ^ mask); };
  for (ChunkedBytes* content : {&node->content, &node->durable_content}) {
    char byte;
    if (content->read(offset, &byte, 1) == 0) continue;
    byte = flipped(byte);
    content->write(offset, {&byte, 1});
  }
  for (simulated::DataChange& change : node->unsynced) {
    if (!change.is_write() || offset < change.offset || offset - change.offset >= change.bytes->size()) continue;
    std::string bytes = *change.bytes;
    bytes[offset - change.offset] = flipped(bytes[offset - change.offset]);
    change.bytes = std::make_shared<const std::string>(std::move(bytes));
  }
  return {};
}

}  // namespace aduana
