#include "core/gpu/exec/machine/machine.h"

namespace warpwalk::gpu {

std::uint32_t Machine::next_instruction(BlockState& in, Warp& of) {
  block = &in;
  warp = &of;
  register_files[0] = warp->registers.data();
  register_files[2] = warp->special.data();
  pause = Pause::running;
  const Op* const ops = program.ops.data();
  while (!warp->done()) {
    if (!select_split()) {
      if (release_stuck_lanes()) continue;
      return no_index;
    }
    load_split();
    stop_split = false;
    while (!stop_split && ops[pc].instruction == no_index) {
      const Op& marker = ops[pc++];
      marker.run(*this, marker);
    }
    if (stop_split) continue;
    save_split();
    return ops[pc].instruction;
  }
  return no_index;
}

std::uint32_t Machine::execute_instruction() {
  const Op* const ops = program.ops.data();
  const std::uint32_t active = active_mask, instruction = ops[pc].instruction;
  turn_limit = turn_left = 0;
  std::uint32_t next = pc;
  do {
    const Op& op = ops[pc++];
    next = pc;
    op.run(*this, op);
  } while (!stop_split && pc == next && ops[pc].instruction == instruction);
  if (!stop_split) save_split();
  ++warp->issued_operations;
  return active;
}

}  // namespace warpwalk::gpu
