#include "core/story/facts/launch/launch_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/analysis/slices.h"
#include "core/gpu/blocks/block_order.h"
#include "core/gpu/blocks/block_scheduler.h"
#include "core/records/hardware.h"

namespace warpwalk::story {
namespace {

constexpr std::uint64_t max_placed = 5280;  // five waves of 132 SMs with 8 slots each
constexpr std::uint64_t max_waves = 12;     // more would be too thin to see
constexpr std::uint64_t max_slots = 20000;  // on one GPU; larger numbers come only from damaged files
constexpr std::int64_t max_blocks =
    std::numeric_limits<std::int32_t>::max();    // the end of the slider; CUDA's limit for x
constexpr std::int64_t untimed_cycles = 100000;  // used if no time is known: then only the order counts

std::int64_t clamped(double value, std::int64_t low, std::int64_t high) {
  if (std::isnan(value)) return low;
  return static_cast<std::int64_t>(
      std::llround(std::clamp(value, static_cast<double>(low), static_cast<double>(high))));
}

void by_start(std::vector<PlacedBlock>& placed) {
  std::sort(placed.begin(), placed.end(), [](const PlacedBlock& a, const PlacedBlock& b) {
    return a.start != b.start ? a.start < b.start : a.block < b.block;
  });
}

gpu::SmId sm_id(const trace::BlockPlacement& row) {
  return static_cast<gpu::SmId>(std::min<std::uint32_t>(row.sm, std::numeric_limits<gpu::SmId>::max()));
}

// The block scheduler's state before a recorded launch, derived from its first blocks; else its initial state.
gpu::SchedulerState state_of(const LaunchPlan& plan) {
  if (plan.record == nullptr || plan.record->placement.empty() || plan.what_if) return {};
  const auto& rows = plan.record->placement;
  std::vector<gpu::SmId> there;
  for (std::size_t b = 0; b < std::min<std::size_t>(rows.size(), plan.slots()); ++b) there.push_back(sm_id(rows[b]));
  return gpu::state_before(*plan.device, there);
}

// Places each wave by the model of the block scheduler for an empty GPU. All blocks of a wave take equally long, so a
// wave starts when the one before it ends. The cycles between starts on one SM are left out: the recorded time, and
// thus the time per block, includes them.
void place_simulated(LaunchPlan& plan, std::uint64_t wanted_waves) {
  const std::uint64_t slots = plan.slots(), all = plan.waves.waves();
  const std::uint64_t drawn =
      std::clamp<std::uint64_t>(max_placed / slots, std::min<std::uint64_t>(2, wanted_waves), wanted_waves);
  std::uint64_t kept = all;  // waves before the gap
  if (all > drawn && wanted_waves == 1) {
    kept = 1;
  } else if (all > drawn) {
    const std::uint64_t last = drawn >= 4 ? 2 : 1;
    kept = drawn - last;
    plan.skipped_from = kept;
    plan.skipped_to = all - last;
  }
  std::int64_t each = untimed_cycles, last_each = untimed_cycles;
  if (plan.time) {
    plan.tick_ns = 1e9 / *plan.device->sm_clock;
    const auto ticks = [&](double ns) { return std::max<std::int64_t>(1, std::llround(ns / plan.tick_ns)); };
    each = ticks(plan.time->block_ns);
    last_each = ticks(plan.time->last_block_ns);
  }
  gpu::SchedulerState state = state_of(plan);
  const auto place_wave = [&](std::uint64_t wave, const std::vector<gpu::SmId>& sms) {
    const std::int64_t start = static_cast<std::int64_t>(wave) * each;
    const std::int64_t end = start + (wave + 1 == all ? last_each : each);
    std::vector<std::uint32_t> used(static_cast<std::size_t>(*plan.device->sm_count), 0);
    for (std::uint64_t b = 0; b < sms.size(); ++b)
      plan.placed.push_back({wave * slots + b, sms[b], used[sms[b]]++, static_cast<std::uint32_t>(wave), start, end});
  };
  const auto sms_of = [&](std::uint64_t blocks) {
    return gpu::first_blocks(*plan.device, blocks, plan.occupancy.blocks_per_sm, state);
  };
  const std::vector<gpu::SmId> first = sms_of(plan.blocks);
  const auto place_waves = [&](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t wave = from; wave < to; ++wave)
      place_wave(wave, wave > 0 && plan.blocks - wave * slots < slots ? sms_of(plan.blocks - wave * slots) : first);
  };
  place_waves(0, kept);
  if (plan.skipped_to > plan.skipped_from) {
    place_waves(plan.skipped_to, all);
    plan.skipped_start = static_cast<std::int64_t>(plan.skipped_from) * each;
    plan.skipped_end = static_cast<std::int64_t>(plan.skipped_to) * each;
  }
  plan.slots_per_sm = static_cast<std::uint32_t>(plan.occupancy.blocks_per_sm);
}

// A recorded placement does not include slots: each block takes the first free slot on its SM.
void place_recorded(LaunchPlan& plan) {
  const auto& rows = plan.record->placement;
  const std::size_t count = std::min<std::uint64_t>({rows.size(), plan.blocks, max_placed});
  bool timed = false;
  for (std::size_t b = 0; b < count; ++b) {
    plan.placed.push_back({b, rows[b].sm, 0, 0, rows[b].start, std::max(rows[b].start, rows[b].end)});
    timed = timed || rows[b].end > rows[b].start;
  }
  by_start(plan.placed);
  struct Slot {
    std::int64_t free;
    std::uint32_t turns;
  };
  std::map<std::uint32_t, std::vector<Slot>> sms;
  const std::size_t room = plan.counted() ? static_cast<std::size_t>(plan.occupancy.blocks_per_sm) : 32;
  for (PlacedBlock& block : plan.placed) {
    std::vector<Slot>& slots = sms[block.sm];
    std::size_t slot = slots.size();
    if (timed) {
      for (std::size_t s = 0; s < slots.size() && slot == slots.size(); ++s)
        if (slots[s].free <= block.start) slot = s;
    } else if (slots.size() >= room) {  // without end times the slots are used in turn
      slot = static_cast<std::size_t>(
          std::min_element(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) { return a.turns < b.turns; }) -
          slots.begin());
    }
    if (slot == slots.size()) slots.push_back({0, 0});
    slots[slot].free = block.end;
    block.slot = static_cast<std::uint32_t>(slot);
    block.turn = slots[slot].turns++;
    plan.slots_per_sm = std::max(plan.slots_per_sm, block.slot + 1);
  }
  if (plan.counted())
    plan.slots_per_sm = std::max(plan.slots_per_sm, static_cast<std::uint32_t>(plan.occupancy.blocks_per_sm));
  plan.placement_origin = plan.record->placement_origin;
  if (!timed)
    plan.tick_ns = 0;
  else if (plan.placement_origin == Origin::measured)
    plan.tick_ns = 1;
  else
    plan.tick_ns = plan.device ? 1e9 / *plan.device->sm_clock : 0;
}

// Compares the first wave only. Later placements depend on ends a few cycles apart, which no model can predict.
void compare(LaunchPlan& plan) {
  const auto& rows = plan.record->placement;
  if (!plan.counted()) return;
  std::vector<gpu::SmId> there;
  for (std::size_t b = 0; b < std::min<std::uint64_t>({rows.size(), plan.blocks, plan.slots()}); ++b)
    there.push_back(sm_id(rows[b]));
  gpu::SchedulerState state = state_of(plan);
  const std::vector<gpu::SmId> model =
      gpu::first_blocks(*plan.device, plan.blocks, plan.occupancy.blocks_per_sm, state);
  plan.compared = std::min(there.size(), model.size());
  plan.equal = gpu::count_equal_placements(there, model);
}

}  // namespace

std::int64_t recorded_sms(const Trace& trace, const Walk& walk) {
  for (const trace::Device& device : trace.devices)
    if (device.id == trace.tracks[trace.slices.track[walk.kernel]].device) return device.sms;
  return trace::absent;
}

gpu::BlockNeeds needs_of(const LaunchPlan& plan, const gpu::Device& device) {
  gpu::BlockNeeds needs;
  needs.threads = plan.threads;
  needs.registers = plan.registers;
  needs.dynamic_shared = plan.shared;  // the record has static and dynamic shared memory as one number
  needs.shared_optin = plan.shared > *device.shared_per_block;
  return needs;
}

LaunchOnGpu launch_on(const LaunchPlan& plan, const gpu::Device& device, const gpu::Occupancy& occupancy) {
  return {plan.blocks, plan.threads, occupancy.blocks_per_sm,
          gpu::waves_of(plan.blocks, device, occupancy.blocks_per_sm)};
}

bool one_warp_per_scheduler(const Trace& trace, const Walk& walk) {
  constexpr std::uint64_t threads_per_warp = 32;
  constexpr std::uint64_t schedulers = 4;  // per SM since compute capability 5.0; two on 6.0
  const trace::KernelDetail* const kernel = kernel_detail(trace, walk);
  const trace::KernelRecord* const record = kernel_record(trace, walk);
  if (kernel == nullptr || record == nullptr || (record->arguments.empty() && !record->state)) return false;
  const std::int64_t sms = recorded_sms(trace, walk);
  const auto blocks = analysis::blocks_of(kernel->grid), threads = analysis::blocks_of(kernel->block);
  if (sms <= 0 || !blocks || !threads) return false;
  // The block scheduler spreads the blocks over all SMs before one gets a second block.
  const auto per_sm = (*blocks - 1) / static_cast<std::uint64_t>(sms) + 1;
  return per_sm * ((*threads - 1) / threads_per_warp + 1) <= schedulers;
}

std::optional<LaunchPlan> launch_plan(const SceneInput& input, Placed placed) {
  const Trace& trace = input.trace;
  const trace::KernelDetail* kernel = kernel_detail(trace, input.walk);
  if (kernel == nullptr) return {};
  const std::optional<std::uint64_t> blocks = analysis::blocks_of(kernel->grid),
                                     threads = analysis::blocks_of(kernel->block);
  if (!blocks || !threads) return {};

  LaunchPlan plan;
  plan.launched_grid = plan.grid = kernel->grid;
  plan.launched_block = plan.block = kernel->block;
  plan.launched_blocks = plan.blocks = *blocks;
  plan.launched_threads = plan.threads = static_cast<std::int64_t>(*threads);
  plan.registers = kernel->registers;
  plan.shared = kernel->shared_bytes;
  if (kernel->record >= 0 && static_cast<std::size_t>(kernel->record) < trace.records.kernels.size())
    plan.record = &trace.records.kernels[static_cast<std::size_t>(kernel->record)];
  plan.match = analysis::device_of(trace, input.walk, input.hardware.devices);
  plan.recorded_sms = recorded_sms(trace, input.walk);

  const auto recorded_ns = static_cast<double>(trace.slices.duration[input.walk.kernel]);
  if (recorded_ns > 0 && plan.match.device && plan.registers >= 0 && plan.shared >= 0)
    if (const gpu::Occupancy real = gpu::occupancy_of(*plan.match.device, needs_of(plan, *plan.match.device));
        real.failure.empty() && real.blocks_per_sm > 0)
      plan.time_model.emplace(*plan.match.device, launch_on(plan, *plan.match.device, real), recorded_ns,
                              launch_work(trace, input.walk));

  if (const auto set = input.set("launch", "grid")) {
    plan.blocks = static_cast<std::uint64_t>(clamped(*set, 1, max_blocks));
    if (plan.blocks != *blocks) plan.grid = {static_cast<std::int32_t>(plan.blocks), 1, 1};
  }
  if (const auto set = input.set("launch", "block")) {
    plan.threads = clamped(*set, 1, 1024);
    if (plan.threads != plan.launched_threads) plan.block = {static_cast<std::int32_t>(plan.threads), 1, 1};
  }
  plan.device = plan.match.device;
  if (const auto set = input.set("launch", "gpu")) {
    plan.gpu_choice = static_cast<std::size_t>(clamped(*set, 0, chosen_gpus.size()));
    if (plan.gpu_choice > 0) {
      const gpu::Device* chosen = input.hardware.find(chosen_gpus[plan.gpu_choice - 1]);
      plan.device = chosen != nullptr ? std::optional(*chosen) : std::nullopt;
    }
  }
  const bool other_gpu =
      plan.gpu_choice > 0 && !(plan.device && plan.match.device && plan.device->id == plan.match.device->id &&
                               plan.match.how == analysis::DeviceMatch::How::described);
  plan.what_if = plan.blocks != plan.launched_blocks || plan.threads != plan.launched_threads || other_gpu;

  if (!plan.device) {
    plan.gap = LaunchPlan::Gap::device;
  } else if (plan.registers < 0 || plan.shared < 0) {
    plan.gap = LaunchPlan::Gap::registers;
  } else {
    plan.occupancy = gpu::occupancy_of(*plan.device, needs_of(plan, *plan.device));
    plan.waves = gpu::waves_of(plan.blocks, *plan.device, plan.occupancy.blocks_per_sm);
    if (!plan.occupancy.failure.empty())
      plan.gap = LaunchPlan::Gap::failure;
    else if (plan.slots() > max_slots || plan.occupancy.blocks_per_sm > 255)
      plan.gap = LaunchPlan::Gap::size;
    if (plan.time_model && plan.occupancy.failure.empty())
      plan.time = plan.what_if ? plan.time_model->on(*plan.device, launch_on(plan, *plan.device, plan.occupancy))
                               : plan.time_model->recorded();
  }
  const bool has_record = plan.record != nullptr && !plan.record->placement.empty() && !plan.what_if;
  plan.recorded = has_record && input.set("launch", "placement").value_or(0) < 0.5;
  if (placed == Placed::none) return plan;
  if (has_record) compare(plan);
  if (plan.recorded)
    place_recorded(plan);
  else if (plan.counted())
    place_simulated(plan, placed == Placed::first_wave ? 1 : max_waves);
  return plan;
}

}  // namespace warpwalk::story
