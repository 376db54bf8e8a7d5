#include "core/gpu/timing/stall_reason.h"

namespace warpwalk::gpu {

std::string_view name_of(StallReason reason) {
  static constexpr std::array<std::string_view, stall_reasons> names = {
      "selected",        "not_selected",     "wait",         "branch_resolving", "no_instruction",
      "long_scoreboard", "short_scoreboard", "barrier",      "membar",           "math_pipe_throttle",
      "mio_throttle",    "lg_throttle",      "tex_throttle", "dispatch_stall",   "imc_miss",
      "drain",           "sleeping"};
  return names[static_cast<std::size_t>(reason)];
}

}  // namespace warpwalk::gpu
