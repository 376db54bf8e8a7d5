#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/gpu/timing/asynchronous_units.h"
#include "core/gpu/timing/sm.h"

namespace warpwalk::gpu {

bool Sm::fetch(unsigned sub, Slot& slot, std::int64_t now) {
  const std::uint32_t line = slot.code / 8;
  wanted_.clear();
  const double ready = fetch_.ready(sub, line, static_cast<double>(now), wanted_);
  for (const std::uint64_t number : wanted_) {
    const std::uint32_t id = new_pending(MemoryRequest::Kind::fetch);
    pending_[id].number = number;
    pending_[id].sectors = 15;
    requests.push_back({.time = static_cast<double>(now) + timing_.latency_icache,
                        .line = code_base / 128 + number,
                        .id = id,
                        .sm = id_,
                        .kind = MemoryRequest::Kind::fetch,
                        .sectors = 15});
  }
  if (ready <= static_cast<double>(now)) {
    slot.fetched = line;
    return true;
  }
  set_reason(slot, StallReason::no_instruction, now);
  set_check(slot, ready == std::numeric_limits<double>::infinity() ? never : cycle_of(ready));
  return false;
}

/// Whether the warp's next instruction is there and has all that it depends on. Until it issues, this stays so.
bool Sm::is_independent(unsigned sub, Slot& slot, std::int64_t now) {
  const std::uint16_t number = slot.number;
  const auto stalls = [&](StallReason reason, std::int64_t until) {
    set_reason(slot, reason, now);
    set_check(slot, until);
    return false;
  };
  const auto stalls_for = [&](std::size_t counter, unsigned until) {
    slot.waits_for = static_cast<std::uint8_t>(counter);
    slot.waits_until = static_cast<std::uint8_t>(until);
    return stalls(slot.pending_long[counter] ? StallReason::long_scoreboard : StallReason::short_scoreboard, never);
  };
  slot.waits_for = InstructionTiming::no_counter;
  if (now < slot.ready_at) {
    set_check(slots_[number], slot.ready_at);
    return false;
  }
  if (slot.next == no_index) {
    // The first time, or it waits for other warps.
    if (slot.exited || slot.waits) {
      count_reason(slot, now);
      return stalls(slot.reason, never);
    }
    find_next(*machine_, slot);
    if (slot.next == no_index) {
      if (slot.warp->done()) exit(slot, number, now);
      count_reason(slot, now);
      return stalls(StallReason::drain, never);
    }
    slot.at = instruction_of(slot);
  }
  // After a barrier, what it waits for belongs to the next instruction.
  if (const std::uint32_t next = instruction_of(slot); slot.at != next) {
    count_reason(slot, now);
    slot.at = next;
  }
  if (slot.fenced) return stalls(StallReason::membar, never);
  if (slot.fetched != slot.code / 8 && !fetch(sub, slot, now)) return false;
  const InstructionTiming& instruction = context_.instructions[slot.code];
  for (unsigned mask = instruction.wait_mask; mask != 0; mask &= mask - 1) {
    const auto counter = static_cast<std::size_t>(std::countr_zero(mask));
    if (counter < counters_per_warp && slot.pending[counter] != 0) return stalls_for(counter, 0);
  }
  if (instruction.kind == InstructionKind::wait_for_count && instruction.counter < counters_per_warp &&
      slot.pending[instruction.counter] > instruction.count)
    return stalls_for(instruction.counter, instruction.count);
  if (instruction.constant != InstructionTiming::no_constant) {
    double& there = constants_[instruction.constant];
    if (there < 0) there = static_cast<double>(now) + timing_.latency_constant;
    if (there > static_cast<double>(now)) return stalls(StallReason::imc_miss, cycle_of(there));
  }
  slot.independent = true;
  return true;
}

bool Sm::eligible(unsigned sub, std::uint16_t number, std::int64_t now) {
  Slot& slot = slots_[number];
  if (!slot.independent && !is_independent(sub, slot, now)) return false;
  const auto stalls = [&](StallReason reason, std::int64_t until) {
    set_reason(slot, reason, now);
    set_check(slot, until);
    return false;
  };
  const InstructionTiming& instruction = context_.instructions[slot.code];
  SubPartition& p = subs_[sub];
  if (instruction.queued()) {
    const bool to_l1 = instruction.kind == InstructionKind::global || instruction.kind == InstructionKind::local ||
                       instruction.kind == InstructionKind::copy;
    if (to_l1 && (p.queued_global >= static_cast<int>(timing_.lg_queue) ||
                  delayed_.size() > static_cast<std::size_t>(timing_.l1_miss_queue) ||
                  stores_ >= static_cast<int>(timing_.stores_in_flight)))
      return stalls(StallReason::lg_throttle, never);
    if (p.queued >= static_cast<int>(timing_.mio_queue)) return stalls(StallReason::mio_throttle, never);
  } else if (instruction.pipe != Pipe::none) {
    // Products of warp groups wait in a queue.
    const double waiting =
        instruction.kind == InstructionKind::group_product ? asynchronous::waiting_products * instruction.interval : 0;
    const std::int64_t free = cycle_of(p.pipe_free[static_cast<std::size_t>(instruction.pipe)] - waiting);
    if (free > now) return stalls(StallReason::math_pipe_throttle, free);
  }
  const std::int64_t readable =
      p.registers.ready(instruction, number, now, static_cast<int>(timing_.register_read_window));
  if (readable > now) return stalls(StallReason::dispatch_stall, readable);
  return true;
}

bool Sm::keeps_scheduler(const SubPartition& p) const {
  if (p.in_a_row >= most_in_a_row || std::ranges::find(p.warps, p.last) == p.warps.end()) return false;
  return !slots_[p.last].exited && !slots_[p.last].waits;
}

void Sm::schedule(Machine& machine, unsigned sub, std::int64_t now) {
  SubPartition& p = subs_[sub];
  constexpr std::uint16_t none = 0xffff;
  const bool one = context_.policy == IssuePolicy::one_at_a_time;
  std::uint16_t best = none;
  std::int64_t next = never;
  const auto better = [&](std::uint16_t a, std::uint16_t b) {
    const Slot &first = slots_[a], &second = slots_[b];
    if (context_.policy == IssuePolicy::loose_round_robin) {
      const auto turn = [&](std::uint16_t n) { return static_cast<std::uint16_t>(n - p.last - 1); };
      return turn(a) < turn(b);
    }
    const bool changes = one ? p.in_a_row >= most_in_a_row : p.last_yields;
    if (a == p.last || b == p.last) return (a == p.last) != changes;
    return one || context_.policy == IssuePolicy::greedy_then_oldest ? first.age < second.age : first.age > second.age;
  };
  // The warps to look at, in the order in which they started.
  std::size_t due = 0;
  for (std::uint64_t left = p.timed; left != 0; left &= left - 1) {
    const auto number =
        static_cast<std::uint16_t>(static_cast<std::size_t>(std::countr_zero(left)) * subs_.size() + sub);
    if (check_at_[number] > now) {
      next = std::min(next, check_at_[number]);
      continue;
    }
    std::size_t to = due++;
    for (; to > 0 && slots_[candidates_[to - 1]].age > slots_[number].age; --to) candidates_[to] = candidates_[to - 1];
    candidates_[to] = number;
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < due; ++i) {
    const std::uint16_t number = candidates_[i];
    if (!eligible(sub, number, now)) {
      next = std::min(next, check_at_[number]);
      continue;
    }
    candidates_[count++] = number;
    if (best == none || better(number, best)) best = number;
  }
  if (one && best != p.last && keeps_scheduler(p)) best = none;
  candidate_count_ = count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint16_t number = candidates_[i];
    if (number == best) continue;
    set_reason(slots_[number], StallReason::not_selected, now);
    set_check(slots_[number], now + 1);
    next = now + 1;
  }
  p.next = next;
  if (best != none) issue(machine, sub, best, now);
}

void Sm::hold(Slot& slot, std::uint8_t counter, bool is_long, std::int64_t now) {
  if (counter >= counters_per_warp) return;
  ++slot.pending[counter];
  slot.pending_long[counter] = is_long;
  slot.set_by[counter] = slot.at;
  slot.set_at[counter] = now;
}

void Sm::release_at(double time, std::uint16_t slot, std::uint8_t counter) {
  if (counter < counters_per_warp) add_event(time, Event::Kind::release, slot, counter);
}

void Sm::issue(Machine& machine, unsigned sub, std::uint16_t number, std::int64_t now) {
  SubPartition& p = subs_[sub];
  Slot& slot = slots_[number];
  const std::uint32_t index = instruction_of(slot);
  const InstructionTiming& instruction = context_.instructions[slot.code];
  slot.independent = false;
  set_reason(slot, StallReason::selected, now);
  p.registers.read(instruction, number, now);
  if (instruction.pipe != Pipe::none && !instruction.queued()) {
    double& free = p.pipe_free[static_cast<std::size_t>(instruction.pipe)];
    free = std::max(free, static_cast<double>(now)) + instruction.interval;
    if (instruction.kind == InstructionKind::group_product) {
      slot.products_done = free + asynchronous::product_latency;
      if (instruction.commits) slot.group_ends.push_back(slot.products_done);
    }
  }
  p.in_a_row = p.last == number ? p.in_a_row + 1 : 1;
  p.last = number;
  p.last_yields = instruction.yield;

  slot.block->issued_operations = static_cast<std::uint64_t>(now);  // what the kernel's clock reads
  log_.bulk.clear();
  const bool jumps = context_.estimate != nullptr ? execute_estimated(machine, slot) : execute(machine, slot);
  ++counters_.issued;

  if (observer != nullptr) {
    std::uint64_t eligible = 0;
    for (std::size_t i = 0; i < candidate_count_; ++i) eligible |= std::uint64_t{1} << candidates_[i];
    observer->issued({now, place_of(slot), index, executed_lanes_, executing_lanes_, eligible}, log_.accesses);
    if (!log_.bulk.empty()) observer->copied(log_.bulk);
  }
  hold(slot, instruction.write_counter, instruction.is_long(), now);
  hold(slot, instruction.read_counter, false, now);
  const auto time = static_cast<double>(now);
  double at_barrier = time;
  if (instruction.queued() && instruction.kind == InstructionKind::barrier) {
    // The arrival goes through the queue and the load-store unit.
    at_barrier = lsu_.take(p.to_mio.take(time, instruction.interval), timing_.interval_barrier);
    ++p.queued;
    add_event(at_barrier + 1, Event::Kind::leave_queue, number, 0);
    release_at(at_barrier + std::max<double>(2, instruction.latency), number, instruction.write_counter);
    release_at(at_barrier + timing_.latency_operands_read, number, instruction.read_counter);
  } else if (instruction.queued()) {
    issue_to_mio(sub, number, instruction, now);
  } else if (instruction.kind == InstructionKind::copy_group) {
    end_copies(slot, number, instruction.write_counter, time);
  } else if (instruction.kind == InstructionKind::bulk_group) {
    release_at(time + 2, number, instruction.write_counter);
    release_at(std::max(time + 2, slot.bulk_stores_read), number, instruction.read_counter);
  } else {
    release_at(time + std::max<double>(2, instruction.latency), number, instruction.write_counter);
    const bool late = instruction.kind == InstructionKind::convergence_move;
    release_at(time + (late ? instruction.latency : timing_.latency_operands_read), number, instruction.read_counter);
  }

  slot.ready_at = now + instruction.stall;
  StallReason then = StallReason::wait;
  for (const LoggedBulk& bulk : log_.bulk) start_bulk(number, bulk, time);
  if (instruction.kind == InstructionKind::group_wait) {
    wait_for_products(slot, instruction.count);
    then = StallReason::math_pipe_throttle;
  }
  if (jumps) {
    const bool branch = instruction.kind == InstructionKind::branch;
    const double started = branch && instruction.unit > 0 ? p.indirect.take(time, instruction.unit) : time;
    const double latency =
        branch ? std::max<double>(instruction.latency, timing_.latency_branch) : timing_.latency_branch;
    slot.ready_at = std::max(slot.ready_at, cycle_of(started + latency));
    then = StallReason::branch_resolving;
  }
  if (instruction.kind == InstructionKind::sleep) {
    slot.ready_at = now + cycle_of(timing_.latency_sleep);
    then = StallReason::sleeping;
  }
  if (instruction.kind == InstructionKind::converge) {
    slot.ready_at = std::max(slot.ready_at, now + cycle_of(instruction.latency));
    then = StallReason::branch_resolving;
  }
  if (instruction.kind == InstructionKind::fence && !skipped_) {
    slot.ready_at = cycle_of(fences_.take(time, timing_.interval_fence) + timing_.latency_fence);
    then = StallReason::membar;
  }
  if (instruction.kind == InstructionKind::fence_gpu && !skipped_) {
    slot.fenced = slot.stores > 0;
    if (!slot.fenced)
      slot.ready_at = cycle_of(fences_.take(time, timing_.interval_fence_gpu) + timing_.latency_fence_gpu);
    then = StallReason::membar;
  }
  set_check(slots_[number], slot.ready_at);
  if (slot.next == no_index && slot.warp->done()) {
    exit(slot, number, now + 1);
    then = StallReason::drain;
  } else if (slot.next == no_index) {
    set_waits(slot, true);
    set_check(slots_[number], never);
    then = StallReason::barrier;
  }
  set_reason(slot, then, now + 1);
  slot.at = slot.next != no_index ? instruction_of(slot) : index;
  BlockState& block = *slot.block;
  if (instruction.kind == InstructionKind::barrier && !skipped_) {
    const double arrived = barriers_.take(at_barrier, timing_.barrier_per_warp);
    if (slot.next != no_index) {
      lsu_.take(at_barrier, timing_.interval_barrier_end);
      slot.ready_at = std::max(slot.ready_at, cycle_of(arrived + timing_.barrier_base));
      set_check(slots_[number], slot.ready_at);
      set_reason(slot, StallReason::barrier, now + 1);
    }
    release_waiting(machine, block, arrived + timing_.barrier_base);
  } else if (slot.exited || instruction.commits || instruction.kind == InstructionKind::group_sync) {
    release_waiting(machine, block, time + timing_.barrier_base);
  }
  p.next = std::min(p.next, check_at_[number]);
}

void Sm::exit(Slot& slot, std::uint16_t number, std::int64_t at) {
  slot.exited = true;
  set_waits(slot, false);
  set_check(slots_[number], never);
  add_event(std::max(static_cast<double>(at), slot.last_store), Event::Kind::end_warp, number);
}

void Sm::release_waiting(Machine& machine, BlockState& block, double at) {
  if (waiting_ == 0) return;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (slot.warp == nullptr || slot.block != &block || !slot.waits) continue;
    find_next(machine, slot);
    if (slot.next == no_index) {
      if (slot.warp->done()) exit(slot, static_cast<std::uint16_t>(i), cycle_of(at));
      continue;
    }
    set_waits(slot, false);
    slot.ready_at = std::max(slot.ready_at, cycle_of(at));
    set_check(slot, slot.ready_at);
    wake(static_cast<std::uint16_t>(i), static_cast<double>(slot.ready_at));
  }
}

void Sm::release_cluster(Machine& machine, std::int64_t now) {
  // Blocks on other SMs may have arrived at mbarriers.
  for (const Slot& slot : slots_)
    if (slot.warp != nullptr && slot.phase.lanes != 0) wake_for_phase(*slot.block, static_cast<double>(now));
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].warp != nullptr && slots_[i].waits)
      release_waiting(machine, *slots_[i].block, static_cast<double>(now));
}

}  // namespace warpwalk::gpu
