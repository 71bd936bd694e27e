// The URLs of the pages of a graph that has only numbers: http://HOST/NUMBER, all on one host or each on its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"
#include "graph/node.h"

namespace aduana {

class PageUrls {
 public:
  PageUrls() = default;  // one host for all

  // From a text file: line i, counted from 0, is the host of page i, a name or a number. Every page must have one.
  // Lines that are no host are told on standard error; Code::corrupt then.
  static Result<PageUrls> on_hosts_of(const std::string& path, uint64_t pages);

  void append(std::string& out, Node page) const;
  // Of a URL made by append(), also after it was brought into its canonical form.
  static Node page_of(std::string_view url);

 private:
  std::vector<std::string> prefixes_ = {"http://web/"};
  std::vector<uint32_t> prefix_of_;  // empty: the first for all
};

}  // namespace aduana
