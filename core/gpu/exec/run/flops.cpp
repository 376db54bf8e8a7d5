#include "core/gpu/exec/run/flops.h"

#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {
namespace {

/// Whether both factors are RZ: ptxas moves constants with HFMA2.
bool moves_constant(const sass::Instruction& i) {
  const auto is_zero = [&](std::size_t at) {
    return at < i.operands.size() && i.operands[at].kind == sass::OperandKind::reg &&
           i.operands[at].reg == sass::zero_register;
  };
  return is_zero(1) && is_zero(2);
}

unsigned flops_per_lane(const sass::Instruction& i) {
  using sass::Opcode;
  switch (i.opcode) {
    case Opcode::fadd:
    case Opcode::fmul:
    case Opcode::dadd:
    case Opcode::dmul: return 1;
    case Opcode::hadd2: return i.has(sass::Word::f32) ? 0 : 2;  // HADD2.F32 converts a half
    case Opcode::hmul2:
    case Opcode::fadd2:
    case Opcode::fmul2:
    case Opcode::ffma:
    case Opcode::dfma: return 2;
    case Opcode::hfma2: return moves_constant(i) ? 0 : 4;
    case Opcode::ffma2: return 4;
    default: return 0;
  }
}

unsigned flops_per_lane(const ptx::Instruction& i) {
  using ptx::Type;
  const Type type = i.type();
  const bool packed = type == Type::f16x2 || type == Type::bf16x2 || type == Type::f32x2;
  if (!packed && type != Type::f16 && type != Type::bf16 && type != Type::f32 && type != Type::f64) return 0;
  switch (i.opcode) {
    case ptx::Opcode::add:
    case ptx::Opcode::sub:
    case ptx::Opcode::mul: return packed ? 2 : 1;
    case ptx::Opcode::fma:
    case ptx::Opcode::mad: return packed ? 4 : 2;
    default: return 0;
  }
}

bool is_integer(ptx::Type type) { return type < ptx::Type::f16; }

/// Of a warp; 0: the operation is no product of floating-point matrices.
std::uint64_t flops_of_product(const Program& program, const Op& op) {
  if (op.run == handlers::multiply_matrices && op.table_index < program.matrices.size()) {
    const Mma& mma = program.matrices[op.table_index].mma;
    return is_integer(mma.d_type) ? 0 : static_cast<std::uint64_t>(2 * mma.m * mma.n * mma.k);
  }
  if (op.run == handlers::multiply_warp_group && op.table_index < program.group_products.size()) {
    constexpr int rows_of_warp = 16;
    const GroupMma& mma = program.group_products[op.table_index].mma;
    return is_integer(mma.d_type) ? 0 : static_cast<std::uint64_t>(2 * rows_of_warp * mma.columns * mma.k());
  }
  return 0;
}

}  // namespace

void count_flops(const Program& program, std::vector<InstructionCounts>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const bool machine_code = program.machine_code && i < program.machine_code->instructions.size();
    counts[i].flops = counts[i].lanes * (machine_code ? flops_per_lane(program.machine_code->instructions[i])
                                                      : flops_per_lane(*program.sources[i].instruction));
  }
  constexpr std::uint64_t lanes_of_warp = 32;
  for (const Op& op : program.ops)
    if (const std::uint64_t flops = flops_of_product(program, op); flops > 0 && op.instruction < counts.size())
      counts[op.instruction].flops = counts[op.instruction].lanes / lanes_of_warp * flops;
}

}  // namespace warpwalk::gpu
