// `aduana url`: what the frontier makes of a URL: its href, canonical form, host, domain and keys, as JSON lines.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace aduana {

struct UrlCommandOptions {
  std::vector<std::string> urls;
  std::string base;    // for URLs that bring none; empty for none
  bool jsonl = false;  // read {"input":…,"base":…} lines from `in` instead of `urls`
  bool sort_query = false;
  bool strip_tracking = false;
  bool strip_sessions = false;
};

// Writes one JSON object a line, in the order of the input. Returns an exit code of exit_code.h:
// kDataProblem when any input failed.
int run_url_command(const UrlCommandOptions& options, std::istream& in, std::ostream& out);

// Registers the sub-command; its callback sets exit_code.
void add_url_command(CLI::App& app, int& exit_code);

}  // namespace aduana
