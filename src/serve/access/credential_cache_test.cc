#include "serve/access/credential_cache.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace aduana {
namespace {

using std::chrono::minutes;

class CredentialCacheTest : public testing::Test {
 protected:
  ManualClock clock;
};

TEST_F(CredentialCacheTest, RemembersExactlyWhatWasRight) {
  CredentialCache cache(clock, {});
  EXPECT_EQ(cache.find("Basic YQ=="), std::nullopt);
  cache.remember("Basic YQ==", Role::reader);
  cache.remember("Basic Yg==", Role::admin);
  EXPECT_EQ(cache.find("Basic YQ=="), Role::reader);
  EXPECT_EQ(cache.find("Basic Yg=="), Role::admin);
  EXPECT_EQ(cache.find("basic YQ=="), std::nullopt);
  EXPECT_EQ(cache.find("Basic YQ"), std::nullopt);
  EXPECT_EQ(cache.find(""), std::nullopt);
}

TEST_F(CredentialCacheTest, ForgetsSomeTimeAfterTheLastUse) {
  CredentialCache cache(clock, {.lifetime = minutes(5)});
  cache.remember("a", Role::spider);
  for (int i = 0; i < 3; ++i) {
    clock.advance(minutes(4));
    EXPECT_EQ(cache.find("a"), Role::spider) << "in use all the time";
  }
  clock.advance(minutes(5));
  EXPECT_EQ(cache.find("a"), std::nullopt);
}

TEST_F(CredentialCacheTest, AClockThatIsSetKeepsNothingAlive) {
  CredentialCache cache(clock, {.lifetime = minutes(5)});
  cache.remember("a", Role::spider);
  clock.advance(minutes(5));
  clock.set(Instant{});
  EXPECT_EQ(cache.find("a"), std::nullopt);
}

TEST_F(CredentialCacheTest, HoldsSoManyAndNoMore) {
  CredentialCache cache(clock, {.limit = 3});
  for (const char* header : {"a", "b", "c"}) cache.remember(header, Role::spider);
  EXPECT_TRUE(cache.find("a"));
  cache.remember("a", Role::spider);
  cache.remember("d", Role::spider);
  EXPECT_EQ(cache.size(), 3u);
  EXPECT_TRUE(cache.find("a")) << "used lately";
  EXPECT_FALSE(cache.find("b"));
}

TEST_F(CredentialCacheTest, ManyThreadsMayAsk) {
  CredentialCache cache(clock, {.limit = 8});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        const std::string header = std::to_string(i * (t + 1) % 17);
        const Role role = header.size() == 1 ? Role::admin : Role::reader;
        if (const auto found = cache.find(header)) {
          EXPECT_EQ(found, role);
        } else {
          cache.remember(header, role);
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LE(cache.size(), 8u);
}

}  // namespace
}  // namespace aduana
