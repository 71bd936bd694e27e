// KeyedHash: HMAC-SHA256 under a random key that nobody knows and that lives as long as the object. Two texts have the
// same hash only if they are the same, and who sees hashes learns nothing about the texts.
//
// Thread-safe.
#pragma once

#include <openssl/evp.h>

#include <string>
#include <string_view>

#include "serve/access/openssl.h"

namespace aduana {

class KeyedHash {
 public:
  KeyedHash();
  std::string operator()(std::string_view text) const;  // 32 bytes

 private:
  OpensslPtr<EVP_MAC_CTX, EVP_MAC_CTX_free> keyed_;  // is only copied: setting a key up takes longer than a hash
};

}  // namespace aduana
