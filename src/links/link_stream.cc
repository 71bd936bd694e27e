#include "links/link_stream.h"

#include "links/link_store.h"

namespace aduana {

void LinkStream::reset() {
  next_detail_ = 0;
  row_ = {};
  at_ = 0;
}

Result<DetailRecord> LinkStream::detail(uint64_t number) {
  const auto& records = pages_.detail_records();
  const uint64_t per_chunk = records.records_per_chunk();
  if (number / per_chunk != chunk_number_) {
    ADUANA_ASSIGN(chunk_, records.chunk(number / per_chunk));
    chunk_number_ = number / per_chunk;
  }
  return DetailRecord::decode(chunk_->bytes + number % per_chunk * DetailRecord::kBytes);
}

Result<std::optional<LinkStream::Row>> LinkStream::next_row() {
  while (next_detail_ < pages_.details()) {
    ADUANA_ASSIGN(const DetailRecord detail, this->detail(next_detail_));
    ++next_detail_;
    ADUANA_ASSIGN(const Row row, row_of(detail));
    if (!row.to.empty()) return std::optional(row);
  }
  return std::optional<Row>();
}

Result<std::optional<LinkStream::Row>> LinkStream::next_crawled() {
  while (next_detail_ < pages_.details()) {
    ADUANA_ASSIGN(const DetailRecord detail, this->detail(next_detail_));
    ++next_detail_;
    if (detail.n_crawls == 0) continue;
    ADUANA_ASSIGN(const Row row, row_of(detail));
    return std::optional(row);
  }
  return std::optional<Row>();
}

Result<LinkStream::Row> LinkStream::row_of(const DetailRecord& detail) {
  list_.clear();
  if (!detail.links) return Row{detail.page, {}};
  ADUANA_ASSIGN(const auto entry, lists_.read(detail.links));
  PageIdx page;
  std::string_view list;
  if (!split_link_entry(entry, &page, &list) || page != detail.page || !read_link_list(list, page, list_)) {
    return Error(Code::corrupt,
                 "a link list can't be decoded; restore the store from a copy, or run `aduana db rebuild`");
  }
  const size_t n = only_other_hosts_ ? list_.other_hosts : list_.targets.size();
  return Row{page, std::span<const PageIdx>(list_.targets).first(n)};
}

Result<std::optional<Link>> LinkStream::next() {
  if (at_ == row_.to.size()) {
    ADUANA_ASSIGN(const auto row, next_row());
    if (!row) return std::optional<Link>();
    row_ = *row;
    at_ = 0;
  }
  return std::optional<Link>(Link{row_.from, row_.to[at_++]});
}

}  // namespace aduana
