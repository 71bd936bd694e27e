// A folder for the files of one measurement, removed with all its content when the object goes.
#pragma once

#include <cstdint>
#include <string>

#include "aduana/result.h"

namespace aduana::bench {

class TempDir {
 public:
  // A new folder inside `parent`, which is made if missing; an empty parent means the system's temporary folder.
  static Result<TempDir> make(const std::string& parent);

  TempDir(TempDir&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  TempDir& operator=(TempDir&& other) noexcept;
  ~TempDir() { remove(); }

  const std::string& path() const { return path_; }
  // A new folder in this one.
  Result<std::string> subdir(const std::string& name) const;

 private:
  explicit TempDir(std::string path) : path_(std::move(path)) {}
  void remove();

  std::string path_;
};

// The sum of the sizes of all files below `dir`. A sparse file counts for the space that it takes on the disk.
uint64_t bytes_on_disk(const std::string& dir);

// Bytes that may still be written to the file system of `dir`.
uint64_t free_bytes(const std::string& dir);

}  // namespace aduana::bench
