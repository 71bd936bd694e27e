// For tests: a simulated disk whose reads are counted, can be made to fail and can be looked at or altered.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/simulated_disk.h"

namespace aduana {

class WatchedDisk final : public FileSystem {
 public:
  SimulatedDisk& below() { return below_; }
  uint64_t reads() const { return reads_; }
  void fail_reads(std::optional<Code> code) { fault_ = code; }
  // Called with what each read got, and may change it. An empty function takes it away.
  void on_read(std::function<void(std::span<char> bytes)> hook) { on_read_ = std::move(hook); }

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    ADUANA_ASSIGN(auto file, below_.open(path, mode));
    return std::unique_ptr<File>(std::make_unique<WatchedFile>(*this, std::move(file)));
  }
  Result<bool> exists(const std::string& path) override { return below_.exists(path); }
  Status remove(const std::string& path) override { return below_.remove(path); }
  Status rename(const std::string& from, const std::string& to) override { return below_.rename(from, to); }
  Status create_dirs(const std::string& path) override { return below_.create_dirs(path); }
  Status remove_dir(const std::string& path) override { return below_.remove_dir(path); }
  Result<std::vector<std::string>> list(const std::string& dir) override { return below_.list(dir); }
  Status sync_dir(const std::string& dir) override { return below_.sync_dir(dir); }
  Result<std::unique_ptr<FileLock>> lock(const std::string& path) override { return below_.lock(path); }

 private:
  class WatchedFile final : public File {
   public:
    WatchedFile(WatchedDisk& disk, std::unique_ptr<File> below) : disk_(disk), below_(std::move(below)) {}

    Result<size_t> read_at(uint64_t offset, char* out, size_t n) const override {
      ++disk_.reads_;
      if (disk_.fault_) return Error(*disk_.fault_, "read: injected fault");
      ADUANA_ASSIGN(const size_t got, below_->read_at(offset, out, n));
      if (disk_.on_read_) disk_.on_read_({out, got});
      return got;
    }
    Status write_at(uint64_t offset, std::string_view bytes) override { return below_->write_at(offset, bytes); }
    Status sync() override { return below_->sync(); }
    Status truncate(uint64_t size) override { return below_->truncate(size); }
    Result<uint64_t> size() const override { return below_->size(); }
    Result<std::unique_ptr<Mapping>> map() const override { return below_->map(); }

   private:
    WatchedDisk& disk_;
    const std::unique_ptr<File> below_;
  };

  SimulatedDisk below_;
  uint64_t reads_ = 0;
  std::optional<Code> fault_;
  std::function<void(std::span<char>)> on_read_;
};

}  // namespace aduana
