#include "serve/http/client_rates.h"

#include <algorithm>
#include <cmath>

namespace aduana {

double ClientRates::tokens_of(const Bucket& bucket, Millis now) const {
  const double passed = std::chrono::duration<double>(now - bucket.filled).count();
  return std::min(most(), bucket.tokens + passed * rate_);
}

Millis ClientRates::take(std::string_view client) {
  if (rate_ <= 0) return Millis{0};
  const Millis now = clock_.elapsed();
  const std::lock_guard lock(mutex_);
  if (buckets_.size() >= tidy_at_) forget_the_quiet(now);
  Bucket& bucket = buckets_.try_emplace(std::string(client), Bucket{most(), now}).first->second;
  bucket = {tokens_of(bucket, now), now};
  if (bucket.tokens < 1) return Millis{static_cast<Millis::rep>(std::ceil(1000 * (1 - bucket.tokens) / rate_))};
  bucket.tokens -= 1;
  return Millis{0};
}

// A full bucket is as good as none.
void ClientRates::forget_the_quiet(Millis now) {
  std::erase_if(buckets_, [&](const auto& entry) { return tokens_of(entry.second, now) >= most(); });
  tidy_at_ = std::max(kFewClients, 2 * buckets_.size());
}

size_t ClientRates::clients() const {
  const std::lock_guard lock(mutex_);
  return buckets_.size();
}

}  // namespace aduana
