#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using ptx::Modifier;
using ptx::Opcode;
using ptx::OperandKind;

/// Barriers in shared memory, also in that of other blocks of the cluster.
void FunctionLowering::lower_mbarrier(const ptx::Instruction& i) {
  if (i.opcode == Opcode::mbarrier_pending_count) {
    Op& op = emit(handlers::pending_of_mbarrier, i);
    op.d = destination(operand(i, 0), i);
    op.a = source(operand(i, 1), 8, ptx::Type::b64, i);
    return;
  }
  const bool tests = i.opcode == Opcode::mbarrier_test_wait || i.opcode == Opcode::mbarrier_try_wait;
  const bool arrives = i.opcode == Opcode::mbarrier_arrive || i.opcode == Opcode::mbarrier_arrive_drop;
  MbarrierOp how;
  how.opcode = i.opcode;
  how.expects_bytes = i.has(Modifier::expect_tx);
  how.by_parity = i.has(Modifier::parity);
  how.adds_pending_arrival = i.opcode == Opcode::cp_async_mbarrier_arrive && !i.has(Modifier::noinc);
  Access access;
  access.space = i.space;
  access.bytes = 8;
  access.register_bytes[0] = 8;
  access.store = !tests;
  access.communicates = true;
  Op& op = emit(tests ? handlers::test_mbarrier : handlers::change_mbarrier, i);
  const std::size_t at = tests || arrives ? 1 : 0;  // the address comes after the result
  lower_address_operand(operand(i, at), access, op, i);
  const bool has_value = i.operands.size() > at + 1;
  if (tests) {
    op.p_out = predicate(operand(i, 0), i);
    op.c = source(operand(i, at + 1), how.by_parity ? 4 : 8, ptx::Type::u64, i);
  } else {
    op.b = has_value ? source(operand(i, at + 1), 4, ptx::Type::u32, i) : constant(1, 4);
    if (arrives && operand(i, 0).kind == OperandKind::reg) {
      how.returns = true;
      op.d = destination(operand(i, 0), i);
    }
  }
  op.table_index = static_cast<std::uint32_t>(program_.accesses.size());
  op.target = static_cast<std::uint32_t>(program_.mbarriers.size());
  program_.accesses.push_back(access);
  program_.mbarriers.push_back(how);
}

}  // namespace warpwalk::gpu
