#include "frontier/page_links.h"

#include "store/link_sources.h"

namespace aduana {

Result<PageLinks> links_of_page(Store& store, PageIdx page, LinkDirection direction, size_t most) {
  std::vector<PageIdx> found;
  if (direction == LinkDirection::out) {
    ADUANA_ASSIGN(LinkList list, store.links_of(page));
    found = std::move(list.targets);
  } else {
    ADUANA_ASSIGN(auto sources, link_sources(store.snapshot(), {&page, 1}));
    found = std::move(sources[0]);
  }
  PageLinks links;
  for (const PageIdx idx : found) {
    if (links.pages.size() == most) break;
    auto info = store.page(idx);
    if (!info && info.error().code() != Code::not_found) return info.error();
    if (info) links.pages.push_back(std::move(*info));  // else it was deleted
  }
  links.total = found.size();
  return links;
}

}  // namespace aduana
