#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tests/validate/comparison.h"

namespace warpwalk::validate {

/// The distribution of errors: by size, in percent or in points.
struct Spread {
  std::size_t rows = 0;
  double mean = 0;                              ///< of the sizes
  double signed_mean = 0;                       ///< of the errors themselves
  double median = 0, ninetieth = 0, worst = 0;  ///< of the sizes; the 90th percentile by the nearest rank
};
Spread spread_of(std::vector<double> errors);

/// Pearson's correlation of the logarithms of measured and simulated values; 0 for fewer than two rows or if all are
/// equal. Values must be above 0.
double log_correlation(std::span<const Pair> pairs);

/// Statistics of the rows whose measurements spread by at most `spread_limit` percent.
struct Summary {
  Spread cycles, active;
  double cycles_correlation = 0, active_correlation = 0;
  Spread l1_hits, l2_hits;  ///< points
  Spread dram;              ///< read and written, of rows with at least 1,000,000 bytes
  Spread warp_instructions;
  std::size_t same_stall = 0;  ///< rows in which the largest stall reason is the measured one
};
constexpr double spread_limit = 6;
Summary summary_of(std::span<const Comparison> rows);

}  // namespace warpwalk::validate
