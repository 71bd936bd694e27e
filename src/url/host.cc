#include "url/host.h"

#include <libpsl.h>

#include <string>
#include <vector>

#include "base/checksum.h"
#include "url/ip_address.h"

namespace aduana {
namespace {

// How many bytes at the end of the host are its registrable domain.
size_t look_up(const std::string& host) {
  // The answer points into the host, or is null for a public suffix.
  const char* domain = psl_registrable_domain(psl_builtin(), host.c_str());
  return domain ? host.size() - static_cast<size_t>(domain - host.c_str()) : host.size();
}

// A look-up in the list takes microseconds, and links repeat their hosts: each thread remembers the last host of each
// of a thousand slots.
class DomainCache {
 public:
  size_t domain_size(std::string_view host) {
    Slot& slot = slots_[checksum64(host) % kSlots];
    if (slot.host != host) {
      slot.host = host;
      slot.domain_size = look_up(slot.host);
    }
    return slot.domain_size;
  }

 private:
  static constexpr size_t kSlots = 1024;

  struct Slot {
    std::string host;
    size_t domain_size = 0;
  };

  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
};

constexpr size_t kMaxDomainBytes = 253;  // of DNS; longer hosts are not worth remembering

}  // namespace

bool is_ip_address(std::string_view host) { return host.starts_with('[') || ends_in_number(host); }

std::string_view registrable_domain(std::string_view host) {
  if (is_ip_address(host)) return host;
  if (host.ends_with('.')) host.remove_suffix(1);
  if (host.empty()) return host;
  thread_local DomainCache cache;
  const size_t size = host.size() <= kMaxDomainBytes ? cache.domain_size(host) : look_up(std::string(host));
  return host.substr(host.size() - size);
}

}  // namespace aduana
