#include "pages/url_log.h"

#include <fmt/format.h>
#include <lz4.h>

#include <cstring>

#include "base/bytes.h"

namespace aduana {
namespace {

// How a URL begins. The common forms leave scheme and host to a number; the rest of it is told by difference.
enum Form : uint8_t { http = 0, https = 1, whole = 2 };
constexpr std::string_view kSchemes[] = {"http://", "https://"};

// The head of an entry: distance to the earlier entry of the same host << 3 | same parent as the entry before << 2 |
// form.
constexpr uint64_t kSameParent = 4;
constexpr int kDistanceShift = 3;

size_t common_prefix(std::string_view a, std::string_view b) {
  const size_t n = std::min(a.size(), b.size());
  size_t i = 0;
  while (i < n && a[i] == b[i]) ++i;
  return i;
}

Error damaged(uint64_t block) {
  return Error(
      Code::corrupt,
      fmt::format("URL block {} can't be decoded; restore the store from a copy, or run `aduana db rebuild`", block));
}

}  // namespace

Birth UrlLog::Block::birth(size_t i) const {
  const Entry& e = entries_[i];
  const std::string_view text(text_);
  return {text.substr(e.begin, e.length), text.substr(e.host_begin, e.host_length), e.host, e.linked_from};
}

void UrlLog::Block::add(const Birth& birth) {
  Entry e{};
  e.begin = static_cast<uint32_t>(text_.size());
  e.length = static_cast<uint32_t>(birth.url.size());
  e.form = whole;
  for (Form form : {http, https}) {
    const std::string_view scheme = kSchemes[form];
    if (!birth.host_name.empty() && birth.url.starts_with(scheme) &&
        birth.url.substr(scheme.size()).starts_with(birth.host_name) &&
        birth.url.substr(scheme.size() + birth.host_name.size()).starts_with('/')) {
      e.form = form;
      e.rest = static_cast<uint32_t>(scheme.size() + birth.host_name.size());
    }
  }
  text_ += birth.url;
  e.host_begin =
      e.begin + static_cast<uint32_t>(birth.host_name.empty() ? 0 : birth.host_name.data() - birth.url.data());
  e.host_length = static_cast<uint32_t>(birth.host_name.size());
  e.host = birth.host;
  e.linked_from = birth.linked_from;
  entries_.push_back(e);
}

void UrlLog::Block::encode_last(std::string& out) const {
  const size_t last = entries_.size() - 1;
  const Entry& e = entries_[last];
  const std::string_view text(text_);
  size_t distance = 0;
  for (size_t d = 1; d <= last; ++d) {
    if (entries_[last - d].host == e.host && (entries_[last - d].form == whole) == (e.form == whole)) {
      distance = d;
      break;
    }
  }
  const bool same_parent = last > 0 && entries_[last - 1].linked_from == e.linked_from;
  append_varint(out, distance << kDistanceShift | (same_parent ? kSameParent : 0) | e.form);
  if (!distance) append_varint(out, e.host.value);
  if (!same_parent) append_varint(out, e.linked_from.value + 1);
  if (e.form == whole) {
    append_varint(out, e.host_begin - e.begin);
    append_varint(out, e.host_length);
  }
  const std::string_view rest = text.substr(e.begin + e.rest, e.length - e.rest);
  size_t shared = 0;
  if (last > 0) {
    const Entry& model = entries_[last - std::max<size_t>(distance, 1)];
    shared = common_prefix(rest, text.substr(model.begin + model.rest, model.length - model.rest));
  }
  append_varint(out, shared);
  append_sized(out, rest.substr(shared));
}

// Appends the next entry of a block to `entries`; false if the bytes can't be one.
bool UrlLog::read_entry(ByteReader& in, const HostNames& hosts, std::vector<EntryBytes>& entries) {
  const size_t last = entries.size();
  const uint64_t head = in.varint();
  EntryBytes e{};
  e.distance = head >> kDistanceShift;
  e.form = head & 3;
  if (e.distance > last || e.form > whole || (last == 0 && (head & kSameParent))) return false;
  e.host.value = e.distance ? entries[last - e.distance].host.value : static_cast<uint32_t>(in.varint());
  e.linked_from = head & kSameParent ? entries[last - 1].linked_from : PageIdx{in.varint() - 1};
  if (e.host.value >= hosts.size()) return false;
  if (e.form == whole) {
    e.host_begin = static_cast<uint32_t>(in.varint());
    e.host_length = static_cast<uint32_t>(in.varint());
  }
  e.shared = in.varint();
  e.suffix = in.sized();
  if (e.shared > 0) {
    if (last == 0) return false;
    const EntryBytes& model = entries[last - std::max<uint64_t>(e.distance, 1)];
    if (e.shared > model.shared + model.suffix.size()) return false;
  }
  entries.push_back(e);
  return in.ok();
}

Status UrlLog::Block::decode(std::string_view bytes, const HostNames& hosts) {
  const Error bad(Code::corrupt,
                  "a URL block can't be decoded; restore the store from a copy, or run `aduana db rebuild`");
  clear();
  ByteReader in(bytes);
  std::vector<EntryBytes> told;
  while (!in.at_end()) {
    if (!read_entry(in, hosts, told)) return bad;
    const EntryBytes& from = told.back();
    const size_t last = entries_.size();
    Entry e{};
    e.form = from.form;
    e.host = from.host;
    e.linked_from = from.linked_from;
    e.begin = static_cast<uint32_t>(text_.size());
    if (e.form == whole) {
      e.host_begin = e.begin + from.host_begin;
      e.host_length = from.host_length;
    } else {
      const std::string_view name = hosts.name_of(e.host);
      text_ += kSchemes[e.form];
      e.host_begin = static_cast<uint32_t>(text_.size());
      e.host_length = static_cast<uint32_t>(name.size());
      text_ += name;
    }
    e.rest = static_cast<uint32_t>(text_.size()) - e.begin;
    if (from.shared > 0) {
      const Entry& model = entries_[last - std::max<size_t>(from.distance, 1)];
      text_.append(text_, model.begin + model.rest, from.shared);
    }
    text_ += from.suffix;
    e.length = static_cast<uint32_t>(text_.size()) - e.begin;
    if (uint64_t{e.host_begin} + e.host_length > text_.size()) return bad;
    entries_.push_back(e);
  }
  return in.ok() ? Status{} : Status(bad);
}

namespace {

// A block in the log: codec u8, then the block as it is, or its size (varint) and the LZ4 block.
enum Codec : uint8_t { plain = 0, lz4 = 1 };
constexpr uint64_t kMaxRawBlock = UrlLog::kBlock * (64 << 10) + (1 << 20);

// The beginning of the block, as many bytes as are wanted of it, or all.
Result<std::string_view> decompress(std::string_view stored, std::string& buffer, double share = 1) {
  const Error bad(Code::corrupt,
                  "a URL block can't be decompressed; restore the store from a copy, or run `aduana db rebuild`");
  ByteReader in(stored);
  const auto codec = in.be<uint8_t>();
  if (codec == plain && in.ok()) return stored.substr(1);
  const uint64_t size = in.varint();
  if (codec != lz4 || !in.ok() || size > kMaxRawBlock) return bad;
  if (buffer.size() < size) buffer.resize(size);
  const std::string_view bytes = in.bytes(in.left());
  const auto length = static_cast<int>(bytes.size()), whole_size = static_cast<int>(size);
  const int wanted = std::min(whole_size, static_cast<int>(share * static_cast<double>(size)));
  const int n = wanted < whole_size
                    ? LZ4_decompress_safe_partial(bytes.data(), buffer.data(), length, wanted, whole_size)
                    : LZ4_decompress_safe(bytes.data(), buffer.data(), length, whole_size);
  if (n < wanted || n > whole_size) return bad;
  return std::string_view(buffer).substr(0, static_cast<size_t>(n));
}

}  // namespace

std::string UrlLog::compress(const std::string& raw) {
  std::string out(1, static_cast<char>(lz4));
  append_varint(out, raw.size());
  const size_t head = out.size();
  out.resize(head + static_cast<size_t>(LZ4_compressBound(static_cast<int>(raw.size()))));
  const int size =
      LZ4_compress_default(raw.data(), &out[head], static_cast<int>(raw.size()), static_cast<int>(out.size() - head));
  if (size <= 0 || static_cast<size_t>(size) >= raw.size()) {
    out.assign(1, static_cast<char>(plain));
    return out += raw;
  }
  out.resize(head + static_cast<size_t>(size));
  return out;
}

std::vector<UrlLog::RawBlock> UrlLog::waiting(size_t most) const {
  return {waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(std::min(most, waiting_.size()))};
}

Status UrlLog::store_blocks(const std::vector<std::string>& compressed) {
  for (const std::string& block : compressed) {
    ADUANA_ASSIGN(char* record, directory_.append());
    store_be<uint64_t>(record, log_.append(block));
    waiting_.pop_front();
  }
  return {};
}

std::string UrlLog::tail() const {
  std::string out;
  append_varint(out, waiting_.size() + 1);
  for (const RawBlock& block : waiting_) append_sized(out, *block);
  append_sized(out, encoded_);
  return out;
}

Status UrlLog::restore(std::string_view tail) {
  waiting_.clear();
  ByteReader in(tail);
  for (uint64_t left = tail.empty() ? 0 : in.varint(); left > 1 && in.ok(); --left) {
    waiting_.push_back(std::make_shared<const std::string>(in.sized()));
  }
  encoded_ = tail.empty() ? std::string_view() : in.sized();
  if (!in.ok()) return Error(Code::corrupt, "the newest URLs of the checkpoint can't be decoded");
  return open_.decode(encoded_, hosts_);
}

Status UrlLog::append(const Birth& birth) {
  open_.add(birth);
  open_.encode_last(encoded_);
  if (open_.size() < kBlock) return {};
  waiting_.push_back(std::make_shared<const std::string>(encoded_));
  open_.clear();
  encoded_.clear();
  return {};
}

Result<std::string_view> UrlLog::raw_block(uint64_t number, std::string& buffer, double share) {
  if (number >= directory_.size()) return std::string_view(*waiting_[number - directory_.size()]);
  ADUANA_ASSIGN(const char* record, directory_.get(number));
  ADUANA_ASSIGN(const auto stored, log_.read(load_be<uint64_t>(record)));
  return decompress(stored, buffer, share);
}

Result<Birth> UrlLog::read(PageIdx i, Snapshot::Cursor& cursor) {
  const uint64_t number = i.value / kBlock;
  if (i.value >= size()) return Error(Code::not_found, fmt::format("no page {}: there are {}", i.value, size()));
  if (number == directory_.size() + waiting_.size()) return open_.birth(i.value % kBlock);
  if (cursor.number != number) {
    cursor.number = ~0ull;
    ADUANA_ASSIGN(const auto raw, raw_block(number, cursor.raw));
    ADUANA_TRY(cursor.block.decode(raw, hosts_));
    if (cursor.block.size() != kBlock) return damaged(number);
    cursor.number = number;
  }
  return cursor.block.birth(i.value % kBlock);
}

Result<bool> UrlLog::read_entries(uint64_t number, size_t last, Single& single, double share) {
  ADUANA_ASSIGN(const auto raw, raw_block(number, single.raw, share));
  single.entries.clear();
  ByteReader in(raw);
  while (single.entries.size() <= last) {
    if (in.at_end() || !read_entry(in, hosts_, single.entries)) return false;
  }
  return true;
}

Result<Birth> UrlLog::read_single(PageIdx i, Single& single) {
  const uint64_t number = i.value / kBlock;
  const size_t place = i.value % kBlock;
  if (i.value >= size()) return Error(Code::not_found, fmt::format("no page {}: there are {}", i.value, size()));
  if (number == directory_.size() + waiting_.size()) return open_.birth(place);
  // Entries are of about the same size, so the entry should be in that much of its block; if not, there is all of it.
  const double share = static_cast<double>(place + 1 + kBlock / 8) / kBlock;
  ADUANA_ASSIGN(bool found, read_entries(number, place, single, share));
  if (!found && share < 1) {
    ADUANA_ASSIGN(found, read_entries(number, place, single, 1));
  }
  if (!found) return damaged(number);
  const EntryBytes& e = single.entries[place];
  const std::string_view name = hosts_.name_of(e.host);
  single.text.clear();
  if (e.form != whole) (single.text += kSchemes[e.form]) += name;
  const size_t rest = single.text.size();
  single.text.resize(rest + e.shared + e.suffix.size());
  // From the end: what an entry shares with its model is the beginning of the model, and so on.
  char* const out = single.text.data() + rest;
  uint64_t wanted = e.shared + e.suffix.size();
  for (size_t at = place; wanted > 0; at -= std::max<size_t>(single.entries[at].distance, 1)) {
    const EntryBytes& from = single.entries[at];
    if (wanted > from.shared) from.suffix.copy(out + from.shared, wanted - from.shared);
    wanted = std::min(wanted, from.shared);
    if (wanted == 0) break;
  }
  Birth birth;
  birth.url = single.text;
  birth.host = e.host;
  birth.linked_from = e.linked_from;
  const size_t host_begin = e.form == whole ? e.host_begin : kSchemes[e.form].size();
  const size_t host_length = e.form == whole ? e.host_length : name.size();
  if (host_begin + host_length > single.text.size()) return damaged(number);
  birth.host_name = birth.url.substr(host_begin, host_length);
  return birth;
}

UrlLog::Snapshot UrlLog::snapshot() {
  Snapshot snapshot;
  snapshot.hosts_ = &hosts_;
  snapshot.size_ = size();
  snapshot.directory_ = directory_.snapshot();
  snapshot.blocks_ = log_.snapshot();
  snapshot.tail_.assign(waiting_.begin(), waiting_.end());
  snapshot.tail_.push_back(std::make_shared<const std::string>(encoded_));
  return snapshot;
}

Result<Birth> UrlLog::Snapshot::read(PageIdx i, Cursor& cursor) const {
  const uint64_t number = i.value / kBlock;
  if (i.value >= size_) return Error(Code::not_found, fmt::format("no page {}: there are {}", i.value, size_));
  if (cursor.number != number || i.value % kBlock >= cursor.block.size()) {
    cursor.number = ~0ull;
    if (number >= directory_.size()) {
      ADUANA_TRY(cursor.block.decode(*tail_[number - directory_.size()], *hosts_));
    } else {
      char record[kDirectoryRecord];
      ADUANA_TRY(directory_.read(number, record));
      ADUANA_ASSIGN(const auto stored, blocks_.read(load_be<uint64_t>(record)));
      ADUANA_ASSIGN(const auto raw, decompress(stored, cursor.raw));
      ADUANA_TRY(cursor.block.decode(raw, *hosts_));
    }
    if (i.value % kBlock >= cursor.block.size()) return damaged(number);
    cursor.number = number;
  }
  return cursor.block.birth(i.value % kBlock);
}

}  // namespace aduana
