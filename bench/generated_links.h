// The links of a web that is made up, in the order of its URLs: for measuring graphs that are larger than those at
// hand.
//
// Pages of a site stand together, a few large sites and many small ones. A quarter of the pages has no links. The
// others have nearly all of the navigation of their part of the site (4 to 28 links that 64 pages share, as pages made
// from a template do) and up to six links to neighbours, the nearer the more likely; one in twenty-five lists ten to
// sixty pages in a row, and one in five has one to three links to other sites: the site by its popularity, ten times as
// deep a tenth as often, and of it the first page every other time. It is not the web, whose pages are alike in more
// ways.
//
// The same seed gives the same links. Used by one thread.
#pragma once

#include <vector>

#include "graph/edges/link_source.h"
#include "random.h"

namespace aduana::bench {

class GeneratedLinks final : public LinkSource {
 public:
  // About so many links: of 30 million by a hundredth, of fewer by up to a fifth, as then single large sites count.
  // They come in order, each once.
  explicit GeneratedLinks(uint64_t links, uint64_t seed = 1);

  uint64_t nodes() const { return starts_.back(); }
  Result<size_t> next(std::span<NodeLink> links) override;
  Status reset() override;

 private:
  uint64_t site_size(uint64_t site) const { return starts_[site + 1] - starts_[site]; }
  void make_row();
  void add_navigation(Node first, uint64_t size);
  void add_neighbours(Node first, uint64_t size);
  void add_list(Node first, uint64_t size);
  void add_other_sites();

  const uint64_t seed_;
  std::vector<Node> starts_;       // of the sites, and the end of the last
  std::vector<uint64_t> popular_;  // sites by popularity
  Random random_;
  uint64_t site_ = 0;
  Node page_ = 0;  // the next one
  std::vector<Node> row_;
  size_t at_ = 0;  // in the row
};

}  // namespace aduana::bench
