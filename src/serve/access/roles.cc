#include "serve/access/roles.h"

#include <array>
#include <string>

namespace aduana {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"spider", "reader", "admin"};

}  // namespace

std::string_view name_of(Role role) { return kNames[static_cast<size_t>(role)]; }

Result<Role> role_named(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<Role>(i);
  }
  return Error(Code::invalid, "there is no role " + std::string(name) + "; use spider, reader or admin");
}

}  // namespace aduana
