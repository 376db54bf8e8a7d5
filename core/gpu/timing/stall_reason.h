#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warpwalk::gpu {

/// The state of a resident warp in a cycle. The names are those of Nsight Compute ("Warp Stall Reasons" in its
/// documentation). A warp has exactly one reason in each cycle.
enum class StallReason : std::uint8_t {
  selected,            ///< it issues an instruction
  not_selected,        ///< it could issue, but the scheduler picked another warp
  wait,                ///< a fixed number of cycles since its last instruction
  branch_resolving,    ///< the target of a branch is being computed
  no_instruction,      ///< the next instruction is being fetched
  long_scoreboard,     ///< a result of global, local or texture memory
  short_scoreboard,    ///< a result of shared memory, a special function or a special register
  barrier,             ///< other warps at a barrier
  membar,              ///< a memory fence
  math_pipe_throttle,  ///< the execution pipe is busy
  mio_throttle,        ///< the queue for shared memory and special functions is full
  lg_throttle,         ///< the queue for global and local memory is full
  tex_throttle,        ///< the queue for textures is full
  dispatch_stall,      ///< the register file's ports are busy
  imc_miss,            ///< a constant is being fetched
  drain,               ///< its last stores leave after it has exited
  sleeping,            ///< nanosleep
};
constexpr std::size_t stall_reasons = 17;

/// Warp-cycles by reason.
using StallCycles = std::array<std::uint64_t, stall_reasons>;

/// The name in reports, e.g. "long_scoreboard".
inline std::string_view name_of(StallReason reason) {
  static constexpr std::array<std::string_view, stall_reasons> names = {
      "selected",        "not_selected",     "wait",         "branch_resolving", "no_instruction",
      "long_scoreboard", "short_scoreboard", "barrier",      "membar",           "math_pipe_throttle",
      "mio_throttle",    "lg_throttle",      "tex_throttle", "dispatch_stall",   "imc_miss",
      "drain",           "sleeping"};
  return names[static_cast<std::size_t>(reason)];
}

}  // namespace warpwalk::gpu
