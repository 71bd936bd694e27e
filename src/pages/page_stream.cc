#include "pages/page_stream.h"

namespace aduana {

Result<std::optional<PageInfo>> PageInfoStream::next() {
  if (next_.value >= snapshot_.size()) return std::optional<PageInfo>();
  ADUANA_ASSIGN(PageInfo info, snapshot_.info(next_, cursor_));
  ++next_.value;
  return std::optional<PageInfo>(std::move(info));
}

Result<std::optional<HashIdx>> HashIdxStream::next() {
  if (next_.value >= snapshot_.size()) return std::optional<HashIdx>();
  ADUANA_ASSIGN(const Birth birth, snapshot_.birth(next_, cursor_));
  const HashIdx entry{url_hash(birth.url, birth.host_name), next_};
  ++next_.value;
  return std::optional<HashIdx>(entry);
}

}  // namespace aduana
