// The text of the workload's URLs as a pure function of their number, so that nobody keeps a hundred million strings.
//
// A UrlId is a host and the number of a page within the host; page 0 is the home page. Hosts have their own sections,
// and pages live in a section under a title of a few words with an article number, as on a news site or a shop:
//   https://www.moru-telan.com/sparon/kelide-umarta-vos-41877.html
// The text is in canonical form and distinct ids have distinct texts. write_disguised_url() writes another form of the
// same URL.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aduana::bench {

class UrlId {
 public:
  static constexpr int kNumberBits = 40;

  UrlId() = default;
  UrlId(uint64_t host, uint64_t number) : value_(host << kNumberBits | number) {}

  uint64_t host() const { return value_ >> kNumberBits; }
  uint64_t number() const { return value_ & ((uint64_t{1} << kNumberBits) - 1); }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0;
};

inline constexpr size_t kLongestUrlText = 256;

// Both write at most kLongestUrlText at out and return one past the last byte.
char* write_url(UrlId id, char* out);
// A form that canonicalises to write_url(id): upper-case host, fragment, default port or dot segments, by `choice`.
char* write_disguised_url(UrlId id, uint64_t choice, char* out);

}  // namespace aduana::bench
