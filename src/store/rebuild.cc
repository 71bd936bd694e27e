#include "store/rebuild.h"

#include <fmt/format.h>

namespace aduana {
namespace {

// Is every event from the first one on in the journal, undamaged?
Result<bool> journal_is_whole(FileSystem& fs, const std::string& dir, bool* empty) {
  const std::string journal_dir = join_path(dir, "journal");
  ADUANA_ASSIGN(const auto names, fs.list(journal_dir));
  Lsn first = 0;
  for (const auto& name : names) {
    if (Lsn lsn = segment_first_lsn(name); lsn && (!first || lsn < first)) first = lsn;
  }
  *empty = first == 0;
  if (first != 1) return false;
  JournalOptions options;
  options.read_only = true;
  ADUANA_TRY(Journal::open(fs, journal_dir, options, 1, [](const Frame&) { return Status{}; }));
  return true;
}

// The counts as the records and lists have them.
Status recount(const StoreSnapshot& snapshot, Manifest& manifest) {
  manifest.pages.counts = {};
  for (PageIdx i{0}; i.value < snapshot.pages.size(); ++i.value) {
    ADUANA_ASSIGN(const PageRecord record, snapshot.pages.record(i));
    ++manifest.pages.counts.by_state[static_cast<size_t>(record.state) % kPageStates];
  }
  for (uint64_t number = 0; number < snapshot.pages.details(); ++number) {
    ADUANA_ASSIGN(const DetailRecord detail, snapshot.pages.detail(number));
    manifest.pages.counts.crawled += detail.n_crawls > 0;
  }
  manifest.links.links = 0;
  auto stream = snapshot.link_stream();
  while (true) {
    ADUANA_ASSIGN(const auto row, stream.next_row());
    if (!row) return {};
    manifest.links.links += row->to.size();
  }
}

}  // namespace

Result<RebuildResult> rebuild(FileSystem& fs, const std::string& dir, const StoreOptions& options) {
  RebuildResult result;
  const std::string path = manifest_path(dir);
  ADUANA_ASSIGN(const bool there, fs.exists(path));
  ADUANA_ASSIGN(const bool journal_there, fs.exists(join_path(dir, "journal")));
  if (!there && !journal_there) return Error(Code::not_found, fmt::format("{}: no Aduana store is here", dir));
  {
    ADUANA_ASSIGN(const auto lock, fs.lock(join_path(dir, "LOCK")));
    auto manifest = read_manifest(fs, dir);
    bool empty = false;
    ADUANA_ASSIGN(result.from_journal, journal_is_whole(fs, dir, &empty));
    if (!manifest && !result.from_journal) {
      return Error(Code::corrupt, fmt::format("{} and the beginning of the journal is gone: nothing to derive it from; "
                                              "restore the store from a copy",
                                              manifest.error().message()));
    }
    Manifest next;
    if (manifest) {
      next = *manifest;
    } else {
      next.canonical = options.canonical;
      result.settings_lost = true;
    }
    if (result.from_journal) {
      next.lsn = 0;
      next.pages = {};
      next.links = {};
    } else {
      // The index is made again when the store is opened. The counts come after that.
      next.pages.index.clear();
    }
    // A backup belongs to the chunks of its generation, which a store made from the journal does not have.
    if (result.from_journal) ++next.generation;
    ADUANA_TRY(write_file_atomically(fs, path, next.encode()));
  }
  StoreOptions open_options = options;
  open_options.create = false;
  if (!result.from_journal) {
    ADUANA_ASSIGN(auto store, Store::open(fs, dir, open_options));
    ADUANA_TRY(store->checkpoint());
    const StoreSnapshot snapshot = store->snapshot();
    ADUANA_ASSIGN(Manifest next, read_manifest(fs, dir));
    ADUANA_TRY(recount(snapshot, next));
    ADUANA_TRY(write_file_atomically(fs, path, next.encode()));
    result.urls = snapshot.pages.size();
    return result;
  }
  ADUANA_ASSIGN(auto store, Store::open(fs, dir, open_options));
  ADUANA_ASSIGN(const auto info, store->info());
  result.urls = info.urls;
  ADUANA_TRY(store->checkpoint());
  ADUANA_TRY(store->close());
  return result;
}

}  // namespace aduana
