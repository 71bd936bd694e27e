#include "graph/names/name_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace aduana {
namespace {

std::vector<std::string> in_order(std::vector<std::string> urls) {
  std::sort(urls.begin(), urls.end(),
            [](const std::string& a, const std::string& b) { return name_key(a) < name_key(b); });
  return urls;
}

TEST(NameKey, EveryFormOfUrlComesBack) {
  for (const std::string url : {"https://example.com/",
                                "http://example.com/",
                                "https://www.example.co.uk/a/b?c=d&e=f",
                                "https://example.com",
                                "https://example.com?q",
                                "https://example.com#f",
                                "http://example.com:8080/a:b@c",
                                "https://user@example.com/",
                                "https://user:pass@example.com:1/",
                                "http://@example.com/",
                                "http://user@example.com/",
                                "ftp://user:@example.com/x",
                                "ftp://example.com/x",
                                "http://a@b@c/",
                                "http://1.2.3.4/",
                                "http://1.2.3.4:80/",
                                "http://1.2.3.4./",
                                "http://1/",
                                "http://x.1/",
                                "http://[2001:db8::1]/",
                                "http://[2001:db8::1]:8080/",
                                "http://[::ffff:1.2.3.4]/",
                                "http://[::1/",
                                "http://a:b/",
                                "http://a:/",
                                "http://a:1:2/",
                                "http://example.com./",
                                "http://.example..com/",
                                "http://./",
                                "http://",
                                "https://",
                                "https:///",
                                "http://:80/",
                                "file:///etc/hosts",
                                "git+ssh://host.example/x",
                                "HTTP://example.com/",
                                "://x/",
                                ":",
                                "",
                                "mailto:a@b.example",
                                "data:text/plain,x://y",
                                "a/b://c",
                                "http://a b/",
                                "http://a/\x01x",
                                "http://a/\x7f\x80\xff",
                                "http://m\xc3\xbcller.example/\xe2\x82\xac"}) {
    EXPECT_EQ(url_of_key(name_key(url)), url);
  }
  const std::string zero("http://a.b/\0x", 13);
  EXPECT_EQ(url_of_key(name_key(zero)), zero);
  EXPECT_EQ(url_of_key(name_key(std::string(1, '\0'))), std::string(1, '\0'));
}

TEST(NameKey, RandomBytesComeBackAndDifferentOnesStayDifferent) {
  std::mt19937_64 random(1);
  const std::string likely("://..@@::/?#[]19az \0\x01\x02\x03\x04\xff", 26);
  std::set<std::string> urls, keys;
  for (int i = 0; i < 200'000; ++i) {
    std::string url = i % 3 ? i % 3 == 1 ? "http://" : "https://" : "";
    for (size_t n = random() % 12; n > 0; --n) url.push_back(likely[random() % likely.size()]);
    const std::string key = name_key(url);
    ASSERT_EQ(url_of_key(key), url);
    urls.insert(url);
    keys.insert(key);
  }
  EXPECT_EQ(urls.size(), keys.size());
}

TEST(NameKey, AnyBytesAreTakenForAKey) {
  std::mt19937_64 random(2);
  const std::string likely("\0\x01\x02\x03@.:/ab", 10);
  for (int i = 0; i < 100'000; ++i) {
    std::string key;
    for (size_t n = random() % 10; n > 0; --n) key.push_back(likely[random() % likely.size()]);
    const std::string url = url_of_key(key);
    ASSERT_EQ(url_of_key(name_key(url)), url);
  }
}

TEST(NameKey, HostsOfADomainStandTogether) {
  const std::vector<std::string> expected = {
      "https://example.com/",        "http://example.com/",     "https://example.com/a",
      "https://user@example.com/a",  "https://example.com/a/b", "https://example.com/a?b",
      "https://example.com:444/",    "https://a.example.com/",  "https://b.a.example.com/",
      "https://a!.example.com/",     "https://b.example.com/",  "https://example!.com/",
      "https://a.example-shop.com/", "https://example0.com/",   "https://examples.com/",
      "https://example.org/"};
  std::vector<std::string> shuffled = expected;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(3));
  EXPECT_EQ(in_order(shuffled), expected);
}

TEST(NameKey, AddressesAreNotReversed) {
  const std::vector<std::string> expected = {"http://10.0.0.9/", "http://10.9.0.0/", "http://192.168.0.1/",
                                             "http://192.168.0.1:81/", "http://[::1]/"};
  EXPECT_EQ(in_order({expected.rbegin(), expected.rend()}), expected);
}

}  // namespace
}  // namespace aduana
