#include "scratch_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>

#include "base/os_error.h"
#include "messages.h"

namespace aduana {

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::make(const std::string& parent) {
  std::error_code error;
  const fs::path base = parent.empty() ? fs::temp_directory_path(error) : fs::path(parent);
  if (error) return Error(Code::io, fmt::format("no folder for temporary files: {}; name one", error.message()));
  std::string path = (base / "aduana-XXXXXX").string();
  if (!::mkdtemp(path.data())) return os_error(base.string(), "make a folder in", errno);
  return ScratchFolder(std::move(path));
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  std::error_code error;
  fs::remove_all(path_, error);
  if (error) print_warning(fmt::format("{} was not removed: {}", path_, error.message()));
}

}  // namespace aduana
