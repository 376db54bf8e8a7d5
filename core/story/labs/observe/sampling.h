#pragma once

#include <vector>

namespace warpwalk::story {

/// Kernels of one length with one gap between them; the first one starts at 0. Any unit of time.
struct DutyCycle {
  double kernel = 1;
  double gap = 0;

  /// Share of all time in which a kernel runs, 0 to 1.
  double share() const { return kernel / (kernel + gap); }
  /// Time of [from, to) in which one runs; `from` is not negative.
  double busy(double from, double to) const;
};

/// The reports of a counter that is updated once per window: percent of each window in which a kernel ran. The first
/// window starts at `offset`.
std::vector<double> window_shares(const DutyCycle& duty, double window, double offset, int count);

/// How much of the GPU the kernels use while one runs, if a block lasts as long as its kernel and blocks are spread
/// evenly.
struct GpuShare {
  double sms = 0;        ///< SMs with a block, 0 to 1
  double occupancy = 0;  ///< warp slots in use, 0 to 1
};
GpuShare gpu_share(double blocks, double warps_per_block, double sms, double warps_per_sm);

}  // namespace warpwalk::story
