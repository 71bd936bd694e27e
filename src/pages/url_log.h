// The birth of every page, in order of its index: URL, host, and the page that first linked it. Never changed.
//
// Births are kept in blocks of 64, in which a URL is told by its difference from an earlier one of the same host. A
// full block waits in memory until store_blocks() puts it, compressed, into an ExtentLog, with its address in the
// directory; compressing is left to a background thread. A URL is found by decoding its block. The waiting blocks and
// the open one are part of the checkpoint as they are (see tail()).
//
// Not thread-safe; a Snapshot may be read by any thread while the log goes on.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/extent_log.h"
#include "base/ids.h"
#include "base/paged_array.h"
#include "pages/host_names.h"

namespace aduana {

// Where a page came from. The view is good as long as what it was read from says.
struct Birth {
  std::string_view url;
  std::string_view host_name;
  HostId host;
  PageIdx linked_from = kNoPage;
};

class UrlLog {
 public:
  static constexpr uint64_t kBlock = 64;
  static constexpr size_t kDirectoryRecord = 8;

  // The bytes of a block before compression.
  using RawBlock = std::shared_ptr<const std::string>;

  // An entry of a block as its bytes tell it: the URL still by its difference from an earlier one.
  struct EntryBytes {
    uint64_t distance;  // to the entry that it differs from; 0: to the one before, which is of another host
    uint8_t form;
    HostId host;
    PageIdx linked_from;
    uint32_t host_begin, host_length;  // only if the form is that of a whole URL
    uint64_t shared;
    std::string_view suffix;
  };

  // One block, decoded.
  class Block {
   public:
    Birth birth(size_t i) const;
    size_t size() const { return entries_.size(); }

   private:
    friend class UrlLog;
    struct Entry {
      uint32_t begin, length;  // of the whole URL in text_
      uint32_t rest;           // from here on it is told by difference
      uint8_t form;
      uint32_t host_begin, host_length;
      HostId host;
      PageIdx linked_from;
    };
    void clear() {
      entries_.clear();
      text_.clear();
    }
    void add(const Birth& birth);
    void encode_last(std::string& out) const;
    Status decode(std::string_view bytes, const HostNames& hosts);

    std::vector<Entry> entries_;
    std::string text_;
  };

  class Snapshot {
   public:
    uint64_t size() const { return size_; }
    // Decodes the block of page i, unless it is the one that `block` holds already, and returns the birth of page i,
    // good until `block` changes.
    struct Cursor {
      uint64_t number = ~0ull;
      Block block;
      std::string raw;
    };
    Result<Birth> read(PageIdx i, Cursor& cursor) const;
    const HostNames& hosts() const { return *hosts_; }

   private:
    friend class UrlLog;
    const HostNames* hosts_ = nullptr;
    uint64_t size_ = 0;
    PagedArray::Snapshot directory_;
    ExtentLog::Snapshot blocks_;
    std::vector<RawBlock> tail_;  // the waiting blocks and the open one
  };

  UrlLog(ExtentLog& log, PagedArray& directory, const HostNames& hosts)
      : log_(log), directory_(directory), hosts_(hosts) {}

  Status append(const Birth& birth);
  uint64_t size() const { return (directory_.size() + waiting_.size()) * kBlock + open_.size(); }
  Result<Birth> read(PageIdx i, Snapshot::Cursor& cursor);
  // One page alone, at a fraction of the cost when its neighbours are of no interest. The birth is good until `single`
  // changes.
  struct Single {
    std::string raw, text;
    std::vector<EntryBytes> entries;
  };
  Result<Birth> read_single(PageIdx i, Single& single);
  Snapshot snapshot();

  // The births that are not in the log yet, as bytes, and how to begin with them again.
  std::string tail() const;
  Status restore(std::string_view tail);

  // The oldest waiting blocks, at most `most`; compress() may be called for them by any thread, and store_blocks() then
  // takes the results in the same order.
  std::vector<RawBlock> waiting(size_t most) const;
  size_t waiting() const { return waiting_.size(); }
  static std::string compress(const std::string& raw);
  Status store_blocks(const std::vector<std::string>& compressed);

 private:
  ExtentLog& log_;
  PagedArray& directory_;
  const HostNames& hosts_;
  static bool read_entry(ByteReader& in, const HostNames& hosts, std::vector<EntryBytes>& entries);
  // At least this share of the block, from its beginning.
  Result<std::string_view> raw_block(uint64_t number, std::string& buffer, double share = 1);
  // The entries of a block up to number `last`; false if they are not within that share of it.
  Result<bool> read_entries(uint64_t number, size_t last, Single& single, double share);

  std::deque<RawBlock> waiting_;
  Block open_;
  std::string encoded_;  // of open_
};

}  // namespace aduana
