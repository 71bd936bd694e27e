#include "graph/names/name_sorter.h"

#include <gtest/gtest.h>

#include "base/must.h"
#include "base/simulated_disk.h"
#include "graph/names/listed_urls.h"

namespace aduana {
namespace {

using Names = std::vector<std::pair<std::string, Node>>;

class NameSorterTest : public testing::Test {
 protected:
  NameSorterTest() {
    must(disk_.create_dirs("/scratch"));
    options_ = {2000, "/scratch", &disk_};
  }

  Result<Names> sort(const std::vector<std::string>& keys) {
    ADUANA_ASSIGN(NameSorter sorter, NameSorter::make(options_));
    for (const std::string& key : keys) ADUANA_TRY(sorter.add(key));
    ADUANA_ASSIGN(const SortedNames sorted, sorter.finish(8));
    EXPECT_EQ(sorted.size(), keys.size());
    Names names;
    ADUANA_TRY(sorted.for_each([&](std::string_view key, Node node) {
      names.emplace_back(key, node);
      return Status();
    }));
    return names;
  }

  void expect_sorted(const std::vector<std::string>& keys) {
    Names expected;
    for (const std::string& key : keys) expected.emplace_back(key, expected.size());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(must(sort(keys)), expected);
    EXPECT_TRUE(left_behind().empty());
  }

  std::vector<std::string> left_behind() { return must(disk_.list("/scratch")); }

  SimulatedDisk disk_;
  UrlTableOptions options_;
};

TEST_F(NameSorterTest, NoneAndOne) {
  expect_sorted({});
  expect_sorted({""});
  expect_sorted({"a"});
}

TEST_F(NameSorterTest, RandomKeysInAnyMemory) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::string> keys(random() % 2000);
    for (std::string& key : keys) {
      key.assign(random() % 3 * 8, 'x');
      for (size_t n = random() % 12; n > 0; --n) key.push_back(static_cast<char>(random() % 3 ? 0 : random()));
    }
    for (const uint64_t memory : {0, 1000, 5000, 30'000, 1'000'000}) {
      options_.memory_bytes = memory;
      expect_sorted(keys);
    }
  }
}

TEST_F(NameSorterTest, WhatFitsNeedsNoDisk) {
  options_.scratch_folder = "/nowhere";
  options_.memory_bytes = 1 << 20;
  expect_sorted(random_urls(1, 5000));
  EXPECT_EQ(disk_.operations(), 1u);  // the folder of this test
}

TEST_F(NameSorterTest, KeysLongerThanTheMemory) {
  std::vector<std::string> keys = random_urls(2, 300);
  for (const size_t at : {0, 7, 150, 299}) keys[at] = std::string(1 << 20, 'k') + std::to_string(at % 5);
  keys[8] = keys[7];
  expect_sorted(keys);
}

TEST_F(NameSorterTest, ManyEqualLongKeys) {
  options_.memory_bytes = 1 << 24;
  expect_sorted(std::vector<std::string>(100, std::string(50'000, 'k')));
}

TEST_F(NameSorterTest, FullDiskIsAnErrorThatLeavesNothing) {
  const std::vector<std::string> keys = random_urls(3, 5000);
  for (const uint64_t capacity : {0, 100, 200}) {
    disk_.set_capacity(capacity);
    const auto names = sort(keys);
    ASSERT_FALSE(names);
    EXPECT_EQ(names.error().code(), Code::no_space);
    EXPECT_TRUE(left_behind().empty());
  }
}

TEST_F(NameSorterTest, MissingFolderIsAnError) {
  options_.scratch_folder = "/nowhere";
  const auto names = sort(random_urls(4, 1000));
  ASSERT_FALSE(names);
  EXPECT_EQ(names.error().code(), Code::not_found);
}

TEST_F(NameSorterTest, AnyOperationMayFail) {
  const std::vector<std::string> keys = random_urls(5, 500);
  const uint64_t before = disk_.operations();
  must(sort(keys));
  const uint64_t operations = disk_.operations() - before;
  ASSERT_GT(operations, 100u);
  for (uint64_t n = 1; n <= operations; ++n) {
    disk_.fail_after(n, Code::io);
    const auto names = sort(keys);
    ASSERT_FALSE(names) << n;
    EXPECT_EQ(names.error().code(), Code::io);
    disk_.heal();
    const std::vector<std::string> left = left_behind();
    ASSERT_LE(left.size(), 1u);  // where taking away the name was what failed
    for (const std::string& name : left) must(disk_.remove(join_path("/scratch", name)));
  }
}

TEST_F(NameSorterTest, DamageOfARunIsNoticed) {
  NameRunWriter out = must(NameRunWriter::create(disk_, "/scratch", 100));
  for (Node node = 0; node < 100; ++node) must(out.add(std::to_string(1000 + node), node));
  const NameRun run = must(out.finish());
  const auto count = [&]() -> Result<int> {
    NameRunReader in(run);
    for (int n = 0;; ++n) {
      ADUANA_ASSIGN(const bool more, in.next());
      if (!more) return n;
    }
  };
  ASSERT_EQ(must(count()), 100);
  for (uint64_t at = 0; at < run.bytes; ++at) {
    char byte;
    must(run.file->read_at(at, &byte, 1));
    must(run.file->write_at(at, std::string(1, static_cast<char>(byte ^ 4))));
    const auto n = count();
    ASSERT_FALSE(n) << at;
    EXPECT_EQ(n.error().code(), Code::corrupt);
    must(run.file->write_at(at, std::string(1, byte)));
  }
  must(run.file->truncate(run.bytes - 1));
  EXPECT_FALSE(count());
}

}  // namespace
}  // namespace aduana
