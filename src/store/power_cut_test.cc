// Power cut at every single disk operation of a run: the reopened store is a prefix that has all that was acknowledged.

#include <gtest/gtest.h>

#include "base/simulated_disk.h"
#include "store/naive_store.h"
#include "store/random_crawl.h"
#include "store/store.h"

namespace aduana {
namespace {

constexpr int kEvents = 2000;
// The sanitizers are ten times slower; they look for other things than the last of a hundred thousand states.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kCutEvery = 9;
#else
constexpr uint64_t kCutEvery = 1;
#endif
constexpr const char* kDir = "/crawls/test";

// Everything small, so that a short run has many segments, checkpoints, memtables and merges.
StoreOptions tiny_options(Durability durability) {
  StoreOptions options;
  options.create = true;
  options.background = false;
  options.journal.durability = durability;
  options.journal.segment_bytes = 20000;
  options.checkpoint_bytes = 1500;
  options.retain_journal_bytes = 0;
  options.pages.index.cache_bytes = 4096;
  options.pages.index.memtable_entries = 48;
  options.pages.index.fan_in = 3;
  return options;
}

class PowerCut : public ::testing::TestWithParam<Durability> {
 protected:
  // Opens what a power cut left, compares it with the model after as many events, and goes on with it for a while.
  void verify(const SimulatedDisk& disk, CutPolicy policy, uint64_t seed, Lsn at_least) {
    SCOPED_TRACE(name_of(policy));
    const auto left = disk.after_power_cut(policy, seed);
    StoreOptions options = tiny_options(GetParam());
    auto store = Store::open(*left, kDir, options);
    ASSERT_TRUE(store) << store.error().message();
    const StoreSnapshot snapshot = (*store)->snapshot();
    const Lsn lsn = snapshot.lsn;
    ASSERT_GE(lsn, at_least) << "an acknowledged event is missing";
    ASSERT_LT(lsn, digests_.size());
    const auto digest = NaiveStore::digest_of(snapshot);
    ASSERT_TRUE(digest) << digest.error().message();
    ASSERT_EQ(*digest, digests_[lsn]) << "not the state after event " << lsn;
    ++verified_;
    if (verified_ % 4) return;
    std::vector<std::string> problems;
    const Status checked = (*store)->check([&](const std::string& problem) { problems.push_back(problem); });
    ASSERT_TRUE(checked) << checked.error().message();
    ASSERT_TRUE(problems.empty()) << problems.front();
  }

  std::vector<uint64_t> digests_;  // by LSN
  uint64_t verified_ = 0;
};

TEST_P(PowerCut, AtEveryOperationLeavesAPrefixWithAllThatWasAcknowledged) {
  const Durability durability = GetParam();
  {
    NaiveStore model;
    RandomCrawl crawl(1, 12, 60);
    digests_.push_back(model.digest());
    // An event that changes nothing (a URL discovered again) has no LSN.
    for (int i = 0; i < kEvents;) {
      const auto& step = crawl.next();
      const uint64_t before = model.digest();
      RandomCrawl::apply(step, model);
      if (!step.is_report && model.digest() == before) continue;
      digests_.push_back(model.digest());
      ++i;
    }
  }
  SimulatedDisk disk;
  Lsn acknowledged = 0;  // survives a power cut
  Lsn answered = 0;      // survives the death of the process
  disk.on_operation([&](uint64_t n) {
    if (HasFatalFailure() || n % kCutEvery != 0) return;
    SCOPED_TRACE(testing::Message() << "operation " << n);
    verify(disk, CutPolicy::lose_all, n, acknowledged);
    verify(disk, CutPolicy::reordered, n, acknowledged);
    constexpr CutPolicy kOthers[] = {CutPolicy::keep_all, CutPolicy::random_prefix, CutPolicy::torn};
    const CutPolicy other = kOthers[n % 3];
    verify(disk, other, n, other == CutPolicy::keep_all ? answered : acknowledged);
  });
  auto store = Store::open(disk, kDir, tiny_options(durability));
  ASSERT_TRUE(store) << store.error().message();
  RandomCrawl crawl(1, 12, 60);
  while (answered < kEvents) {
    const Status applied = RandomCrawl::apply(crawl.next(), **store);
    ASSERT_TRUE(applied) << applied.error().message();
    answered = (*store)->snapshot().lsn;
    if (durability == Durability::always) acknowledged = answered;
    if (durability == Durability::interval && answered % 25 == 0) {
      ASSERT_TRUE((*store)->sync());
      acknowledged = answered;
    }
    if (HasFatalFailure()) return;
  }
  if (durability == Durability::interval) {
    ASSERT_TRUE((*store)->compact());
  }
  ASSERT_TRUE((*store)->close());
  acknowledged = kEvents;
  verify(disk, CutPolicy::lose_all, 0, acknowledged);
  RecordProperty("operations", static_cast<int>(disk.operations()));
  printf("%llu disk operations, %llu reopened stores\n", static_cast<unsigned long long>(disk.operations()),
         static_cast<unsigned long long>(verified_));
}

INSTANTIATE_TEST_SUITE_P(Durabilities, PowerCut,
                         ::testing::Values(Durability::none, Durability::interval, Durability::always),
                         [](const auto& test) {
                           return test.param == Durability::none       ? "none"
                                  : test.param == Durability::interval ? "interval"
                                                                       : "always";
                         });

}  // namespace
}  // namespace aduana
