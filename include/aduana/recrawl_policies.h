// The recrawl policies: when a crawled page is to be crawled again. Having no policy means never.
//
// Rates and frequencies are per second. A visit is never planned before `now`, and what a policy learns depends on
// nothing but the calls it got. Each belongs to one frontier and is called by one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aduana/recrawl.h"

namespace re2 {
class RE2;
}

namespace aduana {

// Every page once a period.
class FixedPeriod final : public Recrawl {
 public:
  static Result<std::shared_ptr<FixedPeriod>> make(Millis period);
  std::optional<Instant> next_visit(const CrawlHistory& page, Instant now) override;

 private:
  explicit FixedPeriod(Millis period) : period_(period) {}

  const Millis period_;
};

struct PatternTableOptions {
  std::optional<Millis> otherwise;            // period of a page that no pattern matches; nothing: it is crawled once
  double assumed_change_rate = 1.0 / 86'400;  // where a multiple of it is asked for, until a second visit tells more
  uint32_t max_n_crawls = 0;                  // after so many a page is done; 0: never
};

// The period by URL: the original's freq_spec. One rule a line, of which the first that matches counts:
//
//   # comment, or an empty line
//   REGEX SECONDS    a page every so many seconds
//   REGEX xMULT      a page MULT times as often as it changes
//
// The regular expression (RE2) is found anywhere in the URL, unless it has ^ and $. What follows the last blank of a
// line is the number, so that an expression may hold blanks and #.
class PatternTable final : public Recrawl {
 public:
  static Result<std::shared_ptr<PatternTable>> parse(std::string_view text, const PatternTableOptions& options = {});

  bool needs_url() const override { return true; }
  std::optional<Instant> next_visit(const CrawlHistory& page, Instant now) override;

 private:
  struct Rule {
    std::shared_ptr<const re2::RE2> pattern;
    bool is_multiple = false;  // of the change rate; else seconds
    double number = 0;
  };

  explicit PatternTable(const PatternTableOptions& options) : options_(options) {}
  static Result<Rule> parse_rule(std::string_view line);

  const PatternTableOptions options_;
  std::vector<Rule> rules_;
};

// The options of the original's frequency scheduler.
struct ChangeProportionalOptions {
  double default_frequency = 0.1;  // of a page whose change rate is not known yet
  double scale = 1;                // visits a change; 0 or less: all pages have the default frequency
  // How much too often a page may be visited: it may come from 1 / (frequency · (1 + margin)) after its last crawl on.
  // A margin below 0 meant no earliest time at all, so that a crawler with nothing else to do fetched the same pages
  // without end. Here it is taken for 0.
  double margin = 0;
  uint32_t max_n_crawls = 0;  // after so many a page is done; 0: never
};

// A page as often as it changes, times `scale`. Plain, and by far not the best use of visits: those to pages that
// change faster than they can be followed are lost.
class ChangeProportional final : public Recrawl {
 public:
  static Result<std::shared_ptr<ChangeProportional>> make(const ChangeProportionalOptions& options = {});
  std::optional<Instant> next_visit(const CrawlHistory& page, Instant now) override;

 private:
  explicit ChangeProportional(const ChangeProportionalOptions& options) : options_(options) {}

  const ChangeProportionalOptions options_;
};

struct OptimalFreshnessOptions {
  double budget = 1;  // visits a second, over all pages; the first visits of pages come on top
  // A page counts as much as its score says, relative to the mean; else, and while all scores are 0, all count alike.
  bool weight_by_score = true;
  // Of a page that was visited once. It weighs as much as a quarter of a seen change, so that a few visits outweigh it.
  // 0: once in the mean time between two visits that the budget allows.
  double prior_change_rate = 0;
  Millis min_interval = std::chrono::minutes(1);
  Millis max_interval = std::chrono::days(30);  // no page starves: also one not worth its visits is seen so often
};

// The most freshness that a budget of visits can buy: the share of the time in which our copy of a page is up to date,
// averaged over the pages by weight.
//
// After t without a visit, another one to a page with change rate λ and weight w is worth w·(1/λ − (t + 1/λ)·e^(−λt));
// the page is due when that reaches a price μ which is the same for all. The rate is that of the page's whole history:
// how often a visit found other content. The price follows the visits planned for all pages: up while they exceed the
// budget, down while they fall short; visits that come late are not made up for. A page that changes too fast to be
// worth its visits is not given up at once: it is never left alone for longer than it has been watched (or than the
// mean interval), so that a wrong estimate mends itself.
//
// Work and memory are constant: no call looks at other pages, nothing is kept for a page. What is known of all of them
// are three sums, see optimal_freshness.cc, which forget pages that come no more and learn of those that another policy
// had planned.
class OptimalFreshness final : public Recrawl {
 public:
  static Result<std::shared_ptr<OptimalFreshness>> make(const OptimalFreshnessOptions& options);

  std::optional<Instant> next_visit(const CrawlHistory& page, Instant now) override;
  std::string_view name() const override { return "optimal"; }
  std::string save() const override;
  // No state starts anew.
  Status load(std::string_view state) override;

  // Visits a second to which the plans for all pages amount.
  double planned_rate() const { return planned_; }
  // The price of a visit: seconds of freshness of a page of mean weight.
  double price() const;

 private:
  explicit OptimalFreshness(const OptimalFreshnessOptions& options) : options_(options) {}

  void start(const CrawlHistory& page, Instant now);
  void fade(double elapsed);
  void adjust_price(double elapsed);
  void remove(const CrawlHistory& page);
  double plan(const CrawlHistory& page);  // returns its interval
  double next_interval(const CrawlHistory& page) const;
  double planned_interval(const CrawlHistory& page) const;
  double within_limits(double interval) const;
  double score_of(const CrawlHistory& page) const;
  double prior_rate() const;
  double usual_price() const;  // at which a page of which nothing is known comes once in the mean interval
  double mean_interval() const;
  double horizon() const;

  const OptimalFreshnessOptions options_;
  double pages_ = 0;
  double scores_ = 0;   // their sum over all pages
  double planned_ = 0;  // sum of 1 / interval over all pages
  double log_price_ = 0;
  Instant last_call_{};
};

}  // namespace aduana
