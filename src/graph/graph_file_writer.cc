#include "graph/graph_file_writer.h"

namespace aduana {
namespace {

constexpr size_t kBufferBytes = 1 << 20;

}  // namespace

Status GraphFileWriter::append(std::string_view bytes) {
  checksums_.add(bytes);
  buffer_.append(bytes);
  return buffer_.size() >= kBufferBytes ? flush() : Status();
}

Status GraphFileWriter::flush() {
  ADUANA_TRY(file_->write_at(start_ + written_, buffer_));
  written_ += buffer_.size();
  buffer_.clear();
  return {};
}

Result<ByteRange> GraphFileWriter::section(std::string_view bytes) {
  const uint64_t begin = size();
  ADUANA_TRY(append(bytes));
  return ByteRange{begin, size()};
}

Result<std::string> GraphFileWriter::finish() {
  ADUANA_TRY(flush());
  return checksums_.finish();
}

}  // namespace aduana
