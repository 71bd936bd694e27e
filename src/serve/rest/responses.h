// Answers: errors as a client wants them, and JSON.
#pragma once

#include <string>
#include <string_view>

#include "aduana/result.h"
#include "serve/http/message.h"

namespace aduana {

unsigned status_of(Code code);

// A sentence in plain text, or JSON if the client asks for that.
HttpResponse error_response(const HttpHead& head, unsigned status, std::string_view code, const std::string& message);
HttpResponse error_response(const HttpHead& head, const Error& error);

HttpResponse json_response(std::string body, unsigned status = 200);
HttpResponse response_of(const HttpHead& head, Result<std::string> json);

// {"code":…,"message":…}
std::string error_json(const Error& error);

}  // namespace aduana
