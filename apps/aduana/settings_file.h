// A file of settings in TOML, as texts: what they mean is for others to say.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "aduana/result.h"

namespace aduana {

struct SettingsFile {
  struct Entry {
    std::string value;
    uint32_t line = 0;
  };
  std::map<std::string, Entry> entries;

  // Code::invalid names the line.
  static Result<SettingsFile> read(const std::string& path);
};

}  // namespace aduana
