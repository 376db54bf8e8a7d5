#include "core/run/launch/cycle_figures.h"

#include <cmath>

namespace warpwalk::run {
namespace {

constexpr double bytes_per_sector = 32;

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

}  // namespace

double seconds_of(const gpu::Device& device, double cycles) { return cycles / *device.sm_clock; }

IssueSlots issue_slots_of(const gpu::LaunchTiming& timing) {
  const auto all = static_cast<double>(timing.scheduler_cycles);
  const auto with_warp = static_cast<double>(timing.slots_with_warp);
  const auto issued = static_cast<double>(timing.warp_instructions);
  return {percent(issued, all), percent(with_warp - issued, all), percent(all - with_warp, all)};
}

double ipc_of(const gpu::Device& device, const gpu::LaunchTiming& timing) {
  const double active = timing.cycles_active * static_cast<double>(*device.sm_count);
  return active > 0 ? static_cast<double>(timing.warp_instructions) / active : 0;
}

Roofline roofline_of(const gpu::Device& device, const gpu::LaunchTiming& timing) {
  Roofline place;
  const auto instructions = static_cast<double>(timing.warp_instructions);
  const double bytes = static_cast<double>(timing.dram_read_bytes) + static_cast<double>(timing.dram_write_bytes);
  if (bytes > 0) place.instructions_per_sector = instructions / (bytes / bytes_per_sector);
  const double schedulers = static_cast<double>(*device.sm_count) * static_cast<double>(*device.sub_partitions);
  place.issue_pct = percent(instructions, timing.cycles * schedulers);
  if (device.memory_bandwidth)
    place.dram_pct = percent(bytes, seconds_of(device, timing.cycles) * *device.memory_bandwidth);
  return place;
}

std::vector<CycleFigure> cycle_figures(const gpu::LaunchTiming& timing) {
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return percent(static_cast<double>(part), static_cast<double>(whole));
  };
  return {{"achieved_occupancy_pct", timing.achieved_occupancy},
          {"l1_hit_pct", share(timing.l1_hits, timing.l1_sectors)},
          {"l2_hit_pct", share(timing.l2_hits, timing.l2_sectors)},
          {"dram_read_bytes", static_cast<double>(timing.dram_read_bytes)},
          {"dram_write_bytes", static_cast<double>(timing.dram_write_bytes)},
          {"cycles", std::round(timing.cycles)},
          {"cycles_active", timing.cycles_active},
          {"launch_cycles", timing.launch_cost}};
}

std::vector<CycleFigure> stall_figures(const gpu::LaunchTiming& timing) {
  std::vector<CycleFigure> figures;
  for (std::size_t i = 0; i < gpu::stall_reasons; ++i)
    figures.push_back(
        {std::string(gpu::name_of(static_cast<gpu::StallReason>(i))), static_cast<double>(timing.stalls[i])});
  return figures;
}

std::string_view schedule_of(const gpu::LaunchTiming& timing) {
  return timing.estimated ? "estimated" : "machine code";
}

}  // namespace warpwalk::run
