#pragma once

#include <string>
#include <vector>

#include "app/verbs/simulate.h"
#include "core/base/result.h"
#include "core/run/launch/run_launch.h"
#include "core/trace/ncu/report.h"

namespace warpwalk::verbs {

/// Reads the report of --ncu. What was lost of a damaged file is printed. On failure: one line.
base::Result<trace::ncu::Report> read_measurements(const std::filesystem::path& file);

/// How the caches start when a launch is compared with a report: as ncu left them.
gpu::CacheStart measured_cache_start(const trace::ncu::Report& report);

/// Adds to a result the launch of the report that --ncu-launch names, or without it the one with the place of the last
/// of `kernels` among those of its name. `source_file`: whose lines are compared; empty: the kernel's own file.
base::Result<void> add_measured(const SimulateOptions& options, const trace::ncu::Report& report,
                                const std::vector<std::string>& kernels, const gpu::Device& device,
                                const run::LoadedLaunch& loaded, const std::filesystem::path& source_file,
                                run::LaunchResult& result);

/// `simulate PROGRAM.cu --ncu FILE`: runs all launches of a CUDA program (up to 64) and compares each with the launch
/// of the report that has its name and its place among those of that name. Returns the exit status: 1 if a launch is
/// not good.
int simulate_measured(const SimulateOptions& options, const gpu::Device& device, const run::CyclesOptions& cycles);

}  // namespace warpwalk::verbs
