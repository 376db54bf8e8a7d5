#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// Launches over time, and work that was launched and had not started, in stretches of equal length. All times are ns.
struct LaunchRate {
  std::int64_t from = 0;
  std::int64_t width = 1;               ///< of one stretch
  std::vector<std::uint32_t> launches;  ///< calls that started GPU work, by the start of the call
  std::vector<double> queued;           ///< kernels, copies and fills between launch and start, mean over the stretch
  std::size_t total = 0;                ///< launches

  /// Launches per millisecond in a stretch.
  double rate(std::size_t i) const { return static_cast<double>(launches[i]) * 1e6 / static_cast<double>(width); }
  /// The stretch with the most launches.
  std::size_t busiest() const;
};

/// From the trace's start to its end, in `count` stretches; the last one may reach beyond the end.
LaunchRate launch_rate(const trace::Trace& trace, std::size_t count);

}  // namespace warpwalk::analysis
