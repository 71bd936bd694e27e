#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aduana_store.h"
#include "lmdb_store.h"
#include "rocksdb_store.h"
#include "store_adapter.h"

namespace aduana::bench {

std::vector<std::string> store_names() { return {"aduana", "lmdb", "rocksdb"}; }

Result<std::unique_ptr<StoreAdapter>> make_store(std::string_view name) {
  if (name == "aduana") return std::unique_ptr<StoreAdapter>(std::make_unique<AduanaStore>());
  if (name == "lmdb") return std::unique_ptr<StoreAdapter>(std::make_unique<LmdbStore>());
  if (name == "rocksdb") return std::unique_ptr<StoreAdapter>(std::make_unique<RocksdbStore>());
  return Error(Code::invalid, fmt::format("no store is called {}; there are {}", name, fmt::join(store_names(), ", ")));
}

}  // namespace aduana::bench
