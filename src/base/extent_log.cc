#include "base/extent_log.h"

#include <fmt/format.h>

#include <atomic>
#include <functional>

#include "base/bytes.h"
#include "base/checksum.h"

namespace aduana {
namespace {

constexpr std::string_view kMagic = "ADUANAE1";
constexpr uint64_t kHeaderBytes = 24;
constexpr size_t kMaxEntryHead = 4 + kMaxVarintBytes;

std::string segment_head(uint64_t number) {
  std::string head(kMagic);
  append_be<uint64_t>(head, number);
  append_be<uint64_t>(head, checksum64(head));
  return head;
}

uint64_t slots_of(uint64_t bytes) { return (bytes + ExtentLog::kSegmentBytes - 1) / ExtentLog::kSegmentBytes; }

}  // namespace

// The memory of a growing segment is reserved whole at the start and never moves, so that snapshots can go on reading
// the entries they know while new ones are put behind.
class ExtentLog::Segment {
 public:
  // A new one, with room for `capacity` bytes.
  Segment(uint64_t segment_number, uint64_t capacity)
      : number(segment_number), memory_(new char[capacity]), capacity_(capacity), data_(memory_.get()) {
    append(segment_head(number));
  }
  Segment(uint64_t segment_number, std::unique_ptr<Mapping> mapping, uint64_t bytes)
      : number(segment_number),
        used(bytes),
        written(bytes),
        mapping_(std::move(mapping)),
        capacity_(bytes),
        data_(mapping_->bytes().data()) {}

  bool has_room(uint64_t n) const { return capacity_ - used >= n; }
  bool mapped() const { return mapping_ != nullptr; }
  const char* data() const { return data_; }
  char* tail() { return memory_.get() + used; }
  void append(std::string_view bytes) {
    std::memcpy(tail(), bytes.data(), bytes.size());
    used += bytes.size();
  }

  const uint64_t number;
  std::atomic<uint64_t> used = 0;
  uint64_t written = 0;  // already in the file
  uint64_t dead = 0;

 private:
  std::unique_ptr<char[]> memory_;
  std::unique_ptr<Mapping> mapping_;
  uint64_t capacity_;
  const char* data_;
};

namespace {

Error bad_entry(const std::string& file, uint64_t offset, std::string_view what) {
  return Error(
      Code::corrupt,
      fmt::format("{}: offset {}: {}; restore the store from a copy, or run `aduana db rebuild`", file, offset, what));
}

// The entry at `at` of `bytes`: its payload, and through `next` where the next one begins.
std::optional<std::string_view> read_entry(std::string_view bytes, uint64_t at, uint64_t* next) {
  if (at >= bytes.size() || bytes.size() - at < 5) return std::nullopt;
  const char* end = bytes.data() + bytes.size();
  const char* head = bytes.data() + at;
  uint64_t length;
  const char* payload = read_varint(head + 4, end, &length);
  if (!payload || static_cast<uint64_t>(end - payload) < length) return std::nullopt;
  const std::string_view checked(head + 4, static_cast<size_t>(payload - head) - 4 + length);
  if (load_be<uint32_t>(head) != checksum32(checked)) return std::nullopt;
  *next = static_cast<uint64_t>(payload - bytes.data()) + length;
  return std::string_view(payload, length);
}

Result<std::string_view> read_from(const ExtentLog::Segments& segments, const std::string& name,
                                   ExtentAddress address) {
  auto it = segments.upper_bound(address / ExtentLog::kSegmentBytes);
  if (it == segments.begin()) return bad_entry(name, address, "there is no such segment");
  const auto& segment = *std::prev(it)->second;
  const uint64_t at = address - segment.number * ExtentLog::kSegmentBytes;
  uint64_t next;
  const auto entry = at < kHeaderBytes ? std::nullopt : read_entry({segment.data(), segment.used}, at, &next);
  if (!entry) return bad_entry(ExtentLog::file_name(name, segment.number), at, "no undamaged entry is there");
  return *entry;
}

}  // namespace

ExtentLog::~ExtentLog() = default;

std::string ExtentLog::file_name(std::string_view name, uint64_t number) {
  return fmt::format("{}-{:08x}.log", name, number);
}

Result<std::unique_ptr<ExtentLog>> ExtentLog::open(FileSystem& fs, std::string name, const State& state) {
  std::unique_ptr<ExtentLog> log(new ExtentLog(fs, std::move(name)));
  for (size_t i = 0; i < state.size(); ++i) {
    const auto& [number, bytes, dead] = state[i];
    const std::string path = log->path_of(number);
    ADUANA_ASSIGN(auto file, fs.open(path, OpenMode::read));
    ADUANA_ASSIGN(const uint64_t size, file->size());
    const std::string head = segment_head(number);
    std::string found(kHeaderBytes, '\0');
    ADUANA_ASSIGN(const size_t n, file->read_at(0, found.data(), found.size()));
    if (size < bytes || n != kHeaderBytes || found != head) {
      return Error(Code::corrupt, fmt::format("{}: {} bytes were expected, {} are there, or the header is damaged; "
                                              "restore the store from a copy, or run `aduana db rebuild`",
                                              path, bytes, size));
    }
    std::shared_ptr<Segment> segment;
    const bool full = i + 1 < state.size() || bytes >= kSegmentBytes;
    if (full && size == bytes) {
      ADUANA_ASSIGN(auto mapping, file->map());
      segment = std::make_shared<Segment>(number, std::move(mapping), bytes);
    } else {
      segment = std::make_shared<Segment>(number, std::max(bytes, kSegmentBytes));
      std::string content(bytes - kHeaderBytes, '\0');
      ADUANA_ASSIGN(const size_t got, file->read_at(kHeaderBytes, content.data(), content.size()));
      if (got != content.size()) return Error(Code::io, path + ": changed while it was read");
      segment->append(content);
      // Bytes behind `bytes` are of a later, lost state; they are written over as the log grows again.
      segment->written = bytes;
    }
    segment->dead = dead;
    log->segments_[number] = std::move(segment);
    log->next_number_ = number + slots_of(bytes);
  }
  return log;
}

ExtentLog::Segment& ExtentLog::segment_for(size_t entry_bytes) {
  if (!segments_.empty()) {
    Segment& last = *segments_.rbegin()->second;
    if (!last.mapped() && last.has_room(entry_bytes)) return last;
  }
  return add_segment(slots_of(std::max<uint64_t>(kHeaderBytes + entry_bytes, kSegmentBytes)) * kSegmentBytes);
}

void ExtentLog::begin_segment() {
  if (!segments_.empty() && segments_.rbegin()->second->used > kHeaderBytes) add_segment(kSegmentBytes);
}

ExtentLog::Segment& ExtentLog::add_segment(uint64_t capacity) {
  auto segment = std::make_shared<Segment>(next_number_, capacity);
  next_number_ += slots_of(capacity);
  return *(segments_[segment->number] = std::move(segment));
}

ExtentAddress ExtentLog::append(std::string_view bytes) {
  Segment& segment = segment_for(kMaxEntryHead + bytes.size());
  char* head = segment.tail();
  char* payload = write_varint(head + 4, bytes.size());
  if (!bytes.empty()) std::memcpy(payload, bytes.data(), bytes.size());
  const auto size = static_cast<uint64_t>(payload - head) + bytes.size();
  store_be<uint32_t>(head, checksum32({head + 4, size - 4}));
  const ExtentAddress address = segment.number * kSegmentBytes + segment.used;
  segment.used += size;
  return address;
}

Result<std::string_view> ExtentLog::read(ExtentAddress address) const { return read_from(segments_, name_, address); }

Result<std::string_view> ExtentLog::Snapshot::read(ExtentAddress address) const {
  return read_from(segments_, name_, address);
}

void ExtentLog::release(ExtentAddress address) {
  auto it = segments_.upper_bound(address / kSegmentBytes);
  if (it == segments_.begin()) return;
  Segment& segment = *std::prev(it)->second;
  const uint64_t at = address - segment.number * kSegmentBytes;
  uint64_t next;
  if (read_entry({segment.data(), segment.used}, at, &next)) segment.dead += next - at;
}

ExtentLog::Snapshot ExtentLog::snapshot() const {
  Snapshot snapshot;
  snapshot.segments_ = segments_;
  snapshot.name_ = name_;
  return snapshot;
}

ExtentLog::State ExtentLog::state() const {
  State state;
  for (const auto& [number, segment] : segments_) state.push_back({number, segment->used, segment->dead});
  return state;
}

uint64_t ExtentLog::bytes() const {
  uint64_t sum = 0;
  for (const auto& [number, segment] : segments_) sum += segment->used;
  return sum;
}

ExtentLog::Flush ExtentLog::begin_flush() {
  Flush flush;
  for (const auto& [number, segment] : segments_) {
    if (segment->mapped()) continue;
    flush.segments[number] = segment;
    flush.until[number] = segment->used;
  }
  return flush;
}

Status ExtentLog::write_out(const Flush& flush) {
  for (const auto& [number, segment] : flush.segments) {
    const uint64_t until = flush.until.at(number);
    if (segment->written >= until) continue;
    ADUANA_ASSIGN(auto file, fs_.open(path_of(number), OpenMode::create));
    // Whatever an earlier life of the store left behind `written` is not ours.
    if (segment->written == 0) ADUANA_TRY(file->truncate(0));
    ADUANA_TRY(file->write_at(segment->written, {segment->data() + segment->written, until - segment->written}));
    ADUANA_TRY(file->truncate(until));
    ADUANA_TRY(file->sync());
    segment->written = until;
  }
  return {};
}

Status ExtentLog::end_flush(const Flush& flush) {
  for (const auto& [number, segment] : flush.segments) {
    const auto it = segments_.find(number);
    const bool grows = it != segments_.end() && std::next(it) == segments_.end();
    if (it == segments_.end() || grows || segment->written < segment->used) continue;
    ADUANA_ASSIGN(auto file, fs_.open(path_of(number), OpenMode::read));
    ADUANA_ASSIGN(auto mapping, file->map());
    auto mapped = std::make_shared<Segment>(number, std::move(mapping), segment->used);
    mapped->dead = segment->dead;
    it->second = std::move(mapped);
  }
  return {};
}

std::vector<uint64_t> ExtentLog::segments_with_dead(double share) const {
  std::vector<uint64_t> numbers;
  for (const auto& [number, segment] : segments_) {
    if (std::next(segments_.find(number)) == segments_.end()) break;
    if (static_cast<double>(segment->dead) >= share * static_cast<double>(segment->used - kHeaderBytes)) {
      numbers.push_back(number);
    }
  }
  return numbers;
}

Status ExtentLog::scan(uint64_t number, const std::function<Status(ExtentAddress, std::string_view)>& visit) const {
  const auto it = segments_.find(number);
  if (it == segments_.end()) return {};
  const std::shared_ptr<Segment> segment = it->second;
  const std::string_view bytes(segment->data(), segment->used);
  for (uint64_t at = kHeaderBytes, next; at < bytes.size(); at = next) {
    const ExtentAddress address = number * kSegmentBytes + at;
    const auto entry = read_entry(bytes, at, &next);
    if (!entry) return bad_entry(path_of(number), at, "no undamaged entry is there");
    ADUANA_TRY(visit(address, *entry));
  }
  return {};
}

uint64_t ExtentLog::segment_of(ExtentAddress address) const {
  const auto it = segments_.upper_bound(address / kSegmentBytes);
  return it == segments_.begin() ? 0 : std::prev(it)->first;
}

void ExtentLog::drop(uint64_t number) { segments_.erase(number); }

}  // namespace aduana
