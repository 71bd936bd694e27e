#include "serve_settings.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "duration_argument.h"
#include "settings_file.h"
#include "size_argument.h"

namespace aduana {

namespace {

struct Setting {
  const char* key;    // in the file and in the environment: as documented in 2015, where it was
  const char* flag;   // without the dashes
  const char* value;  // what stands for its value in --help
  const char* help;   // with the default
  Status (*set)(ServeSettings& settings, const std::string& value);
};

using S = ServeSettings;
using Text = std::string;

Error invalid(std::string message) { return Error(Code::invalid, std::move(message)); }

template <class Number>
Status number(const Text& text, Number least, Number most, Number& out) {
  Number read{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
  if (error != std::errc() || end != text.data() + text.size() || !(read >= least && read <= most)) {
    return invalid(fmt::format("must be a number from {} to {}", least, most));
  }
  out = read;
  return {};
}

Status truth(const Text& text, bool& out) {
  if (text == "true" || text == "True" || text == "1" || text == "yes" || text == "on") {
    out = true;
  } else if (text == "false" || text == "False" || text == "0" || text == "no" || text == "off") {
    out = false;
  } else {
    return invalid("must be true or false");
  }
  return {};
}

Status duration(const Text& text, Millis& out) {
  ADUANA_ASSIGN(out, parse_duration(text));
  return {};
}

Status size(const Text& text, uint64_t& out) {
  const auto read = parse_size(text);
  if (!read) return invalid("must be a size: 4096, 64K, 64M, 1G");
  out = *read;
  return {};
}

// The names of 2015, and ours.
Status scorer(const Text& text, ScorerKind& out) {
  if (text == "None" || text.empty()) {
    out = ScorerKind::content;
  } else if (text == "HitsScorer") {
    out = ScorerKind::hits;
  } else if (text == "PageRankScorer") {
    out = ScorerKind::page_rank;
  } else {
    ADUANA_ASSIGN(out, scorer_named(text));
  }
  return {};
}

// Also as it stands in a URL.
Status address(const Text& text, std::string& out) {
  const bool in_brackets = text.starts_with('[') && text.ends_with(']');
  out = text == "localhost" ? "127.0.0.1" : in_brackets ? text.substr(1, text.size() - 2) : text;
  in6_addr parsed;
  if (inet_pton(AF_INET, out.c_str(), &parsed) != 1 && inet_pton(AF_INET6, out.c_str(), &parsed) != 1) {
    return invalid("must be an IP address; to listen on all of them give 0.0.0.0 or ::");
  }
  return {};
}

Status durability(const Text& text, Durability& out) {
  if (text == "always") {
    out = Durability::always;
  } else if (text == "interval") {
    out = Durability::interval;
  } else if (text == "none") {
    out = Durability::none;
  } else {
    return invalid("must be always, interval or none");
  }
  return {};
}

template <class Number>
Status optional_number(const Text& text, Number least, Number most, std::optional<Number>& out) {
  Number read{};
  ADUANA_TRY(number(text, least, most, read));
  out = read;
  return {};
}

constexpr double kMostRate = 1e9;
constexpr double kSoftRate = 0.25;  // if none is given

const Setting kSettings[] = {
    {"PAGE_DB_PATH", "dir", "DIR", "Folder of the store; made if it is not there. Must be given",
     [](S& s, const Text& v) -> Status {
       s.dir = v;
       return {};
     }},
    {"SEEDS", "seeds", "FILE", "URLs to begin with, one a line; # begins a comment",
     [](S& s, const Text& v) -> Status {
       s.seeds = v;
       return {};
     }},
    {"ADDRESS", "address", "IP", "Address to listen on. Without PASSWDS only one of this machine [127.0.0.1]",
     [](S& s, const Text& v) { return address(v, s.http.address); }},
    {"PORT", "port", "N", "Port to listen on; 0: any that is free [8000]",
     [](S& s, const Text& v) { return number<uint16_t>(v, 0, 65535, s.http.port); }},
    {"PASSWDS", "passwds", "FILE", "Who may connect; `aduana passwd` makes it",
     [](S& s, const Text& v) -> Status {
       s.password_file = v == "None" ? "" : v;
       return {};
     }},
    {"SSL_KEY", "ssl-key", "FILE", "Key for HTTPS, in PEM; with SSL_CERT. `aduana cert` makes both",
     [](S& s, const Text& v) -> Status {
       s.tls_key = v == "None" ? "" : v;
       return {};
     }},
    {"SSL_CERT", "ssl-cert", "FILE", "Certificate for HTTPS, in PEM",
     [](S& s, const Text& v) -> Status {
       s.tls_cert = v == "None" ? "" : v;
       return {};
     }},
    {"DEFAULT_REQS", "default-reqs", "N", "Pages given to a request that does not say how many [10]",
     [](S& s, const Text& v) { return number<uint64_t>(v, 1, 10'000, s.default_requests); }},
    {"SCORER", "scorer", "NAME",
     "content, opic, page-rank, hits or blend; also None, PageRankScorer, HitsScorer [content]",
     [](S& s, const Text& v) { return scorer(v, s.frontier.scoring.scorer); }},
    {"USE_SCORES", "use-scores", "BOOL", "Merge content scores into those of links [false]",
     [](S& s, const Text& v) { return truth(v, s.frontier.scoring.use_content_scores); }},
    {"PAGE_RANK_DAMPING", "page-rank-damping", "D", "Damping of PageRank [0.85]",
     [](S& s, const Text& v) { return number<double>(v, 0, 1, s.frontier.scoring.damping); }},
    {"SCORE_UPDATE_INTERVAL", "score-update-interval", "TIME",
     "Compute scores anew so often; 0: after 100 pages and 1 % of all [0]",
     [](S& s, const Text& v) { return duration(v, s.frontier.scoring.update_interval); }},
    {"SOFT_CRAWL_LIMIT", "soft-crawl-limit", "RATE",
     "Requests a second of one host, in one crawl, from which on others are preferred; 0: none [0.25]",
     [](S& s, const Text& v) { return number<double>(v, 0, kMostRate, s.frontier.politeness.soft_rate); }},
    {"HARD_CRAWL_LIMIT", "hard-crawl-limit", "RATE", "Requests a second of one host, at most; 0: no limit [100]",
     [](S& s, const Text& v) { return number<double>(v, 0, kMostRate, s.frontier.politeness.hard_rate); }},
    {"MIN_DELAY", "min-delay", "TIME", "Between two requests of one host [1s]",
     [](S& s, const Text& v) { return duration(v, s.frontier.politeness.min_delay); }},
    {"FETCH_FACTOR", "fetch-factor", "X", "And so many times what the last fetch took [10]",
     [](S& s, const Text& v) { return number<double>(v, 0, kMostRate, s.frontier.politeness.fetch_factor); }},
    {"MAX_IN_FLIGHT", "max-in-flight", "N", "Pages of one host given out at a time; 0: any number [1]",
     [](S& s, const Text& v) { return number<uint32_t>(v, 0, UINT32_MAX, s.frontier.politeness.max_in_flight); }},
    {"LEASE", "lease", "TIME", "Until a page that was given out and not heard of returns [60s]",
     [](S& s, const Text& v) { return duration(v, s.frontier.lease); }},
    {"MAX_CRAWL_DEPTH", "max-crawl-depth", "N", "Links from a seed; 0: no limit [0]",
     [](S& s, const Text& v) { return number<uint32_t>(v, 0, UINT32_MAX, s.frontier.limits.max_seed_depth); }},
    {"MAX_N_CRAWLS", "max-n-crawls", "N",
     "Crawl a page so often; 0: without end; not given: once, or without end if there is a FREQ_ setting",
     [](S& s, const Text& v) { return optional_number<uint32_t>(v, 0, UINT32_MAX, s.max_n_crawls); }},
    {"FREQ_DEFAULT", "freq-default", "RATE",
     "Recrawl: visits a second of a page that nothing is known of [0.1 if FREQ_SCALE, FREQ_MARGIN or MAX_N_CRAWLS is "
     "given]",
     [](S& s, const Text& v) { return optional_number<double>(v, 0, kMostRate, s.freq_default); }},
    {"FREQ_SCALE", "freq-scale", "X", "Recrawl: visits a change; 0 or less: all pages as FREQ_DEFAULT says [-1]",
     [](S& s, const Text& v) { return optional_number<double>(v, -kMostRate, kMostRate, s.freq_scale); }},
    {"FREQ_MARGIN", "freq-margin", "X", "Recrawl: how much too often a page may be visited",
     [](S& s, const Text& v) { return optional_number<double>(v, -kMostRate, kMostRate, s.freq_margin); }},
    {"FREQ_SPEC", "freq-spec", "FILE", "Recrawl: lines of `REGEX SECONDS` or `REGEX xTIMES`",
     [](S& s, const Text& v) -> Status {
       s.freq_spec = v;
       return {};
     }},
    {"PERSIST", "persist", "BOOL", "Keep the store at the end; false: delete it when the server stops in order [true]",
     [](S& s, const Text& v) { return truth(v, s.persist); }},
    {"DURABILITY", "durability", "WHEN",
     "What was answered is on disk: always, within 100 ms (interval), or none [interval]",
     [](S& s, const Text& v) { return durability(v, s.frontier.durability); }},
    {"MEMORY", "memory", "SIZE", "For the cache of URLs [256M]",
     [](S& s, const Text& v) { return size(v, s.frontier.cache_bytes); }},
    {"THREADS", "threads", "N", "That answer requests; 0: as suits the machine [0]",
     [](S& s, const Text& v) { return number<unsigned>(v, 0, 1024, s.http.threads); }},
    {"MAX_BODY", "max-body", "SIZE", "Of a request [64M]",
     [](S& s, const Text& v) { return size(v, s.http.limits.body_bytes); }},
    {"MAX_CONNECTIONS", "max-connections", "N", "In all [20000]",
     [](S& s, const Text& v) { return number<uint32_t>(v, 1, 1'000'000, s.http.limits.connections); }},
    {"MAX_CLIENT_CONNECTIONS", "max-client-connections", "N", "Of one address [2000]",
     [](S& s, const Text& v) { return number<uint32_t>(v, 1, 1'000'000, s.http.limits.connections_per_client); }},
    {"MAX_CLIENT_RATE", "max-client-rate", "RATE", "Requests a second from one address; 0: no limit [0]",
     [](S& s, const Text& v) { return number<double>(v, 0, kMostRate, s.http.limits.requests_per_client); }},
    {"GRAPH_INTERVAL", "graph-interval", "TIME",
     "Make a graph of all links so often, to tell at once who links a page; 0: when asked for [0]",
     [](S& s, const Text& v) { return duration(v, s.graph_interval); }},
};

Status set(const Setting& setting, ServeSettings& settings, const std::string& value, const std::string& where) {
  const Status done = setting.set(settings, value);
  if (done) return {};
  return Error(done.error().code(), fmt::format("{} is \"{}\": {}", where, value, done.error().message()));
}

}  // namespace

void ServeArguments::add_to(CLI::App& command) {
  command.add_option("--config", config_, "Settings, in TOML: the names in capitals below")->type_name("FILE");
  given_.resize(std::size(kSettings));
  for (size_t i = 0; i < std::size(kSettings); ++i) {
    const Setting& setting = kSettings[i];
    options_.push_back(command.add_option(fmt::format("--{}", setting.flag), given_[i],
                                          fmt::format("{} ({})", setting.help, setting.key)));
    options_.back()->type_name(setting.value);
  }
}

Result<ServeSettings> ServeArguments::read() const {
  ServeSettings settings;
  settings.frontier.politeness.soft_rate = kSoftRate;
  settings.frontier.politeness.hard_rate = 100;
  SettingsFile file;
  if (!config_.empty()) {
    ADUANA_ASSIGN(file, SettingsFile::read(config_));
    for (const auto& [key, entry] : file.entries) {
      const auto known = [&key = key](const Setting& s) { return key == s.key; };
      if (std::none_of(std::begin(kSettings), std::end(kSettings), known)) {
        return invalid(
            fmt::format("{}:{}: there is no setting {}; see `aduana serve --help`", config_, entry.line, key));
      }
    }
  }
  for (size_t i = 0; i < std::size(kSettings); ++i) {
    const Setting& setting = kSettings[i];
    const std::string own_name = fmt::format("ADUANA_{}", setting.key);
    const char* from_environment = std::getenv(own_name.c_str());
    const char* name = from_environment ? own_name.c_str() : setting.key;
    if (!from_environment) from_environment = std::getenv(setting.key);
    if (options_[i]->count()) {
      ADUANA_TRY(set(setting, settings, given_[i], fmt::format("--{}", setting.flag)));
    } else if (from_environment) {
      ADUANA_TRY(set(setting, settings, from_environment, fmt::format("{} in the environment", name)));
    } else if (const auto at = file.entries.find(setting.key); at != file.entries.end()) {
      ADUANA_TRY(
          set(setting, settings, at->second.value, fmt::format("{}:{}: {}", config_, at->second.line, setting.key)));
    }
  }
  // Without a hard limit there is no temperature; without a soft one nobody is preferred before the hard one is
  // reached.
  PolitenessOptions& politeness = settings.frontier.politeness;
  if (politeness.hard_rate == 0) politeness.soft_rate = 0;
  if (politeness.soft_rate == 0) politeness.soft_rate = politeness.hard_rate;
  const bool is_default = politeness.soft_rate == kSoftRate;
  if (is_default) politeness.soft_rate = std::min(politeness.soft_rate, politeness.hard_rate);
  if (politeness.soft_rate > politeness.hard_rate) {
    return invalid(fmt::format("SOFT_CRAWL_LIMIT, {}, must not be above HARD_CRAWL_LIMIT, {}", politeness.soft_rate,
                               politeness.hard_rate));
  }
  return settings;
}

}  // namespace aduana
