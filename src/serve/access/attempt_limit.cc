#include "serve/access/attempt_limit.h"

#include <arpa/inet.h>

#include <algorithm>

namespace aduana {
namespace {

// The same for all addresses that one client may come from.
std::string client_of(std::string_view address) {
  std::string text(address.substr(0, 64));  // longer than any address, and no longer
  in6_addr six;
  // A scope as in fe80::1%eth0 is no part of the address.
  if (inet_pton(AF_INET6, text.substr(0, text.find('%')).c_str(), &six) != 1) return text;
  const auto* bytes = reinterpret_cast<const char*>(six.s6_addr);
  if (!IN6_IS_ADDR_V4MAPPED(&six)) return "/64 " + std::string(bytes, 8);
  char four[INET_ADDRSTRLEN];
  return inet_ntop(AF_INET, bytes + 12, four, sizeof four);
}

}  // namespace

Millis AttemptLimit::wait(std::string_view address) {
  const std::string client = client_of(address);
  const std::lock_guard lock(mutex_);
  const Millis now = clock_.elapsed();
  const auto* entry = wrong_.find(client, now);
  return entry && entry->value >= attempts_ ? entry->end - now : Millis(0);
}

void AttemptLimit::was_wrong(std::string_view address) {
  std::string client = client_of(address);
  const std::lock_guard lock(mutex_);
  const Millis now = clock_.elapsed();
  if (auto* entry = wrong_.find(client, now)) {
    ++entry->value;
  } else {
    wrong_.insert(std::move(client), 1, now);
  }
}

}  // namespace aduana
