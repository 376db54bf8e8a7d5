#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/timing/launch/time_launch.h"

namespace warpwalk::run {

/// Time of this many SM cycles.
double seconds_of(const gpu::Device& device, double cycles);

/// Use of the schedulers' issue slots, in percent of their cycles while their SM had a resident warp. The three add up
/// to 100.
struct IssueSlots {
  double issued = 0;
  double no_eligible_warp = 0;  ///< warps were resident, but each was stalled
  double no_warp = 0;           ///< no warp was resident on this scheduler
};
IssueSlots issue_slots_of(const gpu::LaunchTiming& timing);

/// Warp instructions per active cycle of an SM.
double ipc_of(const gpu::Device& device, const gpu::LaunchTiming& timing);

/// The launch in the instruction roofline model (Ding and Williams, "An Instruction Roofline Model for GPUs", PMBS
/// 2019), which needs no count of floating-point operations.
struct Roofline {
  std::optional<double>
      instructions_per_sector;  ///< warp instructions per 32-byte sector of DRAM; none without traffic
  double issue_pct = 0;         ///< of the warp instructions that all schedulers can issue in the launch's cycles
  double dram_pct = 0;  ///< of the bytes that DRAM can transfer in the launch's time; 0 if its bandwidth is unknown
};
Roofline roofline_of(const gpu::Device& device, const gpu::LaunchTiming& timing);

/// A figure of the timing model with its name in reports, which is that of the counter that `run --counters` records.
struct CycleFigure {
  std::string name;
  double value = 0;
};
/// Occupancy, hit rates, DRAM bytes and cycles.
std::vector<CycleFigure> cycle_figures(const gpu::LaunchTiming& timing);
/// The origin of the instructions, their order and their control codes: "machine code", or "estimated" from PTX.
std::string_view schedule_of(const gpu::LaunchTiming& timing);
/// Warp-cycles by reason, named "long_scoreboard" ..., in the order of gpu::StallReason.
std::vector<CycleFigure> stall_figures(const gpu::LaunchTiming& timing);

}  // namespace warpwalk::run
