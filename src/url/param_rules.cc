#include "url/param_rules.h"

#include <algorithm>

namespace aduana {
namespace {

std::string_view name_of(std::string_view param) { return param.substr(0, param.find('=')); }

// Calls use(part) for each part of `text` between separators.
template <class Use>
void for_each_part(std::string_view text, char separator, Use use) {
  for (;;) {
    const size_t end = text.find(separator);
    use(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

ParamRules::ParamRules(bool sort_query, const std::vector<std::string>& strip_params) : sort_query_(sort_query) {
  for (std::string_view pattern : strip_params) {
    if (pattern.starts_with(';')) {
      path_.add(pattern.substr(1));
    } else {
      query_.add(pattern);
    }
  }
}

void ParamRules::Names::add(std::string_view pattern) {
  if (pattern.empty()) return;
  if (pattern == "*") {
    first_bytes_.set();
  } else {
    first_bytes_.set(static_cast<uint8_t>(pattern[0]));
  }
  if (pattern.ends_with('*')) {
    prefixes_.emplace_back(pattern.substr(0, pattern.size() - 1));
  } else {
    names_.emplace_back(pattern);
  }
}

bool ParamRules::Names::match(std::string_view name) const {
  if (name.empty() || !first_bytes_[static_cast<uint8_t>(name[0])]) return false;
  return std::find(names_.begin(), names_.end(), name) != names_.end() ||
         std::any_of(prefixes_.begin(), prefixes_.end(), [&](const auto& prefix) { return name.starts_with(prefix); });
}

bool ParamRules::change_query(std::string_view query) const {
  if (!touch_query()) return false;
  bool change = false;
  std::string_view previous;
  for_each_part(query, '&', [&](std::string_view param) {
    const std::string_view name = name_of(param);
    change = change || query_.match(name) || (sort_query_ && name < previous);
    previous = name;
  });
  return change;
}

void ParamRules::append_query(std::string& out, std::string_view query) const {
  std::vector<std::string_view> params;
  for_each_part(query, '&', [&](std::string_view param) {
    if (!query_.match(name_of(param))) params.push_back(param);
  });
  if (sort_query_) {
    std::stable_sort(params.begin(), params.end(),
                     [](std::string_view a, std::string_view b) { return name_of(a) < name_of(b); });
  }
  for (size_t i = 0; i < params.size(); ++i) {
    if (i > 0) out += '&';
    out += params[i];
  }
}

bool ParamRules::change_path(std::string_view path) const {
  if (!touch_path()) return false;
  for (size_t at = path.find(';'); at != std::string_view::npos; at = path.find(';', at + 1)) {
    const std::string_view param = path.substr(at + 1);
    if (path_.match(name_of(param.substr(0, param.find_first_of("/;"))))) return true;
  }
  return false;
}

void ParamRules::append_path(std::string& out, std::string_view path) const {
  while (!path.empty()) {
    const size_t end = std::min(path.find_first_of("/;", 1), path.size());
    const std::string_view piece = path.substr(0, end);
    if (piece[0] != ';' || !path_.match(name_of(piece.substr(1)))) out += piece;
    path.remove_prefix(end);
  }
}

}  // namespace aduana
