#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/story/elements/walk.h"
#include "core/story/facts/launch/work_ahead.h"

namespace warpwalk::story {

/// Breaks down the time from the op's start to the end of its GPU work. The parts follow one another without gap or
/// overlap, so that they add up to the total. Times: ns since the trace's base.
struct Receipt {
  std::int64_t op_start = 0;  ///< start of the outermost op, or of the launch in a walk without ops
  std::int64_t launch_start = 0;
  std::int64_t launch_end = 0;  ///< of the call; can be after kernel_start
  std::int64_t kernel_start = 0;
  std::int64_t kernel_end = 0;
  std::int64_t overhead = 0;  ///< ns of the profiler's own work between op_start and launch_start
  /// Its times, each from and until, ascending, without overlap.
  std::vector<std::pair<std::int64_t, std::int64_t>> overheads;
  SliceId overhead_slice = no_slice;  ///< the longest part of it
  WorkAhead ahead;  ///< what the stream still had to do when the launch call returned, so that the kernel had to wait

  std::int64_t cpu() const { return launch_start - op_start; }
  /// The part of the launch call before the kernel began.
  std::int64_t launch() const { return (launch_end < kernel_start ? launch_end : kernel_start) - launch_start; }
  std::int64_t queue() const { return kernel_start > launch_end ? kernel_start - launch_end : 0; }
  std::int64_t kernel() const { return kernel_end - kernel_start; }
  std::int64_t total() const { return kernel_end - op_start; }
  /// By the GPU's clock the kernel began before its launch: the two clocks differ, and the waiting time is unknown.
  bool skewed() const { return kernel_start < launch_start; }
};

/// Returns nullopt unless the walk has GPU work with a time and a known launch.
std::optional<Receipt> receipt_of(const Trace& trace, const Walk& walk);

/// The CPU's activity on the same thread after the launch returned.
struct Aftermath {
  SliceId next_op = no_slice;  ///< the first op that starts before the GPU is done
  bool next_orders = false;    ///< that op launches more before the GPU is done
  SliceId wait = no_slice;     ///< the first call that waits for the GPU
  /// Work on the walk's GPU ran during the wait. If none did, the GPU had already finished and the call only found that
  /// out.
  bool waited = false;
};
Aftermath aftermath_of(const Trace& trace, const Walk& walk, const Receipt& receipt);

/// The first launch of a kernel in a trace, if it took far longer than the later ones: it paid one-time costs.
struct FirstLaunch {
  std::int64_t usual = 0;  ///< ns, the median of the later launches of the same kernel
};
/// Returns nullopt unless the walk's launch is the first one of its kernel and took at least ten times the usual time.
std::optional<FirstLaunch> first_launch_of(const Trace& trace, const Walk& walk);

/// The other launches of the walk's kernel in a trace: what one usually takes. Times in ns.
struct OtherLaunches {
  std::size_t count = 0;
  std::int64_t call = 0;    ///< median of their calls
  std::int64_t start = 0;   ///< median from the call's return to the kernel's start; negative: it began before
  std::int64_t kernel = 0;  ///< median of the kernels
  std::size_t begun = 0;    ///< those whose kernel had begun when the call returned
};
/// Nullopt if there are fewer than three others with times: two say nothing about what is usual. Reads at most 20,000
/// launches before this one and after it.
std::optional<OtherLaunches> other_launches_of(const Trace& trace, const Walk& walk);

/// Differences below this, in ns, are within the accuracy of matching the CPU's clock and the GPU's.
constexpr std::int64_t clock_accuracy = 1000;

}  // namespace warpwalk::story
