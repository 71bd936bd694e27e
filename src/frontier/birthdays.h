// When pages were found: pages get their indices in order of discovery, so a sample of (index, time) tells it for all,
// to the second in the first three days of discoveries, to two in the next three, and so on, so that samples stay few.
// What was said of a page once is never changed: orders depend on it. Not thread-safe.
#pragma once

#include <string>
#include <vector>

#include "aduana/result.h"
#include "aduana/time.h"
#include "base/bytes.h"
#include "base/ids.h"

namespace aduana {

class Birthdays {
 public:
  // The next page is found now.
  void note(PageIdx page, Instant now);
  // The epoch for pages older than the first that was noted.
  Instant of(PageIdx page) const;

  void save(std::string& out) const;
  void load(ByteReader& in);

 private:
  static constexpr size_t kFirstSamples = 1 << 18;

  struct Sample {
    PageIdx page;
    Instant time;
  };
  std::vector<Sample> samples_;
  Millis step_{1000};                // between two samples, at least
  size_t widen_at_ = kFirstSamples;  // so many samples: time for a longer step
};

}  // namespace aduana
