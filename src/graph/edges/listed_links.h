// For tests: links in memory as a source, and all links of a source in memory.
#pragma once

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "base/must.h"
#include "graph/edges/link_source.h"

namespace aduana {

using LinkVector = std::vector<NodeLink>;

class ListedLinks : public LinkSource {
 public:
  explicit ListedLinks(LinkVector links) : links_(std::move(links)) {}

  Result<size_t> next(std::span<NodeLink> links) override {
    const size_t n = std::min(links.size(), links_.size() - at_);
    std::copy_n(links_.begin() + static_cast<ptrdiff_t>(at_), n, links.begin());
    at_ += n;
    return n;
  }
  Status reset() override {
    at_ = 0;
    return {};
  }

 private:
  LinkVector links_;
  size_t at_ = 0;
};

// From where the source stands.
inline Result<LinkVector> read_links(LinkSource& source, size_t at_a_time = 1000) {
  LinkVector links, batch(at_a_time);
  for (;;) {
    ADUANA_ASSIGN(const size_t n, source.next(batch));
    if (n == 0) return links;
    links.insert(links.end(), batch.begin(), batch.begin() + static_cast<ptrdiff_t>(n));
  }
}

inline LinkVector random_links(uint64_t seed, size_t n, Node nodes) {
  std::mt19937_64 random(seed);
  LinkVector links(n);
  for (auto& [from, to] : links) {
    from = random() % nodes;
    to = random() % nodes;
  }
  return links;
}

}  // namespace aduana
