#include "open_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "frontier/open_frontier.h"
#include "journal/segment.h"
#include "messages.h"

namespace aduana {
namespace {

constexpr size_t kReadingCache = 4 << 20;  // a command looks up few URLs

// A store whose manifest was lost looks like none, but its journal is worth a word.
Status manifest_or_no_journal(const std::string& dir) {
  ADUANA_ASSIGN(const bool manifest, real_files().exists(manifest_path(dir)));
  if (manifest) return {};
  const auto names = real_files().list(join_path(dir, "journal"));
  if (names && std::any_of(names->begin(), names->end(), [](const auto& n) { return segment_first_lsn(n) > 0; })) {
    return Error(Code::corrupt, fmt::format("{}: there is a journal, but MANIFEST is missing; restore the whole store "
                                            "from a copy, or run `aduana db rebuild`",
                                            dir));
  }
  return {};
}

std::optional<uint64_t> hash_in(std::string_view text) {
  uint64_t hash = 0;
  if (text.size() != 16) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return hash;
}

Result<OpenedStore> open_with_plan(const std::string& dir, StoreOptions options) {
  ADUANA_ASSIGN(auto plan, Plan::make({}, scratch_file(real_files(), dir, options.read_only)));
  options.follower = plan.get();
  ADUANA_ASSIGN(auto store, Store::open(real_files(), dir, options));
  return OpenedStore(std::move(plan), std::move(store));
}

}  // namespace

Result<OpenedStore> open_for_reading(const std::string& dir) {
  ADUANA_TRY(manifest_or_no_journal(dir));
  StoreOptions options;
  options.read_only = true;
  options.background = false;
  options.pages.index.cache_bytes = kReadingCache;
  return open_with_plan(dir, options);
}

Result<OpenedStore> open_for_changes(const std::string& dir, const StoreOptions& options) {
  // A creation that a crash cut short leaves a journal without a manifest, too: load goes on with it.
  if (!options.create) ADUANA_TRY(manifest_or_no_journal(dir));
  return open_with_plan(dir, options);
}

Result<std::unique_ptr<Frontier>> open_frontier_of(const std::string& dir, FrontierOptions options) {
  ADUANA_TRY(manifest_or_no_journal(dir));
  options.create = false;
  options.background = false;
  return Frontier::open(dir, options);
}

bool is_damage(const std::string& dir, const Error& error) {
  if (error.code() == Code::corrupt) return true;
  const auto manifest = real_files().exists(manifest_path(dir));
  return error.code() == Code::not_found && manifest && *manifest;  // a file that the manifest names is gone
}

Result<std::vector<PageIdx>> find_pages(Store& store, const std::string& url_or_hash) {
  const auto hash = hash_in(url_or_hash);
  if (!hash) {
    auto found = store.find(url_or_hash);
    if (found) return std::vector<PageIdx>{*found};
    if (found.error().code() == Code::not_found) return found.error();
    return found.error().within(url_or_hash + " is neither a URL nor a hash of 16 hexadecimal digits");
  }
  std::vector<PageIdx> pages;
  HashIdxStream stream = store.snapshot().hash_stream();
  while (true) {
    ADUANA_ASSIGN(const auto entry, stream.next());
    if (!entry) break;
    if (entry->hash == *hash) pages.push_back(entry->idx);
  }
  if (pages.empty()) {
    return Error(Code::not_found, fmt::format("{}: no page has the hash {}", store.dir(), url_or_hash));
  }
  return pages;
}

Result<std::vector<PageIdx>> find_pages_or_say(Store& store, const std::string& url_or_hash) {
  auto pages = find_pages(store, url_or_hash);
  if (pages || pages.error().code() != Code::not_found) return pages;
  print_error(pages.error().message());
  return std::vector<PageIdx>{};
}

}  // namespace aduana
