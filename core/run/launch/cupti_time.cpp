#include "core/run/launch/cupti_time.h"

#include "core/run/launch/cycle_figures.h"

namespace warpwalk::run {

OutsideBlocks outside_blocks(std::string_view gpu) {
  constexpr double h100_ns = 785, h200_ns = 465;
  if (gpu.find("H100") != std::string_view::npos) return {h100_ns, true};
  return {h200_ns, gpu.find("H200") != std::string_view::npos};
}

double cupti_ns(const gpu::Device& device, const gpu::LaunchTiming& timing, std::string_view gpu) {
  return 1e9 * seconds_of(device, timing.cycles_blocks) + outside_blocks(gpu).ns;
}

}  // namespace warpwalk::run
