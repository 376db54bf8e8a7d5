#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"
#include "core/gpu/exec/run/infinite_loop.h"
#include "core/gpu/exec/shadow/control_dependencies.h"

namespace warpwalk::gpu {

namespace {

/// In larger loops, all branches count.
constexpr std::size_t max_analysed_blocks = 100;
/// After this many arrivals at other barriers, another barrier is watched.
constexpr std::uint32_t patience_elsewhere = 64;

std::uint32_t end_of(const Program& program, std::uint32_t block) {
  return block + 1 < program.blocks.size() ? program.blocks[block + 1].first
                                           : static_cast<std::uint32_t>(program.ops.size());
}

bool leaves(const Op& op) {
  return op.run == handlers::exit_lanes || op.run == handlers::exit_converging || op.run == handlers::trap ||
         op.run == handlers::leave_code;
}

/// True if what a loop does may depend on other threads, on time, or on code outside its function.
bool depends_on_others(const Program& program, const Op& op) {
  if (op.run == handlers::barrier) return program.barrier_ops[op.table_index].reduce;
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

/// True if the result depends on the lanes that execute the instruction together.
bool exchanges_lanes(const Op& op) {
  return op.run == handlers::shuffle || op.run == handlers::shuffle_active || op.run == handlers::vote ||
         op.run == handlers::vote_active || op.run == handlers::match || op.run == handlers::match_active ||
         op.run == handlers::reduce || op.run == handlers::reduce_active || op.run == handlers::elect ||
         op.run == handlers::elect_active || op.run == handlers::active_mask;
}

template <class Test>
bool any_op(const Program& program, const std::set<std::uint32_t>& blocks, Test test) {
  return std::ranges::any_of(blocks, [&](std::uint32_t block) {
    const auto first = program.ops.begin() + program.blocks[block].first;
    return std::any_of(first, program.ops.begin() + end_of(program, block), test);
  });
}

/// The control flow of a loop around a barrier.
class Loop {
 public:
  Loop(const Program& program, std::set<std::uint32_t> blocks, std::uint32_t barrier)
      : program_(program), blocks_(std::move(blocks)), barrier_(barrier) {
    for (const std::uint32_t block : blocks_) {
      std::vector<std::uint32_t>& next = next_[block];
      add_successors(program, block, next);
      if (std::erase_if(next, [&](std::uint32_t to) { return !blocks_.contains(to); }) != 0) exits_.insert(block);
    }
    for (const std::uint32_t block : blocks_)
      if (any_op(program, {block}, leaves)) exits_.insert(block);
  }

  /// The instructions that decide whether the loop ends: the branches that leave it, what their conditions are computed
  /// from, and, step by step, the branches that decide whether one of these instructions is executed. All other
  /// branches change nothing about the sequence of these instructions from one visit of the barrier to the next.
  ControlDependencies dependencies() const {
    if (blocks_.size() > max_analysed_blocks) return control_dependencies(program_, blocks_, blocks_);
    std::map<std::uint32_t, std::set<std::uint32_t>> decided;  // by block with a branch
    for (const std::uint32_t block : blocks_)
      if (next_.at(block).size() > 1) decided[block] = decided_by(block);
    std::set<std::uint32_t> deciding = exits_;
    for (;;) {
      ControlDependencies found = control_dependencies(program_, blocks_, deciding);
      if (any_op(program_, found.blocks, exchanges_lanes)) return control_dependencies(program_, blocks_, blocks_);
      found.blocks.insert(deciding.begin(), deciding.end());
      const std::size_t before = deciding.size();
      for (const auto& [block, region] : decided) {
        const auto counts = [&](std::uint32_t one) { return found.blocks.contains(one); };
        if (std::ranges::any_of(region, counts)) deciding.insert(block);
      }
      if (deciding.size() == before) return found;
    }
  }

 private:
  /// The blocks that are executed or not, or more or less often, depending on the branch at the end of `block`: those
  /// on the paths from it to the first block that all paths to the barrier have in common.
  std::set<std::uint32_t> decided_by(std::uint32_t block) const {
    std::set<std::uint32_t> least = paths_until(block, barrier_);
    for (const std::uint32_t common : blocks_) {
      std::set<std::uint32_t> paths = paths_until(block, common);
      if (!paths.contains(barrier_) && paths.size() < least.size()) least = std::move(paths);
    }
    return least;
  }

  /// The blocks on paths from the end of `block` that do not enter `stop`.
  std::set<std::uint32_t> paths_until(std::uint32_t block, std::uint32_t stop) const {
    return reachable(block, [&](std::uint32_t of, std::vector<std::uint32_t>& to) {
      for (const std::uint32_t one : next_.at(of))
        if (one != stop) to.push_back(one);
    });
  }

  const Program& program_;
  std::set<std::uint32_t> blocks_;
  std::uint32_t barrier_;                                     ///< the block that contains it
  std::map<std::uint32_t, std::vector<std::uint32_t>> next_;  ///< successors in the loop
  std::set<std::uint32_t> exits_;                             ///< blocks that can leave the loop
};

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
  ControlDependencies deciding = Loop(program, blocks, barrier.block).dependencies();
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
  for (const Split& split : warp.used_splits()) {
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
