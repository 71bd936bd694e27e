#include "store/link_sources.h"

#include <algorithm>

namespace aduana {

Result<std::vector<std::vector<PageIdx>>> link_sources(const StoreSnapshot& snapshot, std::span<const PageIdx> pages) {
  std::vector<std::vector<PageIdx>> sources(pages.size());
  LinkStream stream = snapshot.link_stream();
  while (true) {
    ADUANA_ASSIGN(const auto row, stream.next_row());
    if (!row) return sources;
    for (size_t i = 0; i < pages.size(); ++i) {
      if (std::find(row->to.begin(), row->to.end(), pages[i]) != row->to.end()) sources[i].push_back(row->from);
    }
  }
}

}  // namespace aduana
