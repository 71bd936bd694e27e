#include "pages/url_index.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "base/must.h"
#include "base/simulated_disk.h"

namespace aduana {
namespace {

IndexOptions tiny(bool background = false) {
  IndexOptions options;
  options.cache_bytes = 4096;
  options.memtable_entries = 64;
  options.max_sealed = 2;
  options.fan_in = 3;
  options.background = background;
  return options;
}

// The index beside a map that must agree with it.
class Pair {
 public:
  Pair(FileSystem& fs, std::string dir, const IndexOptions& options)
      : fs_(fs), dir_(std::move(dir)), options_(options), random_(options.fan_in) {
    must(fs_.create_dirs(dir_));
    open({});
  }

  void open(const UrlIndex::State& state) {
    index.reset();
    index = must(UrlIndex::open(fs_, dir_, options_, state));
    for (uint64_t i = index->flushed_end().value; i < keys.size(); ++i) {
      must(index->admit());
      index->insert(keys[i], PageIdx{i});
    }
  }

  void add(const PageKey& key) {
    if (!model.emplace(key, PageIdx{keys.size()}).second) return;
    must(index->admit());
    index->insert(key, PageIdx{keys.size()});
    keys.push_back(key);
  }

  void add_random(size_t n) {
    for (size_t i = 0; i < n; ++i) add({random_() & 0xff000000ffffffff, random_()});
  }

  // A batch of known keys, neighbours of known keys and unknown ones, some of them twice.
  void look_up(size_t n) {
    std::vector<PageKey> batch;
    for (size_t i = 0; i < n; ++i) {
      PageKey key{random_(), random_()};
      if (random_() % 4 && !keys.empty()) key = keys[random_() % keys.size()];
      if (random_() % 8 == 0) key.lo ^= 1;
      batch.push_back(random_() % 8 || batch.empty() ? key : batch[random_() % batch.size()]);
    }
    std::vector<PageIdx> found(n);
    must(index->lookup(batch, found.data()));
    for (size_t i = 0; i < n; ++i) {
      const auto entry = model.find(batch[i]);
      ASSERT_EQ(found[i], entry == model.end() ? kNoPage : entry->second) << i;
    }
  }

  void expect_all() {
    std::vector<PageIdx> found(keys.size());
    must(index->lookup(keys, found.data()));
    for (uint64_t i = 0; i < keys.size(); ++i) ASSERT_EQ(found[i], PageIdx{i});
  }

  std::set<std::string> files() {
    const auto names = must(fs_.list(dir_));
    return {names.begin(), names.end()};
  }
  std::set<std::string> files_of(const UrlIndex::State& state) {
    std::set<std::string> names;
    for (const auto& run : state) names.insert(UrlIndex::path_of("", run.number));
    return names;
  }

  std::unique_ptr<UrlIndex> index;
  std::map<PageKey, PageIdx> model;
  std::vector<PageKey> keys;

 private:
  FileSystem& fs_;
  const std::string dir_;
  const IndexOptions options_;
  std::mt19937_64 random_;
};

class UrlIndexModelTest : public testing::TestWithParam<std::tuple<bool, bool, unsigned>> {
 protected:
  IndexOptions options() const {
    IndexOptions options = tiny(std::get<0>(GetParam()));
    options.direct_reads = std::get<1>(GetParam());
    options.fan_in = std::get<2>(GetParam());
    return options;
  }
};

TEST_P(UrlIndexModelTest, AgreesWithAMapThroughFlushesMergesAndReopens) {
  SimulatedDisk disk;
  Pair pair(disk, "/index", options());
  std::set<std::string> obsolete;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    pair.add_random(static_cast<size_t>(50 + round * 7 % 200));
    pair.look_up(97);
    if (HasFatalFailure()) return;
    if (round % 20 == 19) {
      const auto state = pair.index->state();
      pair.open(state);  // what was in memtables only is entered again
      pair.expect_all();
    }
    if (round % 10 == 0) must(pair.index->maintain());
  }
  must(pair.index->maintain());
  pair.expect_all();
  EXPECT_LT(pair.index->state().size(), 2u * options().fan_in * 5);
  const uint64_t runs = pair.index->flushed_end().value;
  uint64_t entries = 0;
  must(pair.index->check([&](const IndexEntry& entry) {
    EXPECT_EQ(pair.model.at(entry.key), entry.idx);
    ++entries;
  }));
  EXPECT_EQ(entries, runs);
  must(pair.index->merge_all());
  EXPECT_EQ(pair.index->state().size(), 1u);
  pair.expect_all();
  pair.open(pair.index->state());
  pair.expect_all();
  pair.add_random(300);
  pair.look_up(500);
}

INSTANTIATE_TEST_SUITE_P(Ways, UrlIndexModelTest,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Values(2u, 3u)),
                         [](const auto& way) {
                           return std::string(std::get<0>(way.param) ? "background" : "foreground") +
                                  (std::get<1>(way.param) ? "Direct" : "Mapped") +
                                  std::to_string(std::get<2>(way.param));
                         });

TEST(UrlIndex, DirectReadsWorkOnARealDisk) {
  std::string folder = (std::filesystem::temp_directory_path() / "aduana-url-index-test-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  {
    IndexOptions options = tiny();
    options.direct_reads = true;
    Pair pair(real_files(), folder + "/index", options);
    pair.add_random(3000);
    must(pair.index->maintain());
    pair.look_up(2000);
    pair.expect_all();
    must(pair.index->check([](const IndexEntry&) {}));
    pair.open(pair.index->state());
    pair.expect_all();
  }
  std::filesystem::remove_all(folder);
}

TEST(UrlIndex, KeysThatShareAllButTheLastBit) {
  SimulatedDisk disk;
  Pair pair(disk, "/index", tiny());
  for (uint64_t i = 0; i < 500; ++i) pair.add({7, i});
  pair.expect_all();
  std::vector<PageKey> unknown = {{7, 500}, {7, 501}, {6, 0}, {8, 0}, {7 | 1ull << 63, 5}};
  std::vector<PageIdx> found(unknown.size());
  must(pair.index->lookup(unknown, found.data()));
  EXPECT_EQ(found, std::vector<PageIdx>(unknown.size(), kNoPage));
}

TEST(UrlIndex, EmptyBatchAndEmptyIndex) {
  SimulatedDisk disk;
  for (const bool direct : {false, true}) {
    IndexOptions options = tiny();
    options.direct_reads = direct;
    Pair pair(disk, "/index", options);
    must(pair.index->lookup({}, nullptr));
    pair.look_up(10);
    must(pair.index->maintain());
    must(pair.index->merge_all());
    EXPECT_EQ(pair.index->flushed_end(), PageIdx{0});
    EXPECT_TRUE(pair.index->state().empty());
  }
}

TEST(UrlIndex, RunsOfAStateMustFollowEachOther) {
  SimulatedDisk disk;
  IndexOptions options = tiny();
  options.fan_in = 100;
  Pair pair(disk, "/index", options);
  pair.add_random(64 * 4);
  must(pair.index->maintain());
  auto state = pair.index->state();
  ASSERT_EQ(state.size(), 3u);
  state.erase(state.begin() + 1);
  const auto opened = UrlIndex::open(disk, "/index", options, state);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), Code::corrupt);
}

TEST(UrlIndex, ObsoleteFilesAreThoseThatTheStateDoesWithout) {
  SimulatedDisk disk;
  Pair pair(disk, "/index", tiny());
  pair.add_random(64 * 20);
  must(pair.index->maintain());
  std::set<std::string> expected = pair.files_of(pair.index->state());
  for (const auto& path : pair.index->take_obsolete()) {
    const std::string name = path.substr(std::string("/index/").size());
    EXPECT_FALSE(expected.contains(name)) << name;
    expected.insert(name);
  }
  EXPECT_EQ(pair.files(), expected) << "every file is of the state or was named obsolete";
  EXPECT_TRUE(pair.index->take_obsolete().empty());
  pair.expect_all();
}

}  // namespace
}  // namespace aduana
