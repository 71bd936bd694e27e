#include "graph/edges/byte_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "graph/edges/decompressor.h"

namespace aduana {
namespace {

using namespace std::string_view_literals;

constexpr size_t kInputBytes = 64 << 10;
constexpr const char* kRemedy = "copy the file again, or test it with the tool that made it";

uint32_t little_endian32(std::string_view bytes) {
  uint32_t v = 0;
  for (int i = 3; i >= 0; --i) v = v << 8 | static_cast<uint8_t>(bytes[i]);
  return v;
}

// The magic number of gzip has two bytes only, and numbers may begin with them: the fields of its header that know few
// values are looked at as well. A link from page 559903 is none, followed by another link from there.
bool is_gzip(std::string_view start) {
  if (start.size() < 10 || !start.starts_with("\x1f\x8b\x08"sv)) return false;
  const auto flags = static_cast<uint8_t>(start[3]);
  const auto level = static_cast<uint8_t>(start[8]);
  const auto system = static_cast<uint8_t>(start[9]);
  return (flags & 0xe0) == 0 && (level == 0 || level == 2 || level == 4) && (system <= 13 || system == 255);
}

Result<Compression> recognise(const File& file) {
  constexpr auto kZstdMagic = "\x28\xb5\x2f\xfd"sv;
  std::array<char, 12> bytes;
  ADUANA_ASSIGN(const size_t n, file.read_at(0, bytes.data(), bytes.size()));
  const std::string_view start(bytes.data(), n);
  if (start.starts_with("\xfd"
                        "7zXZ\0"sv))
    return Compression::xz;
  if (is_gzip(start)) return Compression::gzip;
  if (start.starts_with(kZstdMagic)) return Compression::zstd;
  // Some writers put a frame to be skipped first, whose sixteen magic numbers are page numbers as good as others: what
  // follows has to be a frame.
  if (n >= 8 && (little_endian32(start) & ~0xfu) == 0x184d2a50) {
    std::array<char, kZstdMagic.size()> after;
    ADUANA_ASSIGN(const size_t got,
                  file.read_at(8 + uint64_t{little_endian32(start.substr(4))}, after.data(), after.size()));
    if (std::string_view(after.data(), got) == kZstdMagic) return Compression::zstd;
  }
  return Compression::none;
}

class PlainStream final : public ByteStream {
 public:
  explicit PlainStream(std::unique_ptr<File> file) : file_(std::move(file)) {}

  Result<size_t> read(std::span<char> out) override {
    ADUANA_ASSIGN(const size_t n, file_->read_at(position_, out.data(), out.size()));
    position_ += n;
    return n;
  }
  Status reset() override {
    position_ = 0;
    return {};
  }

 private:
  const std::unique_ptr<File> file_;
  uint64_t position_ = 0;
};

class DecompressedStream final : public ByteStream {
 public:
  DecompressedStream(std::string path, std::unique_ptr<File> file, Compression compression)
      : path_(std::move(path)),
        file_(std::move(file)),
        compression_(compression),
        decompressor_(make_decompressor(compression)) {}

  Result<size_t> read(std::span<char> out) override {
    std::span<char> room = out;
    while (!room.empty()) {
      if (left_.empty() && !last_) ADUANA_TRY(refill());
      const size_t before = left_.size() + room.size();
      if (const Status step = decompressor_->step(left_, room, last_); !step) {
        return Error(step.error().code(), fmt::format("{}: at byte {}: {}; {}", path_, position_ - left_.size(),
                                                      step.error().message(), kRemedy));
      }
      if (last_ && left_.size() + room.size() == before) {
        if (decompressor_->complete()) break;
        return Error(Code::corrupt,
                     fmt::format("{}: the compressed data ends early, after byte {}; {}", path_, position_, kRemedy));
      }
    }
    return out.size() - room.size();
  }

  Status reset() override {
    decompressor_ = make_decompressor(compression_);
    left_ = {};
    position_ = 0;
    last_ = false;
    return {};
  }

 private:
  Status refill() {
    ADUANA_ASSIGN(const size_t n, file_->read_at(position_, input_.data(), input_.size()));
    left_ = {input_.data(), n};
    position_ += n;
    last_ = n < input_.size();
    return {};
  }

  const std::string path_;
  const std::unique_ptr<File> file_;
  const Compression compression_;
  std::unique_ptr<Decompressor> decompressor_;
  std::array<char, kInputBytes> input_;
  std::string_view left_;  // of input_, to be decompressed
  uint64_t position_ = 0;  // in the file, behind input_
  bool last_ = false;      // the file ends with input_
};

}  // namespace

Result<std::unique_ptr<ByteStream>> open_byte_stream(FileSystem& files, const std::string& path) {
  ADUANA_ASSIGN(auto file, files.open(path, OpenMode::read));
  ADUANA_ASSIGN(const Compression compression, recognise(*file));
  std::unique_ptr<ByteStream> stream;
  if (compression == Compression::none) {
    stream = std::make_unique<PlainStream>(std::move(file));
  } else {
    stream = std::make_unique<DecompressedStream>(path, std::move(file), compression);
  }
  return stream;
}

}  // namespace aduana
