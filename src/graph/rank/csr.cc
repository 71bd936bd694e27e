#include "graph/rank/csr.h"

#include <algorithm>

#include "graph/edges/read_links.h"

namespace aduana {

template <class T>
Status Csr<T>::check_nodes(uint64_t nodes) {
  if (nodes == 0 || nodes - 1 <= std::numeric_limits<T>::max()) return {};
  return Error(Code::invalid, "a graph of " + std::to_string(nodes) + " pages needs rows of 64 bits a link");
}

// From the number of links of each row, counted one place further on.
template <class T>
void Csr<T>::counts_to_offsets() {
  for (size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  targets_.resize(offsets_.back());
}

// Sorts each row and closes the gaps that dropped duplicates leave.
template <class T>
void Csr<T>::sort_rows() {
  uint64_t end = 0;
  uint64_t begin = 0;
  for (size_t node = 0; node + 1 < offsets_.size(); ++node) {
    const auto first = targets_.begin() + static_cast<ptrdiff_t>(begin);
    const auto last = targets_.begin() + static_cast<ptrdiff_t>(offsets_[node + 1]);
    begin = offsets_[node + 1];
    if (!std::is_sorted(first, last)) std::sort(first, last);
    const auto kept = std::unique_copy(first, last, targets_.begin() + static_cast<ptrdiff_t>(end));
    end = static_cast<uint64_t>(kept - targets_.begin());
    offsets_[node + 1] = end;
  }
  targets_.resize(end);
}

template <class T>
Result<Csr<T>> Csr<T>::from_links(LinkSource& source, uint64_t nodes, Rows rows) {
  ADUANA_TRY(check_nodes(nodes));
  const bool transposed = rows == Rows::transposed;
  Csr csr;
  csr.offsets_.assign(nodes + 1, 0);
  ADUANA_TRY(for_each_link(source, nodes, [&](Node from, Node to) { csr.count(transposed ? to : from); }));
  csr.counts_to_offsets();

  std::vector<uint64_t> at(csr.offsets_.begin(), csr.offsets_.end() - 1);
  uint64_t placed = 0;
  bool changed = false;
  ADUANA_TRY(for_each_link(source, nodes, [&](Node from, Node to) {
    if (transposed) std::swap(from, to);
    if (at[from] == csr.offsets_[from + 1]) {
      changed = true;
      return;
    }
    csr.targets_[at[from]++] = static_cast<T>(to);
    ++placed;
  }));
  if (changed || placed != csr.targets_.size()) {
    return Error(Code::corrupt, "the links changed between two readings; take them from a snapshot");
  }
  csr.sort_rows();
  return csr;
}

template <class T>
Result<Csr<T>> Csr<T>::from_rows(std::vector<std::vector<T>> rows) {
  ADUANA_TRY(check_nodes(rows.size()));
  Csr csr;
  csr.offsets_.assign(1, 0);
  for (const auto& row : rows) {
    for (const T target : row) {
      if (target >= rows.size()) {
        return Error(Code::invalid, "link to page " + std::to_string(target) + " in a graph of " +
                                        std::to_string(rows.size()) + " pages");
      }
    }
    csr.targets_.insert(csr.targets_.end(), row.begin(), row.end());
    csr.offsets_.push_back(csr.targets_.size());
  }
  csr.sort_rows();
  return csr;
}

template class Csr<uint32_t>;
template class Csr<uint64_t>;

}  // namespace aduana
