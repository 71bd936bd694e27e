#include "links/link_store.h"

#include <fmt/format.h>

#include "base/varint.h"

namespace aduana {

bool split_link_entry(std::string_view entry, PageIdx* page, std::string_view* list) {
  const char* at = read_varint(entry.data(), entry.data() + entry.size(), &page->value);
  if (!at) return false;
  *list = entry.substr(static_cast<size_t>(at - entry.data()));
  return true;
}

Result<std::unique_ptr<LinkStore>> LinkStore::open(FileSystem& fs, const std::string& dir, const LinksState& state) {
  auto store = std::make_unique<LinkStore>();
  ADUANA_ASSIGN(store->log_, ExtentLog::open(fs, join_path(dir, "links"), state.log));
  store->links_ = state.links;
  return store;
}

Result<ExtentAddress> LinkStore::replace(PageIdx page, ExtentAddress old, std::string_view list) {
  if (old) {
    ADUANA_ASSIGN(const auto entry, log_->read(old));
    PageIdx owner;
    std::string_view old_list;
    if (split_link_entry(entry, &owner, &old_list)) links_ -= count_links(old_list);
    log_->release(old);
  }
  if (list.empty()) return ExtentAddress{0};
  buffer_.clear();
  append_varint(buffer_, page.value);
  buffer_ += list;
  links_ += count_links(list);
  return log_->append(buffer_);
}

Result<LinkList> LinkStore::read(ExtentAddress address) const {
  LinkList links;
  if (!address) return links;
  ADUANA_ASSIGN(const auto entry, log_->read(address));
  PageIdx page;
  std::string_view list;
  if (!split_link_entry(entry, &page, &list) || !read_link_list(list, page, links)) {
    return Error(
        Code::corrupt,
        fmt::format("link list at {} can't be decoded; restore the store from a copy, or run `aduana db rebuild`",
                    address));
  }
  return links;
}

Status LinkStore::reclaim(uint64_t segment, const std::function<Result<ExtentAddress>(PageIdx)>& current,
                          const std::function<Status(PageIdx, ExtentAddress)>& moved) {
  ADUANA_TRY(log_->scan(segment, [&](ExtentAddress address, std::string_view entry) -> Status {
    PageIdx page;
    std::string_view list;
    if (!split_link_entry(entry, &page, &list)) return Error(Code::corrupt, "a link list can't be decoded");
    ADUANA_ASSIGN(const ExtentAddress newest, current(page));
    if (newest != address) return {};
    return moved(page, log_->append(entry));
  }));
  obsolete_.push_back(log_->path_of(segment));
  log_->drop(segment);
  return {};
}

}  // namespace aduana
