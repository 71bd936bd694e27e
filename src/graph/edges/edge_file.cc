#include "graph/edges/edge_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "graph/edges/byte_stream.h"

namespace aduana {
namespace {

constexpr size_t kLinkBytes = 8;
constexpr size_t kBufferBytes = 64 << 10;

Node load_node(const char* in) {
  uint32_t v;
  std::memcpy(&v, in, sizeof v);
  if constexpr (std::endian::native == std::endian::big) v = __builtin_bswap32(v);
  return v;
}

class EdgeFile final : public LinkSource {
 public:
  EdgeFile(std::string path, std::unique_ptr<ByteStream> bytes) : path_(std::move(path)), bytes_(std::move(bytes)) {}

  Result<size_t> next(std::span<NodeLink> links) override {
    const size_t wanted = std::min(links.size(), buffer_.size() / kLinkBytes);
    ADUANA_ASSIGN(const size_t got, bytes_->read({buffer_.data(), wanted * kLinkBytes}));
    if (got % kLinkBytes != 0) {
      return Error(Code::corrupt,
                   fmt::format("{}: {} bytes of content are no multiple of {}, the last link is cut off; "
                               "the file must hold pairs of little-endian 32-bit numbers and be whole",
                               path_, position_ + got, kLinkBytes));
    }
    position_ += got;
    for (size_t i = 0; i < got / kLinkBytes; ++i) {
      const char* at = buffer_.data() + i * kLinkBytes;
      links[i] = {load_node(at), load_node(at + kLinkBytes / 2)};
    }
    return got / kLinkBytes;
  }

  Status reset() override {
    position_ = 0;
    return bytes_->reset();
  }

 private:
  const std::string path_;
  const std::unique_ptr<ByteStream> bytes_;
  std::array<char, kBufferBytes> buffer_;
  uint64_t position_ = 0;  // in the content
};

}  // namespace

Result<std::unique_ptr<LinkSource>> open_edge_file(const std::string& path, FileSystem& files) {
  constexpr const char* kRemedy = "name a file of links: pairs of little-endian 32-bit numbers, plain or compressed";
  auto bytes = open_byte_stream(files, path);
  if (!bytes) return Error(bytes.error().code(), fmt::format("{}; {}", bytes.error().message(), kRemedy));
  return std::unique_ptr<LinkSource>(std::make_unique<EdgeFile>(path, std::move(*bytes)));
}

}  // namespace aduana
