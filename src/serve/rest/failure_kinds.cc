#include "serve/rest/failure_kinds.h"

#include <algorithm>

namespace aduana {

namespace {

constexpr const char* kNames[] = {"temporary", "gone", "excluded", "redirect"};  // in the order of the enumeration

}  // namespace

const char* name_of(FailureKind kind) { return kNames[static_cast<size_t>(kind)]; }

Result<FailureKind> failure_kind_named(std::string_view name) {
  const auto at = std::find(std::begin(kNames), std::end(kNames), name);
  if (at != std::end(kNames)) return static_cast<FailureKind>(at - std::begin(kNames));
  return Error(Code::invalid, R"("kind" must be "temporary", "gone", "excluded" or "redirect")");
}

}  // namespace aduana
