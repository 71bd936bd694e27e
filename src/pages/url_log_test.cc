#include "pages/url_log.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "base/must.h"
#include "base/simulated_disk.h"

namespace aduana {
namespace {

struct Page {
  std::string url;
  size_t host_begin, host_length;
  PageIdx linked_from = kNoPage;
};

Page page_of(const std::string& url, const std::string& host, PageIdx linked_from = kNoPage) {
  return {url, host.empty() ? 0 : url.find(host), host.size(), linked_from};
}

class UrlLogTest : public testing::Test {
 protected:
  void SetUp() override {
    blocks_ = must(ExtentLog::open(disk_, "/urls", {}));
    directory_ = must(PagedArray::open(disk_, "/urls.dir", UrlLog::kDirectoryRecord, 0, 16, false));
    log_ = std::make_unique<UrlLog>(*blocks_, *directory_, hosts_);
  }

  void add(const Page& page) {
    const std::string_view url = page.url, host = url.substr(page.host_begin, page.host_length);
    must(log_->append({url, host, hosts_.intern(host), page.linked_from}));
    pages_.push_back(page);
  }

  // What the background does: compresses the full blocks and puts them into the log.
  void store(size_t most = SIZE_MAX) {
    std::vector<std::string> compressed;
    for (const auto& raw : log_->waiting(most)) compressed.push_back(UrlLog::compress(*raw));
    must(log_->store_blocks(compressed));
  }

  static void expect_same(const Birth& birth, const Page& page) {
    ASSERT_EQ(birth.url, page.url);
    ASSERT_EQ(birth.host_name, page.url.substr(page.host_begin, page.host_length));
    ASSERT_EQ(birth.linked_from, page.linked_from);
  }

  void expect_all() {
    ASSERT_EQ(log_->size(), pages_.size());
    UrlLog::Snapshot::Cursor cursor;
    UrlLog::Single single;
    for (uint64_t i = 0; i < pages_.size(); ++i) {
      const Birth birth = must(log_->read(PageIdx{i}, cursor));
      expect_same(birth, pages_[i]);
      ASSERT_EQ(birth.host, hosts_.intern(birth.host_name));
      const Birth alone = must(log_->read_single(PageIdx{i}, single));
      expect_same(alone, pages_[i]);
      ASSERT_EQ(alone.host, birth.host);
    }
  }

  void add_random(std::mt19937_64& random, size_t n) {
    static const std::vector<std::string> kHosts = {"a.example", "b.example", "", "[2001:db8::1]", "c"};
    static const std::vector<std::string> kSchemes = {"http://", "https://", "ftp://", "http://user@", "x:"};
    for (size_t i = 0; i < n; ++i) {
      const std::string& host = kHosts[random() % kHosts.size()];
      std::string url = kSchemes[random() % kSchemes.size()];
      const size_t begin = url.size();
      url += host;
      if (random() % 8 == 0) url += ":81";
      if (random() % 16) url += "/path/" + std::to_string(random() % 50) + "/" + std::to_string(random() % 1000);
      const PageIdx parent = random() % 3 ? PageIdx{random() % kMaxPages} : kNoPage;
      add({url, begin, host.size(), random() % 2 && !pages_.empty() ? pages_.back().linked_from : parent});
    }
  }

  SimulatedDisk disk_;
  HostNames hosts_;
  std::unique_ptr<ExtentLog> blocks_;
  std::unique_ptr<PagedArray> directory_;
  std::unique_ptr<UrlLog> log_;
  std::vector<Page> pages_;
};

TEST_F(UrlLogTest, AllFormsComeBack) {
  const std::string long_path(64 << 10, 'x');
  const std::vector<Page> forms = {
      page_of("http://example.com/", "example.com"),
      page_of("https://example.com/", "example.com", PageIdx{0}),
      page_of("http://example.com/a/b?c=d#e", "example.com", PageIdx{0}),
      page_of("http://example.com:8080/", "example.com"),
      page_of("http://example.com:8080/a", "example.com"),
      page_of("https://user:password@example.com/", "example.com", PageIdx{kMaxPages - 1}),
      page_of("http://[2001:db8::1]/", "[2001:db8::1]"),
      page_of("https://[2001:db8::1]:444/x", "[2001:db8::1]"),
      page_of("http://192.0.2.1/", "192.0.2.1"),
      page_of("mailto:someone@example.com", ""),
      page_of("data:text/plain;base64,SGVsbG8=", ""),
      page_of("file:///etc/hosts", ""),
      page_of("ftp://example.com/pub", "example.com"),
      page_of("http://http/", "http"),
      page_of("http://example.com/" + long_path, "example.com"),
      page_of("http://example.com/" + long_path + "y", "example.com"),
      page_of("data:" + long_path, ""),
      page_of("", ""),
  };
  for (const Page& page : forms) add(page);
  expect_all();
  for (int round = 0; round < 20; ++round) {
    for (const Page& page : forms) add(page);
  }
  expect_all();
  store();
  EXPECT_EQ(log_->waiting(), 0u);
  expect_all();
}

TEST_F(UrlLogTest, BlockOfTheLongestUrlsThatHaveNothingInCommonComesBack) {
  std::mt19937_64 random(12);
  for (uint64_t i = 0; i < 2 * UrlLog::kBlock; ++i) {
    std::string url = "http://h/" + std::string((64 << 10) - 9, 'x');
    for (size_t at = 9; at < url.size(); ++at) url[at] = static_cast<char>('!' + random() % 90);
    add(page_of(url, "h"));
  }
  store();
  expect_all();
}

TEST_F(UrlLogTest, BlocksAreReadWhileTheyWaitAndWhenTheyAreStored) {
  std::mt19937_64 random(13);
  add_random(random, 1000);
  EXPECT_EQ(log_->waiting(), 1000 / UrlLog::kBlock);
  EXPECT_EQ(directory_->size(), 0u);
  const auto before = log_->snapshot();
  const auto some = log_->waiting(3);
  ASSERT_EQ(some.size(), 3u);
  add_random(random, 500);  // while they are compressed
  store(3);
  EXPECT_EQ(directory_->size(), 3u);
  EXPECT_EQ(log_->waiting(), 1500 / UrlLog::kBlock - 3);
  expect_all();
  store();
  expect_all();
  UrlLog::Snapshot::Cursor cursor;
  for (uint64_t i = 0; i < 1000; ++i) expect_same(must(before.read(PageIdx{i}, cursor)), pages_[i]);
}

TEST_F(UrlLogTest, BlockThatGrowsByCompressionIsKeptAsItIs) {
  std::mt19937_64 random(14);
  std::string noise(10'000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  EXPECT_EQ(UrlLog::compress(noise).size(), noise.size() + 1);
  EXPECT_LT(UrlLog::compress(std::string(10'000, 'x')).size(), 100u);
}

TEST_F(UrlLogTest, HostThatOnlyBeginsTheAuthorityIsNotTakenForTheHost) {
  add({"http://example.community/", 7, 11, kNoPage});  // the host is said to be example.com
  add({"http://example.com/", 7, 11, kNoPage});
  expect_all();
}

TEST_F(UrlLogTest, BeginningsSharedWithinAHostAreWrittenOnce) {
  size_t text = 0;
  for (int i = 0; i < 1280; ++i) {
    const std::string host = "www.host-" + std::to_string(i % 4) + ".example";
    add(page_of("https://" + host + "/a/long/common/path/to/the/page-" + std::to_string(i), host, PageIdx{7}));
    text += pages_.back().url.size();
  }
  store();
  expect_all();
  EXPECT_LT(blocks_->bytes(), text / 8);
}

TEST_F(UrlLogTest, PagesBeyondTheEndAreNotFound) {
  add(page_of("http://a/", "a"));
  UrlLog::Snapshot::Cursor cursor;
  EXPECT_EQ(log_->read(PageIdx{1}, cursor).error().code(), Code::not_found);
  EXPECT_EQ(log_->read(kNoPage, cursor).error().code(), Code::not_found);
  EXPECT_EQ(log_->snapshot().read(PageIdx{1}, cursor).error().code(), Code::not_found);
}

TEST_F(UrlLogTest, RandomOnesComeBackInAnyOrderAndAfterARestart) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 10; ++round) {
    add_random(random, 100 + round * 37);
    if (round % 3 == 0) store(2);
    const std::string tail = log_->tail();
    log_ = std::make_unique<UrlLog>(*blocks_, *directory_, hosts_);
    must(log_->restore(tail));
    expect_all();
    EXPECT_EQ(log_->tail(), tail);
  }
  UrlLog::Snapshot::Cursor cursor;
  for (int i = 0; i < 2000; ++i) {
    const uint64_t at = random() % pages_.size();
    expect_same(must(log_->read(PageIdx{at}, cursor)), pages_[at]);
  }
}

TEST_F(UrlLogTest, SnapshotStaysWhileTheLogGoesOn) {
  std::mt19937_64 random(9);
  add_random(random, 1000);
  const auto known = pages_;
  const auto snapshot = log_->snapshot();
  ASSERT_EQ(snapshot.size(), 1000u);
  std::atomic<bool> done = false;
  std::thread reader([&] {
    do {
      UrlLog::Snapshot::Cursor cursor;
      for (uint64_t i = 0; i < known.size(); ++i) expect_same(must(snapshot.read(PageIdx{i}, cursor)), known[i]);
    } while (!done);
  });
  for (int round = 0; round < 10; ++round) {
    add_random(random, 300);
    store(2);
  }
  done = true;
  reader.join();
  UrlLog::Snapshot::Cursor cursor;
  EXPECT_FALSE(snapshot.read(PageIdx{1000}, cursor));
}

TEST_F(UrlLogTest, OpenBlockOfAnOlderSnapshotIsNotTakenForThatOfANewerOne) {
  std::mt19937_64 random(10);
  add_random(random, 10);
  UrlLog::Snapshot::Cursor cursor;
  must(log_->snapshot().read(PageIdx{5}, cursor));
  add_random(random, 20);
  expect_same(must(log_->snapshot().read(PageIdx{25}, cursor)), pages_[25]);
}

TEST_F(UrlLogTest, TailCutOrChangedAnywhereIsAnErrorOrURLsAndNeverACrash) {
  add(page_of("http://a.example/path/one", "a.example"));
  add(page_of("http://a.example/path/two", "a.example", PageIdx{0}));
  add(page_of("http://a.example:81/path/two", "a.example", PageIdx{0}));
  add(page_of("mailto:x", "", PageIdx{1}));
  const std::string tail = log_->tail();
  const auto expect_no_crash = [&](const std::string& bytes) {
    UrlLog other(*blocks_, *directory_, hosts_);
    if (!other.restore(bytes)) return false;
    UrlLog::Snapshot::Cursor cursor;
    for (uint64_t i = 0; i < other.size(); ++i) {
      const auto birth = other.read(PageIdx{i}, cursor);
      EXPECT_TRUE(!birth || birth->host_name.size() <= birth->url.size()) << i;
    }
    return true;
  };
  for (size_t n = 0; n < tail.size(); ++n) expect_no_crash(tail.substr(0, n));
  for (size_t at = 0; at < tail.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string damaged = tail;
      damaged[at] = static_cast<char>(value);
      expect_no_crash(damaged);
    }
  }
  // A host at 2^32 − 4 of four bytes: the sum is nothing.
  EXPECT_FALSE(expect_no_crash(std::string("\x01\x0c\x02\x00\x00\xfc\xff\xff\xff\x0f\x04\x00\x01x", 14)));
}

TEST_F(UrlLogTest, DamagedBlockIsReported) {
  std::mt19937_64 random(11);
  add_random(random, 300);
  store();
  const auto flush = blocks_->begin_flush();
  must(blocks_->write_out(flush));
  must(disk_.corrupt(blocks_->path_of(0), 40, 1));
  const auto damaged = must(ExtentLog::open(disk_, "/urls", blocks_->state()));
  UrlLog log(*damaged, *directory_, hosts_);
  UrlLog::Snapshot::Cursor cursor;
  EXPECT_EQ(log.read(PageIdx{3}, cursor).error().code(), Code::corrupt);
  EXPECT_EQ(log.read(PageIdx{3}, cursor).error().code(), Code::corrupt) << "and not taken for decoded";
  expect_same(must(log.read(PageIdx{200}, cursor)), pages_[200]);
}

}  // namespace
}  // namespace aduana
