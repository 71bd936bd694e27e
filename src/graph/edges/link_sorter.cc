#include "graph/edges/link_sorter.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>
#include <vector>

#include "aduana/page.h"
#include "graph/edges/link_chunk.h"
#include "graph/edges/link_spill.h"

namespace aduana {
namespace {

// How the memory is divided: links on their way from the source, small things (tables, lists of runs, readers), the
// buffer that the result is read with, and equal parts to sort in. Runs are merged in one of these parts.
struct MemoryPlan {
  explicit MemoryPlan(const SortOptions& options) {
    const size_t memory = options.memory_bytes;
    const size_t batch_bytes = std::min<size_t>(memory / 32, 64 << 10);
    const size_t small_things = std::min<size_t>(memory / 8, 192 << 10);
    batch_links = batch_bytes / sizeof(NodeLink);
    block_bytes = std::clamp<size_t>(memory / 128, 2 * kLeastRunBuffer, 1 << 20);
    part_bytes = (memory - batch_bytes - small_things - block_bytes) / (options.threads > 1 ? 3 : 2);
    fan_in = std::min<size_t>(part_bytes / block_bytes - 1, 64);
  }

  size_t batch_links;
  size_t part_bytes;
  size_t block_bytes;
  size_t fan_in;
};

template <class Key>
class LinksInMemory final : public SortedLinks {
 public:
  LinksInMemory(LinkChunk::Memory memory, std::span<const Key> keys, Node nodes)
      : SortedLinks(nodes), memory_(std::move(memory)), keys_(keys) {}

  uint64_t links() const override { return keys_.size(); }

  Result<size_t> next(std::span<NodeLink> links) override {
    const size_t n = std::min(links.size(), keys_.size() - at_);
    for (size_t i = 0; i < n; ++i) links[i] = link_of(keys_[at_ + i]);
    at_ += n;
    return n;
  }

  Status reset() override {
    at_ = 0;
    return {};
  }

 private:
  const LinkChunk::Memory memory_;
  const std::span<const Key> keys_;  // in memory_
  size_t at_ = 0;
};

class LinksOnDisk final : public SortedLinks {
 public:
  LinksOnDisk(LinkSpill::Merged merged, size_t block_bytes, Node nodes)
      : SortedLinks(nodes),
        merged_(std::move(merged)),
        buffer_(block_bytes),
        reader_(merged_.file, merged_.run, buffer_) {}

  uint64_t links() const override { return merged_.run.links; }

  Result<size_t> next(std::span<NodeLink> links) override {
    size_t n = 0;
    while (n < links.size() && reader_.next(links[n])) ++n;
    ADUANA_TRY(reader_.status());
    return n;
  }

  Status reset() override {
    reader_ = LinkRunReader(merged_.file, merged_.run, buffer_);
    return {};
  }

 private:
  const LinkSpill::Merged merged_;
  std::vector<char> buffer_;
  LinkRunReader reader_;
};

class LinkSorter {
 public:
  explicit LinkSorter(const SortOptions& options)
      : options_(options),
        plan_(options),
        filling_(plan_.part_bytes),
        spilling_(options.threads > 1 ? plan_.part_bytes : 0),
        scratch_(plan_.part_bytes),
        spill_(*options.files, options.folder, plan_.block_bytes, plan_.fan_in),
        nodes_(options.nodes) {}

  Result<std::unique_ptr<SortedLinks>> sort(LinkSource& source) {
    ADUANA_TRY(source.reset());
    std::vector<NodeLink> batch(plan_.batch_links);
    for (;;) {
      ADUANA_ASSIGN(const size_t n, source.next(batch));
      if (n == 0) break;
      ADUANA_TRY(add(std::span(batch).first(n)));
    }
    // While nothing was spilled, no other thread was started either.
    return spilled_ ? finish_on_disk() : finish_in_memory();
  }

 private:
  Status add(std::span<NodeLink> links) {
    if (!options_.map.empty()) ADUANA_TRY(renumber(links));
    Node largest = 0;
    for (NodeLink& link : links) {
      if (options_.transposed) std::swap(link.from, link.to);
      largest = std::max({largest, link.from, link.to});
    }
    if (largest >= kMaxPages) {
      return Error(Code::too_large, fmt::format("a link names page {}, numbers must be below {}; renumber the pages "
                                                "from zero",
                                                largest, kMaxPages));
    }
    nodes_ = std::max(nodes_, largest + 1);

    const bool wide = largest >> kKeyHalf<NarrowKey> != 0;
    while (!links.empty()) {
      const size_t n = std::min(links.size(), filling_.room(wide));
      if (n == 0) {
        ADUANA_TRY(spill());
        continue;
      }
      filling_.add(links.first(n), wide);
      links = links.subspan(n);
    }
    return {};
  }

  Status renumber(std::span<NodeLink> links) {
    for (NodeLink& link : links) {
      for (Node* node : {&link.from, &link.to}) {
        if (*node >= options_.map.size()) {
          return Error(Code::invalid, fmt::format("a link names page {}, but only pages below {} have a new number; "
                                                  "number all pages of the links",
                                                  *node, options_.map.size()));
        }
        *node = options_.map[*node];
      }
    }
    return {};
  }

  // Sorts and writes what was filled, in another thread if there may be one, which then has the parts `spilling_` and
  // `scratch_` and the runs to itself until wait_for_spill() returns.
  Status spill() {
    spilled_ = true;
    ADUANA_TRY(wait_for_spill());
    if (options_.threads <= 1) return spill(filling_);
    std::swap(filling_, spilling_);
    spilling_now_ = std::async(std::launch::async, [this] { return spill(spilling_); });
    return {};
  }

  Status spill(LinkChunk& chunk) {
    const Status spilled = chunk.sort(scratch_, [this](auto sorted, auto&, LinkChunk::Memory& free) {
      using Key = typename decltype(sorted)::value_type;
      return spill_.add(std::span<const Key>(sorted), std::span(free.begin(), free.end()));
    });
    chunk.clear();
    return spilled;
  }

  Status wait_for_spill() { return spilling_now_.valid() ? spilling_now_.get() : Status(); }

  Result<std::unique_ptr<SortedLinks>> finish_in_memory() {
    return filling_.sort(scratch_, [this](auto sorted, LinkChunk::Memory& holding, auto&) {
      using Key = typename decltype(sorted)::value_type;
      const auto end = std::unique(sorted.begin(), sorted.end());
      return std::unique_ptr<SortedLinks>(
          std::make_unique<LinksInMemory<Key>>(std::move(holding), std::span<const Key>(sorted.begin(), end), nodes_));
    });
  }

  Result<std::unique_ptr<SortedLinks>> finish_on_disk() {
    if (filling_.size() > 0) ADUANA_TRY(spill());
    ADUANA_TRY(wait_for_spill());
    ADUANA_ASSIGN(auto merged, spill_.finish(std::span(scratch_.begin(), scratch_.end())));
    return std::unique_ptr<SortedLinks>(std::make_unique<LinksOnDisk>(std::move(merged), plan_.block_bytes, nodes_));
  }

  const SortOptions& options_;
  const MemoryPlan plan_;
  LinkChunk filling_;
  LinkChunk spilling_;  // of no size with one thread
  LinkChunk::Memory scratch_;
  LinkSpill spill_;
  Node nodes_;
  bool spilled_ = false;
  std::future<Status> spilling_now_;  // last, since its destructor waits for the thread that uses the others
};

}  // namespace

Result<std::unique_ptr<SortedLinks>> sort_links(LinkSource& source, const SortOptions& options) {
  if (options.memory_bytes < kLeastSortMemory) {
    return Error(Code::invalid, fmt::format("{} bytes of memory to sort links in; give at least {}",
                                            options.memory_bytes, kLeastSortMemory));
  }
  return LinkSorter(options).sort(source);
}

}  // namespace aduana
