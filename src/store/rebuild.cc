#include "store/rebuild.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/chunk_backup.h"

namespace aduana {
namespace {

// The first event that the journal still has; 0 if there is no segment of one.
Result<Lsn> first_journaled(FileSystem& fs, const std::string& journal_dir) {
  const auto names = fs.list(journal_dir);
  if (!names) return names.error().code() == Code::not_found ? Result<Lsn>(Lsn{0}) : names.error();
  Lsn first = 0;
  for (const auto& name : *names) {
    if (Lsn lsn = segment_first_lsn(name); lsn && (!first || lsn < first)) first = lsn;
  }
  return first;
}

Status begin_journal(FileSystem& fs, const std::string& journal_dir, Lsn first) {
  ADUANA_TRY(fs.create_dirs(journal_dir));
  ADUANA_ASSIGN(const auto file, fs.open(join_path(journal_dir, segment_name(first)), OpenMode::create_empty));
  ADUANA_TRY(file->write_at(0, segment_header(first)));
  ADUANA_TRY(file->sync());
  ADUANA_TRY(fs.sync_dir(journal_dir));
  return fs.sync_dir(parent_of(journal_dir));
}

// What others say of damage names this very command as a remedy.
Error without_rebuild(const Error& error, const std::string& remedy) {
  const std::string& message = error.message();
  return Error(error.code(), message.substr(0, message.rfind("; restore")) + "; " + remedy);
}

// Reads the journal from its first event on: it must be undamaged and contain what the checkpoint does.
Status test_journal(FileSystem& fs, const std::string& journal_dir, Lsn checkpoint) {
  JournalOptions options;
  options.read_only = true;
  ADUANA_ASSIGN(const auto journal, Journal::open(fs, journal_dir, options, 1, [](const Frame&) { return Status{}; }));
  // What looks like a torn tail is damage when the checkpoint contains it.
  if (journal->last_lsn() < checkpoint) {
    return Error(Code::corrupt, fmt::format("{}: the journal can be read up to event {} only, but the checkpoint "
                                            "contains event {}; restore the store from a copy",
                                            journal_dir, journal->last_lsn(), checkpoint));
  }
  return {};
}

// Without the journal's beginning everything but the index must be sound, or there is nothing to make it again from.
Status test_files(FileSystem& fs, const std::string& dir, const Manifest& manifest) {
  PagesOptions options;
  options.read_only = true;
  PagesState state = manifest.pages;
  state.index.clear();
  std::optional<Error> problem;
  const auto keep_first = [&](const Error& error) {
    if (!problem) problem = error;
  };
  ADUANA_ASSIGN(const auto pages, Pages::open(fs, dir, options, state));
  const auto arrays = pages->arrays();
  ADUANA_TRY(restore_backup(fs, dir, manifest.generation, {arrays.begin(), arrays.end()}));
  pages->check_files(keep_first);
  ADUANA_ASSIGN(const auto links, LinkStore::open(fs, dir, manifest.links));
  for (const auto& segment : manifest.links.log) {
    const Status sound = links->log().scan(segment.number, [](ExtentAddress, std::string_view) { return Status{}; });
    if (!sound) keep_first(sound.error());
  }
  return problem ? Status(*problem) : Status{};
}

// The counts as the records and lists have them.
Status recount(const StoreSnapshot& snapshot, Manifest& manifest) {
  manifest.pages.counts = {};
  for (PageIdx i{0}; i.value < snapshot.pages.size(); ++i.value) {
    ADUANA_ASSIGN(const PageRecord record, snapshot.pages.record(i));
    if (record.state != PageState::deleted)
      ++manifest.pages.counts.by_state[static_cast<size_t>(record.state) % kPageStates];
  }
  for (uint64_t number = 0; number < snapshot.pages.details(); ++number) {
    ADUANA_ASSIGN(const DetailRecord detail, snapshot.pages.detail(number));
    manifest.pages.counts.crawled += detail.n_crawls > 0;
  }
  PagesSnapshot::Cursor cursor;
  for (PageIdx i{0}; i.value < snapshot.pages.size(); ++i.value) {
    ADUANA_ASSIGN(const PageRecord record, snapshot.pages.record(i));
    if (record.state == PageState::deleted) continue;
    ADUANA_ASSIGN(const Birth birth, snapshot.pages.birth(i, cursor));
    manifest.pages.counts.keys += snapshot.pages.key_of(birth, record).lo;
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
  const std::string journal_dir = join_path(dir, "journal");
  ADUANA_ASSIGN(const Lsn first, first_journaled(fs, journal_dir));
  if (auto manifest = read_manifest(fs, dir); !manifest && first == 0) {
    return Error(Code::not_found, fmt::format("{}: no Aduana store is here", dir));
  }
  {
    ADUANA_ASSIGN(const auto lock, fs.lock(dir));
    const auto manifest = read_manifest(fs, dir);
    result.from_journal = first == 1;
    if (result.from_journal) {
      if (Status sound = test_journal(fs, journal_dir, manifest ? manifest->lsn : 0); !sound) {
        const bool has_checkpoint = manifest && manifest->lsn > 0 && test_files(fs, dir, *manifest);
        return without_rebuild(sound.error(), has_checkpoint
                                                  ? fmt::format("everything up to event {} is in the checkpoint: "
                                                                "to go on from there, move {} away and run "
                                                                "this again",
                                                                manifest->lsn, journal_dir)
                                                  : "restore the store from a copy");
      }
    } else if (manifest) {
      if (Status sound = test_files(fs, dir, *manifest); !sound) {
        return Error(Code::corrupt, sound.error().message() +
                                        "; the journal's beginning is gone, so that this can't be "
                                        "derived again: restore it from a copy");
      }
    }
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
      next.keep_journal = options.keep_journal;
      result.settings_lost = true;
    }
    if (result.from_journal) {
      next.lsn = 0;
      next.pages = {};
      next.links = {};
      next.follower.clear();
    } else {
      // The index is made again when the store is opened. The counts come after that.
      next.pages.index.clear();
    }
    // A backup belongs to the chunks of its generation, which a store made from the journal does not have.
    if (result.from_journal) {
      // Nor may a stray one, of a checkpoint that a crash cut short, become the backup of this generation.
      ADUANA_ASSIGN(const auto names, fs.list(dir));
      do {
        ++next.generation;
      } while (std::find(names.begin(), names.end(), backup_name(next.generation)) != names.end());
    }
    // What was journaled behind the checkpoint is lost with the journal; events go on behind the checkpoint.
    if (first == 0) ADUANA_TRY(begin_journal(fs, journal_dir, next.lsn + 1));
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
    result.urls = next.pages.counts.urls();
    return result;
  }
  ADUANA_ASSIGN(auto store, Store::open(fs, dir, open_options));
  ADUANA_ASSIGN(const auto info, store->info());
  result.urls = info.pages.urls();
  ADUANA_TRY(store->checkpoint());
  ADUANA_TRY(store->close());
  return result;
}

}  // namespace aduana
