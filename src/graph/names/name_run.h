// A run: keys in order, each with its node, in a scratch file of its own; written once from front to back, read at
// will.
//
//   block:   payload size (8 bytes), checksum (8 bytes), payload of about as many bytes as were asked for
//   payload: for each key: front-coded (front_coding.h), the first as if after an empty one; node as varint
//
// The checksum of a block covers where it stands, so that a lost, torn or misplaced write is noticed. The file loses
// its name as soon as it is open: the system takes it back when the run, or the process in whatever way, ends; hence no
// version. Memory is that of a block, which grows with a key that is longer. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/file.h"
#include "graph/node.h"

namespace aduana {

// A name that nobody else in the folder has.
std::string scratch_path(const std::string& folder);

struct NameRun {
  std::unique_ptr<File> file;
  std::string path;  // for messages
  uint64_t bytes = 0;
};

class NameRunWriter {
 public:
  static Result<NameRunWriter> create(FileSystem& files, const std::string& folder, size_t block_bytes);

  // In order of keys, equal ones by node.
  Status add(std::string_view key, Node node);
  Result<NameRun> finish();

 private:
  explicit NameRunWriter(size_t block_bytes);
  Status flush();

  NameRun run_;
  size_t block_bytes_;
  std::string block_;  // with room for its header
  std::string last_;
};

class NameRunReader {
 public:
  explicit NameRunReader(const NameRun& run) : run_(&run) {}
  NameRunReader(const NameRunReader&) = delete;  // in_ looks into block_

  // False at the end.
  Result<bool> next();
  // What next() came to.
  std::string_view key() const { return key_; }
  Node node() const { return node_; }

 private:
  Status load();
  Error damaged() const;

  const NameRun* run_;
  uint64_t offset_ = 0;  // of the next block
  std::string block_;
  ByteReader in_{{}};
  std::string key_;
  Node node_ = 0;
};

}  // namespace aduana
