// Opening a store: load the last checkpoint, apply the journal's tail.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "store/chunk_backup.h"
#include "store/store.h"

namespace aduana {
namespace {

constexpr const char* kJournalDir = "journal";

// Only a folder that is not there, or holds nothing but what a creation cut short by a crash leaves, becomes a new
// store.
Status may_create_in(FileSystem& fs, const std::string& dir) {
  const auto names = fs.list(dir);
  if (!names) return names.error().code() == Code::not_found ? Status{} : Status(names.error());
  static const std::set<std::string> kOurs = {kJournalDir,   "index",    "MANIFEST.tmp", "pages.rec",
                                              "details.rec", "urls.dir", "hosts.rec"};
  for (const auto& name : *names) {
    if (!kOurs.contains(name)) {
      return Error(
          Code::exists,
          fmt::format("{}: there is {} in this folder, but no store; name an empty or a new folder", dir, name));
    }
  }
  return {};
}

// prefix, eight hexadecimal digits or more, suffix.
bool is_numbered(const std::string& name, const std::string& prefix, const std::string& suffix) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() < prefix.size() + 8 + suffix.size())
    return false;
  const std::string digits = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  return digits.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// A new folder survives a power cut only when its parent was synced, and so on up to one that was there before.
Status create_dirs_durably(FileSystem& fs, const std::string& dir) {
  std::vector<std::string> made;
  for (std::string path = dir; !path.empty(); path = parent_of(path)) {
    ADUANA_ASSIGN(const bool there, fs.exists(path));
    if (there) break;
    made.push_back(path);
    if (parent_of(path) == path) break;
  }
  ADUANA_TRY(fs.create_dirs(dir));
  for (const auto& path : made) ADUANA_TRY(fs.sync_dir(parent_of(path)));
  return {};
}

}  // namespace

Result<std::unique_ptr<Store>> Store::open(FileSystem& fs, const std::string& dir, const StoreOptions& options) {
  StoreOptions adjusted = options;
  adjusted.journal.background = adjusted.pages.index.background = options.background;
  adjusted.journal.read_only = adjusted.pages.read_only = options.read_only;
  std::unique_ptr<Store> store(new Store(fs, dir, adjusted));
  store->closed_ = true;  // until it is open there is nothing to close

  ADUANA_ASSIGN(const bool there, fs.exists(manifest_path(dir)));
  if (!there) {
    if (!options.create || options.read_only) {
      return Error(Code::not_found, fmt::format("{}: no Aduana store is here", dir));
    }
    ADUANA_TRY(may_create_in(fs, dir));
    ADUANA_TRY(create_dirs_durably(fs, dir));
  } else {
    ADUANA_TRY(read_manifest(fs, dir));  // before the lock makes its file: the folder may be something else
  }
  ADUANA_ASSIGN(store->lock_, fs.lock(dir));
  if (there) {
    ADUANA_ASSIGN(store->manifest_, read_manifest(fs, dir));
  } else {
    store->manifest_.canonical = options.canonical;
    store->manifest_.keep_journal = options.keep_journal;
    store->manifest_.queue_by = options.queue_by;
  }
  if (Status opened = store->open_files(); !opened) {
    const Error error = opened.error().within("opening " + dir);
    if (!there || error.code() != Code::not_found) return error;
    return Error(Code::corrupt, error.message() +
                                    "; a file of the store is missing: restore the store from a copy, or run "
                                    "`aduana db rebuild`");
  }
  if (!there) ADUANA_TRY(write_file_atomically(fs, manifest_path(dir), store->manifest_.encode()));
  store->closed_ = false;
  if (options.background && !options.read_only) store->worker_ = std::thread([s = store.get()] { s->work(); });
  return store;
}

Status Store::open_files() {
  if (!options_.read_only) {
    // The manifest may have been renamed into place without its name being durable; nothing that an older one needs may
    // go before it is.
    ADUANA_TRY(fs_.sync_dir(dir_));
    ADUANA_TRY(remove_strays());
  }
  ADUANA_ASSIGN(pages_, Pages::open(fs_, dir_, options_.pages, manifest_.pages));
  const auto arrays = pages_->arrays();
  ADUANA_TRY(restore_backup(fs_, dir_, manifest_.generation, {arrays.begin(), arrays.end()}));
  ADUANA_TRY(pages_->restore(manifest_.pages.url_tail));
  ADUANA_ASSIGN(links_, LinkStore::open(fs_, dir_, manifest_.links));
  if (options_.follower) ADUANA_TRY(options_.follower->attach(*pages_, manifest_.follower));
  ADUANA_ASSIGN(journal_, Journal::open(fs_, join_path(dir_, kJournalDir), options_.journal, manifest_.lsn + 1,
                                        [this](const Frame& frame) { return replay(frame); }));
  return options_.follower ? options_.follower->start() : Status{};
}

Status Store::replay(const Frame& frame) {
  EventReader reader(frame.payload);
  Event event;
  if (!options_.read_only) ADUANA_TRY(pages_->admit());
  while (!reader.at_end()) {
    ADUANA_TRY(reader.next(event));
    ADUANA_TRY(apply(event, [&](size_t i) {
      const NewUrl& u = event.new_urls[i];
      return pages_->generations()->key_of({u.url, u.host()}, u.queue);
    }));
  }
  journaled_bytes_ += frame.size_on_disk();
  replayed_ = frame.first_lsn + frame.events - 1;
  // A long journal need not fit in memory.
  return !options_.read_only && checkpoint_due() ? checkpoint() : Status{};
}

Status remove_store(FileSystem& fs, const std::string& dir) {
  for (const std::string& folder : {join_path(dir, kJournalDir), join_path(dir, "index"), dir}) {
    const auto names = fs.list(folder);
    if (!names) return names.error();
    for (const auto& name : *names) {
      const std::string path = join_path(folder, name);
      if (folder != dir || (name != kJournalDir && name != "index")) ADUANA_TRY(fs.remove(path));
    }
    ADUANA_TRY(fs.remove_dir(folder));
  }
  return {};
}

Status Store::remove_strays() {
  // Files of states that no manifest ever made valid, or that the newest one does without. What bears other names than
  // ours is not ours.
  std::set<std::string> wanted = {backup_name(manifest_.generation)};
  const std::vector<std::pair<std::string, const ExtentLog::State*>> logs = {{"urls", &manifest_.pages.urls},
                                                                             {"hosts", &manifest_.pages.hosts},
                                                                             {"blobs", &manifest_.pages.blobs},
                                                                             {"links", &manifest_.links.log}};
  for (const auto& [name, state] : logs) {
    for (const auto& segment : *state) wanted.insert(ExtentLog::file_name(name, segment.number));
  }
  const auto is_ours = [&](const std::string& name) {
    if (name == "MANIFEST.tmp" || name == kScratchFile || is_numbered(name, "backup-", "")) return true;
    return std::any_of(logs.begin(), logs.end(),
                       [&](const auto& log) { return is_numbered(name, log.first + "-", ".log"); });
  };
  ADUANA_ASSIGN(const auto names, fs_.list(dir_));
  for (const auto& name : names) {
    if (is_ours(name) && !wanted.contains(name)) ADUANA_TRY(fs_.remove(join_path(dir_, name)));
  }
  const std::string index_dir = join_path(dir_, "index");
  std::set<std::string> runs;
  for (const auto& run : manifest_.pages.index) runs.insert(UrlIndex::path_of(index_dir, run.number));
  const auto run_names = fs_.list(index_dir);
  if (!run_names) return run_names.error().code() == Code::not_found ? Status{} : Status(run_names.error());
  for (const auto& name : *run_names) {
    const std::string path = join_path(index_dir, name);
    if (is_numbered(name, "run-", ".idx") && !runs.contains(path)) ADUANA_TRY(fs_.remove(path));
  }
  return {};
}

}  // namespace aduana
