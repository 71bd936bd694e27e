#include "serve/access/openssl.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/rand.h>

#include <stdexcept>

namespace aduana {

std::string openssl_reason() {
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  if (error == 0) return "OpenSSL gives no reason";
  if (const char* reason = ERR_reason_error_string(error)) return reason;
  return "OpenSSL error " + std::to_string(error);
}

std::string random_bytes(size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1)
    throw std::runtime_error("the system has no random bytes: " + openssl_reason());
  return bytes;
}

Secret::~Secret() { OPENSSL_cleanse(text_.data(), text_.size()); }

}  // namespace aduana
