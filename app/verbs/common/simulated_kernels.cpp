#include "app/verbs/common/simulated_kernels.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "app/verbs/common/find_device.h"
#include "core/run/launch/cycle_figures.h"
#include "core/run/launch/run_launch.h"
#include "core/run/replay/load_recorded.h"

namespace warpwalk::verbs {

std::optional<double> SimulatedKernels::seconds(trace::SliceId kernel, const gpu::Device& device) {
  const auto [found, fresh] = known_.try_emplace({kernel, device.id});
  if (!fresh) return found->second;
  const std::vector<trace::SliceId> kernels = run::recorded_launches(trace_);
  const auto at = std::ranges::find(kernels, kernel);
  if (at == kernels.end()) return {};
  auto recording = run::load_recorded(trace_, static_cast<std::uint64_t>(at - kernels.begin()) + 1, file_);
  if (!recording) return {};
  run::CyclesOptions cycles;
  cycles.choice = run::CyclesChoice::automatic;
  cycles.threads = host_threads(0);
  gpu::SimulateOptions how;
  how.launch_operation_limit = cycles.max_warp_instructions;
  const auto result = run::run_launch(device, recording->loaded, how, cycles);
  if (!result || !result->cycles.timing) return {};
  const gpu::LaunchTiming& timing = *result->cycles.timing;
  return found->second = run::seconds_of(device, timing.cycles - timing.launch_cost);
}

}  // namespace warpwalk::verbs
