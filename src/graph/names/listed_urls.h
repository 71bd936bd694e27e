// For tests: URLs that stand in a list, as a source; lists of random ones; and what they must become.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "graph/names/name_key.h"
#include "graph/names/url_table_builder.h"

namespace aduana {

class ListedUrls final : public UrlSource {
 public:
  explicit ListedUrls(std::span<const std::string> urls) : urls_(urls) {}
  Result<std::optional<std::string_view>> next() override {
    if (at_ == urls_.size()) return std::optional<std::string_view>();
    return std::optional<std::string_view>(urls_[at_++]);
  }

 private:
  std::span<const std::string> urls_;
  size_t at_ = 0;
};

// Of few hosts and folders, some more than once.
inline std::vector<std::string> random_urls(uint64_t seed, size_t n) {
  std::mt19937_64 random(seed);
  const auto word = [&] {
    static constexpr const char* kWords[] = {"a", "news", "shop", "example", "\xc3\xa9t\xc3\xa9", "item-1", "x", "zz"};
    return std::string(kWords[random() % 8]);
  };
  std::vector<std::string> urls;
  for (size_t i = 0; i < n; ++i) {
    std::string url =
        (random() % 4 ? "https://" : "http://") + word() + "." + word() + (random() % 2 ? ".com" : ".org");
    if (random() % 20 == 0) url += ":8080";
    for (size_t parts = random() % 4; parts > 0; --parts) url += "/" + word();
    if (random() % 2) url += "?id=" + std::to_string(random() % (n + 1));
    if (random() % 50 == 0) url = word();
    urls.push_back(url);
  }
  return urls;
}

// The numbers of the URLs in the order of their keys.
inline std::vector<Node> nodes_in_order(const std::vector<std::string>& urls) {
  std::vector<std::string> keys;
  for (const std::string& url : urls) keys.push_back(name_key(url));
  std::vector<Node> nodes(urls.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  std::stable_sort(nodes.begin(), nodes.end(), [&](Node a, Node b) { return keys[a] < keys[b]; });
  return nodes;
}

}  // namespace aduana
