#include "core/story/labs/observe/sampling.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::story {

double DutyCycle::busy(double from, double to) const {
  const auto until = [&](double time) {
    const double whole = std::floor(time / (kernel + gap));
    return whole * kernel + std::min(kernel, time - whole * (kernel + gap));
  };
  return until(to) - until(from);
}

std::vector<double> window_shares(const DutyCycle& duty, double window, double offset, int count) {
  std::vector<double> shares;
  for (int i = 0; i < count; ++i)
    shares.push_back(100 * duty.busy(offset + i * window, offset + (i + 1) * window) / window);
  return shares;
}

GpuShare gpu_share(double blocks, double warps_per_block, double sms, double warps_per_sm) {
  return {std::min(1.0, blocks / sms), std::min(1.0, blocks * warps_per_block / (sms * warps_per_sm))};
}

}  // namespace warpwalk::story
