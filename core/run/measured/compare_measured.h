#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/run/launch/beside_measured.h"
#include "core/run/launch/run_launch.h"
#include "core/trace/ncu/report.h"

namespace warpwalk::run {

/// The figures that were measured and simulated, the largest relative difference first. Those that are small, and those
/// that are 0 in both, come last. Without `time_us`: Nsight Compute lowers the clock of the GPU, so times are not those
/// of the simulated clock; cycles are.
std::vector<MeasuredPair> compare_figures_with(const trace::ncu::Report& report, const trace::ncu::Launch& launch,
                                               const gpu::Device& device, const LoadedLaunch& loaded,
                                               const LaunchResult& result);

/// Compares a launch that ran on the simulated GPU with a row of the report. For lines, it must have run with
/// SimulateOptions::by_instruction. `report_file`: for the text. `source_file`: the file that the lines are of; empty:
/// the kernel's own.
BesideMeasured compare_with_measured(const trace::ncu::Report& report, std::size_t row, std::string_view report_file,
                                     const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result,
                                     std::string_view source_file);

}  // namespace warpwalk::run
