#pragma once

// This folder runs a whole launch on the timing model: blocks, SMs, host threads, sums. Single units are in
// core/gpu/timing.

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/device/device.h"
#include "core/gpu/device/sm_layout.h"
#include "core/gpu/exec/access_counts.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/timing/cache_start.h"
#include "core/gpu/timing/issue_policy.h"
#include "core/gpu/timing/launch_recorder.h"
#include "core/gpu/timing/stall_reason.h"

namespace warpwalk::gpu {

class CacheState;
class Memory;
class SmObserver;

struct TimingOptions {
  int threads = 1;  ///< host threads; the results do not depend on the number
  IssuePolicy policy = IssuePolicy::greedy_then_youngest;
  CacheStart caches = CacheStart::cold;
  /// What the launch finds in the caches, and afterwards, what it leaves there (CacheStart::carried); null: as `caches`
  /// says.
  CacheState* state = nullptr;
  const std::atomic<bool>* cancel = nullptr;  ///< the caller sets it to stop early
  /// Called from one thread when the launch starts, and from time to time when blocks have ended.
  std::function<void(std::uint64_t done, std::uint64_t blocks)> progress;
  std::uint64_t max_warp_instructions = 0;  ///< ends the run soon after so many; 0: runs to the end
  std::uint64_t max_blocks = 0;  ///< runs the first so many blocks of the grid only; 0, or with clusters: all of them
  LaunchRecorder* recorder = nullptr;  ///< records what is needed to run SMs again
  bool by_instruction = false;         ///< also counts accesses by instruction
  bool program_order = false;          ///< issues PTX in the order of the program (estimate_code.h)
  /// If set, is called for each SM before it runs, for its observer, which is used on the thread that runs the SM. The
  /// memory is that of the launch. All SMs are asked for again if the launch has to start anew on one thread.
  std::function<SmObserver*(std::uint16_t sm, const Memory& memory)> observer;
};

/// The result of the timing model for a launch. Counters follow Nsight Compute.
struct LaunchTiming {
  double cycles = 0;         ///< from the launch's start to its end, the launch's own cost included
  double cycles_active = 0;  ///< cycles with a resident warp, mean of the SMs
  double launch_cost = 0;    ///< the part of `cycles` before the first block and after the last one
  /// From the first block's start until the last one has ended. Stores that are confirmed later count too, less the
  /// way of one to L2 and back, which the end of every kernel waits for, also of one without stores.
  double cycles_blocks = 0;
  double achieved_occupancy = 0;  ///< resident warps in percent of the SM's slots, over the active cycles
  StallCycles stalls{};           ///< warp-cycles by reason
  std::vector<StallCycles> stalls_by_instruction;  ///< the same for each instruction of the program, by index
  /// If TimingOptions::by_instruction asked for them: the accesses to memory of each instruction, likewise.
  std::vector<AccessCounts> accesses_by_instruction;
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  std::uint64_t scheduler_cycles = 0;  ///< active cycles of the SMs times their schedulers
  std::uint64_t slots_with_warp = 0;   ///< scheduler-cycles with a resident warp
  std::uint64_t l1_sectors = 0, l1_hits = 0, l2_sectors = 0, l2_hits = 0;
  std::uint64_t dram_read_bytes = 0, dram_write_bytes = 0;
  std::vector<SmId> sm;            ///< of each block
  std::vector<double> start, end;  ///< of each block, in cycles since the first block's start
  double host_seconds = 0;
  bool estimated = false;  ///< of a program without machine code, whose schedule is an estimate (estimate_code.h)
  CacheStart caches = CacheStart::cold;  ///< at the start
  bool cancelled = false;
  bool cut = false;  ///< TimingOptions::max_warp_instructions ended it; all figures are those of the first cycles
  /// With TimingOptions::max_warp_instructions: when half of them had been issued, and how many really.
  double half_cycles = 0;
  std::uint64_t half_warp_instructions = 0;
  bool stopped = false;  ///< a finding ended the launch, or its warps wait for one another
};

/// Runs a launch on the timing model, and leaves the results in its buffers. Returns a one-line
/// message if the launch cannot be timed.
base::Result<LaunchTiming> time_launch(const Device& device, const Program& program, Launch& launch,
                                       const TimingOptions& options = {});

}  // namespace warpwalk::gpu
