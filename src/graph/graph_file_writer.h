// Writes the body of a graph file from front to back: sections, and a checksum for every chunk.
#pragma once

#include <memory>
#include <string>

#include "base/file.h"
#include "graph/checked_bytes.h"

namespace aduana {

class GraphFileWriter {
 public:
  // The body begins at `offset`.
  GraphFileWriter(std::unique_ptr<File> file, uint64_t offset) : file_(std::move(file)), start_(offset) {}

  uint64_t size() const { return written_ + buffer_.size(); }  // of the body
  Status append(std::string_view bytes);
  // A section that is there as a whole.
  Result<ByteRange> section(std::string_view bytes);
  // The checksums of all that was appended. Nothing may be appended to it any more.
  Result<std::string> finish();
  File& file() { return *file_; }

 private:
  Status flush();

  std::unique_ptr<File> file_;
  uint64_t start_;
  uint64_t written_ = 0;
  std::string buffer_;
  ChunkChecksums checksums_;
};

}  // namespace aduana
