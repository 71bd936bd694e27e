#include "store/manifest.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/checksum.h"

namespace aduana {
namespace {

constexpr std::string_view kMagic = "ADUANAM1";
constexpr uint32_t kVersion = 1;

void append_log(std::string& out, const ExtentLog::State& state) {
  append_varint(out, state.size());
  for (const auto& segment : state) {
    append_varint(out, segment.number);
    append_varint(out, segment.bytes);
    append_varint(out, segment.dead);
  }
}

ExtentLog::State read_log(ByteReader& in) {
  ExtentLog::State state;
  const uint64_t n = in.varint();
  for (uint64_t i = 0; i < n && in.ok(); ++i) {
    ExtentLog::SegmentState segment;
    segment.number = in.varint();
    segment.bytes = in.varint();
    segment.dead = in.varint();
    state.push_back(segment);
  }
  return state;
}

}  // namespace

std::string manifest_path(const std::string& dir) { return join_path(dir, "MANIFEST"); }

std::string Manifest::encode() const {
  std::string out(kMagic);
  append_be<uint32_t>(out, kVersion);
  append_varint(out, generation);
  append_varint(out, lsn);
  append_varint(out, (canonical.sort_query ? 1 : 0) | (keep_journal ? 2 : 0) | (queue_by == QueueBy::domain ? 4 : 0));
  append_varint(out, canonical.strip_params.size());
  for (const auto& name : canonical.strip_params) append_sized(out, name);
  append_varint(out, pages.pages);
  append_varint(out, pages.details);
  append_varint(out, pages.directory);
  append_varint(out, pages.host_records);
  append_sized(out, pages.url_tail);
  append_log(out, pages.urls);
  append_log(out, pages.hosts);
  append_log(out, pages.blobs);
  append_varint(out, pages.index.size());
  for (const auto& run : pages.index) {
    append_varint(out, run.number);
    append_varint(out, run.level);
  }
  for (uint64_t count : pages.counts.by_state) append_varint(out, count);
  append_varint(out, pages.counts.crawled);
  append_varint(out, pages.counts.keys);
  pages.generations.save(out);
  append_log(out, links.log);
  append_varint(out, links.links);
  append_sized(out, follower);
  append_be<uint64_t>(out, checksum64(out));
  return out;
}

Result<Manifest> Manifest::decode(std::string_view bytes, const std::string& path) {
  const auto bad = [&](std::string_view what) {
    return Error(Code::corrupt,
                 fmt::format("{}: {}; restore the whole store from a copy, or run `aduana db rebuild`", path, what));
  };
  if (bytes.size() < kMagic.size() + 12 || !bytes.starts_with(kMagic)) return bad("not the manifest of a store");
  const std::string_view body = bytes.substr(0, bytes.size() - 8);
  if (load_be<uint64_t>(bytes.data() + body.size()) != checksum64(body)) return bad("wrong checksum");
  ByteReader in(body.substr(kMagic.size()));
  if (const auto version = in.be<uint32_t>(); version != kVersion) {
    return Error(Code::unsupported, fmt::format("{}: format version {}; this program knows version {}: use a newer one",
                                                path, version, kVersion));
  }
  Manifest m;
  m.generation = in.varint();
  m.lsn = in.varint();
  const uint64_t flags = in.varint();
  m.canonical.sort_query = flags & 1;
  m.keep_journal = flags & 2;
  m.queue_by = flags & 4 ? QueueBy::domain : QueueBy::host;
  for (uint64_t i = 0, n = in.varint(); i < n && in.ok(); ++i) m.canonical.strip_params.emplace_back(in.sized());
  m.pages.pages = in.varint();
  m.pages.details = in.varint();
  m.pages.directory = in.varint();
  m.pages.host_records = in.varint();
  m.pages.url_tail = in.sized();
  m.pages.urls = read_log(in);
  m.pages.hosts = read_log(in);
  m.pages.blobs = read_log(in);
  for (uint64_t i = 0, n = in.varint(); i < n && in.ok(); ++i) {
    UrlIndex::RunState run;
    run.number = in.varint();
    run.level = static_cast<uint32_t>(in.varint());
    m.pages.index.push_back(run);
  }
  for (uint64_t& count : m.pages.counts.by_state) count = in.varint();
  m.pages.counts.crawled = in.varint();
  m.pages.counts.keys = in.varint();
  if (!m.pages.generations.load(in)) return bad("too short");
  m.links.log = read_log(in);
  m.links.links = in.varint();
  m.follower = in.sized();
  if (!in.ok()) return bad("too short");
  return m;
}

Result<Manifest> read_manifest(FileSystem& fs, const std::string& dir) {
  const std::string path = manifest_path(dir);
  ADUANA_ASSIGN(const std::string bytes, read_file(fs, path));
  return Manifest::decode(bytes, path);
}

}  // namespace aduana
