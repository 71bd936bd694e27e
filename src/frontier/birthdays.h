// When pages were found: pages get their indices in order of discovery, so a sample of (index, time) tells it for all,
// to the second. Not thread-safe.
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
  struct Sample {
    PageIdx page;
    Instant time;
  };
  std::vector<Sample> samples_;
  Millis step_{1000};  // between two samples, at least
};

}  // namespace aduana
