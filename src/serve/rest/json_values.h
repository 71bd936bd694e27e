// Reading JSON: values of the types that messages have, with errors that name the field and what was expected there.
#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>

#include "aduana/result.h"
#include "aduana/time.h"

namespace aduana {

// `json` is followed by simdjson::SIMDJSON_PADDING bytes that may be read. Good until the parser is used again.
Result<simdjson::dom::element> parse_json(simdjson::dom::parser& parser, std::string_view json);

Error invalid(std::string message);
Error wrong_type(std::string_view field, std::string_view expected, const simdjson::dom::element& found);

Result<std::string_view> read_text(const simdjson::dom::element& value, std::string_view field);
Result<double> read_number(const simdjson::dom::element& value, std::string_view field);
Result<Instant> read_time(const simdjson::dom::element& value, std::string_view field);     // seconds since the epoch
Result<Millis> read_duration(const simdjson::dom::element& value, std::string_view field);  // seconds

}  // namespace aduana
