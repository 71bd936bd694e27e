#include "pages/host_names.h"

#include <cstring>
#include <stdexcept>

#include "base/bytes.h"
#include "base/checksum.h"

namespace aduana {

HostNames::HostNames() : chunks_(kMaxChunks), slots_(1024) {}

HostNames::~HostNames() {
  for (uint32_t i = 0; i < kMaxChunks && chunks_[i]; ++i) delete chunks_[i];
}

std::string_view HostNames::name_of(HostId id) const { return (*chunk(id.value / kChunk))[id.value % kChunk]; }

uint32_t HostNames::slot_of(std::string_view name, uint32_t hash) const {
  const auto mask = static_cast<uint32_t>(slots_.size() - 1);
  uint32_t at = hash & mask;
  for (; slots_[at].number_plus_1; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && name_of(HostId{slots_[at].number_plus_1 - 1}) == name) break;
  }
  return at;
}

bool HostNames::find(std::string_view name, HostId* id) const {
  const uint32_t number = slots_[slot_of(name, checksum32(name))].number_plus_1;
  if (number) id->value = number - 1;
  return number != 0;
}

HostId HostNames::intern(std::string_view name) {
  // New URLs come in groups of one host.
  if (count_ > 0 && name_of(last_) == name) return last_;
  return last_ = intern_other(name);
}

HostId HostNames::intern_other(std::string_view name) {
  const uint32_t hash = checksum32(name);
  const uint32_t at = slot_of(name, hash);
  if (slots_[at].number_plus_1) return HostId{slots_[at].number_plus_1 - 1};
  const uint32_t number = count_;
  if (number / kChunk >= kMaxChunks) throw std::length_error("more than 2^32 hosts");
  if (!chunk(number / kChunk)) std::atomic_ref<Chunk*>(chunks_[number / kChunk]).store(new Chunk());
  (*chunk(number / kChunk))[number % kChunk] = keep(name);
  slots_[at] = {hash, number + 1};
  count_ = number + 1;
  if (size_t{count_} * 2 > slots_.size()) grow();
  return HostId{number};
}

void HostNames::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
  const auto mask = static_cast<uint32_t>(slots_.size() - 1);
  for (const Slot& slot : old) {
    if (!slot.number_plus_1) continue;
    uint32_t at = slot.hash & mask;
    while (slots_[at].number_plus_1) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

std::string_view HostNames::keep(std::string_view name) {
  if (name.empty()) return {};
  if (name.size() > arena_left_) {
    arena_left_ = std::max<size_t>(64 << 10, name.size());
    arena_.push_back(std::make_unique<char[]>(arena_left_));
    arena_at_ = arena_.back().get();
  }
  std::memcpy(arena_at_, name.data(), name.size());
  const std::string_view kept(arena_at_, name.size());
  arena_at_ += name.size();
  arena_left_ -= name.size();
  return kept;
}

void HostNames::save(ExtentLog& log) {
  constexpr size_t kEntryBytes = 64 << 10;
  std::string entry;
  while (saved_ < count_) {
    entry.clear();
    append_varint(entry, saved_);
    while (saved_ < count_ && entry.size() < kEntryBytes) append_sized(entry, name_of(HostId{saved_++}));
    log.append(entry);
  }
}

Status HostNames::load(const ExtentLog& log) {
  for (const auto& segment : log.state()) {
    ADUANA_TRY(log.scan(segment.number, [&](ExtentAddress, std::string_view entry) -> Status {
      ByteReader reader(entry);
      bool right = reader.varint() == count_;
      while (right && !reader.at_end()) {
        const uint32_t before = count_;
        right = intern(reader.sized()).value == before && reader.ok();
      }
      if (!right) return Error(Code::corrupt, log.path_of(segment.number) + ": host names out of order or doubled");
      return {};
    }));
  }
  saved_ = count_;
  return {};
}

}  // namespace aduana
