// A link list: the pages that one page links to, as bytes.
//
//   number of other-host links varint | those | same-host links
// Each group is sorted and without doubles: its first target relative to the page's own index, zig-zag, then the gaps
// less one. Links to the page itself are kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace aduana {

struct LinkList {
  std::vector<PageIdx> targets;  // other hosts first
  size_t other_hosts = 0;

  void clear() {
    targets.clear();
    other_hosts = 0;
  }
};

// Sorts both groups, drops doubles and appends the bytes; nothing for a page without links.
void append_link_list(std::string& out, PageIdx page, std::vector<PageIdx>& other_hosts,
                      std::vector<PageIdx>& same_host);

// False when the bytes are no link list.
bool read_link_list(std::string_view bytes, PageIdx page, LinkList& out);

// How many links a list holds.
size_t count_links(std::string_view bytes);

}  // namespace aduana
