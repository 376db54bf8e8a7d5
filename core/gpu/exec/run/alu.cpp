#include <bit>

#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu::handlers {

void alu(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  AluCall call;
  call.a = m.at<const void>(op.a);
  call.b = m.at<const void>(op.b);
  call.c = m.at<const void>(op.c);
  call.e = m.at<const void>(op.e);
  call.immediate = op.immediate;
  if (mask == all_lanes) {
    call.d = m.at<void>(op.d);
    op.alu(call);
    return;
  }
  if (mask == 0) return;
  alignas(64) std::uint8_t result[lanes_per_warp * 8];
  call.d = result;
  op.alu(call);
  blend(m.at<void>(op.d), result, mask, op.bytes);
}

void alu_predicates(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  AluCall call;
  call.a = m.at<const void>(op.a);
  call.b = m.at<const void>(op.b);
  call.c = m.at<const void>(op.c);
  call.e = m.at<const void>(op.e);
  call.immediate = op.immediate;
  if (op.p_in >= 0) call.predicate_in = op.p_in_negated ? ~m.predicate(op.p_in) : m.predicate(op.p_in);
  std::uint32_t& carry = m.carry();
  call.carry_in = carry;
  alignas(64) std::uint8_t result[lanes_per_warp * 8];
  call.d = result;
  op.alu(call);
  if (op.bytes != 0) blend(m.at<void>(op.d), result, mask, op.bytes);
  if (op.p_out >= 0) m.predicate(op.p_out) = (m.predicate(op.p_out) & ~mask) | (call.predicate_out & mask);
  if (op.q_out >= 0) m.predicate(op.q_out) = (m.predicate(op.q_out) & ~mask) | (call.predicate_out2 & mask);
  if ((op.table_index & carry_written) != 0) carry = (carry & ~mask) | (call.carry_out & mask);
}

void move(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  void* const d = m.at<void>(op.d);
  const void* const a = m.at<const void>(op.a);
  if (mask == all_lanes) {
    std::memmove(d, a, static_cast<std::size_t>(lanes_per_warp) * op.bytes);
  } else if (mask != 0 && d != a) {
    blend(d, a, mask, op.bytes);
  }
}

void local_address(Machine& m, const Op& op) {
  const std::uint64_t address = m.split->local + op.immediate;
  for_lanes(m.executing_lanes(op), [&](int lane) { set_lane(m.at<std::uint8_t>(op.d), op.bytes, lane, address); });
}

namespace {

/// Part i of a pack or unpack: a, b, c or e, each op.bytes wide.
std::uint8_t* part_of(Machine& m, const Op& op, std::uint32_t i) {
  const Slot parts[4] = {op.a, op.b, op.c, op.e};
  return m.at<std::uint8_t>(parts[i]);
}

}  // namespace

void pack(Machine& m, const Op& op) {
  const std::uint32_t count = op.table_index;
  const int size = op.bytes;
  std::uint8_t* const d = m.at<std::uint8_t>(op.d);
  for_lanes(m.executing_lanes(op), [&](int lane) {
    std::uint8_t whole[16];
    for (std::uint32_t i = 0; i < count; ++i) std::memcpy(whole + i * size, part_of(m, op, i) + size * lane, size);
    const std::size_t bytes = static_cast<std::size_t>(size) * count;
    std::memcpy(d + bytes * static_cast<std::size_t>(lane), whole, bytes);
  });
}

void unpack(Machine& m, const Op& op) {
  const std::uint32_t count = op.table_index;
  const int size = op.bytes;
  const std::uint8_t* const d = m.at<const std::uint8_t>(op.d);
  for_lanes(m.executing_lanes(op), [&](int lane) {
    const std::size_t bytes = static_cast<std::size_t>(size) * count;
    std::uint8_t whole[16];
    std::memcpy(whole, d + bytes * static_cast<std::size_t>(lane), bytes);
    for (std::uint32_t i = 0; i < count; ++i) {
      if ((op.immediate >> i & 1) != 0) continue;  // `_`
      std::memcpy(part_of(m, op, i) + size * lane, whole + i * size, size);
    }
  });
}

void predicate_logic(Machine& m, const Op& op) {
  // p_out = table[second * 2 + first] per lane; a missing source is 0.
  const std::uint32_t mask = m.executing_lanes(op);
  std::uint32_t first = op.p_in >= 0 ? m.predicate(op.p_in) : 0;
  std::uint32_t second = op.q_out >= 0 ? m.predicate(op.q_out) : 0;
  const std::uint64_t table = op.immediate;
  std::uint32_t result = 0;
  if ((table & 1) != 0) result |= ~first & ~second;
  if ((table & 2) != 0) result |= first & ~second;
  if ((table & 4) != 0) result |= ~first & second;
  if ((table & 8) != 0) result |= first & second;
  m.predicate(op.p_out) = (m.predicate(op.p_out) & ~mask) | (result & mask);
}

void read_clock(Machine& m, const Op& op) {
  const std::uint64_t cycles = m.issued_operations();
  const double nanoseconds = static_cast<double>(cycles) / m.context.clock_hz * 1e9;
  // The hardware's globaltimer has a resolution of 32 ns. This one starts at 0 with the block.
  const std::uint64_t timer = static_cast<std::uint64_t>(nanoseconds) / 32 * 32;
  std::uint64_t value = 0;
  switch (static_cast<ptx::Special>(op.immediate)) {
    case ptx::Special::clock: value = cycles & 0xffffffff; break;
    case ptx::Special::clock_hi: value = cycles >> 32; break;
    case ptx::Special::clock64: value = cycles; break;
    case ptx::Special::globaltimer: value = timer; break;
    case ptx::Special::globaltimer_lo: value = timer & 0xffffffff; break;
    default: value = timer >> 32; break;
  }
  for_lanes(m.executing_lanes(op), [&](int lane) { set_lane(m.at<std::uint8_t>(op.d), op.bytes, lane, value); });
}

void generic_from(Machine& m, const Op& op) {
  const std::uint8_t* const a = m.at<const std::uint8_t>(op.a);
  std::uint8_t* const d = m.at<std::uint8_t>(op.d);
  for_lanes(m.executing_lanes(op),
            [&](int lane) { set_lane(d, op.bytes, lane, get_lane(a, op.bytes, lane) + op.immediate); });
}

void is_space(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  const auto* const a = m.at<const std::uint64_t>(op.a);
  std::uint32_t inside = 0;
  const auto within = [](std::uint64_t address, std::uint64_t base) { return address - base < window_bytes; };
  for_lanes(mask, [&](int lane) {
    const std::uint64_t address = a[lane];
    bool yes = false;
    switch (static_cast<ptx::Space>(op.immediate)) {
      case ptx::Space::shared:
        yes = address - shared_window < shared_window_bytes &&
              (op.table_index == 1 || (address - shared_window) >> block_rank_shift == m.block->cluster_rank);
        break;
      case ptx::Space::local: yes = within(address, local_window); break;
      case ptx::Space::constant: yes = within(address, constant_base); break;
      case ptx::Space::param: yes = within(address, parameter_base); break;
      default: yes = address - shared_window >= shared_window_bytes && !within(address, local_window); break;
    }
    if (yes) inside |= 1u << lane;
  });
  m.predicate(op.p_out) = (m.predicate(op.p_out) & ~mask) | inside;
}

}  // namespace warpwalk::gpu::handlers
