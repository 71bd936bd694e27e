#include "score/page_rank_scorer.h"

#include "score/content_shares.h"
#include "score/stored_graph.h"
#include "score/stored_links.h"

namespace aduana {

Result<Convergence> PageRankScorer::compute_scores(ScoreInput& input, const std::function<bool()>& go_on,
                                                   Scores& scores) {
  const uint64_t pages = input.pages.size();
  if (!page_rank_) {
    ADUANA_ASSIGN(page_rank_, PageRank::open(pages));
  }
  ADUANA_TRY(page_rank_->set_n_pages(pages));
  ADUANA_ASSIGN(const std::vector<float> content, content_scores(input.pages, options_));
  StoredLinks links(std::move(input.links));
  scores.unit = 1 / static_cast<float>(std::max<uint64_t>(pages, 1));  // they add up to 1
  const PageRankOptions rank_options{options_.damping, loop_options(options_, scores.unit, go_on)};
  ADUANA_ASSIGN(const auto in_links, graph_in_memory(links, input, Rows::transposed, options_.graph_bytes));
  ADUANA_ASSIGN(const Convergence convergence, in_links ? page_rank_->compute(*in_links, content, rank_options)
                                                        : page_rank_->compute(links, content, rank_options));
  const std::span<const float> values = page_rank_->values_until_resize();
  scores.computed.assign(values.begin(), values.end());
  return convergence;
}

void PageRankScorer::spread(const CrawledRow& row, uint64_t, Scores& scores) const {
  if (row.again) return;  // it has given already
  const float given = static_cast<float>(options_.damping) * scores.sum(row.page);
  const ContentShares shares(row);
  for (size_t i = 0; i < row.links.size(); ++i) scores.since[row.links[i]] += given * shares.of(i);
}

}  // namespace aduana
