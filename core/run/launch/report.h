#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/run/launch/run_launch.h"

namespace warpwalk::run {

struct CheckedLayouts;
struct PythonCosts;

/// The report of a launch as JSON. Its counters are named and counted as in Nsight Compute (docs/simulate.md). The
/// figures of the timing model are absent if the cycles were not simulated; a note says why.
/// `layouts`: those of a Triton kernel's tensors; null: without them. `lines`: the costs
/// of the lines of Python; null: without them.
std::string report_json(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result,
                        const CheckedLayouts* layouts = nullptr, const PythonCosts* lines = nullptr);

/// The same report as readable text.
std::string report_text(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result);

/// A named counter of the report. report_json writes it, and a trace's kernel record stores it.
struct ReportCounter {
  std::string_view name;
  std::uint64_t value = 0;
};
/// `machine_code`: the kernel ran as machine code, which has no PTX instructions to count.
std::vector<ReportCounter> report_counters(const gpu::Counters& counters, bool machine_code);

/// Warp instructions (after lowering) per second of wall time; 0 if no time passed.
double warp_instructions_per_second(const gpu::Simulation& simulation);

}  // namespace warpwalk::run
