#include "pages/page_stream.h"

namespace aduana {

Result<std::optional<PageInfo>> PageInfoStream::next() {
  for (; next_.value < snapshot_.size(); ++next_.value) {
    auto info = snapshot_.info(next_, cursor_);
    if (!info && info.error().code() == Code::not_found) continue;
    if (!info) return info.error();
    ++next_.value;
    return std::optional<PageInfo>(std::move(*info));
  }
  return std::optional<PageInfo>();
}

Result<std::optional<HashIdx>> HashIdxStream::next() {
  for (; next_.value < snapshot_.size(); ++next_.value) {
    ADUANA_ASSIGN(const PageRecord record, snapshot_.record(next_));
    if (record.state == PageState::deleted) continue;
    ADUANA_ASSIGN(const Birth birth, snapshot_.birth(next_, cursor_));
    const HashIdx entry{url_hash(birth.url, birth.host_name), next_};
    ++next_.value;
    return std::optional<HashIdx>(entry);
  }
  return std::optional<HashIdx>();
}

}  // namespace aduana
