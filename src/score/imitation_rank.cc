#include "score/imitation_rank.h"

#include <algorithm>
#include <cmath>

namespace aduana {
namespace {

constexpr double kHabit = 1;     // how many pages beside it the guess counts for that knows none
constexpr double kReturn = 0.5;  // and what of it goes back to the page that links it

class Imitation {
 public:
  Imitation(CrawledGraph& graph, const ImitationOptions& options, std::vector<float>& values)
      : graph_(graph), damping_(options.damping), content_(options.content), values_(values), pages_(values.size()) {}

  Status prepare() {
    crawled_.assign(pages_, false);
    per_link_.assign(pages_, 0);
    others_.assign(graph_.rows(), 0);
    for (uint64_t row = 0; row < graph_.rows(); ++row) crawled_[graph_.page_of(row)] = true;
    ADUANA_TRY(graph_.for_each_row([&](uint64_t row, uint64_t page, auto links) {
      for (const uint64_t link : links) {
        ++per_link_[link];
        others_[row] += crawled_[link] && link != page;
      }
    }));
    for (float& n : per_link_) n = n > 0 ? 1 / n : 0;
    const double sum = total(values_);
    for (float& v : values_) v = sum > 0 ? static_cast<float>(v / sum) : 1 / static_cast<float>(pages_);
    return {};
  }

  // Returns the largest change.
  Result<double> loop() {
    next_.assign(pages_, 0);
    imitated_.assign(pages_, 0);
    share_.resize(pages_);
    double on_no_page = 0;
    for (uint64_t page = 0; page < pages_; ++page) {
      share_[page] = crawled_[page] ? 0 : values_[page] * per_link_[page];
      if (!crawled_[page] && per_link_[page] == 0) on_no_page += values_[page];
    }
    jump_ = 1 - damping_ + damping_ * on_no_page;
    ADUANA_TRY(graph_.for_each_row([&](uint64_t row, uint64_t page, auto links) { imitate(row, page, links); }));
    ADUANA_TRY(graph_.for_each_row([&](uint64_t, uint64_t page, auto links) { follow(page, links); }));
    double change = 0;
    const auto jump = static_cast<float>(jump_ / static_cast<double>(pages_));
    for (uint64_t page = 0; page < pages_; ++page) {
      next_[page] += jump;
      change = std::max<double>(change, std::abs(next_[page] - values_[page]));
    }
    std::swap(values_, next_);
    return change;
  }

 private:
  static double total(const std::vector<float>& values) {
    double sum = 0;
    for (const float v : values) sum += v;
    return sum;
  }

  // What the pages on this one have that are not crawled is given to those that are.
  template <class Links>
  void imitate(uint64_t row, uint64_t page, Links links) {
    double waiting = 0;
    for (const uint64_t link : links) waiting += share_[link];
    if (waiting == 0) return;
    const double each = waiting / (others_[row] + kHabit);
    if (others_[row]) {
      // Those that are not crawled get it, too, but nobody asks them; the page itself must not.
      const float own = imitated_[page];
      for (const uint64_t link : links) imitated_[link] += static_cast<float>(each);
      imitated_[page] = own;
    }
    next_[page] += static_cast<float>(damping_ * kReturn * kHabit * each);
    jump_ += damping_ * (1 - kReturn) * kHabit * each;
  }

  template <class Links>
  void follow(uint64_t page, Links links) {
    double worth = 0;  // of all targets
    for (size_t i = 0; i < links.size() && !content_.empty(); ++i) worth += content_[links[i]];
    if (links.empty() || (!content_.empty() && worth == 0)) {
      jump_ += damping_ * (double{values_[page]} + imitated_[page]);
      return;
    }
    const double part = content_.empty() ? 1 / static_cast<double>(links.size()) : 1 / worth;
    const auto own = static_cast<float>(damping_ * values_[page] * part);
    const auto imitated = static_cast<float>(damping_ * imitated_[page] * part);
    double lost = 0;
    for (const uint64_t link : links) {
      const float weight = content_.empty() ? 1 : content_[link];
      const float only_mine = imitated * per_link_[link];
      lost += double{weight} * only_mine;
      next_[link] += weight * (own + imitated - only_mine);
    }
    jump_ += lost;
  }

  CrawledGraph& graph_;
  const double damping_;
  const std::span<const float> content_;
  std::vector<float>& values_;
  const uint64_t pages_;
  std::vector<bool> crawled_;
  std::vector<float> per_link_;   // one divided by how many crawled pages link to the page; 0: none does
  std::vector<uint32_t> others_;  // of each row: crawled pages that it links to, without itself
  std::vector<float> next_, imitated_, share_;
  double jump_ = 0;
};

}  // namespace

Result<Convergence> imitation_rank(CrawledGraph& graph, const ImitationOptions& options,
                                   const std::function<bool()>& go_on, std::vector<float>& values) {
  Imitation imitation(graph, options, values);
  ADUANA_TRY(imitation.prepare());
  Convergence convergence;
  convergence.reached = true;  // there is no precision to be reached
  for (; convergence.loops < options.loops; ++convergence.loops) {
    if (!go_on()) return Error(Code::closed, "stopped");
    ADUANA_ASSIGN(convergence.change, imitation.loop());
  }
  return convergence;
}

}  // namespace aduana
