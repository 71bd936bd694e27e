#include "base/os_error.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace aduana {

Error os_error(const std::string& path, const char* operation, int error) {
  switch (error) {
    case ENOENT:
      return Error(Code::not_found, fmt::format("{}: {}: no such file or folder", path, operation));
    case ENOSPC:
      return Error(Code::no_space,
                   fmt::format("{}: {}: the disk is full; free some space and try again", path, operation));
    case EFBIG:
      return Error(Code::no_space, fmt::format("{}: {}: the file would be larger than allowed here; raise the limit "
                                               "(`ulimit -f`) and try again",
                                               path, operation));
    case EDQUOT:
      return Error(Code::no_space, fmt::format("{}: {}: the disk quota is used up; free some space or raise the quota, "
                                               "and try again",
                                               path, operation));
    default:
      return Error(Code::io, fmt::format("{}: {}: {}", path, operation, std::system_category().message(error)));
  }
}

}  // namespace aduana
