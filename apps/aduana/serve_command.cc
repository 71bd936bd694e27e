#include "serve_command.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "aduana/frontier.h"
#include "aduana/recrawl_policies.h"
#include "base/freed_memory.h"
#include "commands.h"
#include "exit_code.h"
#include "interrupt.h"
#include "messages.h"
#include "serve/access/authenticator.h"
#include "serve/access/tls.h"
#include "serve/rest/api.h"
#include "serve/rest/seed_list.h"
#include "serve_settings.h"
#include "text_file.h"
#include "url/url.h"

namespace aduana {
namespace {

constexpr size_t kMostBadSeeds = 20;     // that are told one by one
constexpr double kLongestPeriod = 1e13;  // ms, three hundred years

// Nothing else is known of who connects, so nobody from outside may.
Status check_access(const ServeSettings& settings) {
  const std::string& address = settings.http.address;
  const bool loopback = address == "::1" || address.starts_with("127.");
  if (settings.password_file.empty() && !loopback) {
    return Error(
        Code::invalid,
        fmt::format("without passwords the server listens on this machine only, not on {}; make a file of them "
                    "with `aduana passwd` and give it as --passwds, or leave --address out",
                    address));
  }
  if (settings.tls_key.empty() != settings.tls_cert.empty()) {
    return Error(Code::invalid, "SSL_KEY and SSL_CERT are both needed for HTTPS, or none of them");
  }
  return {};
}

Result<std::shared_ptr<Recrawl>> recrawl_of(const ServeSettings& settings) {
  if (!settings.freq_spec.empty()) {
    ADUANA_ASSIGN(const std::string rules, read_text_file(settings.freq_spec));
    if (settings.freq_scale || settings.freq_margin) {
      return Error(Code::invalid, "FREQ_SCALE and FREQ_MARGIN mean nothing with FREQ_SPEC; leave them out");
    }
    PatternTableOptions options;
    options.max_n_crawls = settings.max_n_crawls.value_or(0);
    if (settings.freq_default && *settings.freq_default > 0) {
      options.otherwise = Millis{static_cast<Millis::rep>(std::min(1000 / *settings.freq_default, kLongestPeriod))};
    }
    auto table = PatternTable::parse(rules, options);
    if (!table) return table.error().within(settings.freq_spec);
    return std::shared_ptr<Recrawl>(std::move(*table));
  }
  if (!settings.freq_default && !settings.freq_scale && !settings.freq_margin && !settings.max_n_crawls)
    return std::shared_ptr<Recrawl>();
  ChangeProportionalOptions options;
  if (settings.freq_default) options.default_frequency = *settings.freq_default;
  options.scale = settings.freq_scale.value_or(-1);
  if (settings.freq_margin) options.margin = *settings.freq_margin;
  if (settings.max_n_crawls) options.max_n_crawls = *settings.max_n_crawls;
  ADUANA_ASSIGN(auto policy, ChangeProportional::make(options));
  return std::shared_ptr<Recrawl>(std::move(policy));
}

void warn_of_no_users(const ServeSettings& settings, const PasswordFile& passwords) {
  if (passwords.users() > 0) return;
  print_warning(
      fmt::format("there are no users in {}, so nobody may connect; `aduana passwd` adds them, SIGHUP reads "
                  "them",
                  settings.password_file));
}

Result<std::unique_ptr<Authenticator>> access_of(const ServeSettings& settings, const Clock& clock) {
  if (settings.password_file.empty()) return std::unique_ptr<Authenticator>();
  ADUANA_ASSIGN(PasswordFile passwords, PasswordFile::read(settings.password_file));
  warn_of_no_users(settings, passwords);
  if (settings.tls_cert.empty()) {
    print_warning("without SSL_KEY and SSL_CERT passwords cross the network in the open; `aduana cert` makes both");
  }
  return std::make_unique<Authenticator>(std::move(passwords), clock);
}

Result<std::shared_ptr<boost::asio::ssl::context>> tls_of(const ServeSettings& settings, const Clock& clock) {
  if (settings.tls_cert.empty()) return std::shared_ptr<boost::asio::ssl::context>();
  ADUANA_ASSIGN(TlsContext tls, make_tls_context(settings.tls_cert, settings.tls_key, clock.now()));
  for (const std::string& warning : tls.warnings) print_warning(warning);
  return std::move(tls.context);
}

// A connection is a descriptor.
void allow_many_files() {
  struct rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

bool is_web(std::string_view text) {
  const auto url = Url::parse(text);
  return url && (url->scheme() == "http" || url->scheme() == "https");
}

Status load_seeds(Frontier& frontier, const std::string& path) {
  ADUANA_ASSIGN(const std::string text, read_text_file(path));
  SeedList seeds;
  seeds.add_lines(text);
  ADUANA_ASSIGN(const DiscoverResult found, frontier.discover(seeds.discoveries()));
  size_t bad = 0, not_web = 0;
  const auto given = seeds.discoveries();
  for (size_t i = 0; i < found.errors.size(); ++i) {
    if (!found.errors[i]) {
      not_web += !is_web(given[i].url);
      continue;
    }
    if (++bad <= kMostBadSeeds) {
      print_warning(fmt::format("{}:{}: {}", path, seeds.line_of(i), found.errors[i]->message()));
    }
  }
  if (bad > kMostBadSeeds) print_warning(fmt::format("{}: {} more lines are no URLs", path, bad - kMostBadSeeds));
  if (not_web > 0) {
    print_warning(
        fmt::format("{}: {} of the seeds will not be crawled: only http and https are", path, grouped(not_web)));
  }
  fmt::print(stderr, "{} from {}, {} new\n", counted(seeds.size() - bad, "seed"), path, grouped(found.new_urls));
  return {};
}

// A changed file of passwords holds from now on; one that can't be read changes nothing.
void read_users_again(const ServeSettings& settings, Authenticator* access) {
  if (!access) return print_warning("SIGHUP: there is no file of passwords to read again");
  auto passwords = PasswordFile::read(settings.password_file);
  if (!passwords) {
    return print_warning(fmt::format("SIGHUP: {}; the users stay as they were", passwords.error().message()));
  }
  warn_of_no_users(settings, *passwords);
  access->replace(std::move(*passwords));
  fmt::print(stderr, "Users read again from {}\n", settings.password_file);
}

// What is in the folder; and the folder, where that is possible: it may be one that is mounted.
Status delete_store(const std::string& dir) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::canonical(dir, error);
  for (auto file = fs::directory_iterator(folder, error); !error && file != fs::directory_iterator();) {
    fs::remove_all(file->path(), error);
    if (!error) file.increment(error);
  }
  if (error) return Error(Code::io, fmt::format("deleting what is in {}: {}", dir, error.message()));
  fs::remove(folder, error);
  return {};
}

Result<int> run(const ServeArguments& arguments) {
  ADUANA_ASSIGN(ServeSettings settings, arguments.read());
  if (settings.dir.empty()) return Error(Code::invalid, "name the folder of the store: --dir DIR");
  ADUANA_TRY(check_access(settings));
  ADUANA_ASSIGN(settings.frontier.recrawl, recrawl_of(settings));
  const SystemClock clock;
  ADUANA_ASSIGN(const auto access, access_of(settings, clock));
  ADUANA_ASSIGN(const auto tls, tls_of(settings, clock));
  if (!settings.persist) {
    print_warning(fmt::format("PERSIST is false: {} with all that is in it is deleted when the server stops",
                              printable(settings.dir)));
  }
  allow_many_files();
  give_back_large_blocks();
  catch_interrupts();
  catch_hang_ups();
  ADUANA_ASSIGN(const auto frontier, Frontier::open(settings.dir, settings.frontier));
  if (!settings.seeds.empty()) ADUANA_TRY(load_seeds(*frontier, settings.seeds));

  Api api(*frontier, clock, {settings.default_requests, settings.dir, ADUANA_VERSION, settings.graph_interval},
          access.get());
  ADUANA_ASSIGN(const auto server, HttpServer::start(settings.http, api, tls.get()));
  api.set_server(server.get());
  const bool v6 = settings.http.address.find(':') != std::string::npos;
  fmt::print("Listening on {}://{}{}{}:{}/ with the store {}. Ctrl-C stops.\n", tls ? "https" : "http", v6 ? "[" : "",
             settings.http.address, v6 ? "]" : "", server->port(), printable(settings.dir));
  std::fflush(stdout);
  while (wait_for_hang_up()) read_users_again(settings, access.get());

  fmt::print(stderr, "Stopping: finishing what has come, then a checkpoint\n");
  api.set_server(nullptr);
  api.stop();
  server->stop();
  ADUANA_TRY(frontier->close());
  if (!settings.persist) {
    ADUANA_TRY(delete_store(settings.dir));
    fmt::print(stderr, "Deleted {}, as PERSIST says\n", printable(settings.dir));
  }
  return kFine;
}

}  // namespace

void add_serve_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ServeArguments>();
  CLI::App* command = app.add_subcommand("serve", "Serve spiders over HTTP: docs/rest.md");
  arguments->add_to(*command);
  command->footer(
      "Each setting can be given as a flag, as an environment variable of its name in capitals (with or without "
      "ADUANA_\n"
      "in front), or under that name in the file of --config, in this order.\n\n"
      "Exit codes:\n  0  stopped by a signal, in order\n  1  the store, or the file of passwords, is damaged\n  2  "
      "nothing could be done: wrong settings, the port is taken, "
      "no permission, a full disk or the like");
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
