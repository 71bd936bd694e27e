#include "graph/edges/run_merge.h"

#include <cassert>
#include <utility>
#include <vector>

#include "graph/edges/link_key.h"

namespace aduana {
namespace {

// Links are below it: it stands for the head of a run that has ended.
constexpr WideKey kEnded = ~WideKey{0};

// The runs play a knock-out tournament for the smallest head. Each inner node keeps the loser of the match there; when
// the winner's head is replaced, only the matches on its way up are played again.
class Tournament {
 public:
  explicit Tournament(std::vector<WideKey> heads) : heads_(std::move(heads)), losers_(heads_.size()) {
    const size_t n = heads_.size();
    std::vector<uint32_t> winners(2 * n);
    for (size_t i = 0; i < n; ++i) winners[n + i] = static_cast<uint32_t>(i);
    for (size_t node = n - 1; node > 0; --node) {
      uint32_t winner = winners[2 * node], loser = winners[2 * node + 1];
      if (heads_[loser] < heads_[winner]) std::swap(winner, loser);
      winners[node] = winner;
      losers_[node] = loser;
    }
    winner_ = winners[1];
  }

  size_t winner() const { return winner_; }
  WideKey smallest() const { return heads_[winner_]; }

  void replace_winner(WideKey head) {
    heads_[winner_] = head;
    uint32_t winner = winner_;
    for (size_t node = (winner + heads_.size()) / 2; node > 0; node /= 2) {
      if (heads_[losers_[node]] < head) {
        std::swap(losers_[node], winner);
        head = heads_[winner];
      }
    }
    winner_ = winner;
  }

 private:
  std::vector<WideKey> heads_;    // by run
  std::vector<uint32_t> losers_;  // by node, the root being 1 and the runs standing behind the inner nodes
  uint32_t winner_;
};

WideKey next_head(LinkRunReader& reader) {
  NodeLink link{};
  return reader.next(link) ? key_of<WideKey>(link) : kEnded;
}

}  // namespace

Result<LinkRun> merge_runs(std::span<const MergeInput> inputs, const LinkRunFile& out, uint64_t offset, uint64_t number,
                           size_t block_bytes, std::span<char> workspace) {
  assert(!inputs.empty() && workspace.size() >= (inputs.size() + 1) * block_bytes);
  LinkRunWriter writer(out, offset, number, workspace.first(block_bytes));
  std::vector<LinkRunReader> readers;
  std::vector<WideKey> heads;
  readers.reserve(inputs.size());
  heads.reserve(inputs.size());
  for (const MergeInput& input : inputs) {
    workspace = workspace.subspan(block_bytes);
    readers.emplace_back(*input.file, input.run, workspace.first(block_bytes));
    heads.push_back(next_head(readers.back()));
  }

  Tournament tournament(std::move(heads));
  while (tournament.smallest() != kEnded && writer.add(link_of(tournament.smallest())))
    tournament.replace_winner(next_head(readers[tournament.winner()]));
  for (const LinkRunReader& reader : readers) ADUANA_TRY(reader.status());
  return writer.finish();
}

}  // namespace aduana
