#include "graph/graph.h"

#include <fmt/format.h>

#include "base/checksum.h"
#include "graph/graph_header.h"

namespace aduana {
namespace {

// Adds up to the same over all links, in whatever order they come.
uint64_t link_hash(Node from, Node to) {
  uint64_t h = (from * 0x9e3779b97f4a7c15) ^ (to + 0x632be59bd9b4e019);
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93;
  return h ^ (h >> 29);
}

struct Walked {
  uint64_t links = 0;
  uint64_t hash = 0;
  bool sorted = true;
};

Result<Walked> walk(const CompressedRows& rows, bool transposed) {
  Walked walked;
  ADUANA_TRY(rows.for_each_row(0, rows.nodes(), [&](Node node, std::span<const Node> links) {
    for (size_t i = 0; i < links.size(); ++i) {
      walked.hash += transposed ? link_hash(links[i], node) : link_hash(node, links[i]);
      if (i && links[i - 1] >= links[i]) walked.sorted = false;
    }
    walked.links += links.size();
  }));
  return walked;
}

}  // namespace

Result<std::unique_ptr<Graph>> Graph::open(FileSystem& fs, const std::string& path) {
  // What is under a checksum names the file itself.
  const auto named = [&](const Error& error) {
    return error.message().starts_with(path + ": ") ? error : error.within(path);
  };
  std::unique_ptr<Graph> graph(new Graph);
  graph->path_ = path;
  ADUANA_ASSIGN(const auto file, fs.open(path, OpenMode::read));
  ADUANA_ASSIGN(graph->mapping_, file->map());
  const std::string_view bytes = graph->mapping_->bytes();
  const auto header = GraphHeader::decode(bytes);
  if (!header) return named(header.error());
  const std::string_view table = bytes.substr(GraphHeader::kBytes + header->body_bytes);
  if (checksum64(table) != header->table_checksum) {
    return named(Error(Code::corrupt, "the table of checksums is damaged: build the graph again"));
  }
  ADUANA_ASSIGN(graph->body_, CheckedBytes::open(path, bytes.substr(GraphHeader::kBytes, header->body_bytes), table));
  auto out = CompressedRows::open(graph->body_, header->out, header->nodes, header->links);
  if (!out) return named(out.error());
  graph->out_ = *std::move(out);
  auto in = CompressedRows::open(graph->body_, header->in, header->nodes, header->links);
  if (!in) return named(in.error());
  graph->in_ = *std::move(in);
  if (header->urls.bytes()) {
    auto urls = UrlTable::open(graph->body_, header->urls, header->nodes);
    if (!urls) return named(urls.error());
    graph->urls_ = *std::move(urls);
  }
  // Header and checksums are there for all; each gets the share that it has of the body.
  const auto with_share = [&](uint64_t part) {
    const uint64_t beside = bytes.size() - header->body_bytes;
    return part + (header->body_bytes ? part * beside / header->body_bytes : 0);
  };
  graph->sizes_ = {bytes.size(), with_share(header->out.bytes()), with_share(header->in.bytes()),
                   with_share(header->urls.bytes())};
  return graph;
}

Status Graph::check(const std::function<void(const std::string&)>& problem) const {
  bool whole = true;
  for (uint64_t at = 0; at < body_.bytes().size(); at += kCheckedChunk) {
    const Status touched = body_.touch(at, std::min<uint64_t>(at + kCheckedChunk, body_.bytes().size()));
    if (touched) continue;
    problem(touched.error().message());
    whole = false;
  }
  if (!whole) return {};  // what is made of damaged bytes says nothing more
  const auto out = walk(out_, false);
  const auto in = walk(in_, true);
  for (const auto* walked : {&out, &in}) {
    if (!*walked) {
      problem(fmt::format("{}: {}", path_, walked->error().message()));
    } else if (!(*walked)->sorted || (*walked)->links != links()) {
      problem(fmt::format("{}: {} links, or not in order, where the header says {}", path_, (*walked)->links, links()));
    }
  }
  if (out && in && out->hash != in->hash) problem(fmt::format("{}: links out and links in are not the same", path_));
  return urls_ ? urls_->check(problem) : Status();
}

}  // namespace aduana
