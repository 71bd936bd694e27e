// The baselines are only worth comparing with if they do the whole job: same numbers for the same URLs, nothing lost
// when closed and opened again, whatever the size of a report.
#include "store_run.h"

#include <gtest/gtest.h>

namespace aduana::bench {
namespace {

StoreRunOptions small_run() {
  StoreRunOptions options;
  options.urls = 20'000;
  options.crawl.hosts = 100;
  options.store.cache_bytes = 8u << 20;
  options.verify = true;
  return options;
}

TEST(StoreRun, AllStoresGiveTheSameAnswers) {
  std::optional<uint64_t> checksum;
  for (const std::string& name : store_names()) {
    const auto figures = run_store(name, small_run());
    ASSERT_TRUE(figures) << figures.error().message();
    EXPECT_GE(figures->urls, 20'000u);
    if (checksum) {
      EXPECT_EQ(figures->checksum, checksum) << name;
    }
    checksum = figures->checksum;
  }
}

TEST(StoreRun, EveryDurabilityAndReportSizeWorks) {
  for (const std::string& name : store_names())
    for (const auto& [word, durability] : durability_names()) {
      StoreRunOptions options = small_run();
      options.urls = 3000;
      options.batch = durability == Durability::always ? 20 : 1;
      options.store.durability = durability;
      const auto figures = run_store(name, options);
      ASSERT_TRUE(figures) << name << ", " << word << ": " << figures.error().message();
    }
}

TEST(StoreRun, ColdStretchGoesOnWhereTheGrowthEnded) {
  for (const std::string& name : store_names()) {
    StoreRunOptions options = small_run();
    options.cold = true;
    options.cold_links = 20'000;
    const auto figures = run_store(name, options);
    ASSERT_TRUE(figures) << name << ": " << figures.error().message();
    EXPECT_GT(figures->cold_links_per_s.value_or(0), 0);
  }
}

}  // namespace
}  // namespace aduana::bench
