// `aduana cert`: a certificate for the server that it signs itself, and its key.

#include <fmt/format.h>

#include "access_commands.h"
#include "base/json_line.h"
#include "commands.h"
#include "exit_code.h"
#include "messages.h"
#include "output.h"
#include "serve/access/certificate.h"

namespace aduana {
namespace {

struct Arguments {
  std::vector<std::string> hosts;
  std::string certificate, key;
  int64_t days = 825;
  bool force = false;
  bool json = false;
};

Result<int> run(const Arguments& arguments) {
  CertificateOptions options;
  options.hosts = arguments.hosts;
  if (options.hosts.empty()) options.hosts = {"localhost", "127.0.0.1", "::1"};
  options.lifetime = std::chrono::days(arguments.days);
  ADUANA_ASSIGN(const Certificate made, make_certificate(options, SystemClock().now()));
  const Status written = write_certificate(made, arguments.certificate, arguments.key, arguments.force);
  if (!written && written.error().code() == Code::exists) {
    return Error(Code::exists, written.error().message() + "; use another name, or --force to replace it");
  }
  ADUANA_TRY(written);

  Output output;
  if (arguments.json) {
    std::string hosts;
    for (const std::string& host : options.hosts) {
      if (!hosts.empty()) hosts += ',';
      append_json_string(hosts, host);
    }
    output.write(JsonLine()
                     .text("cert", arguments.certificate)
                     .text("key", arguments.key)
                     .json("hosts", '[' + hosts + ']')
                     .number("days", arguments.days)
                     .line());
  } else {
    output.write(fmt::format("{}: certificate for {}, good for {}\n{}: its key; keep it to yourself\n",
                             printable(arguments.certificate), fmt::join(options.hosts, ", "),
                             counted(static_cast<uint64_t>(arguments.days), "day"), printable(arguments.key)));
  }
  ADUANA_TRY(output.finish());
  return kFine;
}

}  // namespace

void add_cert_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("cert", "Make a certificate for the server that it signs itself, and its key");
  command->add_flag("--json", arguments->json, "Print JSON");
  command
      ->add_option("--host", arguments->hosts,
                   "Name or IP address by which clients reach the server; may be given several times. Default: "
                   "localhost, 127.0.0.1 and ::1")
      ->take_all()
      ->expected(1)
      ->type_name("NAME");
  command->add_option("--cert", arguments->certificate, "File for the certificate")->required()->type_name("FILE");
  command->add_option("--key", arguments->key, "File for the key")->required()->type_name("FILE");
  command->add_option("--days", arguments->days, "How long it is good")
      ->check(CLI::Range(1, 36'500))
      ->capture_default_str();
  command->add_flag("--force", arguments->force, "Replace files that are there");
  command->footer(
      "Exit codes:\n  0  fine\n  2  nothing could be done: wrong arguments, a file that is there, no permission, a "
      "full "
      "disk or the like");
  on_call(command, exit_code, [arguments] { return run(*arguments); });
}

}  // namespace aduana
