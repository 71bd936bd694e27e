// CredentialCache: the Authorization headers that were right a short while ago, so that not every request has to pay
// for a password's hash.
//
// Headers themselves are not kept, only their keyed hashes. One cache belongs to one PasswordFile: what it remembers is
// right for as long as that is asked, and goes some minutes after its last use. Thread-safe.
#pragma once

#include <mutex>
#include <optional>
#include <string_view>

#include "aduana/time.h"
#include "serve/access/expiring_table.h"
#include "serve/access/keyed_hash.h"
#include "serve/access/roles.h"

namespace aduana {

struct CredentialCacheOptions {
  size_t limit = 1024;  // headers
  Millis lifetime = std::chrono::minutes(5);
};

class CredentialCache {
 public:
  CredentialCache(const Clock& clock, const CredentialCacheOptions& options)
      : clock_(clock), roles_(options.limit, options.lifetime) {}

  std::optional<Role> find(std::string_view header);
  void remember(std::string_view header, Role role);
  size_t size();

 private:
  const Clock& clock_;
  const KeyedHash hash_;
  std::mutex mutex_;
  ExpiringTable<Role> roles_;  // by the header's hash
};

}  // namespace aduana
