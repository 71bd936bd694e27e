// Authenticator: who is asking? Answers by the Authorization header (Basic, RFC 7617) and the client's address.
//
// Invariant: passwords are hashed one at a time, so that whatever comes costs one core and one hash's memory, a header
// that comes many times at once is hashed once, and no address gets more wrong attempts than its limit by asking in
// parallel. Thread-safe.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "aduana/time.h"
#include "serve/access/attempt_limit.h"
#include "serve/access/credential_cache.h"
#include "serve/access/password_file.h"
#include "serve/access/roles.h"

namespace aduana {

enum class Access : uint8_t {
  granted,
  missing,   // there are no credentials: 401
  wrong,     // there are, and they are not right, or nothing that can be read: 401
  too_many,  // wrong too often; not even looked at: 429
};

struct AccessAnswer {
  Access access;
  Role role = Role::spider;  // if granted
  Millis wait{0};            // if too many: until the next attempt may be made
};

struct AuthenticatorOptions {
  CredentialCacheOptions cache = {};
  AttemptLimitOptions attempts = {};
};

class Authenticator {
 public:
  // Without a password file everybody is admin: for servers that only listen to their own machine.
  Authenticator(std::optional<PasswordFile> passwords, const Clock& clock, const AuthenticatorOptions& options = {});

  // May take as long as a hash, about 50 ms, and longer when others are before it. An absent header is empty.
  AccessAnswer authenticate(std::string_view authorization, std::string_view address);
  // The same if it can be told at once, and nothing if a hash has to be computed: for threads that must not wait.
  std::optional<AccessAnswer> answer_at_once(std::string_view authorization, std::string_view address);

  // From now on these are asked, for a file that was changed. What was right before is not remembered. Does nothing if
  // there were no passwords: a server does not become another in the middle.
  void replace(PasswordFile passwords);

 private:
  // The passwords with what was right by them, which a check that takes long must not tell to the next ones.
  struct Known {
    Known(PasswordFile file, const Clock& clock, const CredentialCacheOptions& options)
        : passwords(std::move(file)), cache(clock, options) {}
    const PasswordFile passwords;
    CredentialCache cache;
  };
  std::shared_ptr<Known> known() const;
  std::optional<AccessAnswer> answer_at_once(Known& known, std::string_view authorization, std::string_view address);

  const Clock& clock_;
  const AuthenticatorOptions options_;
  AttemptLimit attempts_;
  std::mutex hashing_;
  mutable std::mutex mutex_;      // of known_
  std::shared_ptr<Known> known_;  // null: everybody is admin
};

}  // namespace aduana
