// The canonical form by the straight way: parse everything, write everything. It defines what the short cuts of
// canonical_fast.h must agree with, and takes what they refuse. Internal to url/.
#pragma once

#include <string>
#include <string_view>

#include "aduana/result.h"
#include "url/canonical.h"

namespace aduana {

// Replaces `out` by the canonical text. The views returned point into it.
Result<CanonicalView> canonicalize_slowly(std::string_view input, const Url* base, const ParamRules& rules,
                                          std::string& out);

}  // namespace aduana
