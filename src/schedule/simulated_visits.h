// For tests of recrawl policies: pages that change at random, each at its own rate (a day), and are visited when the
// policy says, or somewhat later. The first visits are in the first day, or in the time given. Always the same changes.
// Copies go on by themselves. Not thread-safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include "aduana/recrawl.h"

namespace aduana {

inline constexpr Millis kDay = std::chrono::days(1);
inline constexpr double kDaySeconds = 86'400;
inline constexpr Instant kStart{std::chrono::days(20'000)};

inline double days(Instant t) { return std::chrono::duration<double>(t - kStart).count() / kDaySeconds; }

class SimulatedVisits {
 public:
  explicit SimulatedVisits(std::vector<double> rates, std::vector<double> scores = {}, Millis first_visits = kDay)
      : rates_(std::move(rates)), scores_(std::move(scores)), histories_(rates_.size()), changes_(rates_.size()) {
    for (size_t i = 0; i < rates_.size(); ++i) due_.push({kStart + part(first_visits), i});
  }

  void run(Recrawl& policy, double until) {
    while (!due_.empty() && days(due_.top().first) < until) {
      const auto [now, i] = due_.top();
      due_.pop();
      if (lost(i)) continue;
      visit(policy, i, now);
    }
  }

  // From now on: how much later than planned, at most, and how many of the first pages are gone.
  void set_late(Millis late) { late_ = late; }
  void lose(size_t pages) { lost_ = pages; }
  // Nothing happens for a while; all that is due in it is visited at its end.
  void pause(double until) {
    std::vector<std::pair<Instant, size_t>> waiting;
    const Instant end = kStart + Millis(static_cast<int64_t>(until * kDaySeconds * 1000));
    for (; !due_.empty() && due_.top().first < end; due_.pop()) waiting.push_back(due_.top());
    for (const auto& visit : waiting) due_.push({end, visit.second});
  }

  void count_from_here() {
    visits_.assign(rates_.size(), 0);
    fresh_.assign(rates_.size(), 0);
  }
  // Since then, of page i.
  double visits(size_t i) const { return visits_[i]; }
  double fresh_days(size_t i) const { return fresh_[i]; }

  // Visits a day that are planned.
  double planned() const {
    double sum = 0;
    for (const CrawlHistory& page : histories_) sum += 1 / (days(page.planned) - days(page.last_crawl));
    return sum;
  }

  double all_visits() const { return std::accumulate(visits_.begin(), visits_.end(), 0.0); }
  const CrawlHistory& history(size_t i) const { return histories_[i]; }
  const std::vector<Instant>& plans() const { return plans_; }

 private:
  bool lost(size_t i) const { return i < lost_; }
  Millis part(Millis of) { return Millis(static_cast<int64_t>(unit_(random_) * static_cast<double>(of.count()))); }

  void visit(Recrawl& policy, size_t i, Instant now) {
    CrawlHistory& page = histories_[i];
    if (page.n_crawls > 0) {
      page.previous_crawl = page.last_crawl;
      page.changed = changes_[i] <= days(now);
      page.n_changes += page.changed;
      if (!visits_.empty()) {
        visits_[i] += 1;
        fresh_[i] += std::min(changes_[i], days(now)) - days(page.previous_crawl);
      }
    } else {
      page.page = {i};
      page.first_crawl = now;
    }
    ++page.n_crawls;
    page.last_crawl = now;
    page.score = scores_.empty() ? 1.0f : static_cast<float>(scores_[i]);
    changes_[i] = days(now) - std::log1p(-unit_(random_)) / rates_[i];
    page.planned = *policy.next_visit(page, now);
    plans_.push_back(page.planned);
    due_.push({page.planned + part(late_), i});
  }

  using Due = std::pair<Instant, size_t>;

  const std::vector<double> rates_, scores_;
  std::vector<CrawlHistory> histories_;
  std::vector<double> changes_;  // first after the last visit
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<> unit_;
  Millis late_{0};
  size_t lost_ = 0;
  std::vector<double> visits_, fresh_;
  std::vector<Instant> plans_;
};

}  // namespace aduana
