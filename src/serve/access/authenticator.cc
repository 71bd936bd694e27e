#include "serve/access/authenticator.h"

#include "serve/access/basic_credentials.h"

namespace aduana {
namespace {

// More than the longest name and password need in base64.
constexpr size_t kMostHeader = 2048;

}  // namespace

Authenticator::Authenticator(std::optional<PasswordFile> passwords, const Clock& clock,
                             const AuthenticatorOptions& options)
    : clock_(clock), options_(options), attempts_(clock, options.attempts) {
  if (passwords) known_ = std::make_shared<Known>(std::move(*passwords), clock, options.cache);
}

std::shared_ptr<Authenticator::Known> Authenticator::known() const {
  const std::lock_guard lock(mutex_);
  return known_;
}

void Authenticator::replace(PasswordFile passwords) {
  auto next = std::make_shared<Known>(std::move(passwords), clock_, options_.cache);
  const std::lock_guard lock(mutex_);
  if (known_) known_ = std::move(next);
}

std::optional<AccessAnswer> Authenticator::answer_at_once(std::string_view authorization, std::string_view address) {
  const auto known_now = known();
  if (!known_now) return AccessAnswer{Access::granted, Role::admin};
  return answer_at_once(*known_now, authorization, address);
}

std::optional<AccessAnswer> Authenticator::answer_at_once(Known& known, std::string_view authorization,
                                                          std::string_view address) {
  if (authorization.empty()) return AccessAnswer{Access::missing};
  // Longer ones are not even hashed with the cache's key.
  if (authorization.size() > kMostHeader) return AccessAnswer{Access::wrong};
  // Who is right is let in even where somebody else behind the same address is not.
  if (const auto role = known.cache.find(authorization)) return AccessAnswer{Access::granted, *role};
  if (!BasicCredentials::parse(authorization)) return AccessAnswer{Access::wrong};
  const Millis wait = attempts_.wait(address);
  if (wait > Millis(0)) return AccessAnswer{Access::too_many, {}, wait};
  return std::nullopt;
}

AccessAnswer Authenticator::authenticate(std::string_view authorization, std::string_view address) {
  if (const auto answer = answer_at_once(authorization, address)) return *answer;
  const std::lock_guard one_at_a_time(hashing_);
  const auto known_now = known();
  // While waiting, the same header may have been found right, or the address wrong too often.
  if (const auto answer = answer_at_once(*known_now, authorization, address)) return *answer;
  const auto credentials = BasicCredentials::parse(authorization);
  const auto role = known_now->passwords.check(credentials->user(), credentials->password());
  if (!role) {
    attempts_.was_wrong(address);
    return {Access::wrong};
  }
  known_now->cache.remember(authorization, *role);
  return {Access::granted, *role};
}

}  // namespace aduana
