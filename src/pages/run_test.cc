#include "pages/run.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/must.h"
#include "base/simulated_disk.h"

namespace aduana {
namespace {

constexpr const char* kPath = "/run";
using Model = std::map<PageKey, PageIdx>;

class RunTest : public testing::TestWithParam<bool> {
 protected:
  // A run over the keys, which get the indices from `first` on. (testing::Test has a Run of its own.)
  std::shared_ptr<aduana::Run> run_of(const std::vector<PageKey>& keys, uint64_t first = 0) {
    model_.clear();
    for (size_t i = 0; i < keys.size(); ++i) model_[keys[i]] = PageIdx{first + i};
    const auto writer = must(RunWriter::create(disk_, kPath, {PageIdx{first}, PageIdx{first + model_.size()}}));
    for (const auto& [key, idx] : model_) must(writer->add({key, idx}));
    must(writer->finish());
    return open();
  }
  std::shared_ptr<aduana::Run> open() { return must(aduana::Run::open(disk_, kPath, GetParam())); }

  void expect_model(const aduana::Run& run) {
    EXPECT_EQ(run.entries(), model_.size());
    for (const auto& [key, idx] : model_) {
      EXPECT_EQ(must(run.find(key)), idx);
      EXPECT_TRUE(run.filter().may_contain(key));
      for (const PageKey& near : {PageKey{key.hi, key.lo ^ 1}, PageKey{key.hi ^ 1, key.lo}}) {
        const auto other = model_.find(near);
        EXPECT_EQ(must(run.find(near)), other == model_.end() ? kNoPage : other->second);
      }
    }
    for (const PageKey edge : {PageKey{0, 0}, PageKey{~0ull, ~0ull}}) {
      const auto there = model_.find(edge);
      EXPECT_EQ(must(run.find(edge)), there == model_.end() ? kNoPage : there->second);
    }
    auto expected = model_.begin();
    must(run.check([&](const IndexEntry& entry) {
      EXPECT_EQ(entry.key, expected->first);
      EXPECT_EQ(entry.idx, expected++->second);
    }));
    EXPECT_EQ(expected, model_.end());
  }

  SimulatedDisk disk_;
  Model model_;
};

TEST_P(RunTest, KeysWithNothingInCommon) {
  std::mt19937_64 random(1);
  std::vector<PageKey> keys(5000);
  for (PageKey& key : keys) key = {random(), random()};
  const auto run = run_of(keys);
  expect_model(*run);
  EXPECT_EQ(run->range().first, PageIdx{0});
  EXPECT_EQ(run->range().end, PageIdx{5000});
}

TEST_P(RunTest, KeysWithLongCommonBeginnings) {
  std::mt19937_64 random(2);
  std::vector<PageKey> keys;
  for (uint64_t i = 0; i < 3000; ++i) keys.push_back({0xabcdef, i * 3});
  for (uint64_t i = 0; i < 3000; ++i) keys.push_back({0xabcdef00000000, random()});
  for (uint64_t i = 0; i < 300; ++i) keys.push_back({random(), i});
  const auto run = run_of(keys);
  expect_model(*run);
  EXPECT_LT(run->blocks(), 20u) << "a common beginning is written once a block";
}

TEST_P(RunTest, KeysThatDifferInTheLastBitOnly) { expect_model(*run_of({{7, 42}, {7, 43}})); }

TEST_P(RunTest, OneKeyAndTheExtremes) {
  expect_model(*run_of({{5, 5}}));
  expect_model(*run_of({{0, 0}, {0, 1}, {~0ull, ~0ull - 2}}));
}

TEST_P(RunTest, NoKeysAtAll) { expect_model(*run_of({})); }

TEST_P(RunTest, IndicesUpTo40Bits) {
  for (uint64_t first : {uint64_t{250}, uint64_t{65'530}, uint64_t{1} << 32, kMaxPages - 100}) {
    std::vector<PageKey> keys;
    for (uint64_t i = 0; i < 100; ++i) keys.push_back({i * 0x9e3779b97f4a7c15, i});
    expect_model(*run_of(keys, first));
  }
}

TEST_P(RunTest, WriterGivenTooFewEntriesMakesNoRun) {
  const auto writer = must(RunWriter::create(disk_, kPath, {PageIdx{0}, PageIdx{2}}));
  must(writer->add({{1, 1}, PageIdx{0}}));
  EXPECT_FALSE(writer->finish());
  EXPECT_FALSE(aduana::Run::open(disk_, kPath, GetParam()));
}

TEST_P(RunTest, DamagedBlockIsReportedWithItsPlaceAndTheOthersAreFine) {
  std::vector<PageKey> keys;
  for (uint64_t i = 0; i < 1000; ++i) keys.push_back({i << 40, i * 0x9e3779b97f4a7c15});
  const auto whole = run_of(keys);
  ASSERT_GE(whole->blocks(), 3u);
  for (uint64_t byte : {0, 1, 2, 5, 1000, 4095}) {
    must(disk_.corrupt(kPath, kRunBlockBytes + byte, 0x40));
    const auto run = open();
    size_t damaged = 0;
    for (const auto& [key, idx] : model_) {
      const auto found = run->find(key);
      EXPECT_EQ(found.has_value(), run->block_of(key) != 1);
      if (found) {
        EXPECT_EQ(*found, idx);
        continue;
      }
      ++damaged;
      EXPECT_EQ(found.error().code(), Code::corrupt);
      EXPECT_NE(found.error().message().find("/run: block 1 at offset 4096"), std::string::npos)
          << found.error().message();
    }
    EXPECT_GT(damaged, 0u);
    EXPECT_FALSE(run->check([](const IndexEntry&) {}));
    must(disk_.corrupt(kPath, kRunBlockBytes + byte, 0x40));
  }
}

TEST_P(RunTest, BlocksThatChangedPlacesAreDamage) {
  std::vector<PageKey> keys;
  for (uint64_t i = 0; i < 1000; ++i) keys.push_back({i << 40, i * 0x9e3779b97f4a7c15});
  run_of(keys);
  const std::string bytes = must(read_file(disk_, kPath));
  must(must(disk_.open(kPath, OpenMode::write))->write_at(0, bytes.substr(kRunBlockBytes, kRunBlockBytes)));
  EXPECT_FALSE(open()->find(model_.begin()->first));
}

TEST_P(RunTest, AnyDamageBehindTheBlocksIsFoundWhenOpened) {
  run_of({{1, 1}, {2, 2}, {3, 3}});
  const uint64_t size = must(must(disk_.open(kPath, OpenMode::read))->size());
  for (uint64_t offset = kRunBlockBytes; offset < size; ++offset) {
    must(disk_.corrupt(kPath, offset, 2));
    const auto opened = aduana::Run::open(disk_, kPath, GetParam());
    ASSERT_FALSE(opened) << offset;
    EXPECT_EQ(opened.error().code(), Code::corrupt);
    EXPECT_NE(opened.error().message().find(kPath), std::string::npos);
    must(disk_.corrupt(kPath, offset, 2));
  }
}

TEST_P(RunTest, FileCutAnywhereIsNoRun) {
  run_of({{1, 1}, {2, 2}});
  const auto file = must(disk_.open(kPath, OpenMode::write));
  for (uint64_t size = must(file->size()); size-- > 0;) {
    must(file->truncate(size));
    EXPECT_FALSE(aduana::Run::open(disk_, kPath, GetParam())) << size;
  }
}

TEST_P(RunTest, FinishedRunIsDurable) {
  std::vector<PageKey> keys;
  for (uint64_t i = 0; i < 500; ++i) keys.push_back({i * 0x9e3779b97f4a7c15, i});
  run_of(keys);
  must(disk_.sync_dir("/"));
  const auto left = disk_.after_power_cut(CutPolicy::lose_all, 0);
  expect_model(*must(aduana::Run::open(*left, kPath, GetParam())));
}

INSTANTIATE_TEST_SUITE_P(MappedAndDirect, RunTest, testing::Bool(),
                         [](const auto& direct) { return direct.param ? "direct" : "mapped"; });

}  // namespace
}  // namespace aduana
