#include "schedule/freshness.h"

#include <algorithm>
#include <cmath>

namespace aduana {
namespace {

constexpr int kHalvings = 100;  // of an interval of doubles: nothing is left of it

double weight_of(std::span<const double> weights, size_t i) { return weights.empty() ? 1.0 : weights[i]; }

// The x with 1 − (1 + x)·e^(−x) = value, which is below 1.
double solve(double value) {
  double low = 0;
  double high = 800;  // e^(−800) is 0
  for (int i = 0; i < kHalvings; ++i) {
    const double x = (low + high) / 2;
    const double there = -std::expm1(-x) - x * std::exp(-x);
    (there < value ? low : high) = x;
  }
  return high;
}

std::vector<double> visit_rates_at(double price, std::span<const double> change_rates,
                                   std::span<const double> weights) {
  std::vector<double> rates;
  for (size_t i = 0; i < change_rates.size(); ++i) {
    const double value = price * change_rates[i] / weight_of(weights, i);
    rates.push_back(value < 1 ? change_rates[i] / solve(value) : 0);
  }
  return rates;
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

}  // namespace

double freshness(double change_rate, double visit_rate) {
  if (visit_rate <= 0) return 0;
  const double changes = change_rate / visit_rate;
  return changes > 0 ? -std::expm1(-changes) / changes : 1;
}

double mean_freshness(std::span<const double> change_rates, std::span<const double> visit_rates,
                      std::span<const double> weights) {
  double total = 0;
  double all_weights = 0;
  for (size_t i = 0; i < change_rates.size(); ++i) {
    total += weight_of(weights, i) * freshness(change_rates[i], visit_rates[i]);
    all_weights += weight_of(weights, i);
  }
  return total / all_weights;
}

std::vector<double> optimal_visit_rates(std::span<const double> change_rates, double budget,
                                        std::span<const double> weights) {
  // At a higher price there are fewer visits. From the price at which no page is worth one, halve the logarithm.
  double high = 0;
  for (size_t i = 0; i < change_rates.size(); ++i) high = std::max(high, weight_of(weights, i) / change_rates[i]);
  double low = high;
  while (sum(visit_rates_at(low, change_rates, weights)) < budget) low /= 16;
  for (int i = 0; i < 50 && high > low * (1 + 1e-12); ++i) {
    const double price = std::sqrt(low) * std::sqrt(high);
    (sum(visit_rates_at(price, change_rates, weights)) < budget ? high : low) = price;
  }
  return visit_rates_at(low, change_rates, weights);
}

}  // namespace aduana
