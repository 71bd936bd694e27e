#include "settings_file.h"

#include <fmt/format.h>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "text_file.h"

namespace aduana {

Result<SettingsFile> SettingsFile::read(const std::string& path) {
  ADUANA_ASSIGN(const std::string whole, read_text_file(path));
  const toml::parse_result parsed = toml::parse(whole, path);
  if (!parsed) {
    const auto& error = parsed.error();
    return Error(Code::invalid, fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
  }
  SettingsFile file;
  for (const auto& [key, node] : parsed.table()) {
    Entry entry;
    entry.line = node.source().begin.line;
    if (const auto* text = node.as_string()) {
      entry.value = text->get();
    } else if (const auto* integer = node.as_integer()) {
      entry.value = fmt::format("{}", integer->get());
    } else if (const auto* number = node.as_floating_point()) {
      entry.value = fmt::format("{}", number->get());
    } else if (const auto* truth = node.as_boolean()) {
      entry.value = truth->get() ? "true" : "false";
    } else {
      return Error(Code::invalid,
                   fmt::format("{}:{}: {} must be a text, a number, true or false", path, entry.line, key.str()));
    }
    file.entries.emplace(key.str(), std::move(entry));
  }
  return file;
}

}  // namespace aduana
