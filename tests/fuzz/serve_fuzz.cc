// libFuzzer: what arrives on a connection of the server, through the real session, parser and handlers to a frontier.
// Every answer must be whole, of a known status that is not the server's own fault, and readable; the frontier must
// stay sound.
//
// The first byte chooses how much arrives at a time, the second one how the rest is read: as it comes on the
// connection, or as requests that are framed as they should be, so that handlers are reached often. Of these, divided
// by bytes 0x1e, the first byte chooses the route, and what follows is the body or the query.
#include <simdjson.h>

#include <boost/beast/_experimental/test/stream.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/simulated_disk.h"
#include "frontier/open_frontier.h"
#include "serve/http/session.h"
#include "serve/rest/api.h"

namespace aduana {
namespace {

void require(bool holds, const char* what, std::string_view about = {}) {
  if (holds) return;
  std::fprintf(stderr, "%s\n%.*s\n", what, static_cast<int>(about.size()), about.data());
  std::abort();
}

// A connection in memory, with what a session wants of a socket; nothing takes long here.
class MemoryStream : public beast::test::stream {
 public:
  struct Socket {
    void shutdown(net::ip::tcp::socket::shutdown_type, beast::error_code&) {}
  };
  using beast::test::stream::stream;
  void expires_after(Millis) {}
  Socket& socket() { return socket_; }

 private:
  Socket socket_;
};

// Looks at every answer, and remembers what the client must get.
class Watched final : public HttpHandler {
 public:
  struct Answer {
    unsigned status;
    size_t length;
    bool with_body;
  };

  explicit Watched(Api& api) : api_(api) {}

  bool takes_long(const HttpHead& head) override { return api_.takes_long(head); }
  bool answers_slowly(const HttpHead& head) override { return api_.answers_slowly(head); }
  std::optional<HttpResponse> refuse(HttpHead& head) override {
    auto refused = api_.refuse(head);
    if (refused) watch(head, *refused);
    return refused;
  }
  HttpResponse answer(const HttpRequest& request) override {
    HttpResponse response = api_.answer(request);
    watch(request, response);
    return response;
  }
  HttpResponse error(const HttpHead& head, unsigned status, std::string_view code,
                     const std::string& message) override {
    HttpResponse response = api_.error(head, status, code, message);
    watch(head, response);
    return response;
  }

  std::vector<Answer> answers;

 private:
  void watch(const HttpHead& head, const HttpResponse& response) {
    require(response.status >= 200 && response.status < 600 && response.status != 500, "a wrong status", response.body);
    require(simdjson::validate_utf8(response.body), "an answer that is not UTF-8", response.body);
    if (response.content_type == "application/json") {
      simdjson::dom::element parsed;
      require(!parser_.parse(response.body).get(parsed), "an answer that is not JSON", response.body);
    }
    answers.push_back({response.status, response.body.size(), head.method != Method::head});
  }

  Api& api_;
  simdjson::dom::parser parser_;
};

// A crawl with all that is asked about it.
class Target {
 public:
  explicit Target(const std::string& dir) {
    FrontierOptions options;
    options.clock = &clock_;
    options.background = false;
    options.cache_bytes = 1 << 20;
    options.politeness = PolitenessOptions::none();
    StoreOptions store = store_options_of(options);
    store.pages.index.memtable_entries = 1000;
    auto opened = open_frontier(disk_, "/crawl", options, store);
    require(opened.has_value(), "no frontier");
    frontier_ = std::move(*opened);
    api_ = std::make_unique<Api>(*frontier_, clock_, ApiOptions{10, dir, "fuzz"});
    watched_ = std::make_unique<Watched>(*api_);
    HttpLimits limits;
    limits.body_bytes = 1 << 20;
    shared_ = std::make_unique<SessionShared>(limits, *watched_);
    shared_->waiting = shared_->slow = shared_->large = &others_;
  }

  const std::vector<Route>& routes() const { return api_->routes().all(); }
  bool is_large() const { return ++connections_ > 5000 || frontier_->stats()->urls > 5000; }

  void connect(std::string_view bytes, size_t at_a_time) {
    beast::test::stream client(io_);
    std::weak_ptr<Connection> session;
    {
      MemoryStream stream(io_, bytes);
      stream.connect(client);
      stream.close_remote();
      stream.read_size(at_a_time);
      require(shared_->connections.enter("127.0.0.1"), "a connection that did not leave");
      const auto begun = std::make_shared<Session<MemoryStream>>(std::move(stream), *shared_, "127.0.0.1");
      shared_->connections.add(begun);
      begun->run();
      session = begun;
    }
    // The last one to let go of it may be another thread, of which run_one() would not hear.
    while (!session.expired()) io_.run_one_for(Millis{1});
    check(client.str());
    require(shared_->bytes_of_bodies == 0, "bodies that were not released");
    clock_.advance(Millis{1000});
  }

  void check_crawl() {
    const auto problem = [](const std::string& text) { require(false, "the crawl is damaged", text); };
    require(frontier_->check(problem).has_value(), "the crawl can't be checked");
  }

 private:
  // What the client got are the answers that were given.
  void check(std::string_view got) {
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    for (const Watched::Answer& answer : watched_->answers) {
      while (got.starts_with(kContinue)) got.remove_prefix(kContinue.size());
      const std::string_view head = got.substr(0, got.find("\r\n\r\n") + 4);
      require(head.starts_with("HTTP/1.1 ") || head.starts_with("HTTP/1.0 "), "an answer that is none", got);
      require(head.substr(9, 4) == std::to_string(answer.status) + ' ', "another status", head);
      const std::string length = "\r\nContent-Length: " + std::to_string(answer.length) + "\r\n";
      require(head.find(length) != std::string_view::npos, "another length", head);
      got.remove_prefix(head.size());
      const size_t body = answer.with_body ? answer.length : 0;
      require(got.size() >= body, "an answer that is cut", head);
      got.remove_prefix(body);
    }
    while (got.starts_with(kContinue)) got.remove_prefix(kContinue.size());
    require(got.empty(), "more than was answered", got);
    watched_->answers.clear();
  }

  ManualClock clock_{Instant{Millis{1'800'000'000'000}}};
  SimulatedDisk disk_;
  std::unique_ptr<Frontier> frontier_;
  std::unique_ptr<Api> api_;
  std::unique_ptr<Watched> watched_;
  std::unique_ptr<SessionShared> shared_;
  net::io_context io_{1};
  net::executor_work_guard<net::io_context::executor_type> work_{io_.get_executor()};
  net::thread_pool others_{1};
  mutable uint64_t connections_ = 0;
};

std::string framed(const std::vector<Route>& routes, std::string_view pieces) {
  std::string all;
  while (!pieces.empty()) {
    const std::string_view piece = pieces.substr(0, pieces.find('\x1e'));
    pieces.remove_prefix(std::min(piece.size() + 1, pieces.size()));
    if (piece.empty()) continue;
    const Route& route = routes[static_cast<uint8_t>(piece[0]) % routes.size()];
    const std::string_view rest = piece.substr(1);
    if (route.method == Method::get) {
      all += "GET " + route.path + '?' + std::string(rest) + " HTTP/1.1\r\n\r\n";
    } else {
      const bool host = route.path == "/host";
      all += "POST " + route.path + (host ? "?key=a.com" : "") +
             " HTTP/1.1\r\nAccept: application/json\r\nContent-Length: " + std::to_string(rest.size()) + "\r\n\r\n" +
             std::string(rest);
    }
  }
  return all;
}

// For graphs of the links; goes with the process.
struct Folder {
  Folder() : path((std::filesystem::temp_directory_path() / "aduana-fuzz-XXXXXX").string()) {
    require(::mkdtemp(path.data()) != nullptr, "no folder", path);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

}  // namespace
}  // namespace aduana

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace aduana;
  static const Folder folder;
  static std::unique_ptr<Target> target;
  if (size < 2) return 0;
  if (target && target->is_large()) {
    target->check_crawl();
    target.reset();
  }
  if (!target) target = std::make_unique<Target>(folder.path);
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  const size_t at_a_time = data[0] < 128 ? 1u + data[0] : SIZE_MAX;
  target->connect(data[1] % 4 == 0 ? std::string(rest) : framed(target->routes(), rest), at_a_time);
  return 0;
}
