// What a scorer hears while it computes from a moment before counts once it has published: at the start of it, in the
// midst of it, and between the end of it and the publishing.
#include <gtest/gtest.h>

#include <cmath>

#include "base/must.h"
#include "base/simulated_disk.h"
#include "score/scorer.h"
#include "store/store.h"

namespace aduana {
namespace {

constexpr uint64_t kPages = 60;  // that the snapshot has: a seed, and those that crawled pages link

class LateNews : public ::testing::TestWithParam<ScorerKind> {
 protected:
  LateNews() {
    StoreOptions options;
    options.create = true;
    options.background = false;
    store_ = must(Store::open(disk_, "/store", options));
    const std::string seed = url(0);
    const Discovery discovery{.url = seed};
    must(store_->discover({&discovery, 1}));
    for (uint64_t page = 0; page < 10; ++page) {
      Row row{page, {1, 2, 3}};
      for (uint64_t link = 0; link < 6; ++link) row.links.push_back(std::min(kPages - 1, 6 * page + link + 1));
      store_row(row);
      rows_.push_back(row);
    }
    EXPECT_EQ(store_->counts().pages.urls(), kPages);
  }

  struct Row {
    uint64_t page;
    std::vector<uint64_t> links;
  };
  using News = std::function<void(Scorer&)>;

  static std::string url(uint64_t page) { return "http://web/" + std::to_string(page); }
  void store_row(const Row& row) {
    std::vector<std::string> urls;
    for (const uint64_t link : row.links) urls.push_back(url(link));
    std::vector<ReportedLink> links;
    for (const std::string& u : urls) links.push_back({u, 0, kDefaultPriority});
    const std::string from = url(row.page);
    ReportedPage page;
    page.url = from;
    page.links = links;
    must(store_->report({&page, 1}));
  }

  static void crawl(Scorer& scorer, const Row& row) {
    std::vector<PageIdx> links;
    for (const uint64_t link : row.links) {
      if (std::find(links.begin(), links.end(), PageIdx{link}) == links.end()) links.push_back({link});
    }
    scorer.crawl({PageIdx{row.page}, links, {}, false});
    for (const PageIdx link : links) scorer.enter(link, false);
  }
  static News seed(uint64_t page) {
    return [page](Scorer& scorer) { scorer.enter(PageIdx{page}, true); };
  }
  static News row(Row row) {
    return [row](Scorer& scorer) { crawl(scorer, row); };
  }

  // A scorer that has published, and heard this at the start, in the midst, and at the end of it.
  std::unique_ptr<Scorer> scorer_that_heard(const News& at_start, const News& in_the_midst, const News& at_end) {
    ScoringOptions options;
    options.scorer = GetParam();
    auto scorer = make_scorer(options);
    scorer->enter(PageIdx{0}, true);
    for (const Row& row : rows_) crawl(*scorer, row);
    auto snapshot = store_->snapshot([&] { scorer->begin(); });
    at_start(*scorer);
    bool asked = false;
    ScoreInput input{snapshot.pages, snapshot.link_stream(), store_->counts().links};
    const auto computed = scorer->compute(input, [&] {
      if (!std::exchange(asked, true)) in_the_midst(*scorer);
      return true;
    });
    EXPECT_TRUE(computed) << computed.error().message();
    EXPECT_TRUE(asked);
    at_end(*scorer);
    scorer->publish();
    return scorer;
  }
  // Each of the three times in turn.
  std::vector<std::unique_ptr<Scorer>> scorers_that_heard(const News& news) {
    std::vector<std::unique_ptr<Scorer>> scorers;
    scorers.push_back(scorer_that_heard(news, nothing, nothing));
    scorers.push_back(scorer_that_heard(nothing, news, nothing));
    scorers.push_back(scorer_that_heard(nothing, nothing, news));
    return scorers;
  }
  static void nothing(Scorer&) {}

  SimulatedDisk disk_;
  std::unique_ptr<Store> store_;
  std::vector<Row> rows_;
};

TEST_P(LateNews, ASeedHasAnAverageScore) {
  for (const auto& scorer : scorers_that_heard(seed(kPages))) {
    const float score = scorer->score(PageIdx{kPages});
    // Of OPIC it is the cash that is 1.
    EXPECT_GE(score, GetParam() == ScorerKind::opic ? 0.5f : 0.999f * scorer->unit());
    size_t worse = 0;
    for (uint64_t page = 10; page < kPages; ++page) worse += scorer->score(PageIdx{page}) < score;
    EXPECT_GT(worse, 0u);
  }
}

TEST_P(LateNews, ARowGivesToThoseItLinks) {
  constexpr uint64_t kOld = 30, kNew = kPages;
  const auto without = scorer_that_heard(nothing, nothing, nothing);
  EXPECT_EQ(without->get(PageIdx{kNew}).before, 0);
  for (const auto& scorer : scorers_that_heard(row({20, {2, kOld, kNew}}))) {
    EXPECT_GT(scorer->score(PageIdx{kOld}), 1.01f * without->score(PageIdx{kOld}));
    EXPECT_GT(scorer->score(PageIdx{kNew}), 1.01f * without->score(PageIdx{kNew}));
  }
}

// So much that not all of it is left for the end.
TEST_P(LateNews, NothingIsLostOfVeryMuch) {
  const auto much = [](Scorer& scorer) {
    scorer.enter(PageIdx{kPages}, true);
    for (uint64_t page = 10; page < 50; ++page) {
      Row many{page, {1, 2}};
      for (uint64_t link = 0; link < 1000; ++link) many.links.push_back(kPages + 1 + 1000 * page + link);
      crawl(scorer, many);
    }
  };
  const auto at_end = scorer_that_heard(nothing, nothing, much);
  const auto at_start = scorer_that_heard(much, nothing, nothing);
  for (const uint64_t page : {1ul, 2ul, 55ul, kPages, kPages + 1 + 10'000, kPages + 1 + 49'999}) {
    const float score = at_end->score(PageIdx{page});
    EXPECT_GT(score, 0) << page;
    EXPECT_FLOAT_EQ(at_start->score(PageIdx{page}), score) << page;
  }
}

// A seed and its crawl, both late: it has something to give.
TEST_P(LateNews, ASeedThatIsCrawledAtOnceGives) {
  constexpr uint64_t kSeed = kPages, kNew = kPages + 1;
  const auto without = scorer_that_heard(nothing, nothing, nothing);
  const auto news = [](Scorer& scorer) {
    scorer.enter(PageIdx{kSeed}, true);
    crawl(scorer, {kSeed, {1, kNew}});
  };
  for (const auto& scorer : scorers_that_heard(news)) {
    EXPECT_GT(scorer->score(PageIdx{kNew}), 1.01f * without->score(PageIdx{kNew}));
  }
}

// Pages that a row shows have places among each other, whatever was found after them.
TEST_P(LateNews, ASeedDoesNotChangeTheRowsBeforeIt) {
  Row shows{20, {}};
  for (uint64_t link = 0; link < 40; ++link) shows.links.push_back(kPages + link);
  const auto without = scorer_that_heard(nothing, nothing, row(shows));
  const auto with = scorer_that_heard(nothing, nothing, [&](Scorer& scorer) {
    crawl(scorer, shows);
    scorer.enter(PageIdx{kPages + 40}, true);
  });
  for (const uint64_t page : shows.links) EXPECT_EQ(with->score(PageIdx{page}), without->score(PageIdx{page})) << page;
}

// What was heard before the snapshot is in it, and not added to it again; what is heard after an update that failed is
// not added to the next.
TEST_P(LateNews, NothingCountsTwice) {
  const auto scorer = scorer_that_heard(nothing, nothing, nothing);
  const Row late{20, {2, 30, kPages}};
  scorer->begin();
  crawl(*scorer, late);
  scorer->abandon();
  store_row(late);
  rows_.push_back(late);
  const auto knew = scorer_that_heard(nothing, nothing, nothing);
  auto snapshot = store_->snapshot([&] { scorer->begin(); });
  ScoreInput input{snapshot.pages, snapshot.link_stream(), store_->counts().links};
  ASSERT_TRUE(scorer->compute(input, [] { return true; }));
  scorer->publish();
  const float expected = knew->score(PageIdx{kPages});
  EXPECT_NEAR(scorer->score(PageIdx{kPages}), expected, 0.2f * expected);
}

INSTANTIATE_TEST_SUITE_P(Scorers, LateNews,
                         ::testing::Values(ScorerKind::opic, ScorerKind::page_rank, ScorerKind::hits,
                                           ScorerKind::blend),
                         [](const auto& scorer) {
                           std::string name = name_of(scorer.param);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace aduana
