// A compressed graph of links in a file, made by Frontier::build_graph or `aduana graph build`, to be asked by URL.
//
// Opening it costs nothing: the file is mapped, and an answer reads a few kilobytes of it. It may be replaced by a
// newer one while it is open. Immutable; thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"

namespace aduana {

enum class LinkDirection : uint8_t { out = 0, in = 1 };

struct LinkedUrls {
  uint64_t total = 0;
  std::vector<std::string> urls;  // of these, as many as were asked for
};

class LinkGraph {
 public:
  // Code::invalid if the graph has no URLs, only numbers.
  static Result<std::unique_ptr<LinkGraph>> open(const std::string& path);
  virtual ~LinkGraph() = default;

  virtual uint64_t pages() const = 0;
  virtual uint64_t links() const = 0;
  // The pages that a page links to, or those that link to it; nothing if the graph doesn't have the page. The URL must
  // be as the frontier spells it (PageInfo::url).
  virtual Result<std::optional<LinkedUrls>> links_of(std::string_view url, LinkDirection direction,
                                                     size_t most) const = 0;
};

}  // namespace aduana
