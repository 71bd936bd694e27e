// A build that fails leaves the graph that was there as it was, and nothing beside it.
#include <gtest/gtest.h>

#include "graph/built_graph.h"

namespace aduana {
namespace {

constexpr uint64_t kLittle = 64 << 10;  // links go to disk

class GraphBuildFailureTest : public testing::Test {
 protected:
  GraphBuildFailureTest() {
    must(build_on(disk_, shape_of("old", 10, {{1, 2}}), nullptr, {}));
    old_ = must(read_file(disk_, kGraphPath));
    options_.memory_bytes = kLittle;
  }

  Status build() { return build_on(disk_, shape_, nullptr, options_); }
  void expect_old_graph() {
    EXPECT_EQ(must(disk_.list("/")), std::vector<std::string>{"graph"});
    EXPECT_TRUE(must(read_file(disk_, kGraphPath)) == old_);
  }
  void expect_refused(const Status& status, Code code, const std::string& says) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code(), code);
    EXPECT_NE(status.error().message().find(says), std::string::npos) << status.error().message();
    expect_old_graph();
  }

  SimulatedDisk disk_;
  std::string old_;
  Shape shape_ = web_shape(20'000, 1);
  GraphBuildOptions options_;
};

TEST_F(GraphBuildFailureTest, FullDisk) {
  for (const uint64_t room : {0, 10, 300, 10'000, 100'000}) {
    disk_.set_capacity(old_.size() + room);
    expect_refused(build(), Code::no_space, "/");
  }
  disk_.heal();
  must(build());
  EXPECT_EQ(must(Graph::open(disk_, kGraphPath))->links(), shape_.links.size());
  EXPECT_EQ(must(disk_.list("/")), std::vector<std::string>{"graph"});
}

TEST_F(GraphBuildFailureTest, AnyOperationMayFail) {
  shape_ = web_shape(3000, 2);
  const auto copy = disk_.after_power_cut(CutPolicy::keep_all, 1);
  const uint64_t before = copy->operations();
  must(build_on(*copy, shape_, nullptr, options_));
  const uint64_t operations = copy->operations() - before;
  ASSERT_GT(operations, 100u);
  size_t strays = 0;
  for (uint64_t n = 1; n <= operations; ++n) {
    // Only that one: what is cleared away afterwards is.
    const uint64_t failing = disk_.operations() + n;
    disk_.fail_after(n, Code::io);
    disk_.on_operation([&](uint64_t operation) {
      if (operation > failing) disk_.heal();
    });
    const Status built = build();
    disk_.on_operation(nullptr);
    disk_.heal();
    if (built) continue;  // what failed was taking a scratch file away, and that is tried again
    EXPECT_EQ(built.error().code(), Code::io) << n;
    if (n == operations) break;  // the name of the folder's entry could not be made durable; the graph is in place
    for (const std::string& name : must(disk_.list("/"))) {
      if (!name.starts_with("aduana-sorted-links-")) continue;
      must(disk_.remove("/" + name));
      ++strays;
    }
    expect_old_graph();
    ASSERT_FALSE(HasFailure()) << n << " of " << operations;
  }
  EXPECT_LE(strays, 4u);  // where taking away the name of a scratch file was what failed
  EXPECT_EQ(problems_of(*must(Graph::open(disk_, kGraphPath))), std::vector<std::string>());
}

TEST_F(GraphBuildFailureTest, APowerCutLeavesTheOldGraphOrTheNewOne) {
  shape_ = web_shape(3000, 3);
  must(disk_.sync_dir("/"));
  size_t old_ones = 0, new_ones = 0;
  disk_.on_operation([&](uint64_t n) {
    for (const CutPolicy policy : kAllCutPolicies) {
      const auto found = disk_.after_power_cut(policy, n);
      const auto graph = must(Graph::open(*found, kGraphPath));
      EXPECT_EQ(problems_of(*graph), std::vector<std::string>());
      ++(graph->links() == 1 ? old_ones : new_ones);
    }
  });
  must(build());
  disk_.on_operation(nullptr);
  EXPECT_GT(old_ones, 20u);
  EXPECT_GT(new_ones, 0u);
  const auto after = disk_.after_power_cut(CutPolicy::lose_all, 1);
  EXPECT_EQ(must(Graph::open(*after, kGraphPath))->links(), shape_.links.size());
}

TEST_F(GraphBuildFailureTest, LinksThatCantBeRead) {
  class Failing final : public LinkSource {
   public:
    explicit Failing(uint64_t good) : good_(good) {}
    Result<size_t> next(std::span<NodeLink> links) override {
      if (calls_++ == good_) return Error(Code::corrupt, "these links are damaged");
      if (++at_ == 500) return size_t{0};
      for (NodeLink& link : links) link = {at_, at_ + 1};
      return links.size();
    }
    Status reset() override {
      at_ = 0;
      return {};
    }

   private:
    const uint64_t good_;
    uint64_t calls_ = 0;  // of all readings
    uint64_t at_ = 0;
  };
  for (const uint64_t good : {0, 1, 100, 499, 600}) {  // the last: in the second reading
    Failing links(good);
    expect_refused(build_graph(disk_, links, nullptr, kGraphPath, options_), Code::corrupt, "these links are damaged");
  }
}

TEST_F(GraphBuildFailureTest, UrlsThatCantBeRead) {
  class Failing final : public UrlSource {
   public:
    Result<std::optional<std::string_view>> next() override {
      if (++calls_ > 500) return Error(Code::corrupt, "these URLs are damaged");
      return std::optional<std::string_view>("https://example.com/");
    }

   private:
    int calls_ = 0;
  } urls;
  ListedLinks links(shape_.links);
  options_.memory_bytes = 1 << 20;
  expect_refused(build_graph(disk_, links, &urls, kGraphPath, options_), Code::corrupt, "these URLs are damaged");
}

TEST_F(GraphBuildFailureTest, LinksOfPagesWithoutUrl) {
  const std::vector<std::string> urls = random_urls(4, 100);
  options_.memory_bytes = 1 << 20;
  for (const NodeLink& link : {NodeLink{5, 100}, NodeLink{1000, 5}}) {
    for (const bool order_by_url : {false, true}) {
      ListedUrls source(urls);
      ListedLinks links({{1, 2}, link});
      options_.order_by_url = order_by_url;
      const Status built = build_graph(disk_, links, &source, kGraphPath, options_);
      expect_refused(built, Code::invalid, "URL");
    }
  }
}

// More pages than URLs were asked for: what is in the store may have grown meanwhile.
TEST_F(GraphBuildFailureTest, FewerUrlsThanPages) {
  const std::vector<std::string> urls = random_urls(5, 99);
  ListedUrls source(urls);
  ListedLinks links({{1, 2}});
  options_.memory_bytes = 1 << 20;
  options_.nodes = 100;
  expect_refused(build_graph(disk_, links, &source, kGraphPath, options_), Code::invalid, "URL");
}

TEST_F(GraphBuildFailureTest, StoppedAtAnyTime) {
  const std::vector<std::string> urls = random_urls(6, 70'000);
  shape_ = shape_of("", urls.size(), random_shape(urls.size(), 140'000, 7).links);
  options_.memory_bytes = 1 << 30;
  uint64_t calls = 0, stop_at = 0;
  std::vector<std::string> steps;  // in which it was stopped
  options_.progress = [&](const char* step, uint64_t) {
    if (++calls != stop_at) return true;
    if (steps.empty() || steps.back() != step) steps.push_back(step);
    return false;
  };
  for (stop_at = 1;; ++stop_at) {
    calls = 0;
    const Status built = build_on(disk_, shape_, &urls, options_);
    if (calls < stop_at) {
      must(built);
      break;
    }
    EXPECT_EQ(calls, stop_at) << "it went on";
    expect_refused(built, Code::closed, "stop");
  }
  EXPECT_GT(stop_at, 10u);  // not only at the beginning of a step
  EXPECT_EQ(steps, (std::vector<std::string>{"sorting URLs", "sorting links by source", "compressing links out",
                                             "sorting links by target", "compressing links in"}));
}

TEST_F(GraphBuildFailureTest, FoldersThatAreNotThere) {
  ListedLinks links(shape_.links);
  EXPECT_EQ(build_graph(disk_, links, nullptr, "/nowhere/graph", options_).error().code(), Code::not_found);
  options_.scratch_folder = "/nowhere";
  expect_refused(build(), Code::not_found, "/nowhere");
}

}  // namespace
}  // namespace aduana
