#include <bit>

#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu::handlers {

namespace {

constexpr int predicate_count = 7;

std::uint32_t source(const Machine& m, std::int32_t offset, bool negated) {
  return negated ? ~m.predicate(offset) : m.predicate(offset);
}
std::uint32_t source(const Machine& m, const PredicateSource& from) { return source(m, from.offset, from.negated); }

void write(const Machine& m, std::int32_t offset, std::uint32_t mask, std::uint32_t value) {
  if (offset >= 0) m.predicate(offset) = (m.predicate(offset) & ~mask) | (value & mask);
}

}  // namespace

void alu_carries(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  AluCall call;
  call.a = m.at<const void>(op.a);
  call.b = m.at<const void>(op.b);
  call.c = m.at<const void>(op.c);
  call.immediate = op.immediate;
  call.predicate_in = source(m, op.p_in, op.p_in_negated);
  call.carry_in = source(m, m.program.machine_code->predicates[op.table_index]);
  alignas(64) std::uint8_t result[lanes_per_warp * 8];
  call.d = result;
  op.alu(call);
  if (op.bytes != 0) blend(m.at<void>(op.d), result, mask, op.bytes);
  write(m, op.p_out, mask, call.predicate_out);
  write(m, op.q_out, mask, call.predicate_out2);
}

void predicate_table(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  const PredicateSource* const others = &m.program.machine_code->predicates[op.table_index];
  const std::uint32_t high = source(m, op.p_in, op.p_in_negated);
  const std::uint32_t middle = source(m, others[0]), low = source(m, others[1]);
  const auto result = [&](std::uint64_t table) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 8; ++i) {
      if ((table >> i & 1) == 0) continue;
      value |= ((i & 4) != 0 ? high : ~high) & ((i & 2) != 0 ? middle : ~middle) & ((i & 1) != 0 ? low : ~low);
    }
    return value;
  };
  const std::uint32_t first = result(op.immediate & 0xff), second = result(op.immediate >> 8 & 0xff);
  write(m, op.p_out, mask, first);
  write(m, op.q_out, mask, second);
}

void pack_predicates(Machine& m, const Op& op) {
  const auto* const b = m.at<const std::uint32_t>(op.b);
  const auto* const c = m.at<const std::uint32_t>(op.c);
  auto* const d = m.at<std::uint32_t>(op.d);
  for_lanes(m.executing_lanes(op), [&](int lane) {
    std::uint32_t bits = 0;
    for (int i = 0; i < predicate_count; ++i) bits |= (m.predicate(op.p_in + 4 * i) >> lane & 1) << i;
    d[lane] = (b[lane] & ~(c[lane] << op.immediate)) | (bits & c[lane]) << op.immediate;
  });
}

void unpack_predicates(Machine& m, const Op& op) {
  const auto* const a = m.at<const std::uint32_t>(op.a);
  const auto* const b = m.at<const std::uint32_t>(op.b);
  for_lanes(m.executing_lanes(op), [&](int lane) {
    for (int i = 0; i < predicate_count; ++i) {
      if ((b[lane] >> i & 1) == 0) continue;
      const std::uint32_t bit = a[lane] >> op.immediate >> i & 1;
      write(m, op.p_out + 4 * i, 1u << lane, bit << lane);
    }
  });
}

void read_first_lane(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  const std::uint32_t value = m.at<const std::uint32_t>(op.a)[std::countr_zero(mask)];
  for (int lane = 0; lane < lanes_per_warp; ++lane) m.at<std::uint32_t>(op.d)[lane] = value;
}

void lanes_that_differ(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  std::uint32_t different = 0;
  for_lanes(mask, [&](int lane) {
    if (m.at<const std::uint32_t>(op.a)[lane] != m.at<const std::uint32_t>(op.b)[lane]) different |= 1u << lane;
  });
  std::uint32_t& to = m.predicate(op.p_out);
  if (op.immediate != 0) different |= to & mask;
  to = (to & ~mask) | different;
}

void ballot_uniform(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  const std::uint32_t value = source(m, op.p_in, op.p_in_negated) & mask;
  for (int lane = 0; lane < lanes_per_warp; ++lane) m.at<std::uint32_t>(op.d)[lane] = value;
}

void vote_uniform(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  const std::uint32_t yes = source(m, op.p_in, op.p_in_negated) & mask;
  bool result = yes == mask;
  if (static_cast<ptx::Action>(op.immediate) == ptx::Action::any) result = yes != 0;
  if (static_cast<ptx::Action>(op.immediate) == ptx::Action::uni) result = yes == mask || yes == 0;
  write(m, op.p_out, all_lanes, result ? all_lanes : 0);
}

}  // namespace warpwalk::gpu::handlers
