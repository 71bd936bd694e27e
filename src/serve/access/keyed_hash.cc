#include "serve/access/keyed_hash.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <stdexcept>

namespace aduana {
namespace {

constexpr size_t kSize = 32;

[[noreturn]] void fail() { throw std::runtime_error("HMAC-SHA256 can't be computed: " + openssl_reason()); }

}  // namespace

KeyedHash::KeyedHash() {
  const OpensslPtr<EVP_MAC, EVP_MAC_free> hmac(EVP_MAC_fetch(nullptr, "HMAC", nullptr));
  if (!hmac) fail();
  keyed_.reset(EVP_MAC_CTX_new(hmac.get()));
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
                                   OSSL_PARAM_construct_end()};
  const Secret key(random_bytes(kSize));
  if (!keyed_ || EVP_MAC_init(keyed_.get(), reinterpret_cast<const unsigned char*>(key.view().data()),
                              key.view().size(), parameters) != 1) {
    fail();
  }
}

std::string KeyedHash::operator()(std::string_view text) const {
  const OpensslPtr<EVP_MAC_CTX, EVP_MAC_CTX_free> hmac(EVP_MAC_CTX_dup(keyed_.get()));
  std::string hash(kSize, '\0');
  size_t size = 0;
  if (!hmac || EVP_MAC_update(hmac.get(), reinterpret_cast<const unsigned char*>(text.data()), text.size()) != 1 ||
      EVP_MAC_final(hmac.get(), reinterpret_cast<unsigned char*>(hash.data()), &size, hash.size()) != 1 ||
      size != kSize) {
    fail();
  }
  return hash;
}

}  // namespace aduana
