// ByteStream: the content of a file from its first byte to its last, decompressed on the way if it is compressed.
//
// xz, gzip and Zstandard are recognised by how the file begins, not by its name; several members, streams or frames
// after each other are one content, as for the tools of these formats. Memory is bounded whatever the file: see
// decompressor.h. An error names the file, the position in it and what to do. Used by one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/file.h"

namespace aduana {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Fills `out`; less only at the end of the content.
  virtual Result<size_t> read(std::span<char> out) = 0;
  virtual Status reset() = 0;
};

Result<std::unique_ptr<ByteStream>> open_byte_stream(FileSystem& files, const std::string& path);

}  // namespace aduana
