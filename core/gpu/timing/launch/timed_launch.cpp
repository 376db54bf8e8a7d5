#include "core/gpu/timing/launch/timed_launch.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/gpu/exec/launch_check.h"

namespace warpwalk::gpu {

namespace {

/// Numbers the lines of the constant banks that the code uses from 0 on. Returns how many there are.
std::size_t number_constant_lines(std::vector<InstructionTiming>& instructions) {
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (InstructionTiming& instruction : instructions)
    if (instruction.constant != InstructionTiming::no_constant)
      instruction.constant =
          numbers.try_emplace(instruction.constant, static_cast<std::uint32_t>(numbers.size())).first->second;
  return numbers.size();
}

}  // namespace

base::Result<std::unique_ptr<TimedLaunch>> TimedLaunch::make(const Device& device, const Program& program,
                                                             Launch& launch, IssuePolicy policy, bool program_order) {
  auto timing = timing_of(device);
  if (!timing) return base::Error{timing.error()};
  auto checked = check_launch(device, program, launch, launch.registers.value_or(program.registers));
  if (!checked) return base::Error{checked.error()};
  const auto& occupancy = *checked;
  auto made = LaunchState::make(device, program, launch, occupancy, false);
  if (!made) return base::Error{made.error()};

  std::unique_ptr<TimedLaunch> timed(new TimedLaunch(device));
  timed->occupancy = occupancy;
  timed->state = std::move(*made);
  SmContext& sm = timed->sm;
  sm.timing = *timing;
  if (program.machine_code) {
    sm.instructions = instruction_timings(program, sm.timing);
  } else {
    timed->estimate_ = estimate_code(program, sm.timing, program_order);
    sm.instructions = timed->estimate_.instructions;
    sm.estimate = &timed->estimate_;
  }
  sm.constant_lines = number_constant_lines(sm.instructions);
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
