#include "score/hits_scorer.h"

#include <cmath>

#include "score/stored_graph.h"
#include "score/stored_links.h"

namespace aduana {
namespace {

// See HubsGift.
Result<double> growth_of(LinkSource& links, std::span<const float> authorities, std::span<const float> content) {
  std::vector<NodeLink> some(4096);
  double given = 0, all = 0;
  double hub = 0, degree = 0;
  Node page = 0;
  const auto end_row = [&] {
    given += hub * degree;
    hub = degree = 0;
  };
  ADUANA_TRY(links.reset());
  while (true) {
    ADUANA_ASSIGN(const size_t n, links.next(some));
    if (n == 0) break;
    for (size_t i = 0; i < n; ++i) {
      if (some[i].from != page) end_row();
      page = some[i].from;
      hub += double{authorities[some[i].to]} * (content.empty() ? 1.0f : content[some[i].to]);
      ++degree;
    }
  }
  end_row();
  for (const float authority : authorities) all += authority;
  return all > 0 ? given / all : 0;
}

}  // namespace

Result<Convergence> HitsScorer::compute_scores(ScoreInput& input, const std::function<bool()>& go_on, Scores& scores) {
  const uint64_t pages = input.pages.size();
  if (!hits_) {
    ADUANA_ASSIGN(hits_, Hits::open(pages));
  }
  ADUANA_TRY(hits_->set_n_pages(pages));
  ADUANA_ASSIGN(const std::vector<float> content, content_scores(input.pages, options_));
  StoredLinks links(std::move(input.links));
  scores.unit = 1 / std::sqrt(static_cast<float>(std::max<uint64_t>(pages, 1)));  // all of them have length 1
  const LoopOptions loops = loop_options(options_, scores.unit, go_on);
  ADUANA_ASSIGN(const auto out_links, graph_in_memory(links, input, Rows::as_given, options_.graph_bytes / 2));
  ADUANA_ASSIGN(const auto in_links, graph_in_memory(links, input, Rows::transposed, options_.graph_bytes / 2));
  ADUANA_ASSIGN(const Convergence convergence, out_links&& in_links
                                                   ? hits_->compute(*out_links, *in_links, content, loops)
                                                   : hits_->compute(links, content, loops));
  const std::span<const float> values = hits_->authorities_until_resize();
  scores.computed.assign(values.begin(), values.end());
  ADUANA_ASSIGN(scores.growth, growth_of(links, values, content));
  return convergence;
}

void HitsScorer::spread(const CrawledRow& row, uint64_t, Scores& scores) const {
  if (row.again || !(scores.growth > 0)) return;  // again: it has given already
  double hub = 0;
  for (size_t i = 0; i < row.links.size(); ++i) {
    const float content = row.content.empty() || !std::isfinite(row.content[i]) ? 1 : row.content[i];
    // Without what was given since: pages that link the same ones would drive each other up.
    hub += double{scores.of_update(row.links[i])} * std::max(content, 0.0f);
  }
  const auto given = static_cast<float>(std::min(hub / scores.growth, 1.0));
  for (const PageIdx link : row.links) scores.since[link] += given;
}

}  // namespace aduana
