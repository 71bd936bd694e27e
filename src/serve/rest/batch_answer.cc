#include "serve/rest/batch_answer.h"

#include <algorithm>

#include "serve/rest/responses.h"

namespace aduana {

size_t BatchAnswer::done() const {
  return static_cast<size_t>(std::count_if(errors_.begin(), errors_.end(), [](const auto& e) { return !e; }));
}

std::string BatchAnswer::results_json() const {
  std::string out = "[";
  for (const auto& error : errors_) {
    if (out.size() > 1) out += ',';
    out += error ? "{\"ok\":false,\"error\":" + error_json(*error) + '}' : "{\"ok\":true}";
  }
  return out + ']';
}

}  // namespace aduana
