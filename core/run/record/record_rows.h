#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// What a trace's device row says of a GPU, numbered 0.
trace::Device device_row(const gpu::Device& device, trace::StringPool& strings);

/// Adds a slice; a trace's own order and parents come with trace::link. `detail`: row in the table of its kind.
trace::SliceId add_slice(trace::Trace& trace, trace::SliceKind kind, std::string_view name, trace::TrackId track,
                         std::int64_t start = 0, std::int64_t duration = 0, std::uint32_t detail = 0);

/// What a kernel's event says of its shape. Blocks and warps an SM are of the whole grid, as PyTorch's profiler has
/// them.
trace::KernelDetail kernel_detail(std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block,
                                  std::int64_t sms, std::int64_t warp_size);

/// What a simulation adds to the record of its launch: registers unless they are given, counters, the GPU's
/// description and the simulator's version.
void add_simulation(trace::KernelRecord& record, const gpu::Device& device, const gpu::Simulation& simulation);

}  // namespace warpwalk::run
