#include "frontier/page_links.h"

#include <algorithm>

namespace aduana {

namespace {

Result<std::vector<PageIdx>> pages_linking(const StoreSnapshot& snapshot, PageIdx page) {
  std::vector<PageIdx> sources;
  LinkStream stream = snapshot.link_stream();
  while (true) {
    ADUANA_ASSIGN(const auto row, stream.next_row());
    if (!row) return sources;
    if (std::find(row->to.begin(), row->to.end(), page) != row->to.end()) sources.push_back(row->from);
  }
}

}  // namespace

Result<PageLinks> links_of_page(Store& store, PageIdx page, LinkDirection direction, size_t most) {
  std::vector<PageIdx> found;
  if (direction == LinkDirection::out) {
    ADUANA_ASSIGN(LinkList list, store.links_of(page));
    found = std::move(list.targets);
  } else {
    ADUANA_ASSIGN(found, pages_linking(store.snapshot(), page));
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
