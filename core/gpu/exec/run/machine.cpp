#include "core/gpu/exec/run/machine.h"

#include <algorithm>
#include <utility>

namespace warpwalk::gpu {

namespace {

/// Iterations of a polling loop before other lanes and warps run. A real lock is released within a few iterations.
constexpr std::uint32_t spin_patience = 32;

}  // namespace

Machine::Machine(const LaunchContext& of, Tally& to, FindingList& list, Sanitizer* with)
    : context(of),
      program(*of.program),
      tally(to),
      findings(list),
      sanitizer(with),
      memos(program.accesses.size()),
      regions_(program.accesses.size()) {
  // Handlers only read constants; the program is shared by all machines.
  banks[1] = const_cast<std::uint8_t*>(program.constants.data());
}

void Machine::load() {
  pc = split->pc;
  active = split->mask;
  banks[0] = warp->registers.data() + split->frame;
}

void Machine::save() {
  split->pc = pc;
  split->mask = active;
}

bool Machine::choose() {
  Split* best = nullptr;
  for (int i = 0; i < warp->splits_used; ++i) {
    Split& candidate = warp->splits[static_cast<std::size_t>(i)];
    if (candidate.state != SplitState::ready) continue;
    if (best == nullptr || candidate.order > best->order) best = &candidate;
  }
  split = best;
  return best != nullptr;
}

Pause Machine::run(BlockRun& in, Warp& of, std::uint64_t limit) {
  block = &in;
  warp = &of;
  banks[2] = warp->special.data();
  pause = Pause::running;
  const Op* const ops = program.ops.data();
  while (!warp->done()) {
    if (!choose()) {
      if (release()) continue;
      pause = Pause::waiting;
      return pause;
    }
    load();
    leave = false;
    turn_limit = turn_left = limit;
    while (!leave && turn_left > 0) {
      --turn_left;
      const Op& op = ops[pc++];
      op.run(*this, op);
    }
    const std::uint64_t issued = turn_limit - turn_left;
    turn_limit = turn_left;  // the clock continues from block->time
    warp->issued += issued;
    block->time += issued;
    limit -= issued;
    if (!leave) save();
    if (pause != Pause::running) return pause;
    if (limit == 0) return pause = warp->done() ? Pause::done : Pause::quantum;
  }
  return pause = Pause::done;
}

int Machine::fresh() {
  for (int i = 0; i < Warp::split_limit; ++i) {
    if (warp->splits[i].state == SplitState::unused) {
      warp->splits[i] = Split{};
      warp->splits_used = std::max(warp->splits_used, i + 1);
      return i;
    }
  }
  return -1;  // impossible: a warp has at most 32 running and 31 joining splits
}

void Machine::part(const Op& op, std::uint32_t taken, std::uint32_t target) {
  const std::uint32_t rest = active & ~taken;
  if (taken == 0) return;
  if (rest == 0) {
    pc = target;
    return;
  }
  std::uint32_t targets[lanes];
  for (int lane = 0; lane < lanes; ++lane) targets[lane] = (taken >> lane & 1) != 0 ? target : pc;
  part(op, targets);
}

void Machine::part(const Op& op, const std::uint32_t* targets) {
  const std::uint32_t first = targets[std::countr_zero(active)];
  std::uint32_t together = 0;
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (targets[lane] == first) together |= 1u << lane;
  }
  if (together == active) {
    pc = first;
    return;
  }
  // If the lanes reconverge at the split's own reconvergence point, its parts can reconverge directly in its parent.
  const Split was = *split;
  int parent = static_cast<int>(split - warp->splits.data());
  std::uint32_t reconverge = op.reconverge;
  const bool same_place =
      was.parent >= 0 && was.reconverge == op.reconverge && warp->splits[was.parent].frame == was.frame;
  if (same_place || reconverge == nowhere) {
    split->state = SplitState::unused;
    parent = was.parent;
    reconverge = was.reconverge;
    if (parent >= 0) --warp->splits[parent].parts;
  } else {
    split->state = SplitState::joining;
    split->pc = reconverge;
    split->mask = 0;
    split->parts = 0;
    split->order = ++warp->order;
  }
  std::uint32_t left = active;
  std::uint32_t groups[lanes], places[lanes];
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
    Split& part = warp->splits[fresh()];
    part = was;
    part.state = SplitState::ready;
    part.pc = places[i];
    part.mask = groups[i];
    part.parent = static_cast<std::int8_t>(parent);
    part.reconverge = reconverge;
    part.parts = 0;
    part.order = ++warp->order;
    if (parent >= 0) ++warp->splits[parent].parts;
  }
  leave = true;
}

void Machine::gone(int parent, std::uint32_t arrived) {
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

void Machine::end(std::uint32_t lanes_ended) {
  active &= ~lanes_ended;
  warp->alive &= ~lanes_ended;
  block->live_threads -= static_cast<std::uint32_t>(std::popcount(lanes_ended));
  if (active != 0) {
    split->mask = active;
    return;
  }
  split->state = SplitState::unused;
  gone(split->parent, 0);
  leave = true;
}

void Machine::meet(std::uint32_t here) {
  if (split->reconverge != here || split->parent < 0) return;
  if (warp->splits[split->parent].frame != split->frame) return;  // the same op in a deeper call
  split->state = SplitState::unused;
  gone(split->parent, active);
  leave = true;
}

void Machine::wait(SplitState state, const Op& op) {
  split->pc = pc_of(op);
  split->mask = active;
  split->state = state;
  leave = true;
}

/// Called when no split can issue. Lanes at a reconvergence point may wait for lanes that in turn wait for them, so the
/// newest such group continues on its own. Returns false if there is none.
bool Machine::release() {
  Split* joint = nullptr;
  for (Split& candidate : warp->splits) {
    if (candidate.state != SplitState::joining || candidate.mask == 0) continue;
    if (joint == nullptr || candidate.order > joint->order) joint = &candidate;
  }
  if (joint == nullptr) return false;
  Split& free = warp->splits[fresh()];
  free.state = SplitState::ready;
  free.pc = joint->pc;
  free.mask = std::exchange(joint->mask, 0);
  free.frame = joint->frame;
  free.local = joint->local;
  free.parent = joint->parent;
  free.reconverge = joint->reconverge;
  free.order = ++warp->order;
  if (free.parent >= 0) ++warp->splits[free.parent].parts;
  return true;
}

void Machine::turn() {
  if (!std::exchange(warp->communicated, false)) return;
  if (++split->spins < spin_patience) return;
  split->spins = 0;
  save();
  leave = true;
  // The warp's other ready splits run first next time. Lanes that wait for this split at a reconvergence point
  // continue.
  std::int64_t lowest = split->order;
  for (const Split& other : warp->splits) {
    if (other.state == SplitState::ready) lowest = std::min(lowest, other.order);
  }
  split->order = lowest - 1;
  if (!release()) pause = Pause::spinning;
}

}  // namespace warpwalk::gpu
