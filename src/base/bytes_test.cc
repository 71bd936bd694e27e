#include "base/bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace aduana {
namespace {

using std::string_view_literals::operator""sv;

TEST(Bytes, MostSignificantFirst) {
  std::string bytes;
  append_be<uint8_t>(bytes, 0x01);
  append_be<uint16_t>(bytes, 0x0203);
  append_be<uint32_t>(bytes, 0x04050607);
  append_be<uint64_t>(bytes, 0x08090a0b0c0d0e0f);
  EXPECT_EQ(bytes, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f");
}

TEST(Bytes, OrderOfBytesIsOrderOfNumbers) {
  const auto key = [](uint64_t v) {
    std::string bytes;
    append_be(bytes, v);
    return bytes;
  };
  EXPECT_LT(key(0), key(1));
  EXPECT_LT(key(0xff), key(0x100));
  EXPECT_LT(key(0x7fffffffffffffff), key(0x8000000000000000));
}

TEST(Bytes, AnyWidthKeepsTheLowBytes) {
  const uint64_t v = 0x0102030405060708;
  for (int width = 1; width <= 8; ++width) {
    char buffer[9] = {};
    buffer[width] = '#';
    store_be_width(buffer, v, width);
    const uint64_t mask = width == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * width) - 1;
    EXPECT_EQ(load_be_width(buffer, width), v & mask);
    EXPECT_EQ(buffer[width], '#');
  }
}

TEST(ByteReader, ReadsBackWhatWasAppended) {
  std::string bytes;
  append_be<uint32_t>(bytes, 7);
  append_varint(bytes, std::numeric_limits<uint64_t>::max());
  append_zigzag(bytes, std::numeric_limits<int64_t>::min());
  append_sized(bytes, "with a \0 within"sv);
  append_sized(bytes, "");
  bytes += "tail";

  ByteReader reader(bytes);
  EXPECT_EQ(reader.be<uint32_t>(), 7u);
  EXPECT_EQ(reader.varint(), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(reader.zigzag(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(reader.sized(), "with a \0 within"sv);
  EXPECT_EQ(reader.sized(), "");
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(reader.left(), 4u);
  EXPECT_EQ(reader.bytes(4), "tail");
  EXPECT_TRUE(reader.at_end());
  EXPECT_TRUE(reader.ok());
}

TEST(ByteReader, FailsForGoodAndReturnsZeros) {
  ByteReader reader("\x01\x02\x03");
  EXPECT_EQ(reader.be<uint32_t>(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.be<uint8_t>(), 0u);
  EXPECT_EQ(reader.varint(), 0u);
  EXPECT_EQ(reader.zigzag(), 0);
  EXPECT_EQ(reader.bytes(1), "");
  EXPECT_EQ(reader.sized(), "");
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.left(), 0u);
}

TEST(ByteReader, LengthBeyondTheEndIsRefused) {
  std::string bytes;
  append_varint(bytes, std::numeric_limits<uint64_t>::max());
  bytes += "short";
  ByteReader reader(bytes);
  EXPECT_EQ(reader.sized(), "");
  EXPECT_FALSE(reader.ok());
}

TEST(ByteReader, NothingCanBeReadOfNothing) {
  ByteReader reader("");
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.bytes(0), "");
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.varint(), 0u);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace aduana
