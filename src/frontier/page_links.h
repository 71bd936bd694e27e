// Who links a page, and whom it links, from the store as it is now.
#pragma once

#include "aduana/frontier.h"
#include "store/store.h"

namespace aduana {

// Links are stored with the page they are on: those of a page are read at once, those to it by reading all.
Result<PageLinks> links_of_page(Store& store, PageIdx page, LinkDirection direction, size_t most);

}  // namespace aduana
