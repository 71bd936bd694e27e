// HITS: good hubs link to good authorities, good authorities are linked by good hubs.
//
//   authority(v) = sum of hub(u) over the pages u that link to v
//   hub(u)       = sum of content score(v) · authority(v) over the pages v that u links to
//
// In this order, loop after loop; each of the two is scaled to a Euclidean length of 1 every time. Without content
// scores each counts as 1; what is no score counts as 0 (content_scores.h). A part of the web that is less densely
// linked than another approaches 0. Without links, or when all scores are 0, all values are 0. Values are finite
// whatever the input.
//
// Used by one thread, which may have the work done by several.
#pragma once

#include "graph/rank/convergence.h"
#include "graph/rank/hits_links.h"
#include "graph/rank/hits_rows.h"
#include "graph/rank/score_arrays.h"

namespace aduana {

class Hits {
 public:
  static Result<Hits> open(uint64_t n_pages, const ScoreFiles& files = {});

  uint64_t n_pages() const { return std::min(hubs_.size(), authorities_.size()); }
  Status set_n_pages(uint64_t n_pages);
  void set_persist(bool persist);

  // From both directions of a graph. The number of pages grows to that of the graph. After an error the last values
  // stand, as old and new.
  template <RowGraph Out, RowGraph In>
  Result<Convergence> compute(const Out& out_links, const In& in_links, std::span<const float> content_scores = {},
                              const LoopOptions& options = {}) {
    const uint64_t nodes = out_links.nodes();
    if (nodes != in_links.nodes()) return Error(Code::invalid, "HITS needs the two directions of one graph");
    if (nodes > n_pages()) ADUANA_TRY(set_n_pages(nodes));
    HitsOnRows<Out, In> method(out_links, in_links, options.threads);
    return compute(method, content_scores, options);
  }

  // From links in any order, which are read twice a loop: sequential access to the links, random access to 12 bytes a
  // page. A link counts as often as it comes. No page of it may lie beyond n_pages(). Works on one thread.
  Result<Convergence> compute(LinkSource& links, std::span<const float> content_scores = {},
                              const LoopOptions& options = {});

  // Values of the last compute() and of the one before; 0 where there is none. Code::invalid beyond n_pages().
  Result<OldAndNew> hub(Node page) const { return hubs_.get(page); }
  Result<OldAndNew> authority(Node page) const { return authorities_.get(page); }
  std::span<const float> hubs_until_resize() { return hubs_.new_values(); }
  std::span<const float> authorities_until_resize() { return authorities_.new_values(); }

 private:
  Hits(ScoreArrays hubs, ScoreArrays authorities) : hubs_(std::move(hubs)), authorities_(std::move(authorities)) {}

  Result<Convergence> compute(HitsMethod& method, std::span<const float> content_scores, const LoopOptions& options);

  ScoreArrays hubs_;
  ScoreArrays authorities_;
};

}  // namespace aduana
