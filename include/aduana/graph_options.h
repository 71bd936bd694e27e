// How a compressed graph is to be made of the links of a store.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace aduana {

struct GraphOptions {
  uint64_t memory_bytes = uint64_t{1} << 30;  // to work in, about; what does not fit is sorted on disk
  unsigned threads = 2;
  std::string scratch_folder;  // for that; empty: beside the graph
  bool order_by_url = true;    // number the pages in order of their URLs; else as in the store
  // Told what is being done, and how far it is, in links or URLs; false stops the work, with Code::closed.
  std::function<bool(const char* step, uint64_t done)> progress = {};
};

}  // namespace aduana
