#include "journal/frame.h"

#include <gtest/gtest.h>

#include <limits>

namespace aduana {
namespace {

std::string frame_of(std::string_view payload, Lsn first_lsn = 1, uint32_t events = 1, uint64_t durable = 24) {
  std::string buffer(kFrameHeaderBytes, '\0');
  buffer += payload;
  finish_frame(buffer, first_lsn, events, durable);
  return buffer;
}

TEST(Frame, KeepsAllItsFields) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  const std::string bytes = frame_of("payload", kMax, 0xffffffff, kMax - 1);
  const auto frame = read_frame(bytes);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->first_lsn, kMax);
  EXPECT_EQ(frame->events, 0xffffffffu);
  EXPECT_EQ(frame->durable, kMax - 1);
  EXPECT_EQ(frame->payload, "payload");
  EXPECT_EQ(frame->size_on_disk(), bytes.size());
}

TEST(Frame, MayBeEmptyAndIsFollowedByAnything) {
  const std::string bytes = frame_of("") + "the next frame";
  const auto frame = read_frame(bytes);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->payload, "");
  EXPECT_EQ(frame->size_on_disk(), kFrameHeaderBytes);
}

TEST(Frame, IsNotReadWhenCutAtAnyByte) {
  const std::string bytes = frame_of("some payload");
  for (size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(read_frame(std::string_view(bytes).substr(0, n))) << n;
}

TEST(Frame, IsNotReadWithAnyBitFlipped) {
  const std::string bytes = frame_of("some payload");
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    EXPECT_FALSE(read_frame(damaged)) << "bit " << bit;
  }
}

TEST(Frame, LaterFrameShowsDamageOnlyOfWhatItKnowsToBeDurable) {
  const std::string later = frame_of("later", 2, 1, 100);
  const std::string damaged = "no frame, but the magic AJF1 and more of it AJF1";
  EXPECT_TRUE(later_frame_shows_damage(damaged + later, 99));
  EXPECT_FALSE(later_frame_shows_damage(damaged + later, 100));
}

TEST(Frame, EveryLaterFrameIsAsked) {
  const std::string bytes = "?" + frame_of("one", 2, 1, 50) + "???" + frame_of("two", 3, 1, 51);
  EXPECT_TRUE(later_frame_shows_damage(bytes, 50));
  EXPECT_FALSE(later_frame_shows_damage(bytes, 51));
}

TEST(Frame, NoLaterFrameNoDamage) {
  EXPECT_FALSE(later_frame_shows_damage("", 0));
  EXPECT_FALSE(later_frame_shows_damage("AJF1", 0));
  std::string cut = "?" + frame_of("later", 2, 1, 100);
  cut.pop_back();
  EXPECT_FALSE(later_frame_shows_damage(cut, 0));
}

TEST(Frame, TheFirstByteIsTheDamagedFrameItself) {
  // The frame in question is at the start; what it says of itself does not count.
  EXPECT_FALSE(later_frame_shows_damage(frame_of("itself", 1, 1, 100), 0));
}

}  // namespace
}  // namespace aduana
