// A JSON object written field by field, for the one line that `--json` prints. Names and texts are escaped; numbers are
// finite or null.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aduana::bench {

class JsonObject {
 public:
  void add(std::string_view name, double value);
  void add(std::string_view name, uint64_t value);
  void add(std::string_view name, bool value);
  void add(std::string_view name, std::string_view value);
  void add(std::string_view name, const char* value) { add(name, std::string_view(value)); }
  void add(std::string_view name, const JsonObject& value);
  void add(std::string_view name, const std::vector<double>& values);

  std::string text() const { return "{" + fields_ + "}"; }

 private:
  void add_raw(std::string_view name, std::string_view value);

  std::string fields_;
};

}  // namespace aduana::bench
