#include "graph/codec/elias_fano.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace aduana {
namespace {

void expect_same(const std::vector<uint64_t>& numbers) {
  std::string bytes;
  append_elias_fano(bytes, numbers);
  const auto opened = EliasFano::open(bytes);
  ASSERT_TRUE(opened) << opened.error().message();
  ASSERT_EQ(opened->size(), numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    ASSERT_EQ((*opened)[i], numbers[i]) << i;
    EliasFano::Cursor cursor(*opened, i);
    for (size_t j = i; j < std::min(i + 3, numbers.size()); ++j) ASSERT_EQ(cursor.next(), numbers[j]) << j;
  }
}

TEST(EliasFano, GivesBackWhatWasPutIn) {
  expect_same({});
  expect_same({0});
  expect_same({0, 0, 0});
  expect_same({uint64_t{1} << 45});
  expect_same(std::vector<uint64_t>(1000, 7));
  std::mt19937_64 random(1);
  for (const uint64_t step : {1, 3, 200, 100'000, 1 << 30}) {
    for (const size_t n : {2, 63, 64, 65, 1000, 5000}) {
      std::vector<uint64_t> numbers{0};
      while (numbers.size() < n) numbers.push_back(numbers.back() + random() % step);
      expect_same(numbers);
    }
  }
}

TEST(EliasFano, CanJumpFar) {
  std::vector<uint64_t> numbers(500, 1);
  numbers.resize(1000, uint64_t{1} << 40);
  numbers.push_back((uint64_t{1} << 40) + 1);
  expect_same(numbers);
}

TEST(EliasFano, TakesFewBits) {
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < 100'000; ++i) numbers.push_back(i * 350);
  std::string bytes;
  append_elias_fano(bytes, numbers);
  EXPECT_LT(8 * bytes.size(), 12 * numbers.size());  // 2 + log2 350 = 10.5, and 1 for the places
}

TEST(EliasFano, RefusesWhatIsNoSequence) {
  std::string bytes;
  append_elias_fano(bytes, std::vector<uint64_t>{1, 5, 900});
  EXPECT_FALSE(EliasFano::open({}));
  EXPECT_FALSE(EliasFano::open(std::string_view(bytes).substr(0, bytes.size() - 1)));
  EXPECT_FALSE(EliasFano::open(bytes + "x"));
}

TEST(EliasFano, IsSafeToReadWhenDamaged) {
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < 500; ++i) numbers.push_back(i * i);
  std::string whole;
  append_elias_fano(whole, numbers);
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    const auto opened = EliasFano::open(bytes);
    if (!opened) continue;
    for (uint64_t i = 0; i < opened->size(); i += 7) (void)(*opened)[i];
    if (opened->size() == 0) continue;
    EliasFano::Cursor cursor(*opened, 0);
    for (uint64_t i = 0; i < opened->size(); ++i) (void)cursor.next();
  }
}

}  // namespace
}  // namespace aduana
