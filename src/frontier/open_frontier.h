// Opening a frontier on any file system, with all settings of the store at hand: for tests and tools.
#pragma once

#include <memory>
#include <string>

#include "aduana/frontier.h"
#include "base/file.h"
#include "schedule/pending_budget.h"
#include "store/store.h"

namespace aduana {

// What the options say about the store.
StoreOptions store_options_of(const FrontierOptions& options);

// Where the tails of queues of this store go; nowhere if it is only read.
PendingBudget::OpenFile scratch_file(FileSystem& fs, const std::string& dir, bool read_only);

Result<std::unique_ptr<Frontier>> open_frontier(FileSystem& fs, const std::string& dir, const FrontierOptions& options,
                                                const StoreOptions& store_options);

}  // namespace aduana
