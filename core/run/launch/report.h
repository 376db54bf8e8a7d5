#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/run/launch/run_launch.h"

namespace warpwalk::run {

/// The report of a launch as JSON, its counters named and counted as Nsight Compute does (README, "simulate"). What
/// needs a model of time (achieved_occupancy_pct, l1_hit_pct, l2_hit_pct, dram_read_bytes, dram_write_bytes, cycles,
/// cycles_active, time_us, stalls) is absent, since this simulator has no clock.
std::string report_json(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result);

/// The same for people.
std::string report_text(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result);

/// A counter of the report by name: what report_json writes, and a trace's kernel record keeps.
struct ReportCounter {
  std::string_view name;
  std::uint64_t value = 0;
};
std::vector<ReportCounter> report_counters(const gpu::Counters& counters);

/// Warp instructions (after lowering) per second of wall time; 0 if no time passed.
double warp_instructions_per_second(const gpu::Simulation& simulation);

}  // namespace warpwalk::run
