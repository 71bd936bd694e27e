// The scratch files of sort_links on disks that are full, fail or change what was written.
#include <gtest/gtest.h>

#include "base/watched_disk.h"
#include "graph/edges/link_sorter.h"
#include "graph/edges/listed_links.h"

namespace aduana {
namespace {

class LinkSorterFailureTest : public testing::TestWithParam<int> {
 protected:
  LinkSorterFailureTest() {
    options_.memory_bytes = kLeastSortMemory;
    options_.threads = GetParam();
    options_.folder = "/scratch";
    options_.files = &disk_;
    must(disk_.create_dirs(options_.folder));
  }

  // Sorts enough for a merge, and reads the result.
  Result<LinkVector> sort() {
    ADUANA_ASSIGN(const auto sorted, sort_links(source_, options_));
    return read_links(*sorted);
  }
  std::vector<std::string> left_behind() { return must(disk_.list(options_.folder)); }

  WatchedDisk disk_;
  SortOptions options_;
  ListedLinks source_{random_links(1, 50'000, 20'000)};
};

INSTANTIATE_TEST_SUITE_P(Threads, LinkSorterFailureTest, testing::Values(1, 2));

TEST_P(LinkSorterFailureTest, FullDiskIsAnErrorThatLeavesNothing) {
  disk_.below().set_capacity(100);
  const auto links = sort();
  ASSERT_FALSE(links);
  EXPECT_EQ(links.error().code(), Code::no_space);
  EXPECT_NE(links.error().message().find("/scratch/aduana-sorted-links-"), std::string::npos)
      << links.error().message();
  EXPECT_TRUE(left_behind().empty());
}

TEST_P(LinkSorterFailureTest, MissingFolderIsAnError) {
  options_.folder = "/nowhere";
  const auto links = sort();
  ASSERT_FALSE(links);
  EXPECT_EQ(links.error().code(), Code::not_found);
}

TEST_P(LinkSorterFailureTest, AnyWriteMayFail) {
  const uint64_t before = disk_.below().operations();
  must(sort());
  const uint64_t operations = disk_.below().operations() - before;
  ASSERT_GT(operations, 200u);
  uint64_t stayed = 0;
  for (uint64_t n = 1; n <= operations; n += n < 60 ? 1 : 83) {
    disk_.below().fail_after(n, Code::io);
    const auto links = sort();
    ASSERT_FALSE(links) << n;
    EXPECT_EQ(links.error().code(), Code::io);
    disk_.below().heal();
    for (const std::string& name : left_behind()) {
      must(disk_.remove(join_path(options_.folder, name)));
      ++stayed;
    }
  }
  EXPECT_LE(stayed, 1u);  // where taking away the name was what failed
}

TEST_P(LinkSorterFailureTest, AnyReadMayFail) {
  must(sort());
  const uint64_t reads = disk_.reads();
  ASSERT_GT(reads, 200u);
  for (uint64_t n = 1; n <= reads; n += n < 60 ? 1 : 83) {
    uint64_t seen = 0;
    disk_.on_read([&](std::span<char>) {
      if (++seen == n) disk_.fail_reads(Code::io);
    });
    const auto links = sort();
    disk_.fail_reads({});
    // After the last read there is none to fail.
    ASSERT_EQ(links.has_value(), n == reads) << n;
    EXPECT_TRUE(links || links.error().code() == Code::io);
    EXPECT_TRUE(left_behind().empty());
  }
}

TEST_P(LinkSorterFailureTest, DamageIsNoticedWhereverItIs) {
  must(sort());
  const uint64_t reads = disk_.reads();
  for (const size_t at : {0, 3, 5, 11, 12, 20}) {
    for (uint64_t n = 1; n <= reads; n += 71) {
      uint64_t seen = 0;
      disk_.on_read([&](std::span<char> bytes) {
        if (++seen == n) bytes[at] ^= 0x10;
      });
      const auto links = sort();
      ASSERT_FALSE(links) << "byte " << at << " of read " << n;
      EXPECT_EQ(links.error().code(), Code::corrupt);
      EXPECT_NE(links.error().message().find("/scratch/aduana-sorted-links-"), std::string::npos);
    }
  }
}

TEST_P(LinkSorterFailureTest, ErrorOfTheSourceIsReturned) {
  class FailingSource final : public LinkSource {
   public:
    Result<size_t> next(std::span<NodeLink> links) override {
      if (++calls_ > 200) return Error(Code::corrupt, "the source is damaged");
      for (NodeLink& link : links) link = {calls_, static_cast<Node>(&link - links.data())};
      return links.size();
    }
    Status reset() override { return {}; }

   private:
    Node calls_ = 0;
  } source;
  const auto sorted = sort_links(source, options_);
  ASSERT_FALSE(sorted);
  EXPECT_EQ(sorted.error().message(), "the source is damaged");
  EXPECT_TRUE(left_behind().empty());
}

}  // namespace
}  // namespace aduana
