#include "graph/graph_builder.h"

#include "base/checksum.h"
#include "graph/graph_header.h"
#include "graph/rows_builder.h"

namespace aduana {
namespace {

// Removes the file unless it was put in place.
class Unfinished {
 public:
  Unfinished(FileSystem& fs, std::string path) : fs_(fs), path_(std::move(path)) {}
  ~Unfinished() {
    if (!finished_) (void)fs_.remove(path_);
  }
  const std::string& path() const { return path_; }
  void finish() { finished_ = true; }

 private:
  FileSystem& fs_;
  const std::string path_;
  bool finished_ = false;
};

}  // namespace

Status build_graph(FileSystem& fs, LinkSource& links, UrlSource* urls, const std::string& path,
                   const GraphBuildOptions& options) {
  const std::string scratch = options.scratch_folder.empty() ? parent_of(path) : options.scratch_folder;
  Unfinished unfinished(fs, path + ".unfinished");
  ADUANA_ASSIGN(auto file, fs.open(unfinished.path(), OpenMode::create_empty));
  GraphFileWriter out(std::move(file), GraphHeader::kBytes);
  GraphHeader header;
  header.nodes = options.nodes;

  std::unique_ptr<UrlTableBuilder> names;
  if (urls) {
    if (options.progress) options.progress("sorting URLs", 0);
    ADUANA_ASSIGN(names, UrlTableBuilder::sort(*urls, {options.memory_bytes, scratch, &fs}));
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
  for (const bool transposed : {false, true}) {
    if (options.progress) options.progress(transposed ? "sorting links by target" : "sorting links by source", 0);
    sort.transposed = transposed;
    sort.nodes = header.nodes;
    ADUANA_TRY(links.reset());
    ADUANA_ASSIGN(const auto sorted, sort_links(links, sort));
    if (options.progress) {
      rows.progress = [&, step = transposed ? "compressing links in" : "compressing links out"](uint64_t written) {
        options.progress(step, written);
      };
    }
    if (names && sorted->nodes() > names->nodes()) {
      return Error(Code::invalid, "there are links of pages that have no URL");
    }
    header.nodes = sorted->nodes();
    header.links = sorted->links();
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
