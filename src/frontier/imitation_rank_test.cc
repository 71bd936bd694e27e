// imitation_rank() against its definition, done slowly.
#include "score/imitation_rank.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/must.h"
#include "base/simulated_disk.h"
#include "graph/rank/slow_link_analysis.h"
#include "store/store.h"

namespace aduana {
namespace {

using Web = std::vector<std::set<size_t>>;  // of crawled pages, in the order of their crawl: page i crawls row i

// Page by page and link by link, from the words in docs/crawl-order.md.
std::vector<double> slow_loop(const Web& rows, size_t pages, const std::vector<double>& x) {
  constexpr double d = 0.85;
  const auto crawled = [&](size_t page) { return page < rows.size(); };
  const auto linked_by = [&](size_t page) {
    double n = 0;
    for (const auto& row : rows) n += row.contains(page);
    return n;
  };
  std::vector<double> next(pages, 0), imitated(pages, 0);
  double jumps = 1 - d;
  for (size_t v = rows.size(); v < pages; ++v) {
    if (linked_by(v) == 0) jumps += d * x[v];
    // It is on each of these pages in equal parts.
    for (size_t p = 0; p < rows.size(); ++p) {
      if (!rows[p].contains(v)) continue;
      const double part = x[v] / linked_by(v);
      std::vector<size_t> beside;
      for (const size_t c : rows[p]) {
        if (crawled(c) && c != p) beside.push_back(c);
      }
      const double each = part / static_cast<double>(beside.size() + 1);
      for (const size_t c : beside) imitated[c] += each;
      next[p] += d * each / 2;
      jumps += d * each / 2;
    }
  }
  for (size_t c = 0; c < rows.size(); ++c) {
    if (rows[c].empty()) {
      jumps += d * (x[c] + imitated[c]);
      continue;
    }
    for (const size_t v : rows[c]) {
      const double part = d / static_cast<double>(rows[c].size());
      next[v] += part * x[c] + part * imitated[c] * (1 - 1 / linked_by(v));
      jumps += part * imitated[c] / linked_by(v);
    }
  }
  for (double& value : next) value += jumps / static_cast<double>(pages);
  return next;
}

class ImitationRank : public ::testing::Test {
 protected:
  static std::string url(size_t page) { return "http://web/" + std::to_string(page); }

  // Pages are found in the order of their numbers, and crawled in that order.
  ScoreInput crawl(const Web& rows, size_t pages) {
    StoreOptions options;
    options.create = true;
    options.background = false;
    store_ = must(Store::open(disk_, "/store", options));
    std::vector<std::string> urls;
    for (size_t page = 0; page < pages; ++page) urls.push_back(url(page));
    std::vector<Discovery> all;
    for (const std::string& u : urls) all.push_back({.url = u});
    must(store_->discover(all));
    for (size_t page = 0; page < rows.size(); ++page) {
      std::vector<ReportedLink> links;
      for (const size_t link : rows[page]) links.push_back({urls[link], 0, kDefaultPriority});
      ReportedPage report;
      report.url = urls[page];
      report.links = links;
      must(store_->report({&report, 1}));
    }
    const StoreSnapshot snapshot = store_->snapshot();
    return {snapshot.pages, snapshot.link_stream(), store_->counts().links};
  }

  SimulatedDisk disk_;
  std::unique_ptr<Store> store_;
};

TEST_F(ImitationRank, IsWhatItsDefinitionSays) {
  std::mt19937 random(1);
  for (const uint64_t memory : {uint64_t{1} << 30, uint64_t{0}}) {
    for (int round = 0; round < 20; ++round) {
      disk_ = SimulatedDisk();
      const size_t pages = 2 + random() % 40, crawled = 1 + random() % pages;
      Web rows(crawled);
      for (auto& row : rows) {
        for (size_t n = random() % 8; n > 0; --n) row.insert(random() % pages);
      }
      ScoreInput input = crawl(rows, pages);
      CrawledGraph graph = must(CrawledGraph::read(input, memory));
      std::vector<float> values(pages);
      for (float& v : values) v = static_cast<float>(1 + random() % 100);
      std::vector<double> slow(values.begin(), values.end());
      double sum = 0;
      for (const double v : slow) sum += v;
      for (double& v : slow) v /= sum;
      for (int loop = 0; loop < 5; ++loop) slow = slow_loop(rows, pages, slow);
      ImitationOptions options;
      options.loops = 5;
      must(imitation_rank(
          graph, options, [] { return true; }, values));
      double all = 0;
      for (size_t page = 0; page < pages; ++page) {
        ASSERT_NEAR(values[page], slow[page], 1e-6) << "page " << page << " of " << pages;
        all += values[page];
      }
      EXPECT_NEAR(all, 1, 1e-5);
      store_.reset();
    }
  }
}

// A page that is not crawled, on a page whose other pages all link home, is expected to do so as well.
TEST_F(ImitationRank, ExpectsOfAPageWhatThoseBesideItDo) {
  const size_t pages = 60;
  Web rows(40);
  for (size_t page = 1; page < pages; ++page) rows[0].insert(page);
  for (size_t page = 1; page < 40; ++page) rows[page] = {0, 1};
  ScoreInput input = crawl(rows, pages);
  CrawledGraph graph = must(CrawledGraph::read(input, 1 << 20));
  std::vector<float> values(pages, 1);
  must(imitation_rank(
      graph, {}, [] { return true; }, values));
  std::vector<NodeLink> links;
  for (size_t page = 0; page < rows.size(); ++page) {
    for (const size_t link : rows[page]) links.push_back({page, link});
  }
  // In PageRank what the 20 pages have that are not crawled goes everywhere.
  const auto page_rank = iterated_page_rank(pages, links, {});
  EXPECT_GT(values[0] + values[1], 1.1 * (page_rank[0] + page_rank[1]));
}

TEST_F(ImitationRank, StopsWhenToldTo) {
  ScoreInput input = crawl({{1}, {0}}, 3);
  CrawledGraph graph = must(CrawledGraph::read(input, 1 << 20));
  std::vector<float> values(3, 1);
  const auto stopped = imitation_rank(
      graph, {}, [] { return false; }, values);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code(), Code::closed);
}

}  // namespace
}  // namespace aduana
