// The seam between Aduana and the disk: File and FileSystem, with two implementations.
//
// `real_files()` is the disk. SimulatedDisk (simulated_disk.h) keeps what was written apart from what was synced, so
// that a test can cut the power at any write. Every durable byte of a store passes through here; what this interface
// promises about order and durability is all that the store may rely on:
//   - write_at is seen at once by every reader of the file, and survives a crash of the process;
//   - it survives a power cut only after a sync() that began after it returned;
//   - a created, renamed or removed name survives a power cut only after sync_dir() of its folder.
// A File may be used by several threads at once as long as no two of them write the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/result.h"

namespace aduana {

// A read-only view of a whole file as it was when mapped; the file must not be written afterwards. Lives on after the
// file was closed or removed.
class Mapping {
 public:
  virtual ~Mapping() = default;
  virtual std::string_view bytes() const = 0;
};

class File {
 public:
  virtual ~File() = default;

  // Reads up to n bytes at offset; less than n only at the end of the file.
  virtual Result<size_t> read_at(uint64_t offset, char* out, size_t n) const = 0;
  // Writes all of it or returns an error; after an error any part may have been written. Extends the file if needed.
  virtual Status write_at(uint64_t offset, std::string_view bytes) = 0;
  // All bytes written before this call are durable when it returns (fdatasync). After an error the fate of every
  // unsynced byte is unknown: the caller must not try again and believe the answer.
  virtual Status sync() = 0;
  virtual Status truncate(uint64_t size) = 0;
  virtual Result<uint64_t> size() const = 0;
  virtual Result<std::unique_ptr<Mapping>> map() const = 0;
};

enum class OpenMode {
  read,          // must exist
  write,         // must exist; read and write
  create,        // read and write; made if missing, kept as it is if not
  create_empty,  // read and write; made or emptied
  read_direct,   // must exist; reads go to the device and not to the page cache where the file system can do it.
                 // Offsets, sizes and buffers are multiples of 4096.
};

// Held while the file or folder named at lock() is ours; let go on destruction, or by the system when the process dies.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  virtual Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) = 0;
  virtual Result<bool> exists(const std::string& path) = 0;
  virtual Status remove(const std::string& path) = 0;                         // of a file; not_found if it is not there
  virtual Status rename(const std::string& from, const std::string& to) = 0;  // replaces `to`
  virtual Status create_dirs(const std::string& path) = 0;                    // with parents; fine if there
  virtual Status remove_dir(const std::string& path) = 0;                     // must be empty
  virtual Result<std::vector<std::string>> list(const std::string& dir) = 0;  // names, sorted, without . and ..
  virtual Status sync_dir(const std::string& dir) = 0;
  // Of a file or folder that is there; reading permission is enough. Code::busy if another process, or another lock of
  // this one, holds it.
  virtual Result<std::unique_ptr<FileLock>> lock(const std::string& path) = 0;
};

// The disk of this machine. One object for the life of the process.
FileSystem& real_files();

// The whole content of a file.
Result<std::string> read_file(FileSystem& fs, const std::string& path);

// Replaces the file by `bytes` so that after a power cut it is either the old one or the new one, whole: temporary
// file, sync, rename, sync of the folder.
Status write_file_atomically(FileSystem& fs, const std::string& path, std::string_view bytes);

std::string join_path(std::string_view dir, std::string_view name);
std::string parent_of(std::string_view path);

}  // namespace aduana
