#include "graph/edges/link_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/checksum.h"

namespace aduana {
namespace {

constexpr size_t kHeaderBytes = 4 + 8;

uint64_t block_checksum(std::string_view payload, const LinkRun& run, uint64_t offset) {
  return checksum64(payload, run.number * 0x9e3779b97f4a7c15 + offset);
}

}  // namespace

LinkRunWriter::LinkRunWriter(const LinkRunFile& file, uint64_t offset, uint64_t number, std::span<char> buffer)
    : file_(file),
      run_{offset, offset, 0, number},
      buffer_(buffer),
      limit_(buffer.data() + buffer.size() - 2 * kMaxVarintBytes),
      at_(buffer.data() + kHeaderBytes) {}

bool LinkRunWriter::flush() {
  if (failure_) return false;
  char* const payload = buffer_.data() + kHeaderBytes;
  const auto n = static_cast<size_t>(at_ - payload);
  store_be<uint32_t>(buffer_.data(), static_cast<uint32_t>(n));
  store_be<uint64_t>(buffer_.data() + 4, block_checksum({payload, n}, run_, run_.end));
  if (const Status written = file_.file->write_at(run_.end, {buffer_.data(), kHeaderBytes + n}); !written) {
    failure_ = written.error();
    return false;
  }
  run_.end += kHeaderBytes + n;
  at_ = payload;
  fresh_ = true;
  return true;
}

Result<LinkRun> LinkRunWriter::finish() {
  if (!fresh_) flush();
  if (failure_) return *failure_;
  return run_;
}

bool LinkRunReader::load() {
  if (failure_ || offset_ == run_.end) return false;
  const size_t wanted = std::min<uint64_t>(buffer_.size(), run_.end - offset_);
  const Result<size_t> got = file_->file->read_at(offset_, buffer_.data(), wanted);
  if (!got) {
    failure_ = got.error();
    return false;
  }
  if (*got < kHeaderBytes) return damaged();
  const uint32_t n = load_be<uint32_t>(buffer_.data());
  const std::string_view rest(buffer_.data() + kHeaderBytes, *got - kHeaderBytes);
  if (n == 0 || n > rest.size()) return damaged();
  if (block_checksum(rest.substr(0, n), run_, offset_) != load_be<uint64_t>(buffer_.data() + 4)) return damaged();
  offset_ += kHeaderBytes + n;
  at_ = rest.data();
  end_ = at_ + n;
  last_ = {};
  return true;
}

bool LinkRunReader::damaged() {
  failure_ = Error(Code::corrupt, fmt::format("{}: sorted links near offset {} are not what was written there; sort "
                                              "again, with scratch files on another disk",
                                              file_->path, offset_));
  at_ = end_ = nullptr;
  return false;
}

}  // namespace aduana
