#include "core/gpu/exec/machine/machine.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/launch_observer.h"

namespace warpwalk::gpu {

namespace {

/// Iterations of a polling loop before other lanes and warps run. A real lock is released within a few iterations.
constexpr std::uint32_t spin_patience = 32;

bool waits_for_lanes(const Warp& warp) {
  return std::ranges::any_of(warp.used_splits(),
                             [](const Split& split) { return split.state == SplitState::at_warp_sync; });
}

}  // namespace

Machine::Machine(const LaunchContext& of, Tally& to, FindingList& list, Sanitizer* with)
    : context(of),
      program(*of.program),
      tally(to),
      findings(list),
      sanitizer(with),
      access_costs(program.accesses.size()),
      regions_(program.accesses.size()) {
  // Handlers only read constants; the program is shared by all machines.
  register_files[1] = const_cast<std::uint8_t*>(program.constants.data());
  register_files[3] = const_cast<std::uint8_t*>(context.bank_values);
}

/// Runs the current split until it stops or has issued `limit` operations. Watched: for the launch's observer
/// (`observed`) or the check of the registers of products.
template <bool Watched, bool Counted>
void Machine::run_turn(std::uint64_t limit, bool observed) {
  const bool checked = Watched && checks_products();
  const Op* const ops = program.ops.data();
  turn_limit = turn_left = limit;
  while (!stop_split && turn_left > 0) {
    --turn_left;
    const Op& op = ops[pc++];
    if constexpr (Watched) {
      if (observed) launch_observer->before(*this, op);
      if (checked) sanitizer->before(*this, op);
    }
    if constexpr (Counted)
      if (op.guard >= 0 && op.instruction != no_index && (pc < 2 || ops[pc - 2].instruction != op.instruction))
        tally.lanes_off[op.instruction] +=
            static_cast<std::uint64_t>(std::popcount(active_mask & ~executing_lanes(op)));
    op.run(*this, op);
    if constexpr (Watched)
      if (observed) launch_observer->after(*this, op);
    // Markers of basic blocks, which have no instruction, access no memory.
    if constexpr (Counted)
      if (op.instruction != no_index) tally.take_accesses(op.instruction);
  }
}

Pause Machine::run_warp(BlockState& in, Warp& of, std::uint64_t limit) {
  block = &in;
  warp = &of;
  register_files[0] = warp->registers.data();
  register_files[2] = warp->special.data();
  pause = Pause::running;
  const bool observed = launch_observer != nullptr && launch_observer->enters(*this);
  const bool watched = observed || checks_products();
  while (!warp->done()) {
    if (!select_split()) {
      if (release_stuck_lanes()) continue;
      pause = Pause::waiting;
      return pause;
    }
    load_split();
    stop_split = false;
    if (watched)
      tally.counts_by_instruction() ? run_turn<true, true>(limit, observed) : run_turn<true, false>(limit, observed);
    else
      tally.counts_by_instruction() ? run_turn<false, true>(limit, false) : run_turn<false, false>(limit, false);
    const std::uint64_t issued = turn_limit - turn_left;
    turn_limit = turn_left;  // the clock continues from block->time
    warp->issued_operations += issued;
    block->issued_operations += issued;
    limit -= issued;
    if (!stop_split) save_split();
    if (pause != Pause::running) return pause;
    if (limit == 0) return pause = warp->done() ? Pause::done : Pause::quota_used;
  }
  return pause = Pause::done;
}

int Machine::allocate_split() {
  for (int i = 0; i < Warp::split_limit; ++i) {
    if (warp->splits[i].state == SplitState::unused) {
      warp->splits[i] = Split{};
      warp->splits_in_use = std::max(warp->splits_in_use, i + 1);
      return i;
    }
  }
  return -1;  // impossible: a warp has at most 32 running and 31 joining splits
}

void Machine::diverge(const Op& op, std::uint32_t taken, std::uint32_t target) {
  const std::uint32_t rest = active_mask & ~taken;
  if (taken == 0) return;
  if (rest == 0) {
    pc = target;
    return;
  }
  std::uint32_t targets[lanes_per_warp];
  for (int lane = 0; lane < lanes_per_warp; ++lane) targets[lane] = (taken >> lane & 1) != 0 ? target : pc;
  diverge(op, targets);
}

void Machine::diverge(const Op& op, const std::uint32_t* targets) {
  const std::uint32_t first = targets[std::countr_zero(active_mask)];
  std::uint32_t together = 0;
  for (std::uint32_t left = active_mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (targets[lane] == first) together |= 1u << lane;
  }
  if (together == active_mask) {
    pc = first;
    return;
  }
  // If the lanes reconverge at the split's own reconvergence point, its parts can reconverge directly in its parent.
  const Split was = *split;
  int parent = static_cast<int>(split - warp->splits.data());
  std::uint32_t reconverge = op.reconverge;
  const bool same_place =
      was.parent >= 0 && was.reconverge == op.reconverge && warp->splits[was.parent].frame == was.frame;
  if (same_place || reconverge == no_index) {
    split->state = SplitState::unused;
    parent = was.parent;
    reconverge = was.reconverge;
    if (parent >= 0) --warp->splits[parent].parts;
  } else {
    split->state = SplitState::reconverging;
    split->pc = reconverge;
    split->mask = 0;
    split->parts = 0;
    split->priority = ++warp->last_priority;
  }
  std::uint32_t left = active_mask;
  std::uint32_t groups[lanes_per_warp], places[lanes_per_warp];
  int count = 0;
  while (left != 0) {
    const std::uint32_t place = targets[std::countr_zero(left)];
    std::uint32_t group = 0;
    for (std::uint32_t bits = left; bits != 0; bits &= bits - 1) {
      const int lane = std::countr_zero(bits);
      if (targets[lane] == place) group |= 1u << lane;
    }
    left &= ~group;
    groups[count] = group;
    places[count++] = place;
  }
  for (int i = 0; i < count; ++i) {
    Split& part = warp->splits[allocate_split()];
    part = was;
    part.state = SplitState::ready;
    part.pc = places[i];
    part.mask = groups[i];
    part.parent = static_cast<std::int8_t>(parent);
    part.reconverge = reconverge;
    part.parts = 0;
    part.priority = ++warp->last_priority;
    if (parent >= 0) ++warp->splits[parent].parts;
  }
  stop_split = true;
}

void Machine::arrive_at_parent(int parent, std::uint32_t arrived) {
  while (parent >= 0) {
    Split& joint = warp->splits[parent];
    joint.mask |= arrived;
    if (--joint.parts > 0) return;
    if (joint.mask != 0) {
      joint.state = SplitState::ready;
      return;
    }
    joint.state = SplitState::unused;  // all of its lanes have ended
    parent = joint.parent;
    arrived = 0;
  }
}

void Machine::end_lanes(std::uint32_t lanes_ended) {
  active_mask &= ~lanes_ended;
  warp->live_lanes &= ~lanes_ended;
  block->live_threads -= static_cast<std::uint32_t>(std::popcount(lanes_ended));
  // A thread that ends counts neither as arrived at the cluster's barrier nor as expected there.
  if (block->cluster != nullptr)
    block->cluster->arrived -= static_cast<std::uint32_t>(std::popcount(warp->cluster_pending & lanes_ended));
  warp->cluster_pending &= ~lanes_ended;
  if (warp->done()) warp->ended_at = program.ops[pc - 1].instruction;
  if (active_mask != 0) {
    split->mask = active_mask;
    return;
  }
  split->state = SplitState::unused;
  arrive_at_parent(split->parent, 0);
  stop_split = true;
}

void Machine::reconverge(std::uint32_t here) {
  if (split->reconverge != here || split->parent < 0) return;
  if (warp->splits[split->parent].frame != split->frame) return;  // the same op in a deeper call
  split->state = SplitState::unused;
  arrive_at_parent(split->parent, active_mask);
  stop_split = true;
}

void Machine::absorb(SplitState state, const Op& op, std::uint32_t lanes) {
  for (Split& other : warp->used_splits()) {
    if (other.state != state || other.pc != pc_of(op) || (other.mask & ~lanes) != 0) continue;
    active_mask |= other.mask;
    other = Split{};
  }
  split->mask = active_mask;
}

void Machine::wait(SplitState state, const Op& op) {
  split->pc = pc_of(op);
  split->mask = active_mask;
  split->state = state;
  stop_split = true;
}

/// Called when no split can issue. Lanes at a reconvergence point may wait for lanes that in turn wait for them, so the
/// newest such group continues on its own. Returns false if there is none.
bool Machine::release_blocked_split() {
  Split* joint = nullptr;
  for (Split& candidate : warp->used_splits()) {
    if (candidate.state != SplitState::reconverging || candidate.mask == 0) continue;
    if (joint == nullptr || candidate.priority > joint->priority) joint = &candidate;
  }
  if (joint == nullptr) return false;
  Split& free = warp->splits[allocate_split()];
  free.state = SplitState::ready;
  free.pc = joint->pc;
  free.mask = std::exchange(joint->mask, 0);
  free.frame = joint->frame;
  free.local = joint->local;
  free.parent = joint->parent;
  free.reconverge = joint->reconverge;
  free.priority = ++warp->last_priority;
  if (free.parent >= 0) ++warp->splits[free.parent].parts;
  return true;
}

/// Called when a split polls memory, or waits for lanes that wait for it at a BSYNC: those continue without it, as
/// after a YIELD on a GPU. They leave the convergence barrier. Returns false if there are none.
bool Machine::release_convergence() {
  bool released = false;
  for (Split& waiting : warp->used_splits()) {
    if (waiting.state != SplitState::at_convergence) continue;
    auto* const members = at<std::uint32_t>(program.ops[waiting.pc].a);
    for (int lane = 0; lane < lanes_per_warp; ++lane) members[lane] &= ~waiting.mask;
    waiting.state = SplitState::ready;
    waiting.priority = ++warp->last_priority;
    ++waiting.pc;
    released = true;
  }
  return released;
}

bool Machine::release_stuck_lanes() {
  return release_blocked_split() || (waits_for_lanes(*warp) && release_convergence());
}

void Machine::yield_if_polling() {
  if (!std::exchange(warp->polled_memory, false)) return;
  if (++split->spins < spin_patience) return;
  split->spins = 0;
  save_split();
  stop_split = true;
  // The warp's other ready splits run first next time. Lanes that wait for this split at a reconvergence point
  // continue.
  std::int64_t lowest = split->priority;
  for (const Split& other : warp->used_splits()) {
    if (other.state == SplitState::ready) lowest = std::min(lowest, other.priority);
  }
  split->priority = lowest - 1;
  if (!release_blocked_split() && !release_convergence()) pause = Pause::polling;
}

}  // namespace warpwalk::gpu
