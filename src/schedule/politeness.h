// Politeness options made ready for use: the common rule, and one for each override.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/politeness.h"
#include "aduana/result.h"

namespace aduana {

class PolitenessRules {
 public:
  static Result<PolitenessRules> make(const PolitenessOptions& common,
                                      const std::vector<PolitenessOverride>& overrides);

  // The number of the rule for a queue with this key, in any crawl.
  uint16_t rule_for(std::string_view queue_key) const;

  struct Rule {
    PolitenessOptions options;
    std::array<double, kTemperatureSteps> limits;
  };
  const Rule& rule(uint16_t number) const { return rules_[number]; }

 private:
  std::vector<Rule> rules_;            // the common one first
  std::vector<std::string> patterns_;  // of rules_[i + 1]
};

}  // namespace aduana
