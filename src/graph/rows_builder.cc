#include "graph/rows_builder.h"

#include <algorithm>
#include <thread>

#include "graph/codec/group_encoder.h"

namespace aduana {
namespace {

constexpr uint64_t kSampleLinks = 4 << 20;
constexpr uint64_t kBatchLinks = 1 << 19;
constexpr uint64_t kBatchRows = uint64_t{kGroupRows} << 12;
constexpr int kLearningRounds = 4;  // the reference that is best depends on the costs, and these on the references

// Sorted links as batches of whole groups of rows.
class RowReader {
 public:
  RowReader(LinkSource& links, uint64_t nodes) : links_(links), nodes_(nodes), buffer_(kBuffer) {}

  Node next_node() const { return node_; }  // the first of the next batch

  // False at the end. A batch ends after the group with which it has so many links or rows.
  Result<bool> next(RowBatch& rows, uint64_t most_links) {
    rows.clear();
    while (node_ < nodes_ &&
           (rows.size() % kGroupRows || (rows.links.size() < most_links && rows.size() < kBatchRows))) {
      while (true) {
        if (at_ == end_) {
          ADUANA_ASSIGN(end_, links_.next(buffer_));
          at_ = 0;
        }
        if (at_ == end_ || buffer_[at_].from != node_) break;
        rows.links.push_back(buffer_[at_++].to);
      }
      rows.ends.push_back(rows.links.size());
      ++node_;
    }
    return !rows.ends.empty();
  }

 private:
  static constexpr size_t kBuffer = 4096;
  LinkSource& links_;
  const uint64_t nodes_;
  std::vector<NodeLink> buffer_;
  size_t at_ = 0, end_ = 0;
  Node node_ = 0;
};

// Does work(begin, end) for ranges of whole groups of `rows` rows, in threads.
template <class Work>
void share_out(size_t rows, unsigned threads, const Work& work) {
  const size_t groups = (rows + kGroupRows - 1) / kGroupRows;
  std::vector<std::jthread> workers;
  for (unsigned t = 0; t < threads; ++t) {
    const size_t begin = groups * t / threads * kGroupRows;
    const size_t end = std::min(rows, groups * (t + 1) / threads * kGroupRows);
    if (t + 1 == threads) {
      work(t, begin, end);
    } else {
      workers.emplace_back([&work, t, begin, end] { work(t, begin, end); });
    }
  }
}

struct Sample {
  RowBatch rows;
  Node first = 0;
};

RowModel learn(const std::vector<Sample>& samples, unsigned threads) {
  RowModel model;
  for (int round = 0; round < kLearningRounds; ++round) {
    std::vector<RowCounts> counts(threads);
    for (const Sample& sample : samples) {
      share_out(sample.rows.size(), threads, [&](unsigned t, size_t begin, size_t end) {
        GroupEncoder encoder(model);
        for (size_t i = begin; i < end; i += kGroupRows) {
          encoder.count(sample.rows, i, std::min<size_t>(end, i + kGroupRows), sample.first + i, counts[t]);
        }
      });
    }
    for (unsigned t = 1; t < threads; ++t) {
      for (unsigned c = 0; c < context::kContexts; ++c) {
        for (size_t s = 0; s < counts[0][c].size(); ++s) counts[0][c][s] += counts[t][c][s];
      }
    }
    model = RowModel(counts[0]);
  }
  return model;
}

// Batches from all over the graph, together no more than kSampleLinks or what the memory allows.
Result<std::vector<Sample>> take_samples(SortedLinks& links, uint64_t nodes, uint64_t memory_bytes) {
  const uint64_t most = std::clamp<uint64_t>(memory_bytes / (4 * sizeof(Node)), 4096, kSampleLinks);
  const uint64_t batch = std::min(kBatchLinks, most);
  const uint64_t every = (links.links() + most - 1) / std::max<uint64_t>(1, most);
  std::vector<Sample> samples;
  uint64_t sampled_rows = 0;  // of which there may be many more than links
  RowReader reader(links, nodes);
  Sample sample;
  for (uint64_t number = 0;; ++number) {
    sample.first = reader.next_node();
    ADUANA_ASSIGN(const bool more, reader.next(sample.rows, batch));
    if (!more) return samples;
    const bool wanted = number % std::max<uint64_t>(1, every) == 0 && sampled_rows < most;
    if (wanted && !sample.rows.links.empty()) {
      sampled_rows += sample.rows.size();
      samples.push_back(std::move(sample));
    }
    sample = {};
  }
}

struct Part {
  BitWriter bits;
  std::vector<uint64_t> ends;  // of each group
};

}  // namespace

Result<CompressedRows::Places> write_rows(SortedLinks& links, uint64_t nodes, const RowsBuildOptions& options,
                                          GraphFileWriter& out) {
  const unsigned threads = std::max(1u, options.threads);
  ADUANA_TRY(links.reset());
  ADUANA_ASSIGN(const auto samples, take_samples(links, nodes, options.memory_bytes));
  const RowModel model = learn(samples, threads);

  CompressedRows::Places places;
  places.rows.begin = out.size();
  std::vector<GroupEncoder> encoders(threads, GroupEncoder(model));
  std::vector<Part> parts(threads);
  std::vector<uint64_t> offsets{0};
  BitWriter stream;
  uint64_t written = 0;
  ADUANA_TRY(links.reset());
  RowReader reader(links, nodes);
  RowBatch rows;
  const uint64_t batch = std::clamp<uint64_t>(options.memory_bytes / (8 * sizeof(Node)), 1024, kBatchLinks);
  while (true) {
    const Node first = reader.next_node();
    ADUANA_ASSIGN(const bool more, reader.next(rows, batch));
    if (!more) break;
    share_out(rows.size(), threads, [&](unsigned t, size_t begin, size_t end) {
      Part& part = parts[t];
      part.bits.clear();
      part.ends.clear();
      for (size_t i = begin; i < end; i += kGroupRows) {
        encoders[t].encode(rows, i, std::min<size_t>(end, i + kGroupRows), first + i, part.bits);
        part.ends.push_back(part.bits.bits());
      }
    });
    for (const Part& part : parts) {
      const uint64_t start = offsets.back();
      for (const uint64_t end : part.ends) offsets.push_back(start + end);
      stream.append(part.bits);
    }
    ADUANA_TRY(out.append(stream.take_full_bytes()));
    written += rows.links.size();
    if (options.progress) ADUANA_TRY(options.progress(written));
  }
  stream.pad();
  ADUANA_TRY(out.append(stream.take_full_bytes()));
  ADUANA_TRY(out.append(std::string(kBitPadding, 0)));
  places.rows.end = out.size();

  std::string bytes;
  append_elias_fano(bytes, offsets);
  ADUANA_ASSIGN(places.offsets, out.section(bytes));
  bytes.clear();
  model.encode(bytes);
  ADUANA_ASSIGN(places.model, out.section(bytes));
  return places;
}

}  // namespace aduana
