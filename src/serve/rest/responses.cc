#include "serve/rest/responses.h"

#include "base/json_line.h"
#include "base/utf8.h"

namespace aduana {

unsigned status_of(Code code) {
  switch (code) {
    case Code::invalid:
      return 400;
    case Code::not_found:
      return 404;
    case Code::exists:
      return 409;
    case Code::too_large:
      return 413;
    case Code::unsupported:
      return 501;
    case Code::busy:
    case Code::closed:
      return 503;
    case Code::no_space:
      return 507;
    case Code::corrupt:
    case Code::io:
      break;
  }
  return 500;
}

namespace {

// A message may tell what the client sent, which may be any bytes; the answer is UTF-8 of one line.
std::string readable(std::string_view message) {
  std::string text;
  for (const char* at = message.data(); at < message.data() + message.size();) {
    const char32_t code = decode_utf8(at, message.data() + message.size());
    append_utf8(text, code < ' ' || (code >= 0x7f && code < 0xa0) ? kReplacement : code);
  }
  return text;
}

}  // namespace

HttpResponse error_response(const HttpHead& head, unsigned status, std::string_view code, const std::string& message) {
  HttpResponse response;
  response.status = status;
  if (head.wants_json()) {
    response.body = JsonLine().json("error", JsonLine().text("code", code).text("message", message).object()).line();
  } else {
    response.content_type = "text/plain; charset=utf-8";
    response.body = readable(message) + '\n';
  }
  return response;
}

HttpResponse error_response(const HttpHead& head, const Error& error) {
  return error_response(head, status_of(error.code()), name_of(error.code()), error.message());
}

HttpResponse json_response(std::string body, unsigned status) {
  HttpResponse response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

HttpResponse response_of(const HttpHead& head, Result<std::string> json) {
  return json ? json_response(std::move(*json)) : error_response(head, json.error());
}

std::string error_json(const Error& error) {
  return JsonLine().text("code", name_of(error.code())).text("message", error.message()).object();
}

}  // namespace aduana
