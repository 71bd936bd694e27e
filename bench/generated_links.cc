#include "generated_links.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace aduana::bench {
namespace {

constexpr double kLinksToAPage = 12.0;  // on average, as measured
constexpr uint64_t kPagesToAPart = 64;  // of a site: they share their navigation
constexpr uint64_t kLargestSite = 50'000;

}  // namespace

GeneratedLinks::GeneratedLinks(uint64_t links, uint64_t seed) : seed_(seed), starts_{0}, random_(seed) {
  const auto pages = static_cast<uint64_t>(static_cast<double>(links) / kLinksToAPage) + 1;
  while (starts_.back() < pages) {
    // Half of the sites have twice as many pages as the other half, and so on: a power law of exponent 2.
    const auto size = static_cast<uint64_t>(4 / (1 - random_.unit()));
    starts_.push_back(std::min(pages, starts_.back() + std::min(size, kLargestSite)));
  }
  popular_.resize(starts_.size() - 1);
  std::iota(popular_.begin(), popular_.end(), uint64_t{0});
  for (size_t i = popular_.size(); i > 1; --i) std::swap(popular_[i - 1], popular_[random_.below(i)]);
  (void)reset();
}

Status GeneratedLinks::reset() {
  random_ = Random(seed_ + 1);
  site_ = page_ = at_ = 0;
  row_.clear();
  return {};
}

Result<size_t> GeneratedLinks::next(std::span<NodeLink> links) {
  size_t n = 0;
  while (n < links.size()) {
    if (at_ < row_.size()) {
      links[n++] = {page_ - 1, row_[at_++]};
    } else if (page_ < nodes()) {
      make_row();
    } else {
      break;
    }
  }
  return n;
}

void GeneratedLinks::make_row() {
  row_.clear();
  at_ = 0;
  while (page_ >= starts_[site_ + 1]) ++site_;
  if (!random_.chance(0.25)) {
    add_navigation(starts_[site_], site_size(site_));
    add_neighbours(starts_[site_], site_size(site_));
    if (random_.chance(0.04)) add_list(starts_[site_], site_size(site_));
    if (random_.chance(0.2)) add_other_sites();
    std::sort(row_.begin(), row_.end());
    row_.erase(std::unique(row_.begin(), row_.end()), row_.end());
  }
  ++page_;
}

// First pages of the site and of the part, and what else the part's template has.
void GeneratedLinks::add_navigation(Node first, uint64_t size) {
  const Node part = page_ - (page_ - first) % kPagesToAPart;
  Random part_random(mix(seed_) ^ part);
  const uint64_t n = 4 + part_random.below(25);
  for (uint64_t i = 0; i < n; ++i) {
    const Node to = i < n / 2 ? first + part_random.log_uniform(size)
                              : std::min(part + part_random.below(kPagesToAPart), first + size - 1);
    if (random_.chance(0.97)) row_.push_back(to);
  }
}

void GeneratedLinks::add_neighbours(Node first, uint64_t size) {
  for (uint64_t n = random_.below(7); n > 0; --n) {
    const uint64_t far = random_.log_uniform(size);
    const Node to = random_.chance(0.5) ? page_ + far : page_ - std::min(far, page_ - first);
    row_.push_back(std::min(to, first + size - 1));
  }
}

void GeneratedLinks::add_list(Node first, uint64_t size) {
  const Node begin = first + random_.below(size);
  const Node end = std::min(first + size, begin + 10 + random_.below(51));
  for (Node to = begin; to < end; ++to) row_.push_back(to);
}

void GeneratedLinks::add_other_sites() {
  for (uint64_t n = 1 + random_.below(3); n > 0; --n) {
    const uint64_t site = popular_[random_.log_uniform(popular_.size())];
    row_.push_back(starts_[site] + (random_.chance(0.5) ? 0 : random_.log_uniform(site_size(site))));
  }
}

}  // namespace aduana::bench
