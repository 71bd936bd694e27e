#include "journal/events.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace aduana {
namespace {

NewUrl url_of(std::string_view url, std::string_view host, float score = 0, std::string_view metadata = {}) {
  return {url, static_cast<uint32_t>(url.find(host)), static_cast<uint32_t>(host.size()), score, metadata};
}

void expect_same(const Event& got, const Event& wanted) {
  EXPECT_EQ(got.kind, wanted.kind);
  EXPECT_EQ(got.first_new, wanted.first_new);
  ASSERT_EQ(got.new_urls.size(), wanted.new_urls.size());
  for (size_t i = 0; i < wanted.new_urls.size(); ++i) {
    EXPECT_EQ(got.new_urls[i].url, wanted.new_urls[i].url) << i;
    EXPECT_EQ(got.new_urls[i].host(), wanted.new_urls[i].host()) << i;
    EXPECT_EQ(got.new_urls[i].score, wanted.new_urls[i].score) << i;
    EXPECT_EQ(got.new_urls[i].metadata, wanted.new_urls[i].metadata) << i;
    EXPECT_EQ(got.new_urls[i].priority, wanted.new_urls[i].priority) << i;
    EXPECT_EQ(got.new_urls[i].same_domain, wanted.new_urls[i].same_domain) << i;
    EXPECT_EQ(got.new_urls[i].queue, wanted.new_urls[i].queue) << i;
  }
  EXPECT_EQ(got.now_ms, wanted.now_ms);
  EXPECT_EQ(got.payload, wanted.payload);
  if (wanted.kind != EventKind::page) return;
  EXPECT_EQ(got.page, wanted.page);
  EXPECT_EQ(got.time_ms, wanted.time_ms);
  EXPECT_EQ(got.fetch_ms, wanted.fetch_ms);
  EXPECT_EQ(got.may_be_repeated, wanted.may_be_repeated);
  EXPECT_EQ(got.time_told, wanted.time_told);
  EXPECT_EQ(got.score, wanted.score);
  EXPECT_EQ(got.content_hash, wanted.content_hash);
  EXPECT_EQ(got.metadata, wanted.metadata);
  EXPECT_EQ(got.links, wanted.links);
}

void expect_round_trip(const std::vector<Event>& events) {
  std::string bytes;
  for (const Event& event : events) append_event(bytes, event);
  EventReader reader(bytes);
  Event got;
  for (const Event& event : events) {
    ASSERT_FALSE(reader.at_end());
    const Status read = reader.next(got);
    ASSERT_TRUE(read) << read.error().message();
    expect_same(got, event);
  }
  EXPECT_TRUE(reader.at_end());
}

Event full_page() {
  Event event;
  event.first_new = 1ull << 39;
  event.new_urls = {url_of("http://example.com/a/b", "example.com", 0.5f),
                    url_of("http://example.com/a/c?d", "example.com", 0.5f), url_of("mailto:x@y", "", -1e30f)};
  event.page = (1ull << 40) - 2;
  event.time_ms = 1'420'099'319'123;
  event.score = 0.25f;
  event.content_hash = std::string_view("hash\0\xff", 6);
  event.metadata = "metadata";
  event.links = std::string_view("\x00\x01\x80\x01", 4);
  return event;
}

TEST(Events, EmptyOnesComeBack) {
  Event discovered;
  discovered.kind = EventKind::discovered;
  expect_round_trip({Event{}, discovered, Event{}});
}

TEST(Events, AllFieldsComeBack) { expect_round_trip({full_page()}); }

TEST(Events, DiscoveredUrlsHaveMetadata) {
  Event event;
  event.kind = EventKind::discovered;
  event.first_new = 3;
  event.new_urls = {url_of("https://a.b/", "a.b", 1, "first"), url_of("https://a.b/2", "a.b", 2),
                    url_of("https://a.b/3", "a.b", 2, std::string_view("\0\n\xfe", 3))};
  expect_round_trip({event, full_page(), event});
}

TEST(Events, QueuesPrioritiesAndTimesComeBack) {
  Event event = full_page();
  event.now_ms = 1'800'000'000'123;
  event.fetch_ms = 77;
  event.may_be_repeated = true;
  event.time_told = false;
  event.new_urls = {url_of("https://a.b/", "a.b"), url_of("https://a.b/2", "a.b"), url_of("https://c.d/", "c.d")};
  event.new_urls[0].priority = event.new_urls[1].priority = 31;
  event.new_urls[1].same_domain = true;
  event.new_urls[2].queue = "crawl\nkey";
  Event other;
  other.kind = EventKind::other;
  other.now_ms = -5;
  other.payload = std::string_view("\0payload", 8);
  expect_round_trip({event, other, event});
}

TEST(Events, NoMetadataIsNotEmptyMetadata) {
  Event none = full_page(), empty = full_page();
  none.metadata.reset();
  empty.metadata = "";
  expect_round_trip({none, empty, none});
}

TEST(Events, ExtremeNumbersComeBack) {
  Event event = full_page();
  for (int64_t time : {std::numeric_limits<int64_t>::min(), int64_t{-1}, std::numeric_limits<int64_t>::max()}) {
    event.time_ms = time;
    event.first_new = event.page = std::numeric_limits<uint64_t>::max();
    event.score = std::numeric_limits<float>::denorm_min();
    expect_round_trip({event});
  }
}

TEST(Events, ScoresAreKeptToTheBit) {
  Event event;
  event.new_urls = {url_of("a", "", -0.0f), url_of("b", "", 0.0f), url_of("c", "", std::nanf("7"))};
  std::string bytes;
  append_event(bytes, event);
  Event got;
  EventReader reader(bytes);
  ASSERT_TRUE(reader.next(got));
  EXPECT_TRUE(std::signbit(got.new_urls[0].score));
  EXPECT_FALSE(std::signbit(got.new_urls[1].score));
  EXPECT_TRUE(std::isnan(got.new_urls[2].score));
}

TEST(Events, LongOnesComeBack) {
  const std::string url = "http://h/" + std::string(70'000, 'x'), longer = url + std::string(1 << 20, 'y');
  const std::string blob(3 << 20, '\xee');
  Event event = full_page();
  event.new_urls = {url_of(url, "h"), url_of(longer, "h"), url_of(url, "h"), url_of("", ""), url_of(longer, "h")};
  event.metadata = event.links = event.content_hash = blob;
  expect_round_trip({event});
}

TEST(Events, ManyUrlsWithSharedBeginningsAreSmall) {
  std::vector<std::string> urls;
  size_t text = 0;
  for (int i = 0; i < 5000; ++i) {
    urls.push_back("https://www.example.com/section/" + std::to_string(i / 100) + "/article-" + std::to_string(i));
    text += urls.back().size();
  }
  Event event;
  for (const auto& url : urls) event.new_urls.push_back(url_of(url, "www.example.com", 0.5f));
  expect_round_trip({event});
  std::string bytes;
  append_event(bytes, event);
  EXPECT_LT(bytes.size(), text / 4);
}

TEST(Events, CutAtAnyByteIsAnError) {
  for (const bool discovered : {false, true}) {
    Event event = full_page();
    if (discovered) event.kind = EventKind::discovered;
    std::string bytes;
    append_event(bytes, event);
    for (size_t n = 0; n < bytes.size(); ++n) {
      const std::string cut = bytes.substr(0, n);  // its own memory, so that a sanitizer sees reads beyond it
      EventReader reader(cut);
      Event got;
      EXPECT_FALSE(reader.next(got)) << n;
    }
  }
}

TEST(Events, UnknownKindAsksForANewerVersion) {
  EventReader reader("\x63rest");
  Event got;
  const Status read = reader.next(got);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), Code::unsupported);
}

TEST(Events, AnyChangedByteIsAnErrorOrAnEventAndNeverACrash) {
  std::string bytes;
  append_event(bytes, full_page());
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(value);
      EventReader reader(damaged);
      Event got;
      while (!reader.at_end() && reader.next(got)) {
        for (const NewUrl& u : got.new_urls) EXPECT_LE(u.host().size(), u.url.size());
      }
    }
  }
}

TEST(Events, NoiseIsNeverACrash) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string noise(random() % 60, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    if (!noise.empty()) noise[0] = static_cast<char>(1 + random() % 2);
    EventReader reader(noise);
    Event got;
    while (!reader.at_end() && reader.next(got)) {
      for (const NewUrl& u : got.new_urls) EXPECT_LE(u.host().size(), u.url.size());
    }
  }
}

TEST(Events, CountThatTheBytesCantHoldTakesNoMemory) {
  std::string bytes = {1, 0, 0, '\x80', '\x80', '\x80', '\x80', 4};  // a page with 2^30 new URLs
  bytes.resize(1000);
  EventReader reader(bytes);
  Event got;
  EXPECT_FALSE(reader.next(got));
  EXPECT_LT(got.new_urls.capacity(), 1000u);
}

}  // namespace
}  // namespace aduana
