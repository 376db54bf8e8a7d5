#include <algorithm>
#include <bit>

#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/timing/sm.h"

namespace warpwalk::gpu {

/// Finds the instruction that the warp issues next. Parts of an estimated program that cost nothing are executed.
/// Returns the instruction of the program that comes next, with or without a cost.
std::uint32_t Sm::find_next(Machine& machine, Slot& slot) {
  std::uint32_t first = no_index;
  for (;;) {
    slot.next = slot.warp->done() ? no_index : machine.next_instruction(*slot.block, *slot.warp);
    slot.code = slot.next;
    if (first == no_index) first = slot.next;
    if (context_.estimate == nullptr || slot.next == no_index) return first;
    const EstimatedCode& code = *context_.estimate;
    slot.region = code.region_of[slot.next];
    slot.entry = slot.next;
    slot.lanes = machine.active_mask;
    const EstimatedRegion& region = code.regions[slot.region];
    slot.code = region.first;
    while (slot.code < region.end && code.details[slot.code].source < slot.entry) ++slot.code;
    if (slot.code < region.end) return first;
    execute_to(machine, slot, region.end_source);
    slot.early.clear();
    slot.early_lanes.clear();
    if (failed_) {
      slot.next = no_index;
      return first;
    }
  }
}

/// The active lanes that the next instruction is not predicated off for.
std::uint32_t Sm::lanes_that_execute(const Machine& machine) {
  const std::vector<Op>& ops = machine.program.ops;
  const std::uint32_t instruction = ops[machine.pc].instruction;
  for (std::size_t i = machine.pc; i < ops.size() && ops[i].instruction == instruction; ++i) {
    if (ops[i].guard < 0) continue;
    const std::uint32_t lanes = machine.executing_lanes(ops[i]);
    // Lanes jump over a barrier or a call whose predicate is false (core/gpu/exec/lower_sass).
    const bool jumps_over =
        ops[i].run == handlers::branch && i + 1 < ops.size() && ops[i + 1].instruction == instruction;
    return jumps_over ? machine.active_mask & ~lanes : lanes;
  }
  return machine.active_mask;
}

/// Executes an instruction and notes its accesses. Returns the active lanes.
std::uint32_t Sm::execute_one(Machine& machine) {
  log_.accesses.clear();
  log_.phase_wait.lanes = 0;
  log_.changes_phase = false;
  machine.access_log = &log_;
  if (observer != nullptr || context_.estimate != nullptr) executing_lanes_ = lanes_that_execute(machine);
  const std::uint32_t instruction = machine.program.ops[machine.pc].instruction;
  const std::uint32_t active = machine.execute_instruction();
  if (machine.tally.counts_by_instruction()) machine.tally.take_accesses(instruction);
  machine.access_log = nullptr;
  executed_lanes_ = active;
  failed_ = failed_ || machine.pause == Pause::stop;
  return active;
}

bool Sm::skips_next(const Machine& machine) {
  const Op& op = machine.program.ops[machine.pc];
  const std::uint32_t lanes = machine.executing_lanes(op);
  // Lanes jump over a barrier whose predicate is false (core/gpu/exec/lower_sass).
  if (op.run == handlers::branch) return op.guard >= 0 && lanes == machine.active_mask;
  return lanes == 0;
}

/// Executes the instruction that issues. Returns true if the warp does not continue with the one behind it.
bool Sm::execute(Machine& machine, Slot& slot) {
  const std::uint32_t index = slot.next;
  machine.next_instruction(*slot.block, *slot.warp);
  skipped_ = skips_next(machine);
  const std::uint32_t active = execute_one(machine);
  // popcount() is a call on processors without an instruction for it.
  counters_.thread_instructions += active == all_lanes ? 32 : static_cast<std::uint64_t>(std::popcount(active));
  find_next(machine, slot);
  return slot.next != index + 1 && slot.next != no_index;
}

/// Executes instructions of the slot's region up to the index `end`, exclusive. Keeps their accesses to memory until
/// they issue.
void Sm::execute_to(Machine& machine, Slot& slot, std::uint32_t end) {
  const EstimatedRegion& region = context_.estimate->regions[slot.region];
  while (slot.next < end && !failed_) {
    const std::uint32_t index = machine.next_instruction(*slot.block, *slot.warp);
    const std::uint32_t active = execute_one(machine);
    for (const LoggedAccess& access : log_.accesses) slot.early.push_back({index, access});
    if (executing_lanes_ != active) slot.early_lanes.push_back({index, executing_lanes_});
    if (index + 1 == region.end_source || slot.warp->done()) {
      slot.next = region.end_source;
      return;
    }
    // Lanes that skip predicated instructions are further on, and other lanes of the warp may be elsewhere.
    const std::uint32_t next = machine.next_instruction(*slot.block, *slot.warp);
    slot.next = next > index && next < region.end_source ? next : region.end_source;
  }
}

/// Like execute(), for an instruction of estimated code: executes the program up to the point that this instruction
/// requires.
bool Sm::execute_estimated(Machine& machine, Slot& slot) {
  const EstimatedCode& code = *context_.estimate;
  const EstimatedRegion& region = code.regions[slot.region];
  skipped_ = false;
  counters_.thread_instructions += static_cast<std::uint64_t>(std::popcount(slot.lanes));
  const std::uint32_t lanes = slot.lanes;
  execute_to(machine, slot, code.executes_to[slot.code]);
  executed_lanes_ = executing_lanes_ = lanes;
  const std::uint32_t source = code.details[slot.code].source;
  for (const EarlyLanes& early : slot.early_lanes)
    if (early.source == source) executing_lanes_ = early.lanes;
  log_.accesses.clear();
  if (const EstimatedInstruction& issued = code.details[slot.code]; issued.last && issued.timing.queued())
    std::erase_if(slot.early, [&](const EarlyAccess& early) {
      if (early.source == issued.source) log_.accesses.push_back(early.access);
      return early.source == issued.source;
    });
  do ++slot.code;
  while (slot.code < region.end && code.details[slot.code].source < slot.entry);
  if (slot.code < region.end) return false;
  slot.early.clear();
  slot.early_lanes.clear();
  const std::uint32_t next = find_next(machine, slot);
  return slot.next != no_index && next != region.end_source;
}

}  // namespace warpwalk::gpu
