#include "core/run/record/record_rows.h"

#include <algorithm>
#include <cmath>

#include "core/base/sha256.h"
#include "core/run/launch/cycle_figures.h"
#include "core/run/launch/report.h"

namespace warpwalk::run {
namespace {

std::int64_t digits(std::string_view text) {
  std::int64_t number = text.empty() ? trace::absent : 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || number > 1000) return trace::absent;
    number = number * 10 + (c - '0');
  }
  return number;
}

void add_timing(trace::KernelRecord& record, const gpu::LaunchTiming& timing) {
  record.cycles = std::llround(timing.cycles);
  for (const CycleFigure& figure : cycle_figures(timing))
    record.counters.push_back({figure.name, figure.value, trace::Origin::simulated});
  for (const CycleFigure& stall : stall_figures(timing))
    if (stall.value > 0) record.counters.push_back({"stall_" + stall.name, stall.value, trace::Origin::simulated});
  if (timing.sm.size() > max_placed_blocks) return;
  for (std::size_t b = 0; b < timing.sm.size(); ++b)
    record.placement.push_back({timing.sm[b], std::llround(timing.start[b]), std::llround(timing.end[b])});
}

}  // namespace

trace::Device device_row(const gpu::Device& device, trace::StringPool& strings) {
  trace::Device row;
  row.id = 0;
  row.name = strings.intern(device.name);
  row.sms = *device.sm_count;
  row.warp_size = *device.threads_per_warp;
  row.max_threads_per_block = *device.threads_per_block;
  row.max_threads_per_sm = *device.warps_per_sm * *device.threads_per_warp;
  row.registers_per_block = *device.registers_per_block;
  row.registers_per_sm = *device.registers_per_sm;
  row.shared_per_block = *device.shared_per_block;
  row.shared_per_block_optin = *device.shared_per_block_optin;
  row.shared_per_sm = *device.shared_per_sm;
  if (device.memory_bytes) row.total_memory = *device.memory_bytes;
  const std::string_view capability = *device.compute_capability;
  if (const std::size_t dot = capability.find('.'); dot != std::string_view::npos) {
    row.compute_major = digits(capability.substr(0, dot));
    row.compute_minor = digits(capability.substr(dot + 1));
  }
  return row;
}

trace::SliceId add_slice(trace::Trace& trace, trace::SliceKind kind, std::string_view name, trace::TrackId track,
                         std::int64_t start, std::int64_t duration, std::uint32_t detail) {
  trace::Slices& rows = trace.slices;
  rows.start.push_back(start);
  rows.duration.push_back(duration);
  rows.name.push_back(trace.strings.intern(name));
  rows.extra.push_back(0);
  rows.track.push_back(track);
  rows.detail.push_back(detail);
  rows.kind.push_back(kind);
  return static_cast<trace::SliceId>(rows.start.size() - 1);
}

trace::KernelDetail kernel_detail(std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block,
                                  std::int64_t sms, std::int64_t warp_size) {
  trace::KernelDetail row;
  row.device = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    row.grid[i] = static_cast<std::int32_t>(grid[i]);
    row.block[i] = static_cast<std::int32_t>(block[i]);
  }
  const double blocks = static_cast<double>(grid[0]) * grid[1] * grid[2];
  const std::int64_t threads = std::int64_t{block[0]} * block[1] * block[2];
  row.blocks_per_sm = blocks / static_cast<double>(sms);
  row.warps_per_sm = row.blocks_per_sm * static_cast<double>((threads + warp_size - 1) / warp_size);
  return row;
}

void set_bytes(trace::InitialBuffer& row, std::span<const std::uint8_t> bytes, std::uint64_t max_bytes) {
  if (bytes.size() <= max_bytes) {
    row.kind = trace::InitialBuffer::Kind::bytes;
    row.bytes.assign(bytes.begin(), bytes.end());
  } else {
    row.kind = trace::InitialBuffer::Kind::digest;
    row.sha256 = base::sha256(bytes);
  }
}

std::int64_t kernel_ns(const gpu::Device& device, const gpu::LaunchTiming& timing) {
  return std::max<std::int64_t>(1, std::llround(1e9 * seconds_of(device, timing.cycles)));
}

void add_simulation(trace::KernelRecord& record, const gpu::Device& device, const gpu::Simulation& simulation,
                    const gpu::LaunchTiming* timing) {
  record.registers = static_cast<std::uint32_t>(simulation.registers);
  const bool machine_code = record.code.starts_with("sass");
  if (record.registers_origin.empty())
    record.registers_origin = machine_code ? "cubin" : simulation.registers_estimated ? "estimated" : "given";
  for (const ReportCounter& counter : report_counters(simulation.counters, machine_code))
    record.counters.push_back(
        {std::string(counter.name), static_cast<double>(counter.value), trace::Origin::simulated});
  if (timing != nullptr) add_timing(record, *timing);
  record.placement_origin = trace::Origin::simulated;
  record.cycles_origin = trace::Origin::simulated;
  record.device_hash = gpu::hash_of(device);
  record.simulator_version = simulator_version;
}

}  // namespace warpwalk::run
