#include "base/chunked_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace aduana {
namespace {

// A string does the same, slowly.
TEST(ChunkedBytes, DoesWhatAStringDoesAndCopiesStayApart) {
  std::mt19937 random(1);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  ChunkedBytes bytes;
  ChunkedBytes follower;
  std::string model;
  size_t changed_from = 0;
  ChunkedBytes old;
  std::string old_model;
  for (int step = 0; step < 2'000; ++step) {
    const size_t at = below(20'000);
    if (below(4) == 0) {
      bytes.resize(at);
      model.resize(at);
    } else {
      const std::string written(1 + below(9'000), static_cast<char>('a' + step % 26));
      bytes.write(at, written);
      if (model.size() < at + written.size()) model.resize(at + written.size());
      model.replace(at, written.size(), written);
    }
    changed_from = std::min(changed_from, at);
    if (below(10) == 0) {
      follower.follow(bytes, changed_from);
      changed_from = SIZE_MAX;
      ASSERT_TRUE(follower.to_string() == model) << step;
    }
    if (below(50) == 0) {
      ASSERT_TRUE(old.to_string() == old_model) << step;
      old = bytes;
      old_model = model;
    }
    ASSERT_EQ(bytes.size(), model.size());
    ASSERT_TRUE(bytes.to_string() == model) << step;
  }
}

TEST(ChunkedBytes, ReadsStopAtTheEnd) {
  ChunkedBytes bytes;
  bytes.write(4'090, "0123456789");
  char out[16];
  EXPECT_EQ(bytes.read(4'092, out, sizeof out), 8u);
  EXPECT_EQ(std::string(out, 8), "23456789");
  EXPECT_EQ(bytes.read(4'100, out, 1), 0u);
}

}  // namespace
}  // namespace aduana
