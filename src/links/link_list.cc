#include "links/link_list.h"

#include <algorithm>

#include "base/varint.h"

namespace aduana {
namespace {

void append_group(std::string& out, PageIdx page, std::vector<PageIdx>& group) {
  char buffer[kMaxVarintBytes];
  uint64_t previous = 0;
  bool first = true;
  for (const PageIdx target : group) {
    const uint64_t v =
        first ? zigzag_encode(static_cast<int64_t>(target.value - page.value)) : target.value - previous - 1;
    out.append(buffer, static_cast<size_t>(write_varint(buffer, v) - buffer));
    previous = target.value;
    first = false;
  }
}

void sort_unique(std::vector<PageIdx>& group) {
  std::sort(group.begin(), group.end());
  group.erase(std::unique(group.begin(), group.end()), group.end());
}

}  // namespace

void append_link_list(std::string& out, PageIdx page, std::vector<PageIdx>& other_hosts,
                      std::vector<PageIdx>& same_host) {
  if (other_hosts.empty() && same_host.empty()) return;
  sort_unique(other_hosts);
  sort_unique(same_host);
  append_varint(out, other_hosts.size());
  append_group(out, page, other_hosts);
  append_group(out, page, same_host);
}

bool read_link_list(std::string_view bytes, PageIdx page, LinkList& out) {
  out.clear();
  if (bytes.empty()) return true;
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  uint64_t other_hosts;
  at = read_varint(at, end, &other_hosts);
  if (!at || other_hosts > bytes.size()) return false;
  out.other_hosts = other_hosts;
  out.targets.resize(bytes.size());  // no link takes less than a byte
  PageIdx* target = out.targets.data();
  const PageIdx* const group_end = target + other_hosts;
  uint64_t previous = 0;
  bool first = true;
  while (at < end) {
    if (target == group_end) first = true;
    uint64_t v;
    at = read_varint(at, end, &v);
    if (!at) return false;
    previous = first ? page.value + static_cast<uint64_t>(zigzag_decode(v)) : previous + v + 1;
    first = false;
    if (previous >= kMaxPages || v >> 42) return false;  // no page is there; the second: it went round
    *target++ = PageIdx{previous};
  }
  if (target < group_end) return false;
  out.targets.resize(static_cast<size_t>(target - out.targets.data()));
  return true;
}

size_t count_links(std::string_view bytes) {
  // Every varint ends with the one byte that lacks the high bit; the first of them is the head.
  const auto ends = std::count_if(bytes.begin(), bytes.end(), [](char c) { return !(c & 0x80); });
  return ends > 0 ? static_cast<size_t>(ends) - 1 : 0;
}

}  // namespace aduana
