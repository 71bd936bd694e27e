// The store said simply, for tests: vectors and maps, no disk, full scans. What the real one must equal.
//
// Every page has a line of text with all that is known about it; digest() is the sum of the hashes of all lines, kept
// up to date at each change, so that a test can remember the state after every event.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "store/store.h"

namespace aduana {

class NaiveStore {
 public:
  struct Page {
    std::string url, host;
    int64_t linked_from = -1;
    int depth = 0;
    float score = 0;
    int n_crawls = 0, n_changes = 0;
    int64_t first = 0, last = 0;
    std::string content_hash, metadata;
    std::set<uint64_t> other_hosts, same_host;
  };

  // URLs must be canonical, scores finite: what is refused is tested elsewhere.
  void report(const ReportedPage& page);
  void discover(const Discovery& url);

  uint64_t digest() const { return digest_; }
  const std::vector<Page>& pages() const { return pages_; }
  uint64_t links() const;
  std::string line(uint64_t idx) const;

  // The same line and digest of a real store.
  static Result<std::string> line_of(const PageInfo& info, const LinkList& links);
  static Result<uint64_t> digest_of(const StoreSnapshot& snapshot);

 private:
  uint64_t idx_of(std::string_view url, int64_t linked_from, int depth, float score);
  void before_change(uint64_t idx);
  void after_change(uint64_t idx);

  std::map<std::string, uint64_t, std::less<>> by_url_;
  std::vector<Page> pages_;
  uint64_t digest_ = 0;
};

}  // namespace aduana
