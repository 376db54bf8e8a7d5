// Large launches that the host computes (host_computation.h): a sample of their blocks is simulated for the counters,
// and to check what the host computes; with --cycles, the first waves of blocks are timed.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gpu/exec/program.h"
#include "core/gpu/exec/sample.h"
#include "core/gpu/timing/launch/time_sample.h"
#include "core/run/record/record_rows.h"
#include "instrumentation/simulated/device/code_place.h"
#include "instrumentation/simulated/device/host_computation.h"
#include "instrumentation/simulated/engine/gpu.h"
#include "instrumentation/simulated/engine/launch_likeness.h"
#include "instrumentation/simulated/engine/least_time.h"

namespace warpwalk::simulated {
namespace {

/// Parts of Options::large_launch.
constexpr double simulated_part = 0.25, timed_part = 8;

/// What the launch accesses, as far as the host's code does, with the contents before the launch. By address.
std::vector<gpu::TouchedRange> touched_by(const HostRun& host) {
  std::vector<std::uint64_t> bounds;
  for (const gpu::ByteRange& input : host.inputs()) bounds.insert(bounds.end(), {input.begin, input.end});
  for (const HostRun::Output& output : host.outputs())
    bounds.insert(bounds.end(), {output.address, output.address + output.bytes});
  std::ranges::sort(bounds);
  const auto repeated = std::ranges::unique(bounds);
  bounds.erase(repeated.begin(), repeated.end());
  std::vector<gpu::TouchedRange> touched;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    gpu::TouchedRange range{.address = bounds[i], .bytes = bounds[i + 1] - bounds[i]};
    const auto has = [&](std::uint64_t begin, std::uint64_t end) {
      return begin <= range.address && range.address + range.bytes <= end;
    };
    range.read_first = std::ranges::any_of(host.inputs(), [&](const auto& one) { return has(one.begin, one.end); });
    for (const HostRun::Output& output : host.outputs()) {
      if (!has(output.address, output.address + output.bytes)) continue;
      // Gaps keep what was there, and results may add to it.
      range.written = range.read_first = true;
      const auto first = output.before.begin() + static_cast<std::ptrdiff_t>(range.address - output.address);
      range.before.assign(first, first + static_cast<std::ptrdiff_t>(range.bytes));
    }
    if (range.read_first) touched.push_back(std::move(range));
  }
  return touched;
}

}  // namespace

std::optional<LaunchSample> Gpu::sample_launch(const KernelLaunch& asked, gpu::Launch& launch,
                                               const DeviceMemory::View& view) {
  const gpu::Program& program = **asked.kernel->program();
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  constexpr std::uint64_t least_blocks = 16;
  if (blocks < least_blocks || program.uses_heap || !gpu::can_run_alone(program, launch)) return {};
  LaunchSample result;
  const auto stored = std::make_shared<StoredSample>(view);
  result.stored = stored;
  const auto simulate = [&](const std::vector<std::uint64_t>& chosen) -> std::optional<gpu::Counters> {
    std::vector<gpu::TouchedRange> touched;
    gpu::SimulateOptions how;
    how.touched = &touched;
    how.keep_before = true;
    const auto simulated = gpu::simulate_blocks(device, program, launch, chosen, how);
    if (!simulated) return {};
    stored->take(touched);
    if (!simulated->findings.empty() || !simulated->printed.empty()) return {};
    result.blocks += chosen.size();
    result.registers = simulated->registers;
    result.blocks_per_sm = simulated->occupancy.blocks_per_sm;
    return simulated->counters;
  };

  // Launches like it were compared in full.
  const std::string likeness = likeness_of(asked, view);
  const auto known = samples_.find(likeness);
  const auto middle = simulate({blocks / 2});
  if (!middle) return {};
  if (known != samples_.end()) {
    LaunchSample again = known->second;
    again.stored = stored;
    return again;
  }
  const double of_block = std::max(1.0, static_cast<double>(middle->warp_instructions));
  if (of_block * static_cast<double>(blocks) < options.large_launch) return {};
  const auto most = static_cast<std::uint64_t>(simulated_part * options.large_launch / of_block);
  result.blocks = 0;
  for (const gpu::BlockSample& part : gpu::sample_blocks(launch.grid, std::max<std::uint64_t>(most, 8))) {
    const auto counted = simulate(part.chosen);
    if (!counted) return {};
    result.counters +=
        gpu::scaled(*counted, static_cast<double>(part.blocks) / static_cast<double>(part.chosen.size()));
  }
  LaunchSample& kept = samples_[likeness] = result;
  kept.stored = nullptr;
  return result;
}

std::optional<Outcome> Gpu::run_on_host(const KernelLaunch& asked, gpu::Launch& launch, const DeviceMemory::View& view,
                                        bool inside, KernelRun& run) {
  if (asked.on_host == nullptr || options.exact || checks != nullptr) return {};
  const auto sample = sample_launch(asked, launch, view);
  if (!sample) return {};
  HostRun host(view, options.threads);
  const bool computed = asked.on_host->run(host);
  if (std::string difference = computed ? sample->stored->difference(host) : ""; !computed || !difference.empty()) {
    host.exchange();
    if (computed) tell(fmt::format("{}: {}; all blocks are simulated", plain_name(asked.kernel->name), difference));
    return {};
  }
  const double blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  Outcome outcome;
  outcome.duration = least_ns(device, sample->counters, blocks);
  outcome.share = share_of_sms(device, blocks, sample->blocks_per_sm);
  run.counters = sample->counters;
  run.registers = sample->registers;
  run.scaled.blocks = static_cast<std::uint64_t>(blocks);
  run.scaled.blocks_simulated = sample->blocks;
  if (inside) {
    // The host does not write to the variables of the module.
    record_inside(asked, touched_by(host), contents_of_variables(asked.kernel->module), run.correlation);
  }
  if (caches_) {
    host.exchange();
    time_first_waves(**asked.kernel->program(), launch, view, host, inside, run, outcome);
    host.exchange();
  }
  return outcome;
}

void Gpu::time_first_waves(const gpu::Program& program, gpu::Launch& launch, const DeviceMemory::View& view,
                           const HostRun& host, bool inside, KernelRun& run, Outcome& outcome) {
  std::optional<gpu::CacheState> before;
  if (inside) before = caches_;
  gpu::TimingOptions how;
  how.state = &*caches_;
  how.threads = options.threads;
  const double of_block = static_cast<double>(run.counters.warp_instructions) /
                          static_cast<double>(std::max<std::uint64_t>(1, run.counters.blocks));
  const auto timed = gpu::time_sample(device, program, launch, of_block, timed_part * options.large_launch, how);
  if (timed && !timed->timing.stopped) {
    gpu::LaunchTiming whole = timed->timing;
    whole.cycles = timed->cycles;
    take_cycles(whole, run, outcome);
    if (timed->timing.cut)
      run.scaled.warp_instructions_timed = timed->timing.warp_instructions;
    else if (!timed->whole)
      run.scaled.blocks_timed = timed->blocks_timed;
  }
  if (timed && !timed->whole) {
    // What the blocks that were left out have written last is in L2.
    caches_->begin_transfer();
    for (const HostRun::Output& output : host.outputs()) caches_->pass({output.address, output.bytes, true, false});
  }
  end_timed_launch(view, before);
}

}  // namespace warpwalk::simulated
