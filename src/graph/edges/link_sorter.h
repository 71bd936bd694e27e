// sort_links: the links of any source in order of (from, to), each once, in the memory that it is given.
//
// What fits is sorted and kept in memory: 16 bytes a link with one thread, 24 with two (twice that once a number is
// 2^32 or more). What does not fit goes to scratch files as sorted runs, which are merged, with several passes if there
// are many, into one; reading that takes one buffer. Two threads sort and write a chunk while the source is read for
// the next. The source is only used by the calling thread, from its start and to its end.
//
// Scratch files need about 5 bytes a link, twice that while merging; they have no name and are gone with the result, or
// with the process if it dies. A full disk and damage done to these files are errors.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/file.h"
#include "graph/edges/link_source.h"

namespace aduana {

inline constexpr uint64_t kLeastSortMemory = 64 << 10;

struct SortOptions {
  uint64_t memory_bytes = uint64_t{1} << 30;  // the most that is allocated, at least kLeastSortMemory
  bool transposed = false;                    // each link turned round: from its target to its source
  std::span<const Node> map;                  // new numbers of the pages by old number; empty: as they are
  Node nodes = 0;                             // the least that SortedLinks::nodes() says: pages may be without links
  int threads = 2;                            // 1 or 2
  std::string folder = "/var/tmp";            // for scratch files
  FileSystem* files = &real_files();          // where `folder` is
};

class SortedLinks : public LinkSource {
 public:
  virtual uint64_t links() const = 0;
  Node nodes() const { return nodes_; }  // one more than the largest number

 protected:
  explicit SortedLinks(Node nodes) : nodes_(nodes) {}

 private:
  const Node nodes_;
};

Result<std::unique_ptr<SortedLinks>> sort_links(LinkSource& source, const SortOptions& options);

}  // namespace aduana
