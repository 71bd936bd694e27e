#include "graph/graph_builder.h"

#include <fmt/format.h>

#include "base/checksum.h"
#include "graph/edges/plausible_links.h"
#include "graph/graph_header.h"
#include "graph/rows_builder.h"

namespace aduana {
namespace {

// The file that becomes the graph, which is nobody else's meanwhile, and is removed unless it was put in place. What
// a build left that was killed is written over.
class Unfinished {
 public:
  Unfinished(FileSystem& fs, const std::string& graph) : fs_(fs), path_(graph + ".unfinished") {}
  ~Unfinished() {
    if (lock_ && !finished_) (void)fs_.remove(path_);
  }

  Result<std::unique_ptr<File>> open() {
    ADUANA_TRY(fs_.open(path_, OpenMode::create));  // what is not there can't be locked
    auto lock = fs_.lock(path_);
    // It may have been put in place since: that is by another build, too.
    const bool other = !lock && (lock.error().code() == Code::busy || lock.error().code() == Code::not_found);
    if (other) return Error(Code::busy, fmt::format("{}: another build is at work on it", path_));
    if (!lock) return lock.error();
    lock_ = *std::move(lock);
    return fs_.open(path_, OpenMode::create_empty);
  }
  const std::string& path() const { return path_; }
  void finish() { finished_ = true; }

 private:
  FileSystem& fs_;
  const std::string path_;
  std::unique_ptr<FileLock> lock_;
  bool finished_ = false;
};

// Tells how far the build is, and whether it is to go on.
class Steps {
 public:
  explicit Steps(const GraphBuildOptions& options) : progress_(options.progress) {}

  Status begin(const char* step) {
    step_ = step;
    return at(0);
  }
  Status at(uint64_t done) {
    if (!progress_ || progress_(step_, done)) return {};
    return Error(Code::closed, "the graph was not built: it was told to stop");
  }
  // Of something that is read piece by piece.
  Status read(uint64_t total, uint64_t more) {
    return total / kOften == (total + more) / kOften ? Status() : at(total + more);
  }

 private:
  static constexpr uint64_t kOften = 1 << 16;
  const std::function<bool(const char*, uint64_t)>& progress_;
  const char* step_ = "";
};

class ReportedLinks final : public LinkSource {
 public:
  ReportedLinks(LinkSource& links, Steps& steps) : links_(links), steps_(steps) {}

  Result<size_t> next(std::span<NodeLink> links) override {
    ADUANA_ASSIGN(const size_t n, links_.next(links));
    ADUANA_TRY(steps_.read(read_, n));
    read_ += n;
    return n;
  }
  Status reset() override {
    read_ = 0;
    return links_.reset();
  }

 private:
  LinkSource& links_;
  Steps& steps_;
  uint64_t read_ = 0;
};

class ReportedUrls final : public UrlSource {
 public:
  ReportedUrls(UrlSource& urls, Steps& steps) : urls_(urls), steps_(steps) {}

  Result<std::optional<std::string_view>> next() override {
    ADUANA_TRY(steps_.read(read_++, 1));
    return urls_.next();
  }

 private:
  UrlSource& urls_;
  Steps& steps_;
  uint64_t read_ = 0;
};

}  // namespace

Status build_graph(FileSystem& fs, LinkSource& links, UrlSource* urls, const std::string& path,
                   const GraphBuildOptions& options) {
  const std::string scratch = options.scratch_folder.empty() ? parent_of(path) : options.scratch_folder;
  Unfinished unfinished(fs, path);
  ADUANA_ASSIGN(auto file, unfinished.open());
  GraphFileWriter out(std::move(file), GraphHeader::kBytes);
  GraphHeader header;
  header.nodes = options.nodes;
  Steps steps(options);

  std::unique_ptr<UrlTableBuilder> names;
  if (urls) {
    ADUANA_TRY(steps.begin("sorting URLs"));
    ReportedUrls reported(*urls, steps);
    ADUANA_ASSIGN(names, UrlTableBuilder::sort(reported, {options.memory_bytes, scratch, &fs}));
    header.nodes = std::max(header.nodes, names->nodes());
    ADUANA_ASSIGN(header.urls, names->write(out, options.order_by_url));
  }

  SortOptions sort;
  sort.memory_bytes = std::max(kLeastSortMemory, options.memory_bytes);
  sort.threads = static_cast<int>(options.threads);
  sort.folder = scratch;
  sort.files = &fs;
  if (names && options.order_by_url) sort.map = names->positions();
  RowsBuildOptions rows;
  rows.memory_bytes = options.memory_bytes;
  rows.threads = options.threads;
  rows.progress = [&](uint64_t written) { return steps.at(written); };
  for (const bool transposed : {false, true}) {
    ADUANA_TRY(steps.begin(transposed ? "sorting links by target" : "sorting links by source"));
    sort.transposed = transposed;
    sort.nodes = header.nodes;
    ReportedLinks reported(links, steps);
    ADUANA_TRY(reported.reset());
    constexpr const char* kWithoutUrl = "there are links of pages that have no URL";
    auto sorting = sort_links(reported, sort);
    if (!sorting && names && sorting.error().code() == Code::invalid) return sorting.error().within(kWithoutUrl);
    ADUANA_ASSIGN(const auto sorted, std::move(sorting));
    if (names && sorted->nodes() > names->nodes()) return Error(Code::invalid, kWithoutUrl);
    if (!names && sorted->nodes() > options.nodes) ADUANA_TRY(test_plausible(sorted->nodes(), sorted->links()));
    header.nodes = sorted->nodes();
    header.links = sorted->links();
    ADUANA_TRY(steps.begin(transposed ? "compressing links in" : "compressing links out"));
    ADUANA_ASSIGN((transposed ? header.in : header.out), write_rows(*sorted, header.nodes, rows, out));
  }

  header.body_bytes = out.size();
  ADUANA_ASSIGN(const std::string table, out.finish());
  header.table_checksum = checksum64(table);
  ADUANA_TRY(out.file().write_at(GraphHeader::kBytes + header.body_bytes, table));
  ADUANA_TRY(out.file().write_at(0, header.encode()));
  ADUANA_TRY(out.file().sync());
  ADUANA_TRY(fs.rename(unfinished.path(), path));
  unfinished.finish();
  return fs.sync_dir(parent_of(path));
}

}  // namespace aduana
