// The links of a moment of the store as a LinkSource, for everything that computes on graphs: page i is node i.
#pragma once

#include "graph/edges/link_source.h"
#include "links/link_stream.h"

namespace aduana {

class StoredLinks final : public LinkSource {
 public:
  explicit StoredLinks(LinkStream stream) : stream_(std::move(stream)) {}

  Result<size_t> next(std::span<NodeLink> links) override {
    size_t n = 0;
    while (n < links.size()) {
      if (at_ == row_.to.size()) {
        ADUANA_ASSIGN(const auto row, stream_.next_row());
        if (!row) return n;
        row_ = *row;
        at_ = 0;
      }
      links[n++] = {row_.from.value, row_.to[at_++].value};
    }
    return n;
  }

  Status reset() override {
    stream_.reset();
    row_ = {};
    at_ = 0;
    return {};
  }

 private:
  LinkStream stream_;
  LinkStream::Row row_{};
  size_t at_ = 0;
};

}  // namespace aduana
