// For tests: a store on a simulated disk with some hundred events, and the model of it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/simulated_disk.h"
#include "store/naive_store.h"
#include "store/random_crawl.h"
#include "store/store.h"

namespace aduana {

inline constexpr const char* kDir = "/store";

inline StoreOptions small_options() {
  StoreOptions options;
  options.create = true;
  options.background = false;
  options.pages.index.cache_bytes = 4096;
  options.pages.index.memtable_entries = 100;
  return options;
}

inline std::vector<std::string> problems_of(Store& store) {
  std::vector<std::string> problems;
  EXPECT_TRUE(store.check([&](const std::string& problem) { problems.push_back(problem); }));
  return problems;
}

struct Crawled {
  SimulatedDisk disk;
  NaiveStore model;
  std::unique_ptr<Store> store;
  RandomCrawl crawl{3, 10, 50};

  explicit Crawled(const StoreOptions& options = small_options(), int events = 500) {
    store = std::move(*Store::open(disk, kDir, options));
    for (int i = 0; i < events; ++i) step();
  }
  void step() {
    const auto& next = crawl.next();
    RandomCrawl::apply(next, model);
    EXPECT_TRUE(RandomCrawl::apply(next, *store));
  }
  uint64_t digest() { return *NaiveStore::digest_of(store->snapshot()); }
};

}  // namespace aduana
