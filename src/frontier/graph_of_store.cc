#include "frontier/graph_of_store.h"

#include "score/stored_links.h"

namespace aduana {
namespace {

// The URLs of all pages of a store. Of a deleted page, which is no page any more, it is nothing.
class StoredUrls final : public UrlSource {
 public:
  explicit StoredUrls(const PagesSnapshot& pages) : pages_(pages) {}

  Result<std::optional<std::string_view>> next() override {
    if (next_.value == pages_.size()) return std::optional<std::string_view>();
    ADUANA_ASSIGN(const Birth birth, pages_.birth(next_, cursor_));
    ADUANA_ASSIGN(const PageRecord record, pages_.record(next_));
    ++next_.value;
    url_ = record.state == PageState::deleted ? std::string_view() : birth.url;
    return std::optional<std::string_view>(url_);
  }

 private:
  const PagesSnapshot& pages_;
  PagesSnapshot::Cursor cursor_;
  PageIdx next_{0};
  std::string url_;
};

}  // namespace

Status build_graph_of(FileSystem& fs, const StoreSnapshot& snapshot, const std::string& path,
                      GraphBuildOptions options) {
  StoredLinks links(snapshot.link_stream());
  StoredUrls urls(snapshot.pages);
  options.nodes = snapshot.pages.size();
  return build_graph(fs, links, &urls, path, options);
}

}  // namespace aduana
