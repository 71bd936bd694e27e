// A scorer: how good each page is, from 0 to 1, always finite.
//
// It hears of every page and every crawl as they happen, under the frontier's lock, and answers at once with what it
// can make of that. What takes longer is computed beside, from a snapshot, by one other thread:
//
//   begin()   under the lock, at the moment of the snapshot: what is heard from now on is remembered
//   compute() without the lock
//   publish() under the lock: the new scores count, with what was remembered on top
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "aduana/scoring.h"
#include "graph/rank/convergence.h"
#include "links/link_stream.h"
#include "pages/pages.h"

namespace aduana {

// A page that was crawled, with its links, each once.
struct CrawledRow {
  PageIdx page;
  std::span<const PageIdx> links;
  std::span<const float> content;  // the scores of the pages behind them; empty: all alike
  bool again = false;              // it was crawled before
};

// One moment of the store.
struct ScoreInput {
  PagesSnapshot pages;
  LinkStream links;
  uint64_t n_links = 0;
};

class Scorer {
 public:
  virtual ~Scorer() = default;

  // Whether content scores are wanted in rows.
  virtual bool needs_content() const = 0;
  // Whether compute() is only needed to begin with, in a store that holds pages already.
  virtual bool follows_by_itself() const { return false; }

  // A page with that number is there; `seed`: no link led to it.
  virtual void enter(PageIdx page, bool seed) = 0;
  // The page was entered before; those behind its links may be new, and are entered afterwards.
  virtual void crawl(const CrawledRow& row) = 0;
  virtual float score(PageIdx page) const = 0;
  // What an average page has, about. All scores get smaller as the web grows, which is no reason to move a page: what
  // counts is how often a page's score is the average one.
  virtual float unit() const = 0;
  // That of the last update and that of now.
  virtual PageScore get(PageIdx page) const = 0;

  virtual void begin() = 0;
  // After an error, or when `go_on` said no, the old scores stay; abandon() is to be called then, under the lock.
  virtual Result<Convergence> compute(ScoreInput& input, const std::function<bool()>& go_on) = 0;
  virtual void publish() = 0;
  virtual void abandon() = 0;
};

// Null for ScorerKind::content: scores are as reported then.
std::unique_ptr<Scorer> make_scorer(const ScoringOptions& options);

}  // namespace aduana
