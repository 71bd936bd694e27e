#include "graph/names/name_run.h"

#include <fmt/format.h>

#include <random>

#include "base/checksum.h"
#include "graph/names/front_coding.h"

namespace aduana {
namespace {

constexpr size_t kHeaderBytes = 8 + 8;

}  // namespace

std::string scratch_path(const std::string& folder) {
  std::random_device random;
  return join_path(folder, fmt::format("aduana-sorted-urls-{:08x}{:08x}.tmp", random(), random()));
}

NameRunWriter::NameRunWriter(size_t block_bytes) : block_bytes_(block_bytes), block_(kHeaderBytes, '\0') {}

Result<NameRunWriter> NameRunWriter::create(FileSystem& files, const std::string& folder, size_t block_bytes) {
  NameRunWriter writer(block_bytes);
  writer.run_.path = scratch_path(folder);
  auto file = files.open(writer.run_.path, OpenMode::create_empty);
  if (!file) return file.error().within("scratch file for sorting URLs");
  writer.run_.file = std::move(*file);
  ADUANA_TRY(files.remove(writer.run_.path));
  return writer;
}

Status NameRunWriter::add(std::string_view key, Node node) {
  append_front_coded(block_, last_, key);
  append_varint(block_, node);
  last_ = key;
  return block_.size() < kHeaderBytes + block_bytes_ ? Status() : flush();
}

Status NameRunWriter::flush() {
  const std::string_view payload = std::string_view(block_).substr(kHeaderBytes);
  store_be<uint64_t>(block_.data(), payload.size());
  store_be<uint64_t>(block_.data() + 8, checksum64(payload, run_.bytes));
  ADUANA_TRY(run_.file->write_at(run_.bytes, block_));
  run_.bytes += block_.size();
  block_.resize(kHeaderBytes);
  last_.clear();
  return {};
}

Result<NameRun> NameRunWriter::finish() {
  if (block_.size() > kHeaderBytes) ADUANA_TRY(flush());
  return std::move(run_);
}

Result<bool> NameRunReader::next() {
  if (in_.at_end()) {
    if (offset_ == run_->bytes) return false;
    ADUANA_TRY(load());
  }
  if (!read_front_coded(in_, key_)) return damaged();
  node_ = in_.varint();
  if (!in_.ok()) return damaged();
  return true;
}

Status NameRunReader::load() {
  char header[kHeaderBytes];
  ADUANA_ASSIGN(const size_t got, run_->file->read_at(offset_, header, kHeaderBytes));
  const uint64_t size = load_be<uint64_t>(header);
  const uint64_t left = run_->bytes - offset_;
  if (got < kHeaderBytes || left < kHeaderBytes || size > left - kHeaderBytes) return damaged();
  block_.resize(size);
  ADUANA_ASSIGN(const size_t read, run_->file->read_at(offset_ + kHeaderBytes, block_.data(), size));
  if (read < size || checksum64(block_, offset_) != load_be<uint64_t>(header + 8)) return damaged();
  offset_ += kHeaderBytes + size;
  in_ = ByteReader(block_);
  key_.clear();
  return {};
}

Error NameRunReader::damaged() const {
  return {Code::corrupt, fmt::format("{}: sorted URLs near offset {} are not what was written there; sort again, with "
                                     "scratch files on another disk",
                                     run_->path, offset_)};
}

}  // namespace aduana
