#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/run/launch/run_launch.h"
#include "core/run/record/simulator_version.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// What the launch's buffers hold before it runs, as a kernel record keeps it: the generator, the bytes (up to 1 MB) or
/// their SHA-256. A buffer that was never written has no row. To be taken before run_launch(). `allocation` is the row
/// in LaunchFile::buffers.
std::vector<trace::InitialBuffer> initial_buffers(const LoadedLaunch& loaded);

/// A trace of the launch, linked: the launch call, the kernel and its record, with which the simulation can be run
/// again. The simulator has no clock yet, so neither has a time: start and duration are 0, which readers of a trace
/// take for "not recorded". All counters are simulated.
trace::Trace trace_of(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result,
                      std::vector<trace::InitialBuffer> initial);

}  // namespace warpwalk::run
