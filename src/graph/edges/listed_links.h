// For tests: links in memory as a source, and all links of a source in memory.
#pragma once

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "base/must.h"
#include "graph/edges/link_source.h"

namespace aduana {

using LinkPairs = std::vector<std::pair<Node, Node>>;

class ListedLinks final : public LinkSource {
 public:
  explicit ListedLinks(LinkPairs links) : links_(std::move(links)) {}

  Result<size_t> next(std::span<NodeLink> links) override {
    const size_t n = std::min(links.size(), links_.size() - at_);
    for (size_t i = 0; i < n; ++i) links[i] = {links_[at_ + i].first, links_[at_ + i].second};
    at_ += n;
    return n;
  }
  Status reset() override {
    at_ = 0;
    return {};
  }

 private:
  const LinkPairs links_;
  size_t at_ = 0;
};

// From where the source stands.
inline Result<LinkPairs> read_links(LinkSource& source, size_t at_a_time = 1000) {
  LinkPairs links;
  std::vector<NodeLink> batch(at_a_time);
  for (;;) {
    ADUANA_ASSIGN(const size_t n, source.next(batch));
    if (n == 0) return links;
    for (size_t i = 0; i < n; ++i) links.emplace_back(batch[i].from, batch[i].to);
  }
}

inline LinkPairs random_links(uint64_t seed, size_t n, Node nodes) {
  std::mt19937_64 random(seed);
  LinkPairs links(n);
  for (auto& [from, to] : links) {
    from = random() % nodes;
    to = random() % nodes;
  }
  return links;
}

}  // namespace aduana
