#include "pages/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "base/checksum.h"

namespace aduana {
namespace {

constexpr std::string_view kMagic = "ADUANAR1";
constexpr size_t kFooterBytes = 8 * 9;
constexpr size_t kBlockHead = 4;
constexpr size_t kBlockRoom = kRunBlockBytes - 4;  // the checksum is behind it
constexpr uint64_t kSyncEvery = 16 << 20;          // so that a long merge never leaves much for one sync

int width_for(uint64_t v) {
  int width = 1;
  while (width < 8 && v >> (8 * width)) ++width;
  return width;
}

void key_bytes(const PageKey& key, char* out) {
  store_be<uint64_t>(out, key.hi);
  store_be<uint64_t>(out + 8, key.lo);
}

PageKey key_from(const char* bytes) { return {load_be<uint64_t>(bytes), load_be<uint64_t>(bytes + 8)}; }

int common_prefix_bytes(const PageKey& a, const PageKey& b) {
  if (a.hi != b.hi) return __builtin_clzll(a.hi ^ b.hi) / 8;
  return a.lo != b.lo ? 8 + __builtin_clzll(a.lo ^ b.lo) / 8 : 16;
}

struct BlockShape {
  explicit BlockShape(std::string_view block)
      : prefix(static_cast<uint8_t>(block[0])),
        width(static_cast<uint8_t>(block[1])),
        count(load_be<uint16_t>(&block[2])),
        entries(block.data() + kBlockHead + prefix),
        entry_bytes(16 - prefix + width) {}
  bool fits() const {
    return prefix <= 16 && width >= 1 && width <= 8 && kBlockHead + prefix + count * entry_bytes <= kBlockRoom;
  }
  size_t prefix, width, count;
  const char* entries;
  size_t entry_bytes;
};

}  // namespace

RunWriter::RunWriter(std::unique_ptr<File> file, RunRange range)
    : file_(std::move(file)), range_(range), idx_width_(width_for(range.end.value)), filter_(range.entries()) {}

Result<std::unique_ptr<RunWriter>> RunWriter::create(FileSystem& fs, const std::string& path, RunRange range) {
  ADUANA_ASSIGN(auto file, fs.open(path, OpenMode::create_empty));
  return std::unique_ptr<RunWriter>(new RunWriter(std::move(file), range));
}

Status RunWriter::add(const IndexEntry& entry) {
  int prefix = 16;
  if (!block_.empty()) {
    prefix = std::min(prefix_, common_prefix_bytes(block_.front().key, entry.key));
    const size_t entry_bytes = static_cast<size_t>(16 - prefix + idx_width_);
    if (kBlockHead + static_cast<size_t>(prefix) + (block_.size() + 1) * entry_bytes > kBlockRoom) {
      ADUANA_TRY(close_block());
      prefix = 16;
    }
  }
  prefix_ = prefix;
  block_.push_back(entry);
  filter_.add(entry.key);
  ++added_;
  return {};
}

Status RunWriter::close_block() {
  fences_.push_back(block_.front().key);
  const size_t start = buffer_.size();
  buffer_.resize(start + kRunBlockBytes, '\0');
  char* block = buffer_.data() + start;
  const auto prefix = static_cast<size_t>(prefix_);
  block[0] = static_cast<char>(prefix);
  block[1] = static_cast<char>(idx_width_);
  store_be<uint16_t>(block + 2, static_cast<uint16_t>(block_.size()));
  char key[16];
  key_bytes(block_.front().key, key);
  std::memcpy(block + kBlockHead, key, prefix);
  char* out = block + kBlockHead + prefix;
  for (const IndexEntry& entry : block_) {
    key_bytes(entry.key, key);
    std::memcpy(out, key + prefix, 16 - prefix);
    out += 16 - prefix;
    store_be_width(out, entry.idx.value, idx_width_);
    out += idx_width_;
  }
  store_be<uint32_t>(block + kBlockRoom, checksum32({block, kBlockRoom}, fences_.size() - 1));
  block_.clear();
  return buffer_.size() >= 1 << 20 ? write_out() : Status{};
}

Status RunWriter::write_out() {
  ADUANA_TRY(file_->write_at(written_, buffer_));
  written_ += buffer_.size();
  unsynced_ += buffer_.size();
  buffer_.clear();
  if (unsynced_ >= kSyncEvery) {
    ADUANA_TRY(file_->sync());
    unsynced_ = 0;
  }
  return {};
}

Status RunWriter::finish() {
  if (!block_.empty()) ADUANA_TRY(close_block());
  if (added_ != range_.entries()) {
    return Error(Code::corrupt, fmt::format("an index run of pages {} to {} was given {} entries", range_.first.value,
                                            range_.end.value, added_));
  }
  const std::string filter = filter_.serialize();
  std::string fences(fences_.size() * 16, '\0');
  for (size_t i = 0; i < fences_.size(); ++i) key_bytes(fences_[i], &fences[i * 16]);
  std::string footer(kMagic);
  for (uint64_t v : {added_, uint64_t{fences_.size()}, range_.first.value, range_.end.value, uint64_t{filter.size()},
                     checksum64(filter), checksum64(fences)}) {
    append_be<uint64_t>(footer, v);
  }
  append_be<uint64_t>(footer, checksum64(footer));
  buffer_ += filter;
  buffer_ += fences;
  buffer_ += footer;
  ADUANA_TRY(write_out());
  return file_->sync();
}

Error Run::damaged(uint64_t number, std::string_view what) const {
  return Error(Code::corrupt, fmt::format("{}: block {} at offset {}: {}; run `aduana db rebuild`", path_, number,
                                          number * kRunBlockBytes, what));
}

Result<std::shared_ptr<Run>> Run::open(FileSystem& fs, const std::string& path, bool direct) {
  auto run = std::make_shared<Run>();
  run->path_ = path;
  const auto bad = [&](std::string_view what) {
    return Error(Code::corrupt, fmt::format("{}: {}; run `aduana db rebuild`", path, what));
  };
  ADUANA_ASSIGN(auto file, fs.open(path, OpenMode::read));
  ADUANA_ASSIGN(const uint64_t size, file->size());
  if (size < kFooterBytes) return bad("too short for an index run");
  std::string footer(kFooterBytes, '\0');
  ADUANA_TRY(file->read_at(size - kFooterBytes, footer.data(), footer.size()));
  ByteReader reader(footer);
  if (reader.bytes(8) != kMagic) return bad("not an index run");
  run->entries_ = reader.be<uint64_t>();
  const auto blocks = reader.be<uint64_t>();
  run->range_.first.value = reader.be<uint64_t>();
  run->range_.end.value = reader.be<uint64_t>();
  const auto filter_bytes = reader.be<uint64_t>();
  const auto filter_sum = reader.be<uint64_t>();
  const auto fences_sum = reader.be<uint64_t>();
  if (reader.be<uint64_t>() != checksum64(std::string_view(footer).substr(0, kFooterBytes - 8))) {
    return bad("wrong checksum of the footer");
  }
  if (size != blocks * kRunBlockBytes + filter_bytes + blocks * 16 + kFooterBytes) return bad("wrong size");
  std::string filter(filter_bytes, '\0'), fences(blocks * 16, '\0');
  ADUANA_TRY(file->read_at(blocks * kRunBlockBytes, filter.data(), filter.size()));
  ADUANA_TRY(file->read_at(blocks * kRunBlockBytes + filter_bytes, fences.data(), fences.size()));
  if (checksum64(filter) != filter_sum || checksum64(fences) != fences_sum) {
    return bad("wrong checksum of the filter or the fences");
  }
  run->filter_ = std::make_unique<BloomFilter>(BloomFilter::deserialize(filter));
  for (size_t i = 0; i < fences.size(); i += 16) run->fences_.push_back(key_from(&fences[i]));
  run->tested_ = std::vector<std::atomic<bool>>(blocks);
  if (direct) {
    ADUANA_ASSIGN(run->file_, fs.open(path, OpenMode::read_direct));
  } else {
    ADUANA_ASSIGN(run->mapping_, file->map());
    run->file_ = std::move(file);
  }
  return run;
}

uint64_t Run::block_of(const PageKey& key) const {
  const auto above = std::upper_bound(fences_.begin(), fences_.end(), key);
  return above == fences_.begin() ? 0 : static_cast<uint64_t>(above - fences_.begin()) - 1;
}

Status Run::read_block(uint64_t number, char* buffer) const {
  ADUANA_ASSIGN(const size_t n, file_->read_at(number * kRunBlockBytes, buffer, kRunBlockBytes));
  const std::string_view block(buffer, kRunBlockBytes);
  if (n != kRunBlockBytes ||
      load_be<uint32_t>(buffer + kBlockRoom) != checksum32(block.substr(0, kBlockRoom), number) ||
      !BlockShape(block).fits()) {
    return damaged(number, "wrong checksum");
  }
  return {};
}

Result<std::string_view> Run::block(uint64_t number) const {
  const std::string_view block = mapping_->bytes().substr(number * kRunBlockBytes, kRunBlockBytes);
  if (!tested_[number].load(std::memory_order_relaxed)) {
    if (load_be<uint32_t>(block.data() + kBlockRoom) != checksum32(block.substr(0, kBlockRoom), number) ||
        !BlockShape(block).fits()) {
      return damaged(number, "wrong checksum");
    }
    tested_[number].store(true, std::memory_order_relaxed);
  }
  return block;
}

PageIdx Run::find_in_block(std::string_view block, const PageKey& key) {
  const BlockShape shape(block);
  char wanted[24] = {};  // with room to load eight bytes anywhere in the key
  key_bytes(key, wanted);
  if (std::memcmp(block.data() + kBlockHead, wanted, shape.prefix) != 0) return kNoPage;
  // Eight bytes of the key nearly always decide; a load of eight never leaves the block, whose checksum is behind.
  const size_t suffix = 16 - shape.prefix;
  const size_t head = std::min<size_t>(suffix, 8);
  const uint64_t mask = head == 8 ? ~0ull : ~(~0ull >> (8 * head));
  const uint64_t wanted_head = load_be<uint64_t>(wanted + shape.prefix) & mask;
  const auto head_of = [&](size_t i) { return load_be<uint64_t>(shape.entries + i * shape.entry_bytes) & mask; };
  size_t low = 0, count = shape.count;
  while (count > 0) {  // the first entry that is not below
    const size_t half = count / 2;
    const bool below = head_of(low + half) < wanted_head;
    low = below ? low + half + 1 : low;
    count = below ? count - half - 1 : half;
  }
  for (; low < shape.count && head_of(low) == wanted_head; ++low) {
    const char* entry = shape.entries + low * shape.entry_bytes;
    if (std::memcmp(entry + head, wanted + shape.prefix + head, suffix - head) == 0) {
      return PageIdx{load_be_width(entry + suffix, static_cast<int>(shape.width))};
    }
  }
  return kNoPage;
}

void Run::decode_block(std::string_view block, std::vector<IndexEntry>& out) {
  const BlockShape shape(block);
  char key[16];
  std::memcpy(key, block.data() + kBlockHead, shape.prefix);
  const char* at = shape.entries;
  for (size_t i = 0; i < shape.count; ++i, at += shape.entry_bytes) {
    std::memcpy(key + shape.prefix, at, 16 - shape.prefix);
    out.push_back({key_from(key), PageIdx{load_be_width(at + 16 - shape.prefix, static_cast<int>(shape.width))}});
  }
}

Result<PageIdx> Run::find(const PageKey& key) const {
  if (fences_.empty()) return kNoPage;
  const uint64_t number = block_of(key);
  if (mapping_) {
    ADUANA_ASSIGN(const auto bytes, block(number));
    return find_in_block(bytes, key);
  }
  alignas(kRunBlockBytes) char buffer[kRunBlockBytes];
  ADUANA_TRY(read_block(number, buffer));
  return find_in_block({buffer, kRunBlockBytes}, key);
}

Status Run::check(const std::function<void(const IndexEntry&)>& visit) const {
  std::unique_ptr<char[], void (*)(void*)> buffer(
      static_cast<char*>(std::aligned_alloc(kRunBlockBytes, kRunBlockBytes)), [](void* p) { std::free(p); });
  std::vector<IndexEntry> entries;
  PageKey previous{};
  uint64_t seen = 0;
  for (uint64_t number = 0; number < blocks(); ++number) {
    ADUANA_TRY(read_block(number, buffer.get()));
    entries.clear();
    decode_block({buffer.get(), kRunBlockBytes}, entries);
    if (entries.empty() || entries.front().key != fences_[number])
      return damaged(number, "the fence is not its first key");
    for (const IndexEntry& entry : entries) {
      if (seen++ > 0 && !(previous < entry.key)) return damaged(number, "keys out of order");
      if (!filter_->may_contain(entry.key)) return damaged(number, "the filter does not know a key");
      if (entry.idx < range_.first || entry.idx >= range_.end) return damaged(number, "a page index out of range");
      previous = entry.key;
      visit(entry);
    }
  }
  if (seen != entries_) return damaged(0, fmt::format("{} entries of {}", seen, entries_));
  return {};
}

}  // namespace aduana
