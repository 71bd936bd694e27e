// UrlParser writes a Url: the standard's basic URL parser, as one function for each part instead of its state machine.
//
// The parts are appended to the Url's text in the order in which they stand in it, so nothing is put together twice.
// Internal to url/. One parser serves one parse; it holds no lock and shares nothing.
#pragma once

#include <string>
#include <string_view>

#include "url/url.h"

namespace aduana {

class UrlParser {
 public:
  UrlParser(Url& url, const Url* base) : url_(url), out_(url.href_), base_(base) {}

  // nullptr, or why the input is not a URL.
  const char* parse(std::string_view input);

 private:
  // Each of these takes the rest of the input and parses to its end.
  const char* parse_with_scheme(std::string_view rest);
  const char* parse_without_scheme(std::string_view rest);
  const char* parse_relative(std::string_view rest);
  const char* parse_file(std::string_view rest);
  const char* parse_file_slash(std::string_view rest);
  const char* parse_file_host(std::string_view rest);
  const char* parse_authority(std::string_view rest);
  const char* parse_after_host(std::string_view rest);
  const char* parse_path(std::string_view rest);
  const char* parse_opaque_path(std::string_view rest);
  const char* parse_query_and_fragment(std::string_view rest);

  bool take_scheme(std::string_view input);
  void set_scheme(std::string_view scheme);
  void append_credentials(std::string_view credentials);
  const char* append_port(std::string_view digits);

  void begin_authority();  // appends "//"; end_authority ends it, or the lack of one, and begins the path
  void end_authority();
  void copy_authority();
  void copy_path() { out_ += base_->pathname(); }
  void copy_query();
  void shorten_path();

  bool is_slash(char c) const { return c == '/' || (c == '\\' && url_.special_); }
  std::string_view path() const { return std::string_view(out_).substr(url_.path_); }

  Url& url_;
  std::string& out_;
  const Url* base_;
  bool file_ = false;
};

}  // namespace aduana
