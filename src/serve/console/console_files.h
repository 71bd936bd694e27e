// The console (web/), as it stands in the program: the files that a browser asks for.
#pragma once

#include <span>
#include <string_view>

namespace aduana {

struct ConsoleFile {
  std::string_view path;  // "/" is the page itself
  std::string_view content_type;
  std::string_view bytes;
};

// Empty if the program was built without the console (ADUANA_CONSOLE).
std::span<const ConsoleFile> console_files();

}  // namespace aduana
