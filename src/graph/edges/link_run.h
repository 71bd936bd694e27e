// A run: links in order, each once, as a stretch of a scratch file; written once from front to back, read at will.
//
//   block:   payload size (4 bytes), checksum (8 bytes), payload; at most as long as the buffer it is made in
//   payload: the first link as new row; then for each link, as varints, either
//              gap to the target of the link before * 2                    (same source), or
//              gap to the source of the link before * 2 + 1, then target   (new row)
//
// A block is decoded without the one before, and its checksum covers the run it belongs to and where it stands, so that
// a lost, torn or misplaced write is noticed. The file lives as long as the process, hence no version. The memory is
// the caller's: a writer and each reader work in a buffer that they are given. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/file.h"
#include "base/varint.h"
#include "graph/node.h"

namespace aduana {

// A file for runs with its name for messages.
struct LinkRunFile {
  std::unique_ptr<File> file;
  std::string path;
};

struct LinkRun {
  uint64_t begin = 0;  // offsets in the file
  uint64_t end = 0;
  uint64_t links = 0;
  uint64_t number = 0;  // tells runs apart that use the same place in a file after each other
};

inline constexpr size_t kLeastRunBuffer = 256;

class LinkRunWriter {
 public:
  LinkRunWriter(const LinkRunFile& file, uint64_t offset, uint64_t number, std::span<char> buffer);

  // Links come in order; one that equals the one before is dropped. False after an error, which finish() returns.
  bool add(NodeLink link) {
    if (run_.links > 0 && link.from == last_.from && link.to == last_.to) return true;
    if (limit_ < at_ && !flush()) return false;
    if (link.from == last_.from && !fresh_) {
      at_ = write_varint(at_, (link.to - last_.to) << 1);
    } else {
      at_ = write_varint(at_, (fresh_ ? link.from : link.from - last_.from) << 1 | 1);
      at_ = write_varint(at_, link.to);
      fresh_ = false;
    }
    last_ = link;
    ++run_.links;
    return true;
  }

  Result<LinkRun> finish();

 private:
  bool flush();

  const LinkRunFile& file_;
  LinkRun run_;
  const std::span<char> buffer_;
  const char* const limit_;  // a block is closed behind it
  char* at_;
  bool fresh_ = true;  // no link in this block yet
  NodeLink last_{};
  std::optional<Error> failure_;
};

class LinkRunReader {
 public:
  // The buffer is as large as that of the writer, or larger.
  LinkRunReader(const LinkRunFile& file, const LinkRun& run, std::span<char> buffer)
      : file_(&file), run_(run), buffer_(buffer), offset_(run.begin) {}

  // False at the end and after an error: see status().
  bool next(NodeLink& link) {
    if (at_ == end_ && !load()) return false;
    uint64_t gap;
    if (!(at_ = read_varint(at_, end_, &gap))) return damaged();
    if (gap & 1) {
      last_.from += gap >> 1;
      if (!(at_ = read_varint(at_, end_, &last_.to))) return damaged();
    } else {
      last_.to += gap >> 1;
    }
    link = last_;
    return true;
  }

  Status status() const { return failure_ ? Status(*failure_) : Status(); }

 private:
  bool load();
  bool damaged();

  const LinkRunFile* file_;
  LinkRun run_;
  std::span<char> buffer_;
  uint64_t offset_;  // of the next block
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  NodeLink last_{};
  std::optional<Error> failure_;
};

}  // namespace aduana
