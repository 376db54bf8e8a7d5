#include "core/gpu/timing/launch/timed_launch.h"

#include <algorithm>
#include <utility>

#include "core/gpu/exec/launch_check.h"

namespace warpwalk::gpu {

std::variant<std::unique_ptr<TimedLaunch>, std::string> TimedLaunch::make(const Device& device, const Program& program,
                                                                          Launch& launch, IssuePolicy policy) {
  auto timing = timing_of(device);
  if (auto* const error = std::get_if<std::string>(&timing)) return std::move(*error);
  auto checked = check_launch(device, program, launch, launch.registers.value_or(program.registers));
  if (auto* const error = std::get_if<std::string>(&checked)) return std::move(*error);
  const auto& occupancy = std::get<Occupancy>(checked);
  auto made = LaunchState::make(device, program, launch, occupancy, false);
  if (auto* const error = std::get_if<std::string>(&made)) return std::move(*error);

  std::unique_ptr<TimedLaunch> timed(new TimedLaunch(device));
  timed->occupancy = occupancy;
  timed->state = std::move(std::get<std::unique_ptr<LaunchState>>(made));
  SmContext& sm = timed->sm;
  sm.timing = std::get<Timing>(timing);
  if (program.machine_code) {
    sm.instructions = instruction_timings(program, sm.timing);
  } else {
    timed->estimate_ = estimate_code(program, sm.timing);
    sm.instructions = timed->estimate_.instructions;
    sm.estimate = &timed->estimate_;
  }
  sm.program = &program;
  sm.l1_lines =
      static_cast<std::uint64_t>(std::max(0.0, sm.timing.l1_bytes - static_cast<double>(occupancy.carveout)) / 128);
  sm.local_lines = 1;
  for (const Function& function : program.functions) sm.local_lines += function.local_bytes / 4;
  sm.policy = policy;
  return timed;
}

std::size_t TimedLaunch::instructions() const {
  return sm.estimate != nullptr ? sm.program->sources.size() : sm.instructions.size();
}

bool TimedLaunch::in_order() const {
  return sm.program->needs_block_order || context().explicit_cluster || sm.program->uses_clusters;
}

}  // namespace warpwalk::gpu
