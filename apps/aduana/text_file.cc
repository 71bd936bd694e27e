#include "text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/os_error.h"

namespace aduana {

Result<std::string> read_text_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Error(Code::invalid, fmt::format("{} is a folder, not a file", path));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) return os_error(path, "open", errno);
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) return Error(Code::io, fmt::format("reading {} failed", path));
  return text.str();
}

}  // namespace aduana
