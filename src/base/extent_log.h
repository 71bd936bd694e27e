// An append-only log of byte strings, each found again by its address: URL blocks, link lists, client metadata.
//
// Entries live in segments of 32 MiB, one file each. What was appended since the last flush is in memory only; the
// owner calls flush() at a checkpoint and keeps the state() of that moment; open() goes back to exactly that state and
// forgets the rest, which the journal knows. An address is the entry's place in the sequence of all segments and never
// changes or is used twice; 0 is no entry. Each entry has a checksum, tested at every read.
//
// Entry: checksum u32 of the rest | length varint | bytes. Segment: 24 bytes of header, then entries.
//
// Not thread-safe, except that a Snapshot may be read by any thread while the log goes on, and flush() of a
// prepared set of segments may run beside appends (see begin_flush).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace aduana {

using ExtentAddress = uint64_t;

class ExtentLog {
 public:
  static constexpr uint64_t kSegmentBytes = 32 << 20;

  struct SegmentState {
    uint64_t number = 0;  // the address of its first byte / kSegmentBytes
    uint64_t bytes = 0;   // in use, the header included
    uint64_t dead = 0;    // of these, in entries that were released
  };
  using State = std::vector<SegmentState>;

  // Bytes of one segment: in memory while it grows, mapped from its file once full and flushed.
  class Segment;
  using Segments = std::map<uint64_t, std::shared_ptr<Segment>>;  // by number

  // What the log held at one moment; stays readable whatever happens to the log, files removed included.
  class Snapshot {
   public:
    // The bytes of the entry, good as long as the snapshot; Code::corrupt when damaged or not an entry.
    Result<std::string_view> read(ExtentAddress address) const;

   private:
    friend class ExtentLog;
    Segments segments_;
    std::string name_;
  };

  // `name` is the path that all files of the log begin with. An empty state is an empty log.
  static Result<std::unique_ptr<ExtentLog>> open(FileSystem& fs, std::string name, const State& state);
  ~ExtentLog();

  ExtentAddress append(std::string_view bytes);
  // As Snapshot::read; the view is good until the next append, release or flush.
  Result<std::string_view> read(ExtentAddress address) const;
  // The entry is not needed any more: its space counts as dead.
  void release(ExtentAddress address);

  Snapshot snapshot() const;
  State state() const;
  uint64_t bytes() const;

  // A flush in three steps, so that the slow one needs no lock: begin_flush() names what is unwritten, write_out()
  // writes and syncs it, end_flush() lets go of the memory of full segments.
  struct Flush {
    Segments segments;
    std::map<uint64_t, uint64_t> until;  // bytes of each at begin_flush()
  };
  Flush begin_flush();
  Status write_out(const Flush& flush);
  Status end_flush(const Flush& flush);

  // Segments, except the growing one, of which at least `share` is dead.
  std::vector<uint64_t> segments_with_dead(double share) const;
  // The address and bytes of every entry of one segment, in order.
  Status scan(uint64_t number, const std::function<Status(ExtentAddress, std::string_view)>& visit) const;
  // The next entry begins a new segment; what is in the present ones can then be rewritten and dropped.
  void begin_segment();
  // The number of the segment that holds an address.
  uint64_t segment_of(ExtentAddress address) const;
  // Forgets a segment none of whose entries is needed. Its file stays until the owner removes it (after the checkpoint
  // that does without it is durable).
  void drop(uint64_t number);

  // The path of a segment's file.
  std::string path_of(uint64_t number) const { return file_name(name_, number); }
  static std::string file_name(std::string_view name, uint64_t number);

 private:
  ExtentLog(FileSystem& fs, std::string name) : fs_(fs), name_(std::move(name)) {}
  Segment& segment_for(size_t entry_bytes);
  Segment& add_segment(uint64_t capacity);

  FileSystem& fs_;
  const std::string name_;
  Segments segments_;
  uint64_t next_number_ = 0;
};

}  // namespace aduana
