// Opening a frontier on any file system, with all settings of the store at hand: for tests and tools.
#pragma once

#include <memory>
#include <string>

#include "aduana/frontier.h"
#include "base/file.h"
#include "store/store.h"

namespace aduana {

// What the options say about the store.
StoreOptions store_options_of(const FrontierOptions& options);

Result<std::unique_ptr<Frontier>> open_frontier(FileSystem& fs, const std::string& dir, const FrontierOptions& options,
                                                const StoreOptions& store_options);

}  // namespace aduana
