#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/gpu/exec/run/launch_state.h"
#include "core/gpu/timing/estimate/estimate_code.h"
#include "core/gpu/timing/issue_policy.h"
#include "core/gpu/timing/sm.h"

namespace warpwalk::gpu {

/// A launch that is ready to run on the timing model: checked and placed in memory, with the timing of its
/// instructions.
class TimedLaunch {
 public:
  /// The arguments must outlive it. `program_order`: as in estimate_code(). Returns a one-line message if the launch
  /// cannot be timed.
  static base::Result<std::unique_ptr<TimedLaunch>> make(const Device& device, const Program& program, Launch& launch,
                                                         IssuePolicy policy, bool program_order = false);
  TimedLaunch(const TimedLaunch&) = delete;
  TimedLaunch& operator=(const TimedLaunch&) = delete;

  const Device& device;
  Occupancy occupancy;
  SmContext sm;
  std::unique_ptr<LaunchState> state;

  LaunchContext& context() const { return state->context; }
  /// Number of instructions of the program.
  std::size_t instructions() const;
  /// Blocks observe each other's effects, so they run in a fixed order on one host thread.
  bool in_order() const;

 private:
  explicit TimedLaunch(const Device& on) : device(on) {}
  EstimatedCode estimate_;
};

}  // namespace warpwalk::gpu
