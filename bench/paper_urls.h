// The random URLs of the paper's experiment: http://, one of a set of random domains, and a path of random length over
// [a-zA-Z/-_], weighted to look like a link: http://dsurfrd.erge.er.pl/FVSdfer-fb/d_dfb/
// The same for the same seed. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "random.h"

namespace aduana::bench {

class PaperUrls {
 public:
  PaperUrls(uint64_t domains, uint64_t seed);

  // The next `count` URLs; views until the next call.
  const std::vector<std::string_view>& next(uint64_t count);

 private:
  void append_url();

  Random random_;
  std::vector<std::string> domains_;
  std::string text_;
  std::vector<size_t> ends_;
  std::vector<std::string_view> urls_;
};

}  // namespace aduana::bench
