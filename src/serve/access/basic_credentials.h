// What a Basic Authorization header says (RFC 7617): a user and a password, as bytes.
#pragma once

#include <memory>
#include <string_view>

#include "serve/access/openssl.h"

namespace aduana {

class BasicCredentials {
 public:
  // Null for another scheme and for what is not spelled exactly. The user ends at the first colon.
  static std::unique_ptr<BasicCredentials> parse(std::string_view authorization);

  std::string_view user() const { return both_.view().substr(0, colon_); }
  std::string_view password() const { return both_.view().substr(colon_ + 1); }

 private:
  BasicCredentials(std::string both, size_t colon) : both_(std::move(both)), colon_(colon) {}

  const Secret both_;
  const size_t colon_;
};

}  // namespace aduana
