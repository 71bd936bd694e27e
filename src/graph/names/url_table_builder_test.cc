#include "graph/names/url_table_builder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "graph/names/written_table.h"

namespace aduana {
namespace {

// Scratch files are on the real disk: a mapped array knows no other.
class UrlTableBuilderTest : public testing::Test {
 protected:
  UrlTableBuilderTest() {
    std::string folder = testing::TempDir() + "url_table_XXXXXX";
    if (!mkdtemp(folder.data())) throw std::runtime_error("no folder for scratch files");
    options_.scratch_folder = folder;
  }
  ~UrlTableBuilderTest() override { std::filesystem::remove_all(options_.scratch_folder); }

  std::vector<std::string> left_behind() { return must(real_files().list(options_.scratch_folder)); }

  UrlTableOptions options_;
};

std::vector<Node> inverse(const std::vector<Node>& nodes) {
  std::vector<Node> positions(nodes.size());
  for (Node i = 0; i < nodes.size(); ++i) positions[nodes[i]] = i;
  return positions;
}

TEST_F(UrlTableBuilderTest, AnyMemoryGivesTheSameFile) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<std::string> urls = random_urls(seed, seed * seed * 40);
    const std::vector<Node> expected = inverse(nodes_in_order(urls));
    for (const bool renumbered : {false, true}) {
      options_.memory_bytes = 1 << 20;
      const WrittenTable in_memory(urls, renumbered, options_);
      EXPECT_EQ(in_memory.positions, expected);
      for (const uint64_t memory : {0, 3000, 20'000, 60'000}) {
        options_.memory_bytes = memory;
        WrittenTable table(urls, renumbered, options_);
        EXPECT_EQ(table.positions, expected);
        EXPECT_EQ(table.bytes, in_memory.bytes);
        EXPECT_TRUE(left_behind().empty());
        EXPECT_TRUE(problems_of(must(table.open())).empty());
      }
    }
  }
}

TEST_F(UrlTableBuilderTest, NothingStandsInTheFolderMeanwhile) {
  const std::vector<std::string> urls = random_urls(1, 3000);
  options_.memory_bytes = 1000;
  ListedUrls source(urls);
  const auto builder = must(UrlTableBuilder::sort(source, options_));
  EXPECT_TRUE(left_behind().empty());
  EXPECT_EQ(builder->nodes(), 3000u);
}

TEST_F(UrlTableBuilderTest, NumbersAreLeftOutIfTheyAreThoseOfTheKeys) {
  std::vector<std::string> urls = random_urls(2, 1000), sorted;
  for (const Node node : nodes_in_order(urls)) sorted.push_back(urls[node]);
  EXPECT_EQ(WrittenTable(sorted, false, options_).places.positions.size(), 0u);
  EXPECT_EQ(WrittenTable(urls, true, options_).places.nodes.size(), 0u);
  const UrlTable::Places places = WrittenTable(urls, false, options_).places;
  EXPECT_EQ(places.positions.size(), 1000u * 10 / 8 + 8);
  EXPECT_EQ(places.nodes.size(), places.positions.size());
}

TEST_F(UrlTableBuilderTest, AnErrorOfTheSourceIsReturned) {
  class Failing final : public UrlSource {
   public:
    Result<std::optional<std::string_view>> next() override {
      if (++calls_ > 500) return Error(Code::io, "no more");
      return std::optional<std::string_view>("https://example.com/");
    }

   private:
    int calls_ = 0;
  } source;
  options_.memory_bytes = 1000;
  const auto builder = UrlTableBuilder::sort(source, options_);
  ASSERT_FALSE(builder);
  EXPECT_EQ(builder.error().message(), "no more");
  EXPECT_TRUE(left_behind().empty());
}

TEST_F(UrlTableBuilderTest, FullDisksOfRunsAndOfTheGraphAreErrors) {
  const std::vector<std::string> urls = random_urls(3, 3000);
  SimulatedDisk disk;
  must(disk.create_dirs(options_.scratch_folder));
  options_.files = &disk;
  options_.memory_bytes = 30'000;
  disk.set_capacity(100);
  ListedUrls first(urls);
  EXPECT_EQ(UrlTableBuilder::sort(first, options_).error().code(), Code::no_space);
  EXPECT_TRUE(must(disk.list(options_.scratch_folder)).empty());
  EXPECT_TRUE(left_behind().empty());

  disk.heal();
  ListedUrls second(urls);
  const auto builder = must(UrlTableBuilder::sort(second, options_));
  GraphFileWriter out(must(disk.open("/graph", OpenMode::create_empty)), 0);
  must(out.append(std::string((1 << 20) - 1, '\0')));  // the next byte is written to disk
  disk.set_capacity(1000);
  const auto places = builder->write(out, false);
  ASSERT_FALSE(places);
  EXPECT_EQ(places.error().code(), Code::no_space);
}

TEST_F(UrlTableBuilderTest, AMissingFolderForThePositionsIsAnError) {
  SimulatedDisk disk;
  options_.scratch_folder += "/not_there";
  must(disk.create_dirs(options_.scratch_folder));
  options_.files = &disk;
  options_.memory_bytes = 3000;
  const std::vector<std::string> urls = random_urls(4, 3000);
  ListedUrls source(urls);
  EXPECT_EQ(UrlTableBuilder::sort(source, options_).error().code(), Code::not_found);
}

}  // namespace
}  // namespace aduana
