#include "serve/access/scrypt.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "serve/access/openssl.h"

namespace aduana {

Status check_cost(const ScryptCost& cost) {
  // Each by itself first, so that the product can't overflow.
  if (cost.log2_n < 1 || cost.log2_n > 24 || cost.r < 1 || cost.r > 64 || cost.p < 1 || cost.p > 64 ||
      cost.memory() > kMostScryptMemory) {
    return Error(Code::invalid,
                 fmt::format("scrypt can't be used with ln={},r={},p={}: ln is 1 to 24, r and p are 1 to 64, and "
                             "128 * 2^ln * r is at most {} MiB",
                             cost.log2_n, cost.r, cost.p, kMostScryptMemory >> 20));
  }
  return {};
}

Result<std::string> scrypt(std::string_view password, std::string_view salt, const ScryptCost& cost) {
  ADUANA_TRY(check_cost(cost));
  std::string hash(kScryptHashSize, '\0');
  // OpenSSL counts some more than memory(): blocks for each p.
  const uint64_t memory = cost.memory() + uint64_t{128} * cost.r * (cost.p + 4) + 4096;
  // A null pointer would make it do nothing but check the cost.
  if (EVP_PBE_scrypt(password.empty() ? "" : password.data(), password.size(),
                     reinterpret_cast<const unsigned char*>(salt.data()), salt.size(), uint64_t{1} << cost.log2_n,
                     cost.r, cost.p, memory, reinterpret_cast<unsigned char*>(hash.data()), hash.size()) != 1) {
    return Error(Code::unsupported, "scrypt can't be computed: " + openssl_reason());
  }
  return hash;
}

}  // namespace aduana
