#include "core/gpu/timing/launch/time_sample.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/gpu/exec/launch_check.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

namespace {

/// How the blocks of a launch fill the SMs.
struct BlockWaves {
  std::uint64_t blocks = 0, resident = 0;  ///< of the grid; of a wave
  std::uint64_t per_sm = 0;                ///< of a wave
  std::uint64_t full() const { return (blocks - 1) / resident; }
  /// Blocks behind the full waves: 1 to `resident`.
  std::uint64_t rest() const { return blocks - full() * resident; }
};

/// Cycles from wave to wave, of the waves that have run on full SMs with warm caches: the second half of them.
double cycles_per_wave(const BlockWaves& waves, const std::vector<double>& start, std::uint64_t full) {
  const std::uint64_t first = std::max<std::uint64_t>(1, full / 2);
  double sum = 0;
  for (std::uint64_t i = 0; i < waves.rest(); ++i)
    sum += start[full * waves.resident + i] - start[first * waves.resident + i];
  return sum / static_cast<double>(waves.rest()) / static_cast<double>(full - first);
}

/// The cycles of all waves, from the issue rate in the second half of a run that was cut.
double cycles_at_rate(const BlockWaves& waves, const LaunchTiming& cut, double block_instructions) {
  const double later = static_cast<double>(cut.warp_instructions - cut.half_warp_instructions);
  const double rate = later / std::max(1.0, cut.cycles - cut.half_cycles);
  const double lost_at_start = cut.half_cycles - static_cast<double>(cut.half_warp_instructions) / rate;
  const double wave = static_cast<double>(waves.resident) * block_instructions / rate;
  // The blocks of the rest are spread over all SMs, each of which then issues as fast as before.
  const std::uint64_t sms = waves.resident / waves.per_sm;
  const double rest = static_cast<double>((waves.rest() + sms - 1) / sms) / static_cast<double>(waves.per_sm);
  return cut.launch_cost + std::max(0.0, lost_at_start) + wave * (static_cast<double>(waves.full()) + rest);
}

}  // namespace

base::Result<SampledTiming> time_sample(const Device& device, const Program& program, Launch& launch,
                                        double block_instructions, double budget, const TimingOptions& options) {
  const auto occupancy = check_launch(device, program, launch, launch.registers.value_or(program.registers));
  if (!occupancy) return base::Error{occupancy.error()};
  BlockWaves waves;
  waves.blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  waves.per_sm = static_cast<std::uint64_t>(std::max<std::int64_t>(1, occupancy->blocks_per_sm));
  waves.resident = waves.per_sm * static_cast<std::uint64_t>(*device.sm_count);

  constexpr std::uint64_t least_waves = 2;
  const double of_wave = static_cast<double>(waves.resident) * block_instructions;
  const double of_rest = static_cast<double>(waves.rest()) * block_instructions;
  const bool cuts = of_rest + static_cast<double>(std::min(least_waves, waves.full())) * of_wave > budget;
  const double affordable = std::floor((budget - of_rest) / std::max(1.0, of_wave));
  const std::uint64_t full = std::min(static_cast<std::uint64_t>(std::max(0.0, affordable)), waves.full());
  TimingOptions how = options;
  if (cuts)
    how.max_warp_instructions = static_cast<std::uint64_t>(budget);
  else if (full < waves.full())
    how.max_blocks = full * waves.resident + waves.rest();

  auto timed = time_launch(device, program, launch, how);
  if (!timed) return base::Error{timed.error()};
  SampledTiming sampled;
  sampled.timing = std::move(*timed);
  const LaunchTiming& timing = sampled.timing;
  sampled.whole = how.max_blocks == 0 && !timing.cut;
  sampled.cycles = timing.cycles;
  sampled.blocks_timed = how.max_blocks == 0 ? waves.blocks : how.max_blocks;
  if (timing.cut) {
    sampled.cycles = std::ceil(cycles_at_rate(waves, timing, block_instructions));
    sampled.blocks_timed =
        static_cast<std::uint64_t>(std::ranges::count_if(timing.end, [](double end) { return end > 0; }));
  } else if (!sampled.whole && !timing.stopped && !timing.cancelled) {
    const double left_out = static_cast<double>(waves.full() - full);
    sampled.cycles = std::ceil(timing.cycles + left_out * cycles_per_wave(waves, timing.start, full));
  }
  return sampled;
}

}  // namespace warpwalk::gpu
