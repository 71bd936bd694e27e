// When to crawl a page again: a policy that is asked after every crawl.
//
// A policy may learn from what it is told; its state must depend on nothing but that, in order, and goes into the
// checkpoint with save(), so that a replay comes to the same answers. Called by one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "aduana/page.h"
#include "aduana/result.h"
#include "aduana/time.h"

namespace aduana {

// A page that was just crawled.
struct CrawlHistory {
  PageIdx page;
  std::string_view url;  // only for a policy that needs_url()
  float score = 0;
  uint32_t n_crawls = 0;   // with this one
  uint32_t n_changes = 0;  // seen between two crawls
  Instant first_crawl{}, last_crawl{};
  Instant previous_crawl{};  // the one before this; the epoch if there was none
  bool changed = false;      // since the one before
  Instant planned{};         // what next_visit() said for this crawl; the epoch if nothing
};

class Recrawl {
 public:
  virtual ~Recrawl() = default;

  virtual bool needs_url() const { return false; }
  // When the page is to be crawled again; nothing: never.
  virtual std::optional<Instant> next_visit(const CrawlHistory& page, Instant now) = 0;

  // What it has learned. When a store is opened with a policy of another name than the one that saved, what that one
  // had learned is dropped and the new one begins anew.
  virtual std::string_view name() const { return {}; }
  virtual std::string save() const { return {}; }
  virtual Status load(std::string_view state) {
    (void)state;
    return {};
  }
};

}  // namespace aduana
