// The parameters of a request: "n=3&crawl=a%20b", decoded.
//
// A name that is given twice, or is not known, is an error: a misspelled parameter must not be passed over.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aduana/result.h"

namespace aduana {

class Query {
 public:
  static Result<Query> parse(std::string_view encoded, std::span<const std::string_view> known);

  // Null: not given.
  const std::string* text(std::string_view name) const;
  std::string_view text_or(std::string_view name, std::string_view otherwise) const;
  // Of a parameter that must be there; `example` is a value that it could have, encoded.
  Result<std::string> required(std::string_view name, std::string_view example) const;
  // A whole number from `least` to `most`.
  Result<uint64_t> number(std::string_view name, uint64_t otherwise, uint64_t least, uint64_t most) const;
  // Seconds, perhaps with a fraction, from 0 to `most`.
  Result<std::optional<double>> seconds(std::string_view name, double most) const;

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

// Decodes %41 and, as forms have it, + for a space. Code::invalid if a % has no two digits behind it.
Result<std::string> percent_decoded(std::string_view text);

}  // namespace aduana
