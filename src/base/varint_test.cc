#include "base/varint.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace aduana {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

// Where the number of bytes changes, and the powers of two at which 32-bit arithmetic breaks.
std::vector<uint64_t> interesting_numbers() {
  std::vector<uint64_t> numbers = {0, 1, kMax - 1, kMax};
  for (const int bit : {7, 14, 21, 28, 31, 32, 35, 42, 49, 56, 63}) {
    const uint64_t power = uint64_t{1} << bit;
    numbers.insert(numbers.end(), {power - 1, power, power + 1});
  }
  return numbers;
}

const char* read(const std::string& bytes, uint64_t* v) {
  return read_varint(bytes.data(), bytes.data() + bytes.size(), v);
}

TEST(Varint, RoundTripsAtEveryBoundary) {
  for (const uint64_t v : interesting_numbers()) {
    std::string bytes;
    append_varint(bytes, v);
    EXPECT_EQ(bytes.size(), static_cast<size_t>(varint_size(v))) << v;
    uint64_t back = ~v;
    EXPECT_EQ(read(bytes, &back), bytes.data() + bytes.size()) << v;
    EXPECT_EQ(back, v);
  }
}

TEST(Varint, TakesAByteForEverySevenBits) {
  EXPECT_EQ(varint_size(0), 1);
  for (int bytes = 1; bytes < kMaxVarintBytes; ++bytes) {
    EXPECT_EQ(varint_size((uint64_t{1} << 7 * bytes) - 1), bytes);
    EXPECT_EQ(varint_size(uint64_t{1} << 7 * bytes), bytes + 1);
  }
  EXPECT_EQ(varint_size(kMax), kMaxVarintBytes);
}

TEST(Varint, HasTheDocumentedBytes) {
  std::string bytes;
  append_varint(bytes, 300);
  EXPECT_EQ(bytes, "\xac\x02");
}

TEST(Varint, EveryTruncationIsRefused) {
  for (const uint64_t v : interesting_numbers()) {
    std::string bytes;
    append_varint(bytes, v);
    while (!bytes.empty()) {
      bytes.pop_back();
      uint64_t back = 0;
      EXPECT_EQ(read(bytes, &back), nullptr) << v << " in " << bytes.size() << " bytes";
    }
  }
}

TEST(Varint, MoreThan64BitsAreRefused) {
  uint64_t v = 0;
  const std::string nine(9, '\xff');
  EXPECT_NE(read(nine + '\x01', &v), nullptr);
  EXPECT_EQ(v, kMax);
  EXPECT_EQ(read(nine + '\x02', &v), nullptr);
  EXPECT_EQ(read(nine + '\x7f', &v), nullptr);
  EXPECT_EQ(read(nine + "\x81\x01", &v), nullptr);
  EXPECT_EQ(read(std::string(10, '\x80') + '\x01', &v), nullptr);
  EXPECT_EQ(read(std::string(100, '\xff'), &v), nullptr);
}

TEST(Varint, ReadsOneNumberAndStopsThere) {
  std::string bytes;
  append_varint(bytes, 1'000'000);
  append_varint(bytes, 5);
  uint64_t v = 0;
  const char* next = read(bytes, &v);
  EXPECT_EQ(v, 1'000'000u);
  EXPECT_EQ(read_varint(next, bytes.data() + bytes.size(), &v), bytes.data() + bytes.size());
  EXPECT_EQ(v, 5u);
}

TEST(Zigzag, SmallNumbersOfEitherSignAreSmall) {
  EXPECT_EQ(zigzag_encode(0), 0u);
  EXPECT_EQ(zigzag_encode(-1), 1u);
  EXPECT_EQ(zigzag_encode(1), 2u);
  EXPECT_EQ(zigzag_encode(-2), 3u);
}

TEST(Zigzag, RoundTripsToTheExtremes) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(zigzag_encode(kLeast), kMax);
  EXPECT_EQ(zigzag_encode(kMost), kMax - 1);
  for (const int64_t v : {kLeast, kLeast + 1, int64_t{-1} << 31, int64_t{-1}, int64_t{0}, int64_t{1}, int64_t{1} << 31,
                          int64_t{1} << 32, kMost - 1, kMost}) {
    EXPECT_EQ(zigzag_decode(zigzag_encode(v)), v);
  }
}

}  // namespace
}  // namespace aduana
