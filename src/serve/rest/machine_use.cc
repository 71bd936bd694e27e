#include "serve/rest/machine_use.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace aduana {

namespace {

namespace fs = std::filesystem;

uint64_t resident() {
  std::ifstream in("/proc/self/statm");
  uint64_t size = 0, resident = 0;
  in >> size >> resident;
  return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

uint64_t allocated(const std::string& dir) {
  uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(dir, error), end; !error && at != end; at.increment(error)) {
    struct stat info;
    if (::lstat(at->path().c_str(), &info) == 0) bytes += static_cast<uint64_t>(info.st_blocks) * 512;
  }
  return bytes;
}

}  // namespace

MachineUse machine_use(const std::string& store_dir) {
  MachineUse use;
  use.resident_bytes = resident();
  use.store_bytes = allocated(store_dir);
  if (struct statvfs disk; ::statvfs(store_dir.c_str(), &disk) == 0) use.free_bytes = disk.f_bavail * disk.f_frsize;
  if (struct rusage usage; ::getrusage(RUSAGE_SELF, &usage) == 0) {
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    use.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return use;
}

}  // namespace aduana
