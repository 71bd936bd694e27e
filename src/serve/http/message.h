// A request and its answer, as the handlers see them: no sockets, no library of HTTP.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/access/roles.h"

namespace aduana {

enum class Method : uint8_t { get, head, post, other };

// What is known of a request before its body is read. Good as long as the request is answered.
struct HttpHead {
  Method method = Method::get;
  std::string_view path;           // of the target, before the question mark
  std::string_view query;          // behind it, still encoded
  std::string_view authorization;  // the header of that name; empty: none
  std::string_view accept;
  std::string_view host, origin, fetch_site;  // headers Host, Origin and Sec-Fetch-Site
  std::string_view content_type;
  std::string_view client;  // its address, without the port
  Role role = Role::admin;  // of the client, once refuse() has let it through

  bool wants_json() const { return accept.find("application/json") != std::string_view::npos; }
};

struct HttpRequest : HttpHead {
  // Behind it are kBodyPadding bytes that may be read.
  std::string_view body;
};
inline constexpr size_t kBodyPadding = 64;

struct HttpResponse {
  unsigned status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // besides those that every answer has
  bool close = false;                                        // the connection, afterwards
};

// Used by many threads at once.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // Asked before the body is read: an answer here is one without reading it. Notes who is asking.
  virtual std::optional<HttpResponse> refuse(HttpHead& head) = 0;
  // Whether refuse() would take long, and has to be asked by a thread that may wait.
  virtual bool takes_long(const HttpHead& head) = 0;
  // Whether the request counts for how often its client may ask.
  virtual bool counts(const HttpHead&) { return true; }
  virtual HttpResponse answer(const HttpRequest& request) = 0;
  // Whether answer() may take long, and is to be left to one of a few threads for that.
  virtual bool answers_slowly(const HttpHead& head) = 0;
  // What the server itself has to say: the request can't be read, or is over a limit.
  virtual HttpResponse error(const HttpHead& head, unsigned status, std::string_view code,
                             const std::string& message) = 0;
};

}  // namespace aduana
