#include "serve/rest/host_json.h"

#include <fmt/format.h>

#include "base/json_line.h"
#include "serve/rest/values.h"

namespace aduana {

std::string states_json(const std::array<uint64_t, kPageStates>& pages) {
  JsonLine json;
  for (size_t s = 0; s < kPageStates; ++s) json.number(name_of(static_cast<PageState>(s)), pages[s]);
  return json.object();
}

std::string host_json(const QueueStatus& host, Instant now) {
  const auto or_null = [](bool there, double seconds) { return there ? fmt::format("{}", seconds) : "null"; };
  return JsonLine()
      .text("key", host.key)
      .text("crawl", host.crawl)
      .json("pages", states_json(host.pages))
      .number("temperature", host.temperature)
      .json("next_time", or_null(host.next_time > Instant{}, seconds_of(host.next_time)))
      .json("delay", or_null(host.delay.has_value(), host.delay ? seconds_of(*host.delay) : 0))
      .json("blocked_until", or_null(host.blocked_until > now, seconds_of(host.blocked_until)))
      .json("limit", host.limit ? fmt::format("{}", host.limit) : "null")
      .number("failures_in_a_row", host.failures_in_a_row)
      .object();
}

}  // namespace aduana
