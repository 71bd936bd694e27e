#include "store/chunk_backup.h"

#include <fmt/format.h>

#include "base/bytes.h"

namespace aduana {
namespace {

constexpr std::string_view kMagic = "ADUANAB1";
constexpr size_t kWriteBytes = 1 << 20;

}  // namespace

std::string backup_name(uint64_t generation) { return fmt::format("backup-{:08x}", generation); }

std::string backup_path(const std::string& dir, uint64_t generation) { return join_path(dir, backup_name(generation)); }

Status write_backup(FileSystem& fs, const std::string& dir, uint64_t generation,
                    const std::vector<const PagedArray::Changes*>& parts) {
  uint64_t count = 0;
  for (const auto* part : parts) count += part->rewritten.size();
  if (count == 0) return {};
  ADUANA_ASSIGN(auto file, fs.open(backup_path(dir, generation), OpenMode::create_empty));
  std::string buffer(kMagic);
  append_be<uint64_t>(buffer, generation);
  append_be<uint64_t>(buffer, count);
  uint64_t at = 0;
  const auto write_out = [&]() -> Status {
    ADUANA_TRY(file->write_at(at, buffer));
    at += buffer.size();
    buffer.clear();
    return {};
  };
  for (size_t i = 0; i < parts.size(); ++i) {
    for (uint64_t number : parts[i]->rewritten) {
      buffer.push_back(static_cast<char>(i));
      append_be<uint64_t>(buffer, number);
      ADUANA_ASSIGN(const auto chunk, parts[i]->snapshot.chunk(number));
      buffer += PagedArray::slot_of(*chunk, number);
      if (buffer.size() >= kWriteBytes) ADUANA_TRY(write_out());
    }
  }
  ADUANA_TRY(write_out());
  return file->sync();
}

Status restore_backup(FileSystem& fs, const std::string& dir, uint64_t generation,
                      const std::vector<PagedArray*>& arrays) {
  const std::string path = backup_path(dir, generation);
  ADUANA_ASSIGN(const bool there, fs.exists(path));
  if (!there) return {};
  ADUANA_ASSIGN(const std::string bytes, read_file(fs, path));
  const Error bad(Code::corrupt, path + ": damaged; restore the store from a copy, or run `aduana db rebuild`");
  ByteReader in(bytes);
  if (in.bytes(kMagic.size()) != kMagic || in.be<uint64_t>() != generation) return bad;
  const uint64_t count = in.be<uint64_t>();
  for (uint64_t i = 0; i < count; ++i) {
    const auto array = in.be<uint8_t>();
    const auto number = in.be<uint64_t>();
    const auto slot = in.bytes(PagedArray::kSlotBytes);
    if (!in.ok() || array >= arrays.size()) return bad;
    ADUANA_TRY(arrays[array]->put_back(number, slot));
  }
  return {};
}

}  // namespace aduana
