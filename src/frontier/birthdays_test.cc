#include "frontier/birthdays.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

constexpr Instant kStart{Millis{1'800'000'000'000}};

// Orders depend on it: a page whose date changed would be taken for one that left its queue.
TEST(Birthdays, WhatWasSaidOfAPageIsNeverChanged) {
  constexpr uint64_t kPages = 600'000;
  Birthdays birthdays;
  std::vector<Instant> said;
  for (uint64_t page = 0; page < kPages; ++page) {
    birthdays.note({page}, kStart + Millis{static_cast<int64_t>(1000 * page)});
    said.push_back(birthdays.of({page}));
  }
  EXPECT_EQ(said[1000], kStart + Millis{1'000'000}) << "to the second at first";
  for (uint64_t page = 0; page < kPages; ++page) ASSERT_EQ(birthdays.of({page}), said[page]) << page;
  std::string bytes;
  birthdays.save(bytes);
  Birthdays loaded;
  ByteReader in(bytes);
  loaded.load(in);
  EXPECT_TRUE(in.ok() && in.at_end());
  for (uint64_t page = 0; page < kPages; page += 1000) ASSERT_EQ(loaded.of({page}), said[page]) << page;
}

TEST(Birthdays, SamplesStayFew) {
  Birthdays birthdays;
  for (uint64_t page = 0; page < 5'000'000; ++page) {
    birthdays.note({page}, kStart + Millis{static_cast<int64_t>(1000 * page)});
  }
  std::string bytes;
  birthdays.save(bytes);
  EXPECT_LT(bytes.size(), 4'000'000u) << "of 58 days";
}

}  // namespace
}  // namespace aduana
