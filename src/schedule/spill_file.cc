#include "schedule/spill_file.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/checksum.h"

namespace aduana {
namespace {

constexpr size_t kEntryBytes = 12;

void encode(const PendingEntry& entry, char* out) {
  store_be<uint64_t>(out, entry.key() << 8 | entry.page().value >> 32);
  store_be<uint32_t>(out + 8, static_cast<uint32_t>(entry.page().value));
}

PendingEntry decode(const char* in) {
  const auto upper = load_be<uint64_t>(in);
  return {upper >> 8, PageIdx{(upper & 0xff) << 32 | load_be<uint32_t>(in + 8)}};
}

}  // namespace

Result<std::unique_ptr<SpillFile>> SpillFile::open(FileSystem& fs, std::string path, size_t chunk_entries) {
  ADUANA_ASSIGN(auto file, fs.open(path, OpenMode::create_empty));
  return std::unique_ptr<SpillFile>(new SpillFile(fs, std::move(path), std::move(file), chunk_entries));
}

SpillFile::SpillFile(FileSystem& fs, std::string path, std::unique_ptr<File> file, size_t chunk_entries)
    : fs_(fs),
      path_(std::move(path)),
      file_(std::move(file)),
      chunk_entries_(chunk_entries),
      buffer_(chunk_entries * kEntryBytes, '\0') {}

SpillFile::~SpillFile() {
  (void)fs_.remove(path_);  // what stays behind is emptied by the next open
}

Result<uint32_t> SpillFile::write(std::span<const PendingEntry> entries) {
  if (failure_) return *failure_;
  char* end = buffer_.data();
  for (const PendingEntry& entry : entries) {
    encode(entry, end);
    end += kEntryBytes;
  }
  const std::string_view bytes(buffer_.data(), end);

  if (free_.empty()) {
    free_.push_back(static_cast<uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const uint32_t chunk = free_.back();
  ADUANA_TRY(file_->write_at(offset_of(chunk), bytes));
  slots_[chunk] = {checksum64(bytes, chunk), static_cast<uint32_t>(entries.size())};
  free_.pop_back();
  return chunk;
}

Status SpillFile::read(uint32_t chunk, std::vector<PendingEntry>& out) {
  out.clear();
  const size_t n = slots_[chunk].entries;
  if (const Status read = read_bytes(chunk, n * kEntryBytes); !read) {
    if (!failure_) failure_ = read.error();
    return read;
  }
  out.reserve(n);
  for (size_t i = 0; i < n; ++i) out.push_back(decode(buffer_.data() + i * kEntryBytes));
  return {};
}

Status SpillFile::read_bytes(uint32_t chunk, size_t n) {
  constexpr const char* kRemedy = "open the store again: its queues are made anew from the page records";
  const Result<size_t> got = file_->read_at(offset_of(chunk), buffer_.data(), n);
  if (!got) return Error(got.error().code(), fmt::format("{}; {}", got.error().message(), kRemedy));
  if (*got == n && checksum64({buffer_.data(), n}, chunk) == slots_[chunk].checksum) return {};
  return Error(Code::corrupt,
               fmt::format("{}: chunk {} at offset {}: wrong checksum; {}", path_, chunk, offset_of(chunk), kRemedy));
}

}  // namespace aduana
