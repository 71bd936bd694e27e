#include "url_command.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "base/json.h"
#include "exit_code.h"
#include "url/canonical.h"
#include "url/host.h"
#include "url/keys.h"

namespace aduana {
namespace {

struct Request {
  std::string input;
  std::optional<std::string> base;
};

CanonicalOptions canonical_options(const UrlCommandOptions& options) {
  CanonicalOptions canonical;
  canonical.sort_query = options.sort_query;
  const auto strip = [&](const std::vector<std::string>& names) {
    canonical.strip_params.insert(canonical.strip_params.end(), names.begin(), names.end());
  };
  if (options.strip_tracking) strip(CanonicalOptions::tracking_params());
  if (options.strip_sessions) strip(CanonicalOptions::session_params());
  return canonical;
}

class Reporter {
 public:
  Reporter(const CanonicalOptions& options, std::ostream& out) : canonicalizer_(options), out_(out) {}

  void report(const Request& request) {
    line_ = "{";
    field("input", request.input);
    if (const Status status = describe(request); !status) {
      line_.resize(1);
      field("input", request.input);
      fail(status.error().message());
      return;
    }
    write();
  }

  void report_bad_line(size_t number, std::string_view reason) {
    line_ = "{";
    fail(fmt::format("line {}: {}", number, reason));
  }

  bool failed() const { return failed_; }

 private:
  Status describe(const Request& request) {
    std::optional<Url> base;
    if (request.base) {
      auto parsed = Url::parse(*request.base);
      if (!parsed) return parsed.error().within("base");
      base = std::move(*parsed);
    }
    ADUANA_ASSIGN(const Url url, Url::parse(request.input, base ? &*base : nullptr));
    ADUANA_ASSIGN(const CanonicalView canonical, base ? canonicalizer_.canonicalize(request.input, *base)
                                                      : canonicalizer_.canonicalize(request.input));
    field("href", url.href());
    field("canonical", canonical.text);
    field("host", canonical.host);
    field("domain", registrable_domain(canonical.host));
    field("hash", fmt::format("{:016x}", url_hash(canonical)));
    field("key", to_hex(page_key(canonical)));
    return {};
  }

  void field(std::string_view name, std::string_view value) {
    if (line_.size() > 1) line_ += ',';
    append_json_string(line_, name);
    line_ += ':';
    append_json_string(line_, value);
  }

  void fail(std::string_view message) {
    failed_ = true;
    field("error", message);
    write();
  }

  void write() {
    line_ += "}\n";
    out_ << line_;
  }

  Canonicalizer canonicalizer_;
  std::ostream& out_;
  std::string line_;
  bool failed_ = false;
};

class RequestReader {
 public:
  // `json` is one line; it may change on the way.
  Result<Request> read(std::string& json) {
    replace_lone_surrogates(json);
    simdjson::dom::object object;
    if (const auto error = parser_.parse(json).get(object)) return invalid(simdjson::error_message(error));
    Request request;
    std::string_view text;
    if (object["input"].get(text)) return invalid("\"input\" must be there and be a string");
    request.input = text;
    simdjson::dom::element base;
    if (!object["base"].get(base) && !base.is_null()) {
      if (base.get(text)) return invalid("\"base\" must be a string or null");
      request.base = text;
    }
    return request;
  }

 private:
  static Error invalid(std::string_view reason) {
    return Error(Code::invalid, "expected an object {\"input\":…,\"base\":…}: " + std::string(reason));
  }

  simdjson::dom::parser parser_;
};

}  // namespace

int run_url_command(const UrlCommandOptions& options, std::istream& in, std::ostream& out) {
  Reporter reporter(canonical_options(options), out);
  std::optional<std::string> default_base;
  if (!options.base.empty()) default_base = options.base;
  for (const auto& url : options.urls) reporter.report({url, default_base});
  if (options.jsonl) {
    RequestReader reader;
    std::string line;
    for (size_t number = 1; out && std::getline(in, line); ++number) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      auto request = reader.read(line);
      if (!request) {
        reporter.report_bad_line(number, request.error().message());
        continue;
      }
      if (!request->base) request->base = default_base;
      reporter.report(*request);
    }
  }
  out.flush();
  if (!out) return kFailed;
  return reporter.failed() ? kDataProblem : kFine;
}

void add_url_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<UrlCommandOptions>();
  CLI::App* command = app.add_subcommand("url", "Show how URLs are parsed, canonicalised and hashed, as JSON lines");
  auto* urls = command->add_option("urls", options->urls, "URLs to show")->type_name("URL");
  command->add_option("--base", options->base, "Resolve URLs against this one")->type_name("URL");
  auto* jsonl = command->add_flag("--jsonl", options->jsonl,
                                  "Read lines {\"input\":URL,\"base\":URL or null} from standard input");
  jsonl->excludes(urls);
  command->add_flag("--sort-query", options->sort_query, "Order the query's parameters by name");
  command->add_flag("--strip-tracking", options->strip_tracking, "Leave out parameters such as utm_source and gclid");
  command->add_flag("--strip-sessions", options->strip_sessions, "Leave out parameters such as jsessionid and sid");
  command->footer(
      "Exit codes: 0 fine; 1 a URL or line was invalid, and its object has \"error\"; 2 nothing could be done.");
  command->callback([options, urls, &exit_code] {
    if (!options->jsonl && urls->empty()) throw CLI::RequiredError("URL or --jsonl");
    std::ios::sync_with_stdio(false);
    exit_code = run_url_command(*options, std::cin, std::cout);
  });
}

}  // namespace aduana
