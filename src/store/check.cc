// Verifying a store: every checksum, and everything that must hold between its parts.

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "store/store.h"

namespace aduana {
namespace {

using Problem = std::function<void(const std::string&)>;

// Walks over a snapshot of a store and compares its parts with each other.
class Checker {
 public:
  Checker(const StoreSnapshot& snapshot, const Problem& problem) : snapshot_(snapshot), problem_(problem) {}

  // Calls `lookup` with the keys of all pages, a batch at a time, to compare the index.
  void pages(const std::function<Status(std::span<const PageKey>, PageIdx*)>& lookup) {
    constexpr size_t kBatch = 4096;
    std::vector<PageKey> keys;
    std::vector<PageIdx> found;
    PagesSnapshot::Cursor cursor;
    const uint64_t n = snapshot_.pages.size();
    uint64_t first = 0;
    for (PageIdx i{0}; i.value < n; ++i.value) {
      const auto birth = snapshot_.pages.birth(i, cursor);
      const auto record = snapshot_.pages.record(i);
      hosts_.push_back(birth ? birth->host : HostId{});
      if (!birth || !record) {
        problem_(fmt::format("page {}: {}", i.value, (birth ? record.error() : birth.error()).message()));
        keys.push_back({});
      } else if (record->state == PageState::deleted) {
        keys.push_back({});
      } else {
        page(i, *birth, *record);
        keys.push_back(snapshot_.pages.key_of(*birth, *record));
        counts_.keys += keys.back().lo;
      }
      if (keys.size() == kBatch || i.value + 1 == n) {
        found.resize(keys.size());
        const Status looked_up = lookup(keys, found.data());
        if (!looked_up) problem_(looked_up.error().message());
        for (size_t k = 0; k < keys.size() && looked_up; ++k) {
          if (keys[k] != PageKey{} && found[k] != PageIdx{first + k}) {
            problem_(fmt::format("page {}: the index has {} for its URL", first + k,
                                 found[k] == kNoPage ? "nothing" : fmt::format("page {}", found[k].value)));
          }
        }
        first += keys.size();
        keys.clear();
      }
    }
  }

  void details() {
    for (uint64_t number = 0; number < snapshot_.pages.details(); ++number) {
      const auto detail = snapshot_.pages.detail(number);
      if (!detail) {
        problem_(fmt::format("detail {}: {}", number, detail.error().message()));
        continue;
      }
      const auto record = detail->page.value < snapshot_.pages.size() ? snapshot_.pages.record(detail->page)
                                                                      : Error(Code::corrupt, "no such page");
      if (!record || record->detail != number + 1) {
        problem_(fmt::format("detail {}: page {} does not point back to it", number, detail->page.value));
        continue;
      }
      if (detail->n_crawls > 0) ++counts_.crawled;
      if (detail->n_crawls > 0 && detail->first_crawl > detail->last_crawl) {
        problem_(fmt::format("page {}: first crawled after its last crawl", detail->page.value));
      }
      if (detail->n_changes >= std::max<uint32_t>(detail->n_crawls, 1)) {
        problem_(
            fmt::format("page {}: {} changes in {} crawls", detail->page.value, detail->n_changes, detail->n_crawls));
      }
      if (detail->links) links(*detail);
    }
  }

  const PageCounts& counts() const { return counts_; }
  uint64_t links() const { return links_; }

 private:
  void page(PageIdx i, const Birth& birth, const PageRecord& record) {
    const auto state = static_cast<size_t>(record.state);
    if (state >= kPageStates) {
      problem_(fmt::format("page {}: state {} does not exist", i.value, state));
    } else {
      ++counts_.by_state[state];
    }
    if (record.queue != birth.host && snapshot_.pages.name_of(record.queue) == birth.host_name)
      problem_(fmt::format("page {}: the name of its queue has two numbers", i.value));
    if (!std::isfinite(record.score)) problem_(fmt::format("page {}: its score is not finite", i.value));
    if (record.state == PageState::done && !record.detail) {
      problem_(fmt::format("page {}: done, but never crawled", i.value));
    }
    if (record.detail > snapshot_.pages.details()) problem_(fmt::format("page {}: its detail is missing", i.value));
    if (birth.linked_from == kNoPage) {
      if (record.depth != 0)
        problem_(fmt::format("page {}: nobody linked it, but its depth is {}", i.value, record.depth));
      return;
    }
    if (birth.linked_from >= i) {
      problem_(fmt::format("page {}: first linked from page {}, which is newer", i.value, birth.linked_from.value));
      return;
    }
    const auto parent = snapshot_.pages.record(birth.linked_from);
    const int expected = parent ? std::min<int>(parent->depth + 1, PageRecord::kMaxDepth) : record.depth;
    if (record.depth != expected) {
      problem_(fmt::format("page {}: depth {}, but it was linked from one of depth {}", i.value, record.depth,
                           expected - 1));
    }
  }

  void links(const DetailRecord& detail) {
    const auto list = snapshot_.links_of(detail.page);
    if (!list) {
      problem_(fmt::format("page {}: {}", detail.page.value, list.error().message()));
      return;
    }
    links_ += list->targets.size();
    for (size_t i = 0; i < list->targets.size(); ++i) {
      const PageIdx target = list->targets[i];
      const bool there = target.value < hosts_.size() && detail.page.value < hosts_.size();
      const bool same_host = there && hosts_[target.value] == hosts_[detail.page.value];
      if (!there || same_host != (i >= list->other_hosts)) {
        problem_(fmt::format("page {}: its link to page {} is wrong", detail.page.value, target.value));
        return;
      }
    }
  }

  const StoreSnapshot& snapshot_;
  const Problem& problem_;
  std::vector<HostId> hosts_;  // of each page's URL
  PageCounts counts_;
  uint64_t links_ = 0;
};

}  // namespace

Status Store::check(const Problem& report_problem) {
  // One damaged block is met many times; it is told once.
  std::set<std::string> told;
  const Problem problem = [&](const std::string& text) {
    if (told.insert(text).second) report_problem(text);
  };
  const auto problem_of = [&](const Error& error) { problem(error.message()); };
  ADUANA_TRY(journal_->check(problem_of));
  if (manifest_.keep_journal && journal_->first_lsn() != 1) {
    problem(fmt::format("{}: the journal is to be kept whole, but its events before {} are missing", dir_,
                        journal_->first_lsn()));
  }
  std::unique_lock lock(mutex_);
  pages_->check_files(problem_of);
  for (const auto& segment : links_->state().log) {
    if (Status ok = links_->log().scan(segment.number, [](ExtentAddress, std::string_view) { return Status{}; }); !ok) {
      problem(ok.error().message());
    }
  }
  const StoreSnapshot snapshot{pages_->snapshot(), links_->snapshot(), journal_->last_lsn()};
  const PageCounts counts = pages_->counts();
  const uint64_t links = links_->links();
  lock.unlock();

  Checker checker(snapshot, problem);
  checker.pages([&](std::span<const PageKey> keys, PageIdx* found) {
    std::lock_guard again(mutex_);
    return pages_->lookup(keys, found);
  });
  checker.details();
  for (size_t state = 0; state < kPageStates; ++state) {
    if (checker.counts().by_state[state] != counts.by_state[state]) {
      problem(fmt::format("{} pages are counted as {}, {} are", counts.by_state[state],
                          name_of(static_cast<PageState>(state)), checker.counts().by_state[state]));
    }
  }
  if (checker.counts().crawled != counts.crawled) {
    problem(fmt::format("{} pages are counted as crawled, {} are", counts.crawled, checker.counts().crawled));
  }
  if (checker.counts().keys != counts.keys) {
    problem(
        "the URLs are not those that the checkpoint was made of: a file is that of another store or of another time");
  }
  if (checker.links() != links) problem(fmt::format("{} links are counted, {} are there", links, checker.links()));

  // Every page once in the runs, and none twice.
  const uint64_t flushed = pages_->index().flushed_end().value;
  std::vector<bool> seen(flushed);
  const Status index = pages_->index().check([&](const IndexEntry& entry) {
    if (entry.idx.value >= flushed) return;
    if (seen[entry.idx.value]) problem(fmt::format("page {} is in the index twice", entry.idx.value));
    seen[entry.idx.value] = true;
  });
  if (!index) problem(index.error().message());
  return {};
}

StoreCounts Store::counts() {
  std::lock_guard lock(mutex_);
  return {pages_->counts(), links_->links(), pages_->hosts().size(), journal_->last_lsn()};
}

Result<StoreInfo> Store::info() {
  StoreInfo info;
  static_cast<StoreCounts&>(info) = counts();
  {
    std::lock_guard lock(mutex_);
    info.checkpoint_lsn = manifest_.lsn;
    info.journal_first_lsn = journal_->first_lsn();
  }
  for (const std::string folder : {"", "journal", "index"}) {
    const std::string path = folder.empty() ? dir_ : join_path(dir_, folder);
    ADUANA_ASSIGN(const auto names, fs_.list(path));
    for (const auto& name : names) {
      if (folder.empty() && (name == "journal" || name == "index")) continue;
      // The background may remove a file at any time.
      auto file = fs_.open(join_path(path, name), OpenMode::read);
      if (!file) continue;
      ADUANA_ASSIGN(const uint64_t bytes, (*file)->size());
      info.files.emplace_back(folder.empty() ? name : join_path(folder, name), bytes);
      info.bytes += bytes;
    }
  }
  return info;
}

}  // namespace aduana
