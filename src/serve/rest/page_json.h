// A page as GET /page tells it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aduana/frontier.h"
#include "serve/rest/page_events.h"

namespace aduana {

struct PageDetails {
  PageInfo page;
  std::string crawl;
  PageScore score;
  std::optional<std::string> linked_from_url;
  std::vector<PageEvent> history;
};

std::string page_json(const PageDetails& details);

}  // namespace aduana
