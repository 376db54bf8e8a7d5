#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpwalk::analysis {

/// Why a GPU did nothing for a while. A time without work, a gap, is split by what happened in it. "The work" is what
/// ended the gap (of several, the one that comes first in the trace), "the launch" the call that started it. Until the
/// launch was called, the cause is what the launching thread did, or what it waited for: the critical path from the
/// call back to the start of the gap (critical_path.h). From then on, it is what kept the work from starting.
enum class IdleCause : std::uint8_t {
  profiler,    ///< overhead records of the profiler
  unknown,     ///< the trace has no launch of the work
  unrecorded,  ///< launched, but the trace does not have what kept the work from starting: the GPU may have worked
  copy,        ///< the CPU was in a call that starts a copy or a fill
  pageable,    ///< the CPU was in a call that copies pageable memory to the GPU; or a late launch after such a call,
               ///< at most as long as the call held the CPU while the GPU had work
  dependency,  ///< launched, but after a call that made its stream wait for another one, or another GPU worked
  latency,     ///< the GPU waited for the launch: the call, and the time until it took effect
  between,     ///< launched before the gap: from the end of the work before to the start of the next one
  synchronisation,  ///< the CPU had not returned from a call that waits for the GPU
  restart,          ///< late launch, at most as long as such a call had waited for the work before the gap: without
                    ///< the wait, the CPU would have been ahead by as much
  blocked,          ///< the CPU slept, read from outside or waited for a lock
  loading,          ///< CUDA loaded or compiled code
  allocation,       ///< the CPU was in a call that takes memory from the driver or gives it back (cudaMalloc, cudaFree)
  communication,    ///< the CPU was in a collective
  late_launch,      ///< the CPU did other work: it was not ahead of the GPU
};
constexpr std::size_t idle_causes = static_cast<std::size_t>(IdleCause::late_launch) + 1;
/// "late launch", "synchronisation" ...: also the key of its words in the narration, with _ for the space.
std::string_view name_of(IdleCause cause);

/// The largest share of the span.
enum class IdleVerdict : std::uint8_t {
  nothing,
  busy,
  communicating,
  launch_bound,
  synchronised,
  copy_bound,
  dependent,
  blocked,
  loading,
  allocating,
  profiled,
  between,  ///< between queued kernels, which nobody launched too late
  unexplained
};
constexpr std::size_t idle_verdicts = static_cast<std::size_t>(IdleVerdict::unexplained) + 1;
std::string_view name_of(IdleVerdict verdict);
/// Whether gaps of this cause count for this verdict.
bool counts_for(IdleVerdict verdict, IdleCause cause);

}  // namespace warpwalk::analysis
