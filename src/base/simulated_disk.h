// SimulatedDisk: a disk in memory that knows which bytes and names are durable, for tests that cut the power.
//
// It keeps the contract of file.h to the letter and gives nothing beyond it: what was written or named but not synced
// stands apart, in order, and after_power_cut() makes a new disk out of the durable part and as much of the rest as a
// policy lets through. Data that was synced under a name that was not is lost with the name. After a failed sync() some
// of the unsynced bytes are never written though readers still see them, as on Linux; a second sync() does not help.
// "/" is the root and is always there; relative paths start at it. Everything is thread-safe; open files stay usable
// after their name or even the disk object is gone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"

namespace aduana {

enum class CutPolicy {
  lose_all,       // only what was synced is left
  keep_all,       // as after kill -9: all is seen, and what was not synced still is not (a power cut may follow)
  random_prefix,  // unsynced changes of all files and folders up to a random one, in order
  torn,           // the same, and the last write is there in part: up to a random byte, or some of its sectors
  reordered,      // any of the unsynced changes, each write perhaps in part. A rename happened or did not.
};

inline constexpr CutPolicy kAllCutPolicies[] = {CutPolicy::lose_all, CutPolicy::keep_all, CutPolicy::random_prefix,
                                                CutPolicy::torn, CutPolicy::reordered};

const char* name_of(CutPolicy policy);

class SimulatedDisk final : public FileSystem {
 public:
  SimulatedDisk();
  ~SimulatedDisk() override;

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
  Result<bool> exists(const std::string& path) override;
  Status remove(const std::string& path) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status create_dirs(const std::string& path) override;
  Status remove_dir(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& dir) override;
  Status sync_dir(const std::string& dir) override;
  Result<std::unique_ptr<FileLock>> lock(const std::string& path) override;

  // Mutating operations begun so far, those that failed too: write_at, sync, truncate, an open that creates or
  // empties, remove, rename, create_dirs, remove_dir, sync_dir.
  uint64_t operations() const;

  // Called before the effect of each mutating operation with its number, the first being 1; no lock is held, so the
  // hook may fork the disk. An empty function takes it away. Forks have none.
  void on_operation(std::function<void(uint64_t n)> hook);

  // What might be found after a power cut at this moment. The same seed gives the same disk. It has no locks, no
  // injected faults and no hook; except for keep_all, all of it is durable.
  std::unique_ptr<SimulatedDisk> after_power_cut(CutPolicy policy, uint64_t seed) const;

  // The n-th mutating operation from now (1 is the next) and all later ones fail with this code until heal(). A write
  // that fails may have written a part.
  void fail_after(uint64_t n, Code code);
  void fail_sync_once();  // the next sync() of any file fails with Code::io
  // A write that would grow the sizes of all files together beyond this writes what fits and fails with no_space.
  void set_capacity(uint64_t bytes);
  void heal();  // takes away every injected fault and the capacity; corrupted bytes stay

  // Flips the bits of mask in one byte of a file, for readers and on the medium.
  Status corrupt(const std::string& path, uint64_t offset, uint8_t mask);

  struct State;

 private:
  explicit SimulatedDisk(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;
};

}  // namespace aduana
