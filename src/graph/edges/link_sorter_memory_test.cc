// sort_links keeps to its memory, as the system counts it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "graph/edges/link_sorter.h"
#include "graph/edges/listed_links.h"

namespace aduana {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Bytes of memory in use, by the name of a line in the system's account of this process.
uint64_t memory(const std::string& line) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word)
    if (word == line + ":") break;
  uint64_t kib = 0;
  status >> kib;
  return kib << 10;
}

bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << 5 << std::flush;
  return file.good();
}

// Links that take no memory themselves.
class MadeLinks final : public LinkSource {
 public:
  explicit MadeLinks(uint64_t links) : links_(links) {}

  Result<size_t> next(std::span<NodeLink> links) override {
    const size_t n = std::min<uint64_t>(links.size(), links_ - at_);
    for (size_t i = 0; i < n; ++i, ++at_) {
      const uint64_t mixed = at_ * 0x9e3779b97f4a7c15;
      links[i] = {mixed >> 40, mixed >> 16 & 0xffffff};
    }
    return n;
  }
  Status reset() override {
    at_ = 0;
    return {};
  }

 private:
  const uint64_t links_;
  uint64_t at_ = 0;
};

TEST(LinkSorterMemory, IsKeptTo) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer takes memory of its own";
  if (!forget_peak()) GTEST_SKIP() << "the system does not let the peak be measured";
  struct Case {
    uint64_t budget, links, allowance;  // the system counts in pages, of 2 MiB for large arrays
  };
  for (const auto& [budget, links, allowance] :
       {Case{1 << 20, 1'000'000, 512 << 10}, Case{32 << 20, 6'000'000, 4 << 20}}) {
    for (const int threads : {1, 2}) {
      MadeLinks source(links);
      SortOptions options;
      options.memory_bytes = budget;
      options.threads = threads;
      options.folder = std::filesystem::temp_directory_path().string();
      const uint64_t before = memory("VmRSS");
      ASSERT_TRUE(forget_peak());
      const auto sorted = must(sort_links(source, options));
      EXPECT_LE(memory("VmHWM"), before + budget + allowance) << threads << " threads";
      EXPECT_GE(memory("VmHWM"), before + budget / 2);  // or nothing was measured
      EXPECT_LE(sorted->links(), links);
      EXPECT_LE(memory("VmRSS"), before + budget / 2 + allowance);  // while it is read, one buffer is left
    }
  }
}

}  // namespace
}  // namespace aduana
