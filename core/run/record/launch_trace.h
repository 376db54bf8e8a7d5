#pragma once

// This folder writes the rows of a trace for a simulated launch. The recorder of real programs is instrumentation.

#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/run/launch/run_launch.h"
#include "core/run/record/record_rows.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// The initial contents of the launch's buffers, as a kernel record stores them: the generator, the bytes (up to
/// `max_bytes`, which a trace that stays in memory may raise) or their SHA-256. Buffers that were never written have no
/// row. Call this before run_launch(). `allocation` is the row in LaunchFile::buffers.
std::vector<trace::InitialBuffer> initial_buffers(const LoadedLaunch& loaded,
                                                  std::uint64_t max_bytes = trace::max_initial_bytes);

/// Creates a linked trace of the launch: the launch call, the kernel and its record, from which the simulation can be
/// repeated. Its times are the simulated cycles / clock, after the launch call's time from the GPU's description; start
/// and duration are 0 (not recorded) if the cycles were not simulated. All counters are simulated.
trace::Trace trace_of(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result,
                      std::vector<trace::InitialBuffer> initial);

}  // namespace warpwalk::run
