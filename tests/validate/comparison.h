#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/gpu/device/device.h"
#include "core/gpu/exec/program.h"
#include "core/gpu/timing/launch/time_launch.h"
#include "core/run/launch/code_choice.h"
#include "tests/reference/measured.h"

namespace warpwalk::validate {

/// A figure of a launch, as Nsight Compute measured it and as the model gives it.
struct Pair {
  double measured = 0, simulated = 0;

  /// Error in percent of the measured value, signed; 0 if nothing was measured.
  double error() const { return measured == 0 ? 0 : 100 * (simulated - measured) / measured; }
  double difference() const { return simulated - measured; }
};

/// One launch, measured and simulated.
struct Comparison {
  std::string name;
  double spread = 0;       ///< of five measurements of `cycles`, in percent
  double launch_cost = 0;  ///< the part of the simulated cycles before the first block and after the last one
  Pair cycles;             ///< cycles_elapsed, with launch cost
  Pair active;             ///< sm_cycles_active_avg, without launch cost
  Pair warp_instructions;
  Pair l1_hits, l2_hits;                        ///< percent
  Pair dram_read, dram_write;                   ///< bytes
  Pair occupancy;                               ///< percent of the warp slots
  std::array<Pair, gpu::stall_reasons> stalls;  ///< shares of the warp-cycles, in percent
  double cpu_seconds = 0;                       ///< of the simulation
  bool stopped = false;                         ///< the simulated launch did not end

  /// DRAM bytes read and written.
  Pair dram() const { return {dram_read.measured + dram_write.measured, dram_read.simulated + dram_write.simulated}; }
};

/// A comparison together with what was simulated.
struct Simulated {
  Comparison comparison;
  gpu::LaunchTiming timing;
  std::shared_ptr<const gpu::Program> program;
};

/// Simulates the launch of a row of h200_measured.csv: its machine code, or its PTX with an estimated schedule. Its
/// launch file is FOLDER/timed/NAME.json. Returns a one-line error on failure.
base::Result<Simulated> compare(const gpu::Device& device, const reference::Row& row,
                                const std::filesystem::path& folder, int threads,
                                run::CodeChoice code = run::CodeChoice::sass);

/// The reason with the largest share, not counting `selected`, which is not a stall.
struct LargestStall {
  gpu::StallReason measured, simulated;
};
LargestStall largest_stall(const Comparison& comparison);

}  // namespace warpwalk::validate
