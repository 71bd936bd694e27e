// For tests: PageRank and HITS on full matrices of doubles, each from its textbook formula and sharing nothing with the
// kernels. PageRank is there twice: iterated, and as the solution of its linear system.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graph/node.h"

namespace aduana {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

inline Matrix zeros(size_t n) { return Matrix(n, Vector(n, 0)); }

// count[u][v]: how often u links to v.
inline Matrix link_counts(size_t nodes, const std::vector<NodeLink>& links) {
  Matrix count = zeros(nodes);
  for (const NodeLink& link : links) count[link.from][link.to] += 1;
  return count;
}

inline Vector score_or_zero(size_t nodes, const std::vector<float>& scores) {
  Vector result(nodes, 1);
  for (size_t i = 0; i < scores.size(); ++i) result[i] = std::isfinite(scores[i]) && scores[i] > 0 ? scores[i] : 0;
  return result;
}

// step[u][v]: probability of going from u to v, jumps apart.
inline Matrix step_probabilities(const Matrix& count, const Vector& score) {
  const size_t n = count.size();
  double all = 0;
  for (const double s : score) all += s;
  Matrix step = zeros(n);
  for (size_t u = 0; u < n; ++u) {
    double sum = 0;
    for (size_t v = 0; v < n; ++v) sum += count[u][v] * score[v];
    for (size_t v = 0; v < n; ++v) {
      if (sum > 0) {
        step[u][v] = count[u][v] * score[v] / sum;
      } else {
        step[u][v] = all > 0 ? score[v] / all : 1.0 / double(n);
      }
    }
  }
  return step;
}

inline Vector jump_probabilities(const Vector& score) { return step_probabilities(zeros(score.size()), score).front(); }

inline Vector iterated_page_rank(size_t nodes, const std::vector<NodeLink>& links, const std::vector<float>& scores,
                                 double damping = 0.85) {
  const Vector score = score_or_zero(nodes, scores);
  const Matrix step = step_probabilities(link_counts(nodes, links), score);
  const Vector jump = jump_probabilities(score);
  Vector x(nodes, 1.0 / double(nodes));
  for (double change = 1; change > 1e-13;) {
    Vector next(nodes, 0);
    for (size_t v = 0; v < nodes; ++v) {
      for (size_t u = 0; u < nodes; ++u) next[v] += damping * step[u][v] * x[u];
      next[v] += (1 - damping) * jump[v];
    }
    change = 0;
    for (size_t v = 0; v < nodes; ++v) change = std::max(change, std::abs(next[v] - x[v]));
    x = std::move(next);
  }
  return x;
}

// Gaussian elimination with the largest pivot of each column.
inline Vector solve(Matrix a, Vector b) {
  const size_t n = b.size();
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

// (I − damping · stepᵀ) x = (1 − damping) · jump
inline Vector solved_page_rank(size_t nodes, const std::vector<NodeLink>& links, const std::vector<float>& scores,
                               double damping = 0.85) {
  const Vector score = score_or_zero(nodes, scores);
  const Matrix step = step_probabilities(link_counts(nodes, links), score);
  Matrix a = zeros(nodes);
  Vector b = jump_probabilities(score);
  for (size_t v = 0; v < nodes; ++v) {
    for (size_t u = 0; u < nodes; ++u) a[v][u] = (u == v ? 1 : 0) - damping * step[u][v];
    b[v] *= 1 - damping;
  }
  return solve(std::move(a), std::move(b));
}

inline Vector scaled(Vector x) {
  double squares = 0;
  for (const double value : x) squares += value * value;
  for (double& value : x) value = squares > 0 ? value / std::sqrt(squares) : 0;
  return x;
}

inline Vector product(const Matrix& a, const Vector& x) {
  Vector result(x.size(), 0);
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t j = 0; j < x.size(); ++j) result[i] += a[i][j] * x[j];
  }
  return result;
}

struct HubsAndAuthorities {
  Vector hubs;
  Vector authorities;
};

// Powers of AᵀA (with the content scores in the middle) on the authorities; hubs follow from them.
inline HubsAndAuthorities iterated_hits(size_t nodes, const std::vector<NodeLink>& links,
                                        const std::vector<float>& scores, size_t loops) {
  const Matrix count = link_counts(nodes, links);
  const Vector score = score_or_zero(nodes, scores);
  Matrix hub_of = zeros(nodes), transposed = zeros(nodes), both = zeros(nodes);
  for (size_t u = 0; u < nodes; ++u) {
    for (size_t v = 0; v < nodes; ++v) {
      hub_of[u][v] = count[u][v] * score[v];
      transposed[v][u] = count[u][v];
    }
  }
  for (size_t v = 0; v < nodes; ++v) {
    for (size_t w = 0; w < nodes; ++w) {
      for (size_t u = 0; u < nodes; ++u) both[v][w] += transposed[v][u] * hub_of[u][w];
    }
  }
  Vector authorities = scaled(product(transposed, Vector(nodes, 1)));
  for (size_t loop = 1; loop < loops; ++loop) authorities = scaled(product(both, authorities));
  return {scaled(product(hub_of, authorities)), authorities};
}

}  // namespace aduana
