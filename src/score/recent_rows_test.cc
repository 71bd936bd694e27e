#include "score/recent_rows.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

// What was heard, as words: seeds are "+page", rows "page:links".
class Heard {
 public:
  auto seed() {
    return [this](PageIdx page) { words_.push_back("+" + std::to_string(page.value)); };
  }
  auto row() {
    return [this](const CrawledRow& row) {
      words_.push_back(std::to_string(row.page.value) + ":" + std::to_string(row.links.size()));
    };
  }
  const std::vector<std::string>& words() const { return words_; }

 private:
  std::vector<std::string> words_;
};

void crawl(RecentRows& recent, uint64_t page, uint64_t links) {
  std::vector<PageIdx> list;
  for (uint64_t link = 0; link < links; ++link) list.push_back({link});
  recent.add({PageIdx{page}, list, {}, false});
}

TEST(RecentRows, KeepsWhatIsHeardBetweenBeginAndEnd) {
  RecentRows recent;
  crawl(recent, 1, 1);
  recent.begin();
  crawl(recent, 2, 3);
  recent.add_seed(PageIdx{7});
  crawl(recent, 7, 0);
  Heard heard;
  recent.end().for_each(heard.seed(), heard.row());
  EXPECT_EQ(heard.words(), (std::vector<std::string>{"2:3", "+7", "7:0"}));
  recent.add_seed(PageIdx{8});
  EXPECT_TRUE(recent.end().heads.empty());
}

// The rest is visited while others wait.
TEST(RecentRows, CatchesUpUntilLittleIsLeft) {
  for (const bool seeds : {false, true}) {
    RecentRows recent;
    recent.begin();
    for (uint64_t page = 0; page < 100'000; ++page) {
      if (seeds) {
        recent.add_seed(PageIdx{page});
      } else {
        crawl(recent, page, 10);
      }
    }
    Heard heard;
    recent.catch_up(heard.seed(), heard.row());
    crawl(recent, 200'000, 2);
    const auto rest = recent.end();
    EXPECT_LT(rest.heads.size() + rest.links.size(), 30'000u);
    rest.for_each(heard.seed(), heard.row());
    EXPECT_EQ(heard.words().size(), 100'001u);
    EXPECT_EQ(heard.words().back(), "200000:2");
  }
}

}  // namespace
}  // namespace aduana
