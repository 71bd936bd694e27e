#include "url_bench.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/url.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "json_object.h"
#include "random.h"
#include "stopwatch.h"
#include "url/canonical.h"
#include "url/keys.h"

namespace aduana::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Link {
  std::string text;
  uint32_t base;
};

// A class of links and its share in the mix, in per cent: what the pages of a general crawl hold, roughly.
struct Kind {
  const char* name;
  int share;
};

enum KindId { kCanonical, kRooted, kRelative, kParent, kQuery, kFragment, kEscaped, kUpperCase, kMessy, kIdna, kKinds };

constexpr Kind kKindTable[kKinds] = {
    {"absolute, canonical", 45},
    {"/rooted path", 20},
    {"relative page", 8},
    {"../parent", 4},
    {"?query", 4},
    {"with fragment", 6},
    {"percent-encoded", 6},
    {"upper-case host", 3},
    {"dots, port, spaces", 3},
    {"international host", 1},
};

class LinkMaker {
 public:
  LinkMaker() {
    for (int i = 0; i < 500; ++i) bases_.push_back("https://" + host() + path(1 + number(4)) + ".html");
  }

  const std::vector<std::string>& bases() const { return bases_; }

  Link make(KindId kind) {
    Link link{"", static_cast<uint32_t>(number(bases_.size()))};
    link.text = text(kind);
    return link;
  }

  KindId any_kind() {
    auto draw = static_cast<int>(number(100));
    for (int kind = 0; kind < kKinds; ++kind) {
      if ((draw -= kKindTable[kind].share) < 0) return static_cast<KindId>(kind);
    }
    return kCanonical;
  }

 private:
  std::string text(KindId kind) {
    switch (kind) {
      case kCanonical:
        return absolute(host()) + (number(3) == 0 ? query() : "");
      case kRooted:
        return path(2 + number(4)) + (number(3) == 0 ? query() : ".html");
      case kRelative:
        return path(1 + number(2)).substr(1) + ".html";
      case kParent:
        return "../" + path(1 + number(2)).substr(1) + ".html";
      case kQuery:
        return query();
      case kFragment:
        return absolute(host()) + "#" + word();
      case kEscaped:
        return absolute(host()) + (number(2) ? "/%e4%b8%ad%E6%96%87/%7Euser/" : "/caf%C3%A9/a%20b") + word();
      case kUpperCase:
        return "http://WWW.Example-" + word() + ".COM" + path(3);
      case kMessy:
        return "http://" + host() + ":80" + path(2) + "/../a b/./" + word() + "?x=\xC3\xA9&y= z";
      case kIdna:
        return "http://b\xC3\xBC"
               "cher-" +
               word() + ".example" + path(2);
      case kKinds:
        break;
    }
    return {};
  }

  size_t number(size_t below) { return random_.below(below); }

  std::string word() {
    static constexpr const char* kWords[] = {"news",     "article", "archive",  "product", "2024",    "image",
                                             "category", "page",    "about",    "tag",     "forum",   "thread",
                                             "en",       "item",    "download", "wiki",    "user",    "blog",
                                             "science",  "history", "travel",   "index",   "gallery", "docs"};
    std::string text = kWords[number(std::size(kWords))];
    if (number(2)) text += "-" + std::to_string(number(100000));
    return text;
  }

  std::string host() { return (number(2) ? "www." : "") + word() + "-site" + std::to_string(number(1000)) + ".com"; }
  std::string absolute(const std::string& host) { return "https://" + host + path(2 + number(3)); }
  std::string query() { return "?id=" + std::to_string(number(1000000)) + "&" + word() + "=" + word(); }

  std::string path(size_t segments) {
    std::string text;
    for (; segments > 0; --segments) text += "/" + word();
    return text;
  }

  Random random_{42};
  std::vector<std::string> bases_;
};

struct Measurement {
  double ns_per_url = 0;
  size_t rejected = 0;
};

// Treats every link once and returns how many it refused.
using Pass = std::function<size_t()>;

// Runs the passes in turn, for at least `time` each, so that what else the machine does meets all of them. CPU time is
// measured, as nothing here waits, and the fastest run of each counts, since disturbance only adds.
std::vector<Measurement> measure(size_t links, std::chrono::duration<double> time, const std::vector<Pass>& passes) {
  std::vector<Measurement> best(passes.size());
  for (size_t i = 0; i < passes.size(); ++i) best[i].rejected = passes[i]();  // also warms up
  const auto until = Clock::now() + time * passes.size();
  do {
    for (size_t i = 0; i < passes.size(); ++i) {
      const double start = thread_cpu_seconds();
      passes[i]();
      const double each = (thread_cpu_seconds() - start) * 1e9 / static_cast<double>(links);
      if (best[i].ns_per_url == 0 || each < best[i].ns_per_url) best[i].ns_per_url = each;
    }
  } while (Clock::now() < until);
  return best;
}

// What a pass computes must be seen to be used, or the compiler leaves it out.
volatile uint64_t sink;

Pass aduana_pass(const std::vector<Link>& links, const std::vector<std::string>& bases, bool with_keys) {
  std::vector<Url> parsed;
  for (const auto& base : bases) parsed.push_back(Url::parse(base).value());
  return [&links, with_keys, parsed = std::move(parsed), canonicalizer = Canonicalizer()]() mutable {
    size_t rejected = 0;
    uint64_t sum = 0;
    for (const auto& link : links) {
      const auto view = canonicalizer.canonicalize(link.text, parsed[link.base]);
      if (!view) {
        ++rejected;
      } else if (with_keys) {
        sum += page_key(*view).lo;
      } else {
        sum += view->text.size();
      }
    }
    sink = sum;
    return rejected;
  };
}

Pass boost_pass(const std::vector<Link>& links, const std::vector<std::string>& bases) {
  namespace urls = boost::urls;
  std::vector<urls::url> parsed;
  for (const auto& base : bases) parsed.emplace_back(urls::parse_uri(base).value());
  return [&links, parsed = std::move(parsed), resolved = urls::url()]() mutable {
    size_t rejected = 0;
    uint64_t sum = 0;
    for (const auto& link : links) {
      const auto reference = urls::parse_uri_reference(link.text);
      if (!reference || !urls::resolve(parsed[link.base], *reference, resolved)) {
        ++rejected;
        continue;
      }
      resolved.remove_fragment();
      resolved.normalize();
      sum += resolved.size();
    }
    sink = sum;
    return rejected;
  };
}

struct Row {
  std::string name;
  Measurement aduana;
  Measurement boost;
};

void print_row(const Row& row) {
  fmt::print("{:<24}{:>10.1f}{:>10}{:>12.1f}{:>10}{:>9.1f}\n", row.name, row.aduana.ns_per_url, row.aduana.rejected,
             row.boost.ns_per_url, row.boost.rejected, row.boost.ns_per_url / row.aduana.ns_per_url);
}

std::string json_of(const Row& mix, const Measurement& keyed, size_t links) {
  JsonObject object;
  object.add("bench", "url");
  object.add("urls", uint64_t{links});
  object.add("ns_per_url", mix.aduana.ns_per_url);
  object.add("with_key_ns_per_url", keyed.ns_per_url);
  object.add("rejected", uint64_t{mix.aduana.rejected});
  object.add("boost_ns_per_url", mix.boost.ns_per_url);
  object.add("boost_rejected", uint64_t{mix.boost.rejected});
  object.add("ratio", mix.boost.ns_per_url / mix.aduana.ns_per_url);
  return object.text();
}

}  // namespace

int run_url_bench(const UrlBenchOptions& options) {
  LinkMaker maker;
  const auto& bases = maker.bases();
  std::vector<Link> links;
  for (size_t i = 0; i < options.urls; ++i) links.push_back(maker.make(maker.any_kind()));
  const auto measured =
      measure(links.size(), options.time,
              {aduana_pass(links, bases, false), boost_pass(links, bases), aduana_pass(links, bases, true)});
  const Row mix{"the mix", measured[0], measured[1]};
  const Measurement keyed = measured[2];
  if (options.json) {
    fmt::print("{}\n", json_of(mix, keyed, links.size()));
    return 0;
  }
  fmt::print("{:<24}{:>10}{:>10}{:>12}{:>10}{:>9}\n", "parse, resolve, canon.", "ns/URL", "refused", "Boost ns",
             "refused", "ratio");
  print_row(mix);
  fmt::print("{:<24}{:>10.1f}\n", "the mix, with page keys", keyed.ns_per_url);
  for (int kind = 0; kind < kKinds; ++kind) {
    std::vector<Link> alike;
    for (size_t i = 0; i < std::min<size_t>(options.urls, 10000); ++i) alike.push_back(maker.make(KindId(kind)));
    const auto both =
        measure(alike.size(), options.time / 4, {aduana_pass(alike, bases, false), boost_pass(alike, bases)});
    print_row({fmt::format("  {} {} %", kKindTable[kind].name, kKindTable[kind].share), both[0], both[1]});
  }
  fmt::print("Boost.URL follows RFC 3986 and refuses what browsers repair; what is refused costs it less.\n");
  return 0;
}

void add_url_bench(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<UrlBenchOptions>();
  auto seconds = std::make_shared<double>(options->time.count());
  CLI::App* command = app.add_subcommand("url", "Parse, resolve and canonicalise links, beside Boost.URL");
  command->add_option("--urls", options->urls, "Links in the list")->capture_default_str()->check(CLI::PositiveNumber);
  command->add_option("--seconds", *seconds, "Time for each measurement")->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object");
  command->callback([options, seconds, &exit_code] {
    options->time = std::chrono::duration<double>(*seconds);
    exit_code = run_url_bench(*options);
  });
}

}  // namespace aduana::bench
