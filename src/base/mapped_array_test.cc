#include "base/mapped_array.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace aduana {
namespace {

namespace filesystem = std::filesystem;

class MappedArrayTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = (filesystem::temp_directory_path() / "aduana-mapped-array-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    path_ = folder_ + "/array";
  }
  void TearDown() override { filesystem::remove_all(folder_); }

  MappedArray open(size_t n, size_t element_size = sizeof(float)) {
    auto array = MappedArray::open(path_, n, element_size);
    if (!array) throw std::runtime_error(array.error().message());
    return *std::move(array);
  }

  static MappedArray anonymous(size_t n, size_t element_size = sizeof(float)) {
    auto array = MappedArray::anonymous(n, element_size);
    if (!array) throw std::runtime_error(array.error().message());
    return *std::move(array);
  }

  void put_file(size_t bytes, char byte) { std::ofstream(path_, std::ios::binary) << std::string(bytes, byte); }

  std::string folder_;
  std::string path_;
};

bool all_zero(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return v == 0; });
}

TEST_F(MappedArrayTest, NewArraysAreZero) {
  MappedArray in_file = open(10'000);
  MappedArray in_memory = anonymous(10'000);
  EXPECT_EQ(in_file.size(), 10'000u);
  EXPECT_EQ(in_file.bytes(), 40'000u);
  EXPECT_EQ(filesystem::file_size(path_), 40'000u);
  EXPECT_TRUE(all_zero(in_file.view_until_resize<float>()));
  EXPECT_TRUE(all_zero(in_memory.view_until_resize<float>()));
}

TEST_F(MappedArrayTest, SetAndAtWithinBoundsOnly) {
  MappedArray array = anonymous(3, 5);
  ASSERT_TRUE(array.set(2, "abcd"));
  EXPECT_STREQ(static_cast<const char*>(*array.at(2)), "abcd");
  ASSERT_TRUE(array.set(0, *array.at(2)));
  EXPECT_STREQ(static_cast<const char*>(*std::as_const(array).at(0)), "abcd");
  for (const size_t n : {size_t{3}, std::numeric_limits<size_t>::max()}) {
    EXPECT_EQ(array.at(n).error().code(), Code::invalid);
    EXPECT_EQ(std::as_const(array).at(n).error().code(), Code::invalid);
    EXPECT_EQ(array.set(n, "abcd").error().code(), Code::invalid);
  }
}

TEST_F(MappedArrayTest, ContentIsThereAgainWhenItPersists) {
  {
    MappedArray array = open(1'000);
    EXPECT_TRUE(array.persist());
    std::iota(array.view_until_resize<float>().begin(), array.view_until_resize<float>().end(), 0.0f);
    ASSERT_TRUE(array.sync(MS_SYNC));
  }
  MappedArray array = open(1'000);
  EXPECT_EQ(array.view_until_resize<float>()[999], 999.0f);
}

TEST_F(MappedArrayTest, FileGoesWithTheArrayWhenItDoesNotPersist) {
  {
    MappedArray array = open(10);
    array.set_persist(false);
    MappedArray moved = std::move(array);
    EXPECT_TRUE(filesystem::exists(path_));
  }
  EXPECT_FALSE(filesystem::exists(path_));
}

TEST_F(MappedArrayTest, ResizeKeepsElementsAndZeroesNewOnes) {
  for (const bool in_file : {true, false}) {
    MappedArray array = in_file ? open(0) : anonymous(0);
    size_t before = 0;
    for (const size_t n : {3u, 5'000u, 100u, 101u, 200'000u, 1u, 0u, 2'000u}) {
      ASSERT_TRUE(array.resize(n));
      ASSERT_EQ(array.size(), n);
      if (in_file) {
        ASSERT_EQ(filesystem::file_size(path_), n * sizeof(float));
      }
      const auto values = array.view_until_resize<float>();
      const size_t kept = std::min(before, n);
      for (size_t i = 0; i < kept; ++i) ASSERT_EQ(values[i], static_cast<float>(i + 1));
      ASSERT_TRUE(all_zero(values.subspan(kept))) << n;
      std::iota(values.begin(), values.end(), 1.0f);
      before = n;
    }
  }
}

TEST_F(MappedArrayTest, ShorterFileIsGrown) {
  put_file(8, 'x');
  MappedArray array = open(4);
  EXPECT_EQ(filesystem::file_size(path_), 16u);
  EXPECT_NE(array.view_until_resize<float>()[1], 0.0f);
  EXPECT_EQ(array.view_until_resize<float>()[2], 0.0f);
}

TEST_F(MappedArrayTest, LongerFileIsKeptUntilResized) {
  put_file(80, 'x');
  {
    MappedArray array = open(4);
    EXPECT_EQ(array.size(), 4u);
  }
  EXPECT_EQ(filesystem::file_size(path_), 80u);
  MappedArray array = open(4);
  ASSERT_TRUE(array.resize(6));
  EXPECT_EQ(filesystem::file_size(path_), 24u);
  EXPECT_TRUE(all_zero(array.view_until_resize<float>().subspan(4)));
}

TEST_F(MappedArrayTest, FileOfAnotherElementSizeIsRefusedAndLeftAlone) {
  put_file(10, 'x');
  const auto array = MappedArray::open(path_, 4, 4);
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().code(), Code::invalid);
  EXPECT_NE(array.error().message().find(path_), std::string::npos);
  EXPECT_EQ(filesystem::file_size(path_), 10u);
}

TEST_F(MappedArrayTest, ImpossibleSizesAreRefused) {
  constexpr size_t kMax = std::numeric_limits<size_t>::max();
  EXPECT_EQ(MappedArray::anonymous(kMax / 4 + 2, 8).error().code(), Code::too_large);
  EXPECT_EQ(MappedArray::open(path_, kMax, kMax).error().code(), Code::too_large);
  EXPECT_EQ(MappedArray::open(path_, 10, 0).error().code(), Code::invalid);
  EXPECT_EQ(MappedArray::open("", 10, 4).error().code(), Code::invalid);
  EXPECT_FALSE(filesystem::exists(path_));
  EXPECT_EQ(MappedArray::open(folder_ + "/no/array", 10, 4).error().code(), Code::not_found);
  EXPECT_FALSE(MappedArray::open(folder_, 10, 4));
}

TEST_F(MappedArrayTest, FailedResizeLeavesTheArrayAsItWas) {
  for (const bool in_file : {true, false}) {
    MappedArray array = in_file ? open(3) : anonymous(3);
    array.view_until_resize<float>()[2] = 7;
    EXPECT_FALSE(array.resize(std::numeric_limits<size_t>::max()));
    EXPECT_FALSE(array.resize(size_t{1} << 60));
    EXPECT_EQ(array.size(), 3u);
    EXPECT_EQ(array.view_until_resize<float>()[2], 7.0f);
    if (in_file) {
      EXPECT_EQ(filesystem::file_size(path_), 12u);
    }
  }
}

TEST_F(MappedArrayTest, ZeroAdviseAndSync) {
  for (const size_t n : {0u, 5'000u}) {
    MappedArray array = open(n);
    for (float& value : array.view_until_resize<float>()) value = 1;
    EXPECT_TRUE(array.advise(MADV_SEQUENTIAL));
    EXPECT_TRUE(array.sync(MS_ASYNC));
    array.zero();
    EXPECT_TRUE(all_zero(array.view_until_resize<float>()));
    if (n > 0) {
      EXPECT_EQ(array.advise(-1).error().code(), Code::io);
    }
  }
}

TEST_F(MappedArrayTest, MovedAndClosedArraysAreEmpty) {
  MappedArray array = open(5);
  MappedArray moved = std::move(array);
  EXPECT_EQ(array.size(), 0u);  // NOLINT: that is the question
  EXPECT_EQ(moved.size(), 5u);
  moved = anonymous(2);
  EXPECT_EQ(moved.size(), 2u);
  ASSERT_TRUE(moved.close());
  ASSERT_TRUE(moved.close());
  EXPECT_FALSE(moved.at(0));

  MappedArray closed = open(5);
  ASSERT_TRUE(closed.close());
  EXPECT_EQ(closed.resize(1).error().code(), Code::closed);
}

TEST_F(MappedArrayTest, ViewOfAnotherTypeIsABrokenInvariant) {
  MappedArray array = anonymous(1, sizeof(float));
  EXPECT_THROW(array.view_until_resize<double>(), std::logic_error);
}

}  // namespace
}  // namespace aduana
