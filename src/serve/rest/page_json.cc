#include "serve/rest/page_json.h"

#include <fmt/format.h>

#include "base/json_line.h"
#include "serve/rest/values.h"

namespace aduana {

namespace {

std::string history_json(const std::vector<PageEvent>& events) {
  std::string list = "[";
  for (const PageEvent& event : events) {
    if (list.size() > 1) list += ',';
    list += JsonLine()
                .number("time", seconds_of(event.time))
                .text("event", name_of(event.kind))
                .text("detail", event.detail)
                .object();
  }
  return list + ']';
}

std::string time_json(bool there, Instant time) { return there ? fmt::format("{}", seconds_of(time)) : "null"; }

}  // namespace

std::string page_json(const PageDetails& details) {
  const PageInfo& page = details.page;
  const bool crawled = page.n_crawls > 0;
  const double rate = change_rate(page);
  std::string linked_from_url = "null";
  if (details.linked_from_url) {
    linked_from_url.clear();
    append_json_string(linked_from_url, *details.linked_from_url);
  }
  return JsonLine()
      .text("url", page.url)
      .text("host", page.host)
      .text("crawl", details.crawl)
      .text("state", name_of(page.state))
      .number("depth", page.depth)
      .number("score", page.score)
      .json("rank", JsonLine().number("before", details.score.before).number("now", details.score.now).object())
      .text("hash", fmt::format("{:016x}", page.hash))
      .json("linked_from", page.linked_from == kNoPage ? "null" : fmt::format("\"{:016x}\"", page.linked_from_hash))
      .json("linked_from_url", linked_from_url)
      .number("crawls", page.n_crawls)
      .number("changes", page.n_changes)
      .json("first_crawl", time_json(crawled, page.first_crawl))
      .json("last_crawl", time_json(crawled, page.last_crawl))
      .json("next_visit", time_json(page.next_visit > Instant{}, page.next_visit))
      .text("content_hash", page.content_hash)
      .text("metadata", page.metadata)
      .json("change_rate", rate < 0 ? "null" : fmt::format("{}", rate))
      .json("history", history_json(details.history))
      .object();
}

}  // namespace aduana
