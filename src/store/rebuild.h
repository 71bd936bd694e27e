// Deriving a store again, when `check` found something wrong with what is derived.
#pragma once

#include <string>

#include "base/file.h"
#include "store/store.h"

namespace aduana {

struct RebuildResult {
  bool from_journal = false;  // everything was; else the journal's beginning is gone, and the index and all counts were
                              // made again from pages, links and the journal that is kept
  bool settings_lost = false;  // the manifest could not be read: the store has the default canonical options now
  uint64_t urls = 0;
};

// The store must not be open. Nothing is changed before it is sure that the journal can be read.
Result<RebuildResult> rebuild(FileSystem& fs, const std::string& dir, const StoreOptions& options);

}  // namespace aduana
