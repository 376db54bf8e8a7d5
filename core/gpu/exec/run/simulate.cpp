#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/result.h"
#include "core/gpu/exec/block_order.h"
#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/launch_check.h"
#include "core/gpu/exec/machine/launch_observer.h"
#include "core/gpu/exec/machine/machine.h"
#include "core/gpu/exec/memory/touched_memory.h"
#include "core/gpu/exec/run/flops.h"
#include "core/gpu/exec/run/launch_state.h"
#include "core/gpu/exec/run/run_block.h"
#include "core/gpu/exec/run/run_cluster.h"
#include "core/gpu/exec/sample.h"

namespace warpwalk::gpu {

namespace {

/// Maximum number of resident blocks if blocks may wait for each other. A GPU holds as many as fit; simulating more
/// than this only costs memory.
constexpr std::size_t resident_limit = 4096;
/// Consecutive rounds in which every block only spins, before a deadlock is reported.
constexpr int spin_limit = 256;

/// State shared by the host threads of one launch.
struct Run {
  static constexpr std::uint64_t no_block = ~std::uint64_t{0};

  const LaunchContext& context;
  const SimulateOptions& options;
  std::uint64_t blocks;
  bool last_first = false;                     ///< blocks start in the opposite order
  std::span<const std::uint64_t> chosen = {};  ///< the only blocks to run; empty: all
  std::atomic<std::uint64_t> next{0}, done{0};
  std::atomic<std::uint64_t> stopped_by{no_block};  ///< the first block that a finding stopped
  std::atomic<std::uint64_t> issued{0};             ///< operations
  std::mutex mutex{};
  Tally total;
  FindingList findings{};
  bool sanitized = true;  ///< all accesses to global memory were checked for races

  void reset() {
    next = done = issued = 0;
    stopped_by = no_block;
    total = Tally(*context.program);
    findings = {};
  }
  bool stopped() const { return stopped_by != no_block; }
  /// Records that `block` stopped the launch. Earlier blocks still finish, so findings are deterministic.
  void stop(std::uint64_t block) {
    for (std::uint64_t known = stopped_by; block < known && !stopped_by.compare_exchange_weak(known, block);) {
    }
  }
  bool cancelled() const { return options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed); }
  bool over_limit() const { return issued.load(std::memory_order_relaxed) > options.launch_operation_limit; }
  /// The block or group that is started as number `turn` of `count`.
  std::uint64_t at(std::uint64_t turn, std::uint64_t count) const {
    if (!chosen.empty()) return chosen[turn];
    return last_first ? count - 1 - turn : turn;
  }
  bool ends_early() const { return stopped() || cancelled() || over_limit(); }
};

std::uint64_t issued_by(const BlockGroup& group) {
  std::uint64_t sum = 0;
  for (const auto& block : group.blocks) sum += block->issued_operations;
  return sum;
}

/// Runs blocks one after another, each to completion. `observer` is null if their accesses are not observed.
void run_independently(Run& run, bool tells_progress, MemoryObserver* observer) {
  Tally tally(*run.context.program);
  if (run.options.by_instruction) tally.count_by_instruction(*run.context.program);
  FindingList findings;
  Sanitizer sanitizer(run.options.global_race_bytes);
  Machine machine(run.context, tally, findings, run.options.sanitize ? &sanitizer : nullptr);
  machine.memory_observer = observer;
  machine.launch_observer = run.options.observer;
  if (run.options.observer != nullptr) machine.access_log = run.options.observer->access_log();
  BlockState block;
  std::uint32_t idle = 0;
  while (!run.ends_early()) {
    const std::uint64_t turn = run.next.fetch_add(1);
    if (turn >= run.blocks) break;
    const std::uint64_t index = run.at(turn, run.blocks);
    reset_block(block, run.context, index, 0, run.options.sanitize);
    ++tally.counters.blocks;
    tally.counters.warps += block.warps.size();
    BlockResult end = BlockResult::yields;
    for (idle = 0; end == BlockResult::yields; ++idle) {
      const std::uint64_t before = block.issued_operations;
      end = run_block(machine, block);
      run.issued += block.issued_operations - before;
      if (run.stopped_by < index || run.cancelled()) break;
      if (std::exchange(block.changed_memory, false)) idle = 0;
      if (end == BlockResult::yields && idle > spin_limit) {
        report_deadlock(machine, block, true);
        end = BlockResult::stopped;
      }
    }
    if (end == BlockResult::yields) break;  // cancelled, or comes after the block that stopped the launch
    if (end == BlockResult::stopped) run.stop(index);
    const std::uint64_t done = ++run.done;
    if (tells_progress && run.options.progress) run.options.progress(done, run.blocks);
  }
  const bool complete = sanitizer.launch_ended(findings);
  const std::lock_guard lock(run.mutex);
  run.sanitized = run.sanitized && complete;
  run.total += tally;
  run.findings.merge(std::move(findings));
}

/// Which blocks of a cooperative launch have ended while others wait, as the end of a sentence; empty for other
/// launches. `waiting`: the groups that have not ended; all groups have started.
std::string blocks_that_ended(const Run& run, const std::vector<std::unique_ptr<BlockGroup>>& waiting) {
  const Launch& launch = *run.context.launch;
  std::vector<bool> waits(run.blocks);
  std::uint64_t count = run.blocks;
  for (const auto& group : waiting) {
    for (std::size_t rank = 0; rank < group->blocks.size(); ++rank) {
      if (group->done[rank] != 0) continue;
      waits[group->blocks[rank]->index] = true;
      --count;
    }
  }
  if (!launch.cooperative || count == 0) return {};
  const auto first = static_cast<std::uint64_t>(std::ranges::find(waits, false) - waits.begin());
  return fmt::format(": block ({},{},{}){} ended, and grid.sync() waits for all {} blocks", first % launch.grid[0],
                     first / launch.grid[0] % launch.grid[1], first / launch.grid[0] / launch.grid[1],
                     count == 1 ? " has" : fmt::format(" and {} more have", count - 1), run.blocks);
}

/// Runs as many blocks as the GPU holds at once, in turns and in a fixed order. For kernels whose blocks observe each
/// other's effects. `resident` counts groups: clusters, or blocks without clusters.
void run_in_order(Run& run, std::size_t resident, MemoryObserver* observer) {
  const std::uint64_t groups = count_groups(run.context);
  Tally tally(*run.context.program);
  if (run.options.by_instruction) tally.count_by_instruction(*run.context.program);
  FindingList findings;
  Sanitizer sanitizer(run.options.global_race_bytes);
  Machine machine(run.context, tally, findings, run.options.sanitize ? &sanitizer : nullptr);
  machine.memory_observer = observer;
  machine.launch_observer = run.options.observer;
  if (run.options.observer != nullptr) machine.access_log = run.options.observer->access_log();
  std::vector<std::unique_ptr<BlockGroup>> window, spare;
  int idle_rounds = 0;
  while ((run.next < groups || !window.empty()) && !run.ends_early()) {
    bool progress = false;
    // A group that does not wait runs to completion, so only waiting groups stay in the window.
    for (std::size_t i = 0; i < window.size() + 1 && !run.ends_early(); ++i) {
      if (i == window.size()) {
        if (window.size() >= resident || run.next >= groups) break;
        window.push_back(spare.empty() ? std::make_unique<BlockGroup>() : std::move(spare.back()));
        if (!spare.empty()) spare.pop_back();
        reset_group(*window[i], run.context, run.at(run.next++, groups), run.options.sanitize);
        tally.counters.blocks += window[i]->blocks.size();
        tally.counters.warps += window[i]->blocks.size() * run.context.warps_per_block;
        progress = true;
      }
      const std::uint64_t before = issued_by(*window[i]);
      const BlockResult end = run_group(machine, *window[i]);
      run.issued += issued_by(*window[i]) - before;
      if (end == BlockResult::yields) {
        progress = progress || window[i]->progressed;
        continue;
      }
      progress = true;
      const std::size_t ended = window[i]->blocks.size();
      if (end == BlockResult::stopped) run.stop(window[i]->blocks.front()->index);
      spare.push_back(std::move(window[i]));
      window.erase(window.begin() + static_cast<std::ptrdiff_t>(i));
      --i;
      const std::uint64_t done = run.done += ended;
      if (run.options.progress) run.options.progress(done, run.blocks);
    }
    idle_rounds = progress ? 0 : idle_rounds + 1;
    if (idle_rounds > spin_limit) {
      BlockState& block = window.front()->first_block(true);
      report_deadlock(machine, block, true, run.next >= groups ? blocks_that_ended(run, window) : std::string());
      run.stop(block.index);
    }
  }
  run.sanitized = sanitizer.launch_ended(findings);
  run.total += tally;
  run.findings.merge(std::move(findings));
}

/// Runs the blocks on several host threads. Restores memory and returns false if blocks on different threads made
/// conflicting accesses to the same words, or if a finding stopped the launch: blocks behind the one that it stopped
/// may have run already.
bool run_on_threads(Run& run, const Memory& memory, int threads) {
  Snapshots snapshots(memory);
  std::vector<std::unique_ptr<Footprint>> footprints;
  for (int i = 0; i < threads; ++i) footprints.push_back(std::make_unique<Footprint>(memory, snapshots));
  std::vector<std::thread> helpers;
  for (int i = 1; i < threads; ++i) {
    helpers.emplace_back([&run, footprint = footprints[static_cast<std::size_t>(i)].get()] {
      run_independently(run, false, footprint);
    });
  }
  run_independently(run, true, footprints.front().get());
  for (std::thread& helper : helpers) helper.join();
  std::vector<const Footprint*> all;
  for (const auto& footprint : footprints) all.push_back(footprint.get());
  if (run.over_limit() || (!run.stopped() && !Footprint::conflict(all))) return true;
  snapshots.restore(all);
  return false;
}

base::Result<Simulation> simulate_launch(const Device& device, const Program& program, Launch& launch,
                                         const SimulateOptions& options, bool last_first,
                                         std::span<const std::uint64_t> chosen = {}) {
  const int registers = launch.registers.value_or(program.registers);
  auto checked = check_launch(device, program, launch, registers);
  if (!checked) return base::Error{checked.error()};
  Simulation result;
  result.occupancy = *checked;
  result.registers = registers;
  result.registers_estimated = !launch.registers && !program.machine_code;

  auto made = LaunchState::make(device, program, launch, result.occupancy, options.sanitize);
  if (!made) return base::Error{made.error()};
  LaunchState& state = **made;
  LaunchContext& context = state.context;
  const std::uint64_t grid_blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  const std::uint64_t blocks = chosen.empty() ? grid_blocks : chosen.size();
  context.cancel = options.cancel;
  context.operation_limit = options.operation_limit;
  context.block_operations = options.block_operations;
  Run run{.context = context,
          .options = options,
          .blocks = blocks,
          .last_first = last_first,
          .chosen = chosen,
          .total = Tally(program)};
  std::size_t resident = static_cast<std::size_t>(result.occupancy.blocks_per_sm) * context.sm_count;
  if (!launch.cooperative) resident = std::min(resident, resident_limit);
  resident = std::max<std::size_t>(resident / (grid_blocks / count_groups(context)), 1);
  const bool in_order = program.needs_block_order || context.explicit_cluster || program.uses_clusters;
  // All blocks share the sanitizer's shadow of global memory and the buffers' written flags.
  const bool one_thread =
      in_order || options.sanitize || options.touched != nullptr || options.observer != nullptr || last_first;
  int threads = one_thread ? 1 : std::max(1, options.threads);
  threads = static_cast<int>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(threads), std::max<std::uint64_t>(blocks, 1)));
  context.concurrent_host_threads = threads > 1;
  std::optional<TouchedMemory> touched;
  if (options.touched != nullptr) touched.emplace(*context.memory, options.keep_before);
  MemoryObserver* const observer = touched ? static_cast<MemoryObserver*>(&*touched) : options.observer;
  if (options.progress) options.progress(0, blocks);
  if (in_order) {
    run_in_order(run, resident, observer);
  } else if (threads == 1) {
    run_independently(run, true, observer);
  } else if (!run_on_threads(run, *context.memory, threads)) {
    // The result depends on the blocks' order: run them again in order.
    run.reset();
    context.concurrent_host_threads = false;
    threads = 1;
    run_independently(run, true, nullptr);
  }
  if (touched) *options.touched = touched->ranges(launch);
  result.counters = counters_of(program, run.total);
  if (options.by_instruction) {
    result.by_instruction = instruction_counts_of(program, run.total);
    count_flops(program, result.by_instruction);
  }
  result.printed = std::move(run.total.printed);
  result.findings = run.findings.merge_and_take(in_order ? Run::no_block : run.stopped_by.load());
  result.stopped = run.stopped();
  result.cancelled = run.cancelled() && run.done < blocks;
  result.over_limit = run.over_limit() && run.done < blocks;
  result.threads_used = threads;
  result.sanitized_all = run.sanitized;
  return result;
}

}  // namespace

base::Result<Simulation> simulate(const Device& device, const Program& program, Launch& launch,
                                  const SimulateOptions& options) {
  return simulate_launch(device, program, launch, options, false);
}

base::Result<Simulation> simulate_last_block_first(const Device& device, const Program& program, Launch& launch,
                                                   const SimulateOptions& options) {
  return simulate_launch(device, program, launch, options, true);
}

base::Result<Simulation> simulate_blocks(const Device& device, const Program& program, Launch& launch,
                                         std::span<const std::uint64_t> blocks, const SimulateOptions& options) {
  const std::uint64_t grid_blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  if (!can_run_alone(program, launch)) return base::Error{"some of its blocks cannot run without the others"};
  if (blocks.empty() || std::ranges::max(blocks) >= grid_blocks)
    return base::Error{fmt::format("the blocks to run are not among the {} of the grid", grid_blocks)};
  return simulate_launch(device, program, launch, options, false, blocks);
}

std::uint32_t static_shared_bytes(const Program& program) { return program.static_shared; }
const ptx::Function& entry_of(const Program& program) { return *program.entry; }

}  // namespace warpwalk::gpu
