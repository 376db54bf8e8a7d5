#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/timing/launch/time_launch.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// A trace's device row for a GPU, with device number 0.
trace::Device device_row(const gpu::Device& device, trace::StringPool& strings);

/// Adds a slice. trace::link later sets the order and the parents. `detail`: row in the table of its kind.
trace::SliceId add_slice(trace::Trace& trace, trace::SliceKind kind, std::string_view name, trace::TrackId track,
                         std::int64_t start = 0, std::int64_t duration = 0, std::uint32_t detail = 0);

/// A kernel event's launch shape. Blocks and warps per SM are computed from the whole grid, as in PyTorch's profiler.
trace::KernelDetail kernel_detail(std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block,
                                  std::int64_t sms, std::int64_t warp_size);

/// Adds a simulation's data to the record of its launch: registers, their origin (unless already set), counters, the
/// GPU's description and the simulator's version. With a timing (may be null) also the cycles, the counters that need
/// them, warp-cycles by reason ("stall_long_scoreboard" ...) and, for at most max_placed_blocks, where and when each
/// block ran. The record's `code` must be set.
void add_simulation(trace::KernelRecord& record, const gpu::Device& device, const gpu::Simulation& simulation,
                    const gpu::LaunchTiming* timing);
inline constexpr std::size_t max_placed_blocks = std::size_t{1} << 16;

/// Records the contents of a buffer: its bytes, or their SHA-256 if there are more than `max_bytes`.
void set_bytes(trace::InitialBuffer& row, std::span<const std::uint8_t> bytes,
               std::uint64_t max_bytes = trace::max_initial_bytes);

/// The duration of a kernel, from its cycles; at least 1 ns.
std::int64_t kernel_ns(const gpu::Device& device, const gpu::LaunchTiming& timing);

/// The simulator version stored in kernel records.
inline constexpr std::string_view simulator_version = "0.1.0";

}  // namespace warpwalk::run
