// Deleted queues and crawls: what tells a page that comes after the deletion from the one that was there before.
//
// The pages of a deleted queue keep their numbers for good, and their keys stay in the index. A URL that is found again
// must not be taken for one of them: the keys of a queue are seeded with the number of its last deletion, which is its
// generation. A queue that was never deleted has generation 0 and its keys are those of page_key_in().
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "url/keys.h"

namespace aduana {

class QueueGenerations {
 public:
  void delete_queue(std::string_view name) { queues_[std::string(name)] = ++deletions_; }
  void delete_crawl(std::string_view crawl) { crawls_[std::string(crawl)] = ++deletions_; }

  // The key of a page in the queue of that name; no name is that of the host.
  PageKey key_of(const CanonicalView& url, std::string_view queue) const;

  void save(std::string& out) const;
  // False if the bytes are not what save() wrote.
  bool load(ByteReader& in);

 private:
  uint64_t generation_of(std::string_view queue) const;

  uint64_t deletions_ = 0;
  std::map<std::string, uint64_t, std::less<>> queues_, crawls_;  // name → its last deletion
};

}  // namespace aduana
