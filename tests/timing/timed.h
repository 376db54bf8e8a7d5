#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/gpu/timing/launch/time_launch.h"
#include "core/run/launch/run_launch.h"

namespace warpwalk::gpu::timed {

const std::filesystem::path& tests();  ///< the folder `tests`
const Device& h200();
/// The names of the kernels of tests/cases, sorted.
std::vector<std::string> case_names();

/// The launch of a file in `tests`, with the machine code that it names, or that is recorded for its PTX. Throws if it
/// cannot be loaded.
run::LoadedLaunch load(const std::filesystem::path& file);

/// Throws if the launch cannot be timed.
LaunchTiming time(run::LoadedLaunch& loaded, const TimingOptions& options = {}, const Device& device = h200());

/// Expects that every cycle of a warp has one reason, and that every issue slot of an H200 is counted.
void expect_cycles_add_up(const LaunchTiming& timing);
/// Expects the same cycles, reasons, hits and times of blocks.
void expect_same(const LaunchTiming& a, const LaunchTiming& b);
/// Expects the same contents of all buffers.
void expect_same_buffers(const run::LoadedLaunch& a, const run::LoadedLaunch& b);

}  // namespace warpwalk::gpu::timed
