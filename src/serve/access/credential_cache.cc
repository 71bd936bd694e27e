#include "serve/access/credential_cache.h"

namespace aduana {

std::optional<Role> CredentialCache::find(std::string_view header) {
  const std::string hash = hash_(header);
  const std::lock_guard lock(mutex_);
  const Millis now = clock_.elapsed();
  const auto* entry = roles_.find(hash, now);
  if (!entry) return std::nullopt;
  roles_.renew(*entry, now);
  return entry->value;
}

void CredentialCache::remember(std::string_view header, Role role) {
  std::string hash = hash_(header);
  const std::lock_guard lock(mutex_);
  const Millis now = clock_.elapsed();
  if (auto* entry = roles_.find(hash, now)) {
    entry->value = role;
    roles_.renew(*entry, now);
  } else {
    roles_.insert(std::move(hash), role, now);
  }
}

size_t CredentialCache::size() {
  const std::lock_guard lock(mutex_);
  return roles_.size();
}

}  // namespace aduana
