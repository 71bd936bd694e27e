#include "aduana/page_info.h"

#include <gtest/gtest.h>

#include <cmath>

namespace aduana {
namespace {

constexpr Instant at(int64_t seconds, int64_t millis = 0) { return Instant{Millis{seconds * 1000 + millis}}; }

PageInfo crawled(uint32_t crawls, uint32_t changes, Instant first, Instant last) {
  PageInfo page;
  page.url = "http://example.com/";
  page.n_crawls = crawls;
  page.n_changes = changes;
  page.first_crawl = first;
  page.last_crawl = last;
  return page;
}

TEST(PageInfoPrint, IsAsDocumented) {
  EXPECT_EQ(print(crawled(12, 3, at(1420099319), at(1451606399, 999))),
            "Thu Jan  1 08:01:59 2015 Thu Dec 31 23:59:59 2015 1.20e+01 3.00e+00 http://example.com/");
}

TEST(PageInfoPrint, FieldsBeforeTheUrlHaveFixedSizes) {
  for (const auto& page : {crawled(0, 0, at(0), at(0)), crawled(~0u, ~0u, at(-1, -1), at(253402300799)),
                           crawled(99'999, 1, at(951782400), at(1e9))}) {
    const std::string text = print(page);
    EXPECT_EQ(text.substr(24, 1) + text.substr(49, 1) + text.substr(58, 1) + text.substr(67, 1), "    ") << text;
    EXPECT_EQ(text.substr(68), page.url) << text;
  }
}

TEST(PageInfoPrint, TimesAreUtcAndOldOnesToo) {
  EXPECT_EQ(print(crawled(0, 0, at(0), at(-1))).substr(0, 49), "Thu Jan  1 00:00:00 1970 Wed Dec 31 23:59:59 1969");
  EXPECT_EQ(print(crawled(0, 0, at(951782400), at(0, -1))).substr(0, 49),
            "Tue Feb 29 00:00:00 2000 Wed Dec 31 23:59:59 1969");
}

TEST(PageInfoPrint, NumbersAreExponentialWithTwoDigits) {
  EXPECT_EQ(print(crawled(~0u, 1'000'000, at(0), at(0))).substr(50, 17), "4.29e+09 1.00e+06");
  EXPECT_EQ(print(crawled(0, 12'100, at(0), at(0))).substr(50, 17), "0.00e+00 1.21e+04");
}

TEST(PageInfoPrint, UrlIsCutAt512Bytes) {
  PageInfo page = crawled(1, 0, at(0), at(0));
  page.url = std::string(512, 'x');
  EXPECT_EQ(print(page).substr(68), page.url);
  page.url += 'y';
  EXPECT_EQ(print(page).substr(68), std::string(512, 'x'));
  EXPECT_EQ(print(page).size(), 580u);
}

TEST(DocumentedChangeRate, IsChangesPlusOneOverTheSpan) {
  EXPECT_DOUBLE_EQ(documented_change_rate(crawled(5, 3, at(1000), at(1016))), 0.25);
  EXPECT_DOUBLE_EQ(documented_change_rate(crawled(2, 0, at(0), at(0, 500))), 2.0);
  EXPECT_DOUBLE_EQ(documented_change_rate(crawled(2, ~0u, at(0), at(1))), 4294967296.0);
}

TEST(DocumentedChangeRate, IsMinusOneWithoutASpan) {
  EXPECT_EQ(documented_change_rate(crawled(0, 0, at(0), at(0))), -1.0);
  EXPECT_EQ(documented_change_rate(crawled(1, 0, at(1000), at(1000))), -1.0);
  EXPECT_EQ(documented_change_rate(crawled(2, 1, at(1000), at(999))), -1.0) << "the clock went back";
}

TEST(ChangeRate, IsTheNearlyUnbiasedEstimate) {
  // Five visits after the first at intervals of 10 s, two changes: −ln(3.5 / 5.5) / 10.
  EXPECT_NEAR(change_rate(crawled(6, 2, at(0), at(50))), 0.0451985123743, 1e-12);
  // One visit, one change, after 2 s: −ln(0.5 / 1.5) / 2.
  EXPECT_NEAR(change_rate(crawled(2, 1, at(0), at(2))), 0.549306144334, 1e-12);
  EXPECT_EQ(change_rate(crawled(11, 0, at(0), at(100))), 0.0);
}

TEST(ChangeRate, IsFiniteWhateverTheCounts) {
  EXPECT_TRUE(std::isfinite(change_rate(crawled(2, ~0u, at(0), at(1)))));
  EXPECT_TRUE(std::isfinite(change_rate(crawled(~0u, ~0u, at(0), at(0, 1)))));
  EXPECT_DOUBLE_EQ(change_rate(crawled(2, 7, at(0), at(2))), change_rate(crawled(2, 1, at(0), at(2))));
}

TEST(ChangeRate, IsMinusOneWithoutASecondVisitOrASpan) {
  EXPECT_EQ(change_rate(crawled(0, 0, at(0), at(0))), -1.0);
  EXPECT_EQ(change_rate(crawled(1, 0, at(0), at(10))), -1.0);
  EXPECT_EQ(change_rate(crawled(3, 1, at(5), at(5))), -1.0);
  EXPECT_EQ(change_rate(crawled(3, 1, at(5), at(4))), -1.0);
}

}  // namespace
}  // namespace aduana
