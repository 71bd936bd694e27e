// Short cuts to the canonical form of http and https URLs: one scan that proves that a text is canonical already, and
// the joining of plain relative references with their base. Internal to url/.
//
// They refuse whatever they are not sure of, and never answer differently from canonical_slow.h; tests and the fuzzer
// compare the two. No state, safe from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "url/canonical.h"

namespace aduana {

// Views into `url` or, when something small had to be put right, into `buffer`; nothing when the slow way is needed.
std::optional<CanonicalView> canonicalize_quickly(std::string_view url, const ParamRules& rules, std::string& buffer);

// The same for a reference and its base.
std::optional<CanonicalView> resolve_quickly(std::string_view reference, const Url& base, const ParamRules& rules,
                                             std::string& buffer);

}  // namespace aduana
