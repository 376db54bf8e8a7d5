#include "tests/validate/comparison.h"

#include <ctime>

#include "core/run/launch/run_launch.h"

namespace warpwalk::validate {

namespace {

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// Measured: warps that wait for a reason, per issued instruction. Simulated: warp-cycles.
std::array<Pair, gpu::stall_reasons> stalls_of(const gpu::LaunchTiming& timing, const reference::Row& row) {
  double measured = 0;
  for (const auto& [column, value] : row)
    if (column.starts_with("stall_")) measured += std::stod(value);
  std::uint64_t simulated = 0;
  for (const std::uint64_t part : timing.stalls) simulated += part;
  std::array<Pair, gpu::stall_reasons> shares;
  for (std::size_t i = 0; i < gpu::stall_reasons; ++i) {
    const auto found = row.find("stall_" + std::string(gpu::name_of(static_cast<gpu::StallReason>(i))));
    if (found != row.end() && measured > 0) shares[i].measured = 100 * std::stod(found->second) / measured;
    shares[i].simulated = share(timing.stalls[i], simulated);
  }
  return shares;
}

}  // namespace

base::Result<Simulated> compare(const gpu::Device& device, const reference::Row& row,
                                const std::filesystem::path& folder, int threads, run::CodeChoice code) {
  const std::string& name = row.at("case");
  run::LoadOptions load;
  load.code = code;
  auto loaded = run::load_launch(folder / "timed" / (name + ".json"), device, load);
  if (!loaded) return base::Error{loaded.error()};
  auto& launch = *loaded;
  gpu::TimingOptions options;
  options.threads = threads;
  const std::clock_t began = std::clock();
  auto timed = gpu::time_launch(device, *launch.program, launch.launch, options);
  const double cpu_seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  if (!timed) return base::Error{timed.error()};

  Simulated result{{}, std::move(*timed), launch.program};
  const gpu::LaunchTiming& timing = result.timing;
  const auto measured = [&](const char* column) { return std::stod(row.at(column)); };
  result.comparison = {
      .name = name,
      .spread = measured("cycles_elapsed_spread_pct"),
      .launch_cost = timing.launch_cost,
      .cycles = {measured("cycles_elapsed"), timing.cycles},
      .active = {measured("sm_cycles_active_avg"), timing.cycles_active},
      .warp_instructions = {measured("warp_inst"), static_cast<double>(timing.warp_instructions)},
      .l1_hits = {measured("l1_hit_pct"), share(timing.l1_hits, timing.l1_sectors)},
      .l2_hits = {measured("l2_hit_pct"), share(timing.l2_hits, timing.l2_sectors)},
      .dram_read = {measured("dram_read_bytes"), static_cast<double>(timing.dram_read_bytes)},
      .dram_write = {measured("dram_write_bytes"), static_cast<double>(timing.dram_write_bytes)},
      .occupancy = {measured("achieved_occupancy_pct"), timing.achieved_occupancy},
      .stalls = stalls_of(timing, row),
      .cpu_seconds = cpu_seconds,
      .stopped = timing.stopped,
  };
  return result;
}

LargestStall largest_stall(const Comparison& comparison) {
  const auto largest = [&](double Pair::*of) {
    std::size_t best = gpu::stall_reasons;
    for (std::size_t i = 0; i < gpu::stall_reasons; ++i)
      if (static_cast<gpu::StallReason>(i) != gpu::StallReason::selected &&
          (best == gpu::stall_reasons || comparison.stalls[i].*of > comparison.stalls[best].*of))
        best = i;
    return static_cast<gpu::StallReason>(best);
  };
  return {largest(&Pair::measured), largest(&Pair::simulated)};
}

}  // namespace warpwalk::validate
