#include <algorithm>

#include "core/gpu/exec/launch_check.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/run/stack.h"

namespace warpwalk::gpu::handlers {

void allocate_stack(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  const Function& function = m.program.functions[op.function];
  const std::uint64_t begin = std::uint64_t{m.split->local} + function.local_bytes;
  auto* const taken = m.at<std::uint32_t>(Slot::at(SlotSpace::frame, function.alloca_slot));
  std::uint32_t full = 0;
  std::uint64_t highest = 0;
  for_lanes(mask, [&](int lane) {
    const std::uint64_t size = get_lane(m.at<const std::uint8_t>(op.a), op.bytes, lane);
    const std::uint64_t address = (begin + taken[lane] + op.immediate - 1) / op.immediate * op.immediate;
    if (size > local_stack_limit || address + size > local_stack_limit) {
      full |= 1u << lane;
      return;
    }
    taken[lane] = static_cast<std::uint32_t>(address + size - begin);
    highest = std::max(highest, address + size);
    set_lane(m.at<std::uint8_t>(op.d), op.bytes, lane, address);
  });
  if (full != 0) {
    m.report_and_stop(FindingKind::stack_overflow, op, full,
                      "allocates more memory with alloca than the thread's stack of 512 KiB has left");
    return;
  }
  grow_stack(*m.warp, static_cast<std::uint32_t>(highest));
}

void stack_save(Machine& m, const Op& op) {
  const Function& function = m.program.functions[op.function];
  const auto* const taken = m.at<const std::uint32_t>(Slot::at(SlotSpace::frame, function.alloca_slot));
  for_lanes(m.executing_lanes(op), [&](int lane) { set_lane(m.at<std::uint8_t>(op.d), op.bytes, lane, taken[lane]); });
}

void stack_restore(Machine& m, const Op& op) {
  const Function& function = m.program.functions[op.function];
  auto* const taken = m.at<std::uint32_t>(Slot::at(SlotSpace::frame, function.alloca_slot));
  for_lanes(m.executing_lanes(op), [&](int lane) {
    const std::uint64_t saved = get_lane(m.at<const std::uint8_t>(op.a), op.bytes, lane);
    taken[lane] = static_cast<std::uint32_t>(std::min<std::uint64_t>(saved, taken[lane]));
  });
}

}  // namespace warpwalk::gpu::handlers
