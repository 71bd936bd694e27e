// Who links a page. Links are stored with the page they are on, so all of them are read.
#pragma once

#include <span>
#include <vector>

#include "store/store.h"

namespace aduana {

// The pages that link to each of `pages`.
Result<std::vector<std::vector<PageIdx>>> link_sources(const StoreSnapshot& snapshot, std::span<const PageIdx> pages);

}  // namespace aduana
