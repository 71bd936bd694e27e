// A compressed graph of one moment of a store, while reports go on.
#pragma once

#include "graph/graph_builder.h"
#include "store/store.h"

namespace aduana {

Status build_graph_of(FileSystem& fs, const StoreSnapshot& snapshot, const std::string& path,
                      GraphBuildOptions options);

}  // namespace aduana
