#include "base/paged_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/bytes.h"
#include "base/checksum.h"

namespace aduana {
namespace {

Result<std::shared_ptr<PagedArray::Chunk>> read_chunk(const File* file, const std::string& path, uint64_t number) {
  if (!file) return Error(Code::corrupt, fmt::format("{}: chunk {} is missing", path, number));
  auto chunk = std::make_shared<PagedArray::Chunk>();
  chunk->epoch = 0;
  char sum[8];
  const uint64_t at = number * PagedArray::kSlotBytes;
  ADUANA_ASSIGN(const size_t n, file->read_at(at, chunk->bytes, PagedArray::kChunkBytes));
  ADUANA_ASSIGN(const size_t m, file->read_at(at + PagedArray::kChunkBytes, sum, sizeof sum));
  if (n != PagedArray::kChunkBytes || m != sizeof sum ||
      load_be<uint64_t>(sum) != checksum64({chunk->bytes, PagedArray::kChunkBytes}, number)) {
    return Error(
        Code::corrupt,
        fmt::format("{}: chunk {} at offset {}: wrong checksum; restore the store from a copy, or run `aduana db "
                    "rebuild`",
                    path, number, at));
  }
  return chunk;
}

}  // namespace

PagedArray::PagedArray(std::string path, size_t record_bytes, size_t max_resident)
    : path_(std::move(path)),
      record_bytes_(record_bytes),
      per_chunk_(kChunkBytes / record_bytes),
      max_resident_(std::max<size_t>(max_resident, 16)) {}

Result<std::unique_ptr<PagedArray>> PagedArray::open(FileSystem& fs, std::string path, size_t record_bytes,
                                                     uint64_t size, size_t max_resident, bool read_only) {
  std::unique_ptr<PagedArray> array(new PagedArray(std::move(path), record_bytes, max_resident));
  array->size_ = size;
  array->saved_chunks_ = (size + array->per_chunk_ - 1) / array->per_chunk_;
  array->chunks_.resize(array->saved_chunks_);
  array->states_.resize(array->saved_chunks_);
  if (size > 0 || !read_only) {
    ADUANA_ASSIGN(array->file_, fs.open(array->path_, size > 0 ? (read_only ? OpenMode::read : OpenMode::write)
                                                               : OpenMode::create_empty));
  }
  return array;
}

Result<PagedArray::Chunk*> PagedArray::resident(uint64_t number) {
  if (!chunks_[number]) {
    make_room();
    ADUANA_ASSIGN(chunks_[number], read_chunk(file_.get(), path_, number));
    ++resident_;
  }
  chunks_[number]->used_lately = true;
  return chunks_[number].get();
}

void PagedArray::make_room() {
  // The clock: two rounds find a clean chunk if there is one; changed ones wait for the checkpoint.
  constexpr size_t kSteps = 1024;  // a bound on the search when nearly all are changed
  for (size_t steps = 0; resident_ >= max_resident_ && steps < std::min(kSteps, 2 * chunks_.size()); ++steps) {
    hand_ = (hand_ + 1) % chunks_.size();
    auto& chunk = chunks_[hand_];
    if (!chunk || states_[hand_] != clean || hand_ + 1 == chunks_.size()) continue;
    if (chunk->used_lately) {
      chunk->used_lately = false;
    } else {
      chunk.reset();
      --resident_;
    }
  }
}

Result<const char*> PagedArray::get(uint64_t i) {
  if (i >= size_) return Error(Code::not_found, fmt::format("{}: no record {}: there are {}", path_, i, size_));
  ADUANA_ASSIGN(const Chunk* chunk, resident(i / per_chunk_));
  return chunk->bytes + i % per_chunk_ * record_bytes_;
}

Result<char*> PagedArray::change(uint64_t i) {
  if (i >= size_) return Error(Code::not_found, fmt::format("{}: no record {}: there are {}", path_, i, size_));
  const uint64_t number = i / per_chunk_;
  ADUANA_ASSIGN(Chunk * chunk, resident(number));
  if (chunk->epoch != epoch_) {
    if (is_in_a_snapshot(*chunk)) {
      keep_for_snapshots(number);
      chunks_[number] = std::make_shared<Chunk>(*chunk);
      chunk = chunks_[number].get();
    }
    chunk->epoch = epoch_;
  }
  mark_dirty(number);
  return chunk->bytes + i % per_chunk_ * record_bytes_;
}

void PagedArray::mark_dirty(uint64_t number) {
  changed_ += !(states_[number] & dirty);
  states_[number] |= dirty;
}

// Of one that lives.
bool PagedArray::is_in_a_snapshot(const Chunk& chunk) {
  std::erase_if(snapshots_, [](const Taken& s) { return s.life->over.load(std::memory_order_acquire); });
  return std::any_of(snapshots_.begin(), snapshots_.end(),
                     [&](const Taken& s) { return s.life->epoch >= chunk.epoch; });
}

void PagedArray::keep_for_snapshots(uint64_t number) {
  for (const Taken& snapshot : snapshots_) {
    const auto chunks = snapshot.chunks.lock();
    if (!chunks || number >= chunks->by_number.size()) continue;
    std::lock_guard lock(chunks->mutex);
    if (!chunks->by_number[number]) chunks->by_number[number] = chunks_[number];
  }
}

Result<char*> PagedArray::append() {
  const uint64_t i = size_;
  const uint64_t number = i / per_chunk_;
  if (number == chunks_.size()) {
    make_room();
    auto chunk = std::make_shared<Chunk>();
    chunk->epoch = epoch_;
    std::memset(chunk->bytes, 0, kChunkBytes);
    chunks_.push_back(std::move(chunk));
    states_.push_back(clean);
    mark_dirty(number);
    ++resident_;
  } else {
    ADUANA_TRY(resident(number));  // nothing has changed when it can't be read
  }
  ++size_;
  return change(i);
}

PagedArray::Snapshot PagedArray::snapshot() {
  const auto life = std::make_shared<Snapshot::Life>(epoch_++);
  std::erase_if(snapshots_, [](const Taken& s) { return s.life->over.load(std::memory_order_acquire); });
  Snapshot snapshot;
  snapshot.chunks_ = std::make_shared<Snapshot::Chunks>(life);
  snapshot.chunks_->by_number.assign(chunks_.begin(), chunks_.end());
  snapshots_.push_back({life, snapshot.chunks_});
  snapshot.file_ = file_;
  snapshot.path_ = path_;
  snapshot.size_ = size_;
  snapshot.per_chunk_ = per_chunk_;
  snapshot.record_bytes_ = record_bytes_;
  return snapshot;
}

Result<std::shared_ptr<const PagedArray::Chunk>> PagedArray::Snapshot::chunk(uint64_t number) const {
  {
    std::lock_guard lock(chunks_->mutex);
    if (chunks_->by_number[number]) return chunks_->by_number[number];
    const auto& [recent_number, recent] = chunks_->recent[number % chunks_->recent.size()];
    if (recent && recent_number == number) return recent;
  }
  auto from_file = read_chunk(file_.get(), path_, number);
  // A checkpoint may have written over it meanwhile; then the chunk we want was put here before.
  std::lock_guard lock(chunks_->mutex);
  if (chunks_->by_number[number]) return chunks_->by_number[number];
  if (!from_file) return from_file.error();
  chunks_->recent[number % chunks_->recent.size()] = {number, *from_file};
  return std::shared_ptr<const Chunk>(std::move(*from_file));
}

Status PagedArray::Snapshot::read(uint64_t i, char* out) const {
  if (i >= size_) return Error(Code::not_found, fmt::format("{}: no record {}: there are {}", path_, i, size_));
  ADUANA_ASSIGN(const auto from, chunk(i / per_chunk_));
  std::memcpy(out, from->bytes + i % per_chunk_ * record_bytes_, record_bytes_);
  return {};
}

PagedArray::Changes PagedArray::begin_checkpoint() {
  Changes changes;
  changes.snapshot = snapshot();
  for (uint64_t number = 0; number < chunks_.size(); ++number) {
    if (!(states_[number] & dirty)) continue;
    (number < saved_chunks_ ? changes.rewritten : changes.added).push_back(number);
    states_[number] = being_written;
  }
  changed_ = 0;
  return changes;
}

std::string PagedArray::slot_of(const Chunk& chunk, uint64_t number) {
  std::string slot(chunk.bytes, kChunkBytes);
  append_be<uint64_t>(slot, checksum64(slot, number));
  return slot;
}

Status PagedArray::write(const Changes& changes, const std::vector<uint64_t>& numbers) const {
  if (numbers.empty()) return {};
  for (uint64_t number : numbers) {
    ADUANA_ASSIGN(const auto chunk, changes.snapshot.chunk(number));
    ADUANA_TRY(file_->write_at(number * kSlotBytes, slot_of(*chunk, number)));
  }
  return file_->sync();
}

void PagedArray::end_checkpoint(const Changes& changes, bool committed, bool in_place) {
  const auto settle = [&](const std::vector<uint64_t>& numbers, bool written) {
    for (uint64_t number : numbers) {
      states_[number] &= static_cast<uint8_t>(~being_written);
      if (!written) mark_dirty(number);
    }
  };
  settle(changes.rewritten, committed && in_place);
  settle(changes.added, committed);
  if (committed) saved_chunks_ = changes.snapshot.chunks_->by_number.size();
}

Status PagedArray::put_back(uint64_t number, std::string_view slot) {
  if (number >= chunks_.size() || slot.size() != kSlotBytes ||
      load_be<uint64_t>(&slot[kChunkBytes]) != checksum64(slot.substr(0, kChunkBytes), number)) {
    return Error(Code::corrupt, fmt::format("{}: the backup of chunk {} is damaged", path_, number));
  }
  auto chunk = std::make_shared<Chunk>();
  chunk->epoch = epoch_;
  std::memcpy(chunk->bytes, slot.data(), kChunkBytes);
  if (!chunks_[number]) ++resident_;
  chunks_[number] = std::move(chunk);
  mark_dirty(number);
  return {};
}

void PagedArray::check(const std::function<void(const Error&)>& problem) {
  for (uint64_t number = 0; number < saved_chunks_; ++number) {
    if (states_[number] != clean) continue;
    if (auto chunk = read_chunk(file_.get(), path_, number); !chunk) problem(chunk.error());
  }
}

}  // namespace aduana
