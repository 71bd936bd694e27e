#include "serve/access/expiring_table.h"

#include <gtest/gtest.h>

namespace aduana {
namespace {

TEST(ExpiringTable, ForgetsWhatIsOver) {
  ExpiringTable<int> table(10, Millis(100));
  table.insert("a", 1, Millis(0));
  table.insert("b", 2, Millis(50));
  ASSERT_TRUE(table.find("a", Millis(99)));
  EXPECT_EQ(table.find("a", Millis(99))->value, 1);
  EXPECT_FALSE(table.find("a", Millis(100)));
  EXPECT_EQ(table.size(), 1u);
  EXPECT_TRUE(table.find("b", Millis(149)));
  EXPECT_FALSE(table.find("b", Millis(1000)));
  EXPECT_EQ(table.size(), 0u);
}

TEST(ExpiringTable, TheOldestGoesWhenThereIsNoRoom) {
  ExpiringTable<int> table(3, Millis(100));
  for (int i = 0; i < 5; ++i) table.insert(std::to_string(i), i, Millis(0));
  EXPECT_EQ(table.size(), 3u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(table.find(std::to_string(i), Millis(1)) != nullptr, i >= 2) << i;
}

TEST(ExpiringTable, RenewedEntriesStayAndAreTheYoungest) {
  ExpiringTable<int> table(2, Millis(100));
  table.insert("a", 1, Millis(0));
  table.insert("b", 2, Millis(0));
  table.renew(*table.find("a", Millis(60)), Millis(60));
  EXPECT_TRUE(table.find("a", Millis(159)));
  EXPECT_FALSE(table.find("b", Millis(159)));
  table.insert("c", 3, Millis(159));
  table.renew(*table.find("a", Millis(159)), Millis(159));
  table.insert("d", 4, Millis(159));
  EXPECT_TRUE(table.find("a", Millis(159)));
  EXPECT_FALSE(table.find("c", Millis(159)));
}

}  // namespace
}  // namespace aduana
