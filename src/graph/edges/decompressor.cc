#include "graph/edges/decompressor.h"

#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <limits>
#include <new>

namespace aduana {
namespace {

constexpr uint64_t kMostXzMemory = uint64_t{512} << 20;

Error damaged(const char* format, std::string_view why) {
  return Error(Code::corrupt, fmt::format("damaged {} data ({})", format, why));
}

Error trailing(const char* format) {
  return Error(Code::corrupt, fmt::format("bytes that are no {} data follow the compressed content", format));
}

class Xz final : public Decompressor {
 public:
  Xz() {
    if (lzma_stream_decoder(&stream_, kMostXzMemory, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  ~Xz() override { lzma_end(&stream_); }

  Status step(std::string_view& in, std::span<char>& out, bool last) override {
    stream_.next_in = reinterpret_cast<const uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret code = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
    in.remove_prefix(in.size() - stream_.avail_in);
    out = out.last(stream_.avail_out);
    complete_ = code == LZMA_STREAM_END;
    switch (code) {
      case LZMA_OK:
      case LZMA_STREAM_END:
      case LZMA_BUF_ERROR:  // nothing to do: the caller sees that neither side shrank
        return {};
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        return Error(Code::too_large, fmt::format("xz data that needs over {} MiB to decompress", kMostXzMemory >> 20));
      case LZMA_OPTIONS_ERROR:
        return Error(Code::unsupported, "xz data with options that this liblzma does not know");
      case LZMA_DATA_ERROR:  // the library does not tell these apart
        return damaged("xz", "a check does not hold, or other bytes follow the compressed content");
      default:
        return damaged("xz", fmt::format("liblzma: {}", int{code}));
    }
  }

  bool complete() const override { return complete_; }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool complete_ = false;
};

class Gzip final : public Decompressor {
 public:
  Gzip() {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { inflateEnd(&stream_); }

  Status step(std::string_view& in, std::span<char>& out, bool) override {
    if (complete_ && !in.empty()) {
      if (in.front() != '\x1f') return trailing("gzip");
      inflateReset(&stream_);
      complete_ = false;
    }
    const auto in_size = static_cast<uInt>(std::min<size_t>(in.size(), std::numeric_limits<uInt>::max()));
    const auto out_size = static_cast<uInt>(std::min<size_t>(out.size(), std::numeric_limits<uInt>::max()));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = out_size;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(in_size - stream_.avail_in);
    out = out.subspan(out_size - stream_.avail_out);
    complete_ = code == Z_STREAM_END;
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR) return {};
    return damaged("gzip", stream_.msg ? stream_.msg : "zlib gives no reason");
  }

  bool complete() const override { return complete_; }

 private:
  z_stream stream_{};
  bool complete_ = false;
};

class Zstd final : public Decompressor {
 public:
  Zstd() : stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }
  ~Zstd() override { ZSTD_freeDStream(stream_); }

  Status step(std::string_view& in, std::span<char>& out, bool) override {
    if (complete_ && in.empty()) return {};
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const bool next_frame = complete_;
    const size_t code = ZSTD_decompressStream(stream_, &to, &from);
    in.remove_prefix(from.pos);
    out = out.subspan(to.pos);
    complete_ = code == 0;
    if (!ZSTD_isError(code)) return {};
    // Less than a magic number at the end is held back by the library and shows as a frame that is not complete.
    if (next_frame) return trailing("Zstandard");
    if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
      return Error(Code::too_large, "Zstandard data that needs over 128 MiB to decompress");
    return damaged("Zstandard", ZSTD_getErrorName(code));
  }

  bool complete() const override { return complete_; }

 private:
  ZSTD_DStream* const stream_;
  bool complete_ = false;
};

}  // namespace

std::unique_ptr<Decompressor> make_decompressor(Compression compression) {
  switch (compression) {
    case Compression::xz:
      return std::make_unique<Xz>();
    case Compression::gzip:
      return std::make_unique<Gzip>();
    default:
      return std::make_unique<Zstd>();
  }
}

}  // namespace aduana
