#include "core/gpu/exec/check/barrier_loop.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/gpu/exec/check/control_dependencies.h"
#include "core/gpu/exec/run/handlers.h"
#include "core/gpu/exec/run/machine_code_handlers.h"

namespace warpwalk::gpu {

namespace {

/// After this many arrivals at other barriers, another barrier is watched.
constexpr std::uint32_t patience_elsewhere = 64;

std::uint32_t end_of(const Program& program, std::uint32_t block) {
  return block + 1 < program.blocks.size() ? program.blocks[block + 1].first
                                           : static_cast<std::uint32_t>(program.ops.size());
}

bool leaves(const Op& op) {
  return op.run == handlers::exit_lanes || op.run == handlers::exit_converging || op.run == handlers::trap;
}

/// True if what a loop does may depend on other threads, on time, or on code outside its function.
bool depends_on_others(const Program& program, const Op& op) {
  if (op.run == handlers::barrier) return program.exchanges[op.table_index].reduce;
  if (op.run == handlers::load || op.run == handlers::store) return program.accesses[op.table_index].communicates;
  return op.run == handlers::atomic || op.run == handlers::read_clock || op.run == handlers::sleep ||
         op.run == handlers::call || op.run == handlers::call_indirect || op.run == handlers::call_address ||
         op.run == handlers::return_from || op.run == handlers::jump || op.run == handlers::change_mbarrier ||
         op.run == handlers::test_mbarrier || op.run == handlers::arrive_at_mbarrier ||
         op.run == handlers::arrive_at_older_mbarrier || op.run == handlers::check_mbarrier_phase ||
         op.run == handlers::cluster_arrive || op.run == handlers::cluster_wait;
}

void add_successors(const Program& program, std::uint32_t block, std::vector<std::uint32_t>& to) {
  const std::uint32_t end = end_of(program, block);
  for (std::uint32_t pc = program.blocks[block].first; pc < end; ++pc) {
    const Op& op = program.ops[pc];
    if (op.run == handlers::branch || op.run == handlers::branch_if_divergent)
      to.push_back(program.ops[op.target].block);
    if (op.run == handlers::branch_table)
      for (const std::uint32_t target : program.branch_tables[op.table_index]) to.push_back(program.ops[target].block);
  }
  const Op& last = program.ops[end - 1];
  const bool always = last.guard < 0 && (last.run == handlers::branch || last.run == handlers::branch_table);
  if (!always && !(last.guard < 0 && leaves(last)) && end < program.ops.size()) to.push_back(program.ops[end].block);
}

/// The basic blocks that can be reached from `from` by `next`, which appends a block's neighbours to a list.
template <class Next>
std::set<std::uint32_t> reachable(std::uint32_t from, Next next) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> open{from}, around;
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    around.clear();
    next(block, around);
    for (const std::uint32_t one : around)
      if (seen.insert(one).second) open.push_back(one);
  }
  return seen;
}

/// The basic blocks of all loops through this one; empty if there is none.
std::set<std::uint32_t> loop_through(const Program& program, std::uint32_t block) {
  std::set<std::uint32_t> ahead =
      reachable(block, [&](std::uint32_t of, std::vector<std::uint32_t>& to) { add_successors(program, of, to); });
  if (!ahead.contains(block)) return {};
  std::vector<std::uint32_t> to;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // to, from
  for (const std::uint32_t of : ahead) {
    to.clear();
    add_successors(program, of, to);
    for (const std::uint32_t one : to) edges.emplace_back(one, of);
  }
  std::ranges::sort(edges);
  const std::set<std::uint32_t> behind = reachable(block, [&](std::uint32_t of, std::vector<std::uint32_t>& from) {
    for (auto edge = std::ranges::lower_bound(edges, std::pair(of, std::uint32_t{0}));
         edge != edges.end() && edge->first == of; ++edge)
      from.push_back(edge->second);
  });
  std::erase_if(ahead, [&](std::uint32_t one) { return !behind.contains(one); });
  return ahead;
}

/// Starts to watch a barrier. `watch.branch` stays null if nothing can be proved about a loop around it.
void choose(const Program& program, const Op& barrier, BarrierWatch& watch) {
  watch = {};
  watch.barrier = &barrier;
  const std::set<std::uint32_t> blocks = loop_through(program, barrier.block);
  if (blocks.empty()) return;
  const Op* branch = nullptr;
  for (const std::uint32_t block : blocks) {
    for (std::uint32_t pc = program.blocks[block].first; pc < end_of(program, block); ++pc) {
      const Op& op = program.ops[pc];
      if (depends_on_others(program, op)) return;
      if (op.run == handlers::branch && op.backward && blocks.contains(program.ops[op.target].block) &&
          (branch == nullptr || op.target < branch->target))
        branch = &op;
    }
  }
  ControlDependencies deciding = control_dependencies(program, blocks);
  if (deciding.from_memory) return;
  watch.branch = branch;
  watch.places = std::move(deciding.places);
}

std::vector<std::uint8_t> values_of(const Warp& warp, const Split& split, const std::vector<FramePlace>& places) {
  std::vector<std::uint8_t> values;
  const std::uint8_t* const frame = warp.registers.data() + split.frame;
  for (const FramePlace& place : places)
    values.insert(values.end(), frame + place.offset, frame + place.offset + place.bytes);
  return values;
}

}  // namespace

bool check_barrier_loop(Machine& m, Warp& warp) {
  const Split* only = nullptr;
  for (const Split& split : warp.splits) {
    if (split.state == SplitState::unused) continue;
    if (split.state != SplitState::at_barrier || only != nullptr) return false;
    only = &split;
  }
  if (only == nullptr) return false;
  const Op& barrier = m.program.ops[only->pc];
  if (!warp.watch.barrier) warp.watch.barrier = std::make_unique<BarrierWatch>();
  BarrierWatch& watch = *warp.watch.barrier;
  if (watch.barrier != &barrier) {
    if (watch.barrier != nullptr && ++watch.elsewhere < patience_elsewhere) return false;
    choose(m.program, barrier, watch);
  }
  watch.elsewhere = 0;
  if (watch.branch == nullptr) return false;
  std::vector<std::uint8_t> values = values_of(warp, *only, watch.places);
  if (watch.arrivals > 0 && values == watch.values) {
    m.report_and_stop(FindingKind::runaway, *watch.branch, only->mask,
                      watch.places.empty()
                          ? "never leaves this loop: it has no exit condition"
                          : "never leaves this loop: everything its condition depends on has the same values as in an "
                            "earlier iteration, so the loop repeats forever");
    return true;
  }
  // Taken at arrivals 1, 2, 4, 8 ..., the values come to lie in a cycle of any length (Brent's method).
  if (watch.arrivals >= watch.renew) {
    watch.values = std::move(values);
    watch.renew = 2 * std::max<std::uint64_t>(watch.arrivals, 1);
  }
  ++watch.arrivals;
  return false;
}

}  // namespace warpwalk::gpu
