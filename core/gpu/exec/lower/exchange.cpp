// Barriers of a block, and the instructions in which the lanes of a warp exchange values: shfl, vote, match, redux.
#include <algorithm>

#include <fmt/format.h>

#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

void FunctionLowering::lower_barrier(const ptx::Instruction& i) {
  if (i.has(Modifier::cluster)) return lower_cluster_barrier(i);
  BarrierOp barrier;
  barrier.action = i.action;
  barrier.arrive = i.has(Modifier::arrive);
  barrier.reduce = i.has(Modifier::red);
  barrier.aligned = i.opcode == Opcode::bar || i.has(Modifier::aligned);
  Op& op = emit(handlers::barrier, i);
  std::size_t next = 0;
  if (barrier.reduce) {
    if (i.action == ptx::Action::popc) {
      op.d = destination(operand(i, 0), i);
    } else {
      op.p_out = predicate(operand(i, 0), i);
    }
    next = 1;
  }
  const Operand& id = operand(i, next);
  op.a = source(id, 4, Type::u32, i);
  program_.barriers =
      std::max(program_.barriers, id.kind == OperandKind::immediate ? static_cast<int>(id.bits) + 1 : 16);
  for (std::size_t k = next + 1; k < i.operands.size(); ++k) {
    if (is_predicate(operand(i, k))) {
      op.p_in = predicate(operand(i, k), i);
      op.p_in_negated = operand(i, k).negated;
    } else if (barrier.reduce && k + 1 == i.operands.size()) {
      op.p_in_negated = operand(i, k).bits != 0;  // a constant predicate: the missing p_in is false
    } else {
      op.b = source(operand(i, k), 4, Type::u32, i);
      barrier.has_count = true;
    }
  }
  op.table_index = static_cast<std::uint32_t>(program_.barrier_ops.size());
  program_.barrier_ops.push_back(barrier);
}

void FunctionLowering::lower_exchange(const ptx::Instruction& i) {
  const auto result = [&](Op& op, const Operand& o) {
    const auto take = [&](const Operand& part) {
      if (part.kind == OperandKind::discard) return;
      if (is_predicate(part)) {
        op.p_out = predicate(part, i);
      } else {
        op.d = destination(part, i);
        op.bytes = 4;
      }
    };
    if (o.kind == OperandKind::pair) {
      take(o.elements[0]);
      take(o.elements[1]);
    } else {
      take(o);
    }
  };
  switch (i.opcode) {
    case Opcode::bar_warp: {
      Op& op = emit(handlers::warp_barrier, i);
      op.e = source(operand(i, 0), 4, Type::u32, i);
      return;
    }
    case Opcode::shfl: {
      Op& op = emit(handlers::shuffle, i);
      result(op, operand(i, 0));
      if (op.bytes == 0) refuse(i, "needs a register for its result");
      op.a = source(operand(i, 1), 4, Type::b32, i);
      op.b = source(operand(i, 2), 4, Type::u32, i);
      op.c = source(operand(i, 3), 4, Type::u32, i);
      op.e = source(operand(i, 4), 4, Type::u32, i);
      op.immediate = static_cast<std::uint64_t>(i.action);
      return;
    }
    case Opcode::vote: {
      Op& op = emit(handlers::vote, i);
      result(op, operand(i, 0));
      const Operand& p = operand(i, 1);
      if (p.kind == OperandKind::immediate) {
        op.q_out = p.bits != 0 ? 0 : -1;  // a constant predicate: 0 is true, -1 is false
      } else {
        op.p_in = predicate(p, i);
        op.p_in_negated = p.negated;
      }
      op.e = source(operand(i, 2), 4, Type::u32, i);
      op.immediate = static_cast<std::uint64_t>(i.action);
      return;
    }
    case Opcode::match: {
      Op& op = emit(handlers::match, i);
      result(op, operand(i, 0));
      op.bytes = static_cast<std::uint8_t>(ptx::bytes_of(i.type()));
      op.a = source(operand(i, 1), op.bytes, i.type(), i);
      op.e = source(operand(i, 2), 4, Type::u32, i);
      op.immediate = static_cast<std::uint64_t>(i.action);
      return;
    }
    case Opcode::activemask: {
      Op& op = emit(handlers::active_mask, i);
      op.d = destination(operand(i, 0), i);
      return;
    }
    case Opcode::redux: {
      if (ptx::is_float(i.type())) refuse(i, "on floats is not supported by the simulated GPU");
      Op& op = emit(handlers::reduce, i);
      op.d = destination(operand(i, 0), i);
      op.a = source(operand(i, 1), 4, i.type(), i);
      op.e = source(operand(i, 2), 4, Type::u32, i);
      op.table_index = i.type() == Type::s32 ? 1 : 0;
      op.immediate = static_cast<std::uint64_t>(i.action);
      return;
    }
    default: {
      Op& op = emit(handlers::elect, i);
      result(op, operand(i, 0));
      op.e = source(operand(i, 1), 4, Type::u32, i);
      return;
    }
  }
}

}  // namespace warpwalk::gpu
