#pragma once

#include <algorithm>
#include <cstdint>

namespace warpwalk::gpu {

/// A unit that serves requests in the order of its calls, for example a bus. Times are in cycles; fractions are kept,
/// so that a rate such as 2.6 cycles per request is exact on average.
class Resource {
 public:
  /// When a request that arrives at `at` would be served.
  double next(double at) const { return std::max(at, free_); }
  /// Returns when a request that arrives at `at` is served, and occupies the unit for `cycles` from then on.
  double take(double at, double cycles) {
    const double start = next(at);
    free_ = start + cycles;
    return start;
  }

 private:
  double free_ = 0;
};

}  // namespace warpwalk::gpu
