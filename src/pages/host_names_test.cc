#include "pages/host_names.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/bytes.h"
#include "base/must.h"
#include "base/simulated_disk.h"

namespace aduana {
namespace {

std::string host(uint32_t i) { return "host-" + std::to_string(i) + ".example"; }

class HostNamesTest : public testing::Test {
 protected:
  void SetUp() override { log_ = open({}); }
  std::unique_ptr<ExtentLog> open(const ExtentLog::State& state) {
    return must(ExtentLog::open(disk_, "/hosts", state));
  }
  SimulatedDisk disk_;
  std::unique_ptr<ExtentLog> log_;
};

TEST_F(HostNamesTest, NumbersAreDenseAndStay) {
  HostNames names;
  for (uint32_t i = 0; i < 200'000; ++i) ASSERT_EQ(names.intern(host(i)), HostId{i});
  EXPECT_EQ(names.size(), 200'000u);
  for (uint32_t i = 0; i < 200'000; ++i) {
    ASSERT_EQ(names.intern(host(i)), HostId{i});
    ASSERT_EQ(names.name_of(HostId{i}), host(i));
  }
  EXPECT_EQ(names.size(), 200'000u);
  HostId id{77};
  EXPECT_FALSE(names.find("nowhere", &id));
  EXPECT_EQ(id, HostId{77});
  EXPECT_TRUE(names.find(host(123'456), &id));
  EXPECT_EQ(id, HostId{123'456});
}

TEST_F(HostNamesTest, EmptyNameIsAName) {
  HostNames names;
  HostId id;
  EXPECT_FALSE(names.find("", &id));
  EXPECT_EQ(names.intern(std::string_view()), HostId{0});
  EXPECT_EQ(names.intern("a"), HostId{1});
  EXPECT_EQ(names.intern(""), HostId{0});
  EXPECT_EQ(names.name_of(HostId{0}), "");
  names.save(*log_);
  HostNames again;
  must(again.load(*log_));
  EXPECT_EQ(again.size(), 2u);
  EXPECT_TRUE(again.find("", &id));
}

TEST_F(HostNamesTest, LongAndBinaryNames) {
  HostNames names;
  const std::string large(200'000, 'x'), zeros("a\0b", 3);
  names.intern(large);
  names.intern("small");
  names.intern(zeros);
  names.intern("a");
  names.save(*log_);
  HostNames again;
  must(again.load(*log_));
  EXPECT_EQ(again.name_of(HostId{0}), large);
  EXPECT_EQ(again.name_of(HostId{1}), "small");
  EXPECT_EQ(again.name_of(HostId{2}), zeros);
  EXPECT_EQ(again.name_of(HostId{3}), "a");
}

TEST_F(HostNamesTest, EachSaveAddsWhatIsNew) {
  HostNames names;
  uint32_t n = 0;
  uint64_t bytes = 0;
  for (const uint32_t upto : {0u, 1u, 10u, 50'000u, 50'000u, 50'001u}) {
    while (n < upto) names.intern(host(n++));
    names.save(*log_);
    if (upto == 50'000) bytes = log_->bytes();
  }
  EXPECT_LT(log_->bytes(), bytes + 100) << "one name was new";
  const auto flush = log_->begin_flush();
  must(log_->write_out(flush));
  must(log_->end_flush(flush));
  HostNames again;
  must(again.load(*open(log_->state())));
  ASSERT_EQ(again.size(), n);
  for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(again.name_of(HostId{i}), host(i));
  const uint64_t before = log_->bytes();
  again.save(*log_);
  EXPECT_EQ(log_->bytes(), before) << "what was loaded is not saved again";
}

TEST_F(HostNamesTest, NamesOutOfOrderDoubledOrCutAreCorrupt) {
  const auto load = [&](const std::vector<std::string>& entries) {
    const auto log = open({});
    for (const auto& entry : entries) log->append(entry);
    HostNames names;
    return names.load(*log);
  };
  const auto entry = [](uint64_t first, std::initializer_list<std::string_view> names) {
    std::string bytes;
    append_varint(bytes, first);
    for (const auto name : names) append_sized(bytes, name);
    return bytes;
  };
  EXPECT_TRUE(load({entry(0, {"a", "b"}), entry(2, {"c"})}));
  EXPECT_EQ(load({entry(1, {"a"})}).error().code(), Code::corrupt);
  EXPECT_EQ(load({entry(0, {"a"}), entry(2, {"b"})}).error().code(), Code::corrupt);
  EXPECT_EQ(load({entry(0, {"a", "a"})}).error().code(), Code::corrupt);
  const std::string whole = entry(0, {"abc", "def"});
  for (size_t n : {1u, 3u, 4u, 6u, 8u}) {
    const bool between_names = n == 1 || n == 5;
    EXPECT_EQ(load({whole.substr(0, n)}).has_value(), between_names) << n;
  }
}

TEST_F(HostNamesTest, NamesAreReadByOtherThreadsWhileOneInterns) {
  HostNames names;
  std::atomic<uint32_t> known = 0;
  std::thread reader([&] {
    for (uint32_t i = 0; i < 20'000; ++i) {
      while (known.load() <= i) std::this_thread::yield();
      ASSERT_EQ(names.name_of(HostId{i}), host(i));
    }
  });
  for (uint32_t i = 0; i < 20'000; ++i) {
    names.intern(host(i));
    known = i + 1;
  }
  reader.join();
}

}  // namespace
}  // namespace aduana
