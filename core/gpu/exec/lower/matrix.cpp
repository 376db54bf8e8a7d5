#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

namespace {

/// Number of registers of a fragment, which is a vector or a single register.
std::size_t count_of(const Operand& o) { return o.kind == OperandKind::vector ? o.elements.size() : 1; }
const Operand& element(const Operand& o, std::size_t k) { return o.kind == OperandKind::vector ? o.elements[k] : o; }

}  // namespace

void FunctionLowering::lower_multiply(const ptx::Instruction& i) {
  auto found = i.opcode == Opcode::mma ? find_mma(i) : find_wmma(i);
  if (!found) refuse(i, found.error());
  MatrixOp matrix;
  matrix.mma = *found;
  const int bytes = matrix.mma.register_bytes;
  const auto take = [&](std::size_t at, int count, std::vector<Slot>& to) {
    const Operand& o = operand(i, at);
    if (count_of(o) < static_cast<std::size_t>(count)) refuse(i, "has a fragment with too few registers");
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      to.push_back(at == 0 ? destination(element(o, k), i)
                           : source(element(o, k), bytes, at == 3 ? matrix.mma.c_type : ptx::Type::b32, i));
    }
  };
  Op& op = emit(handlers::multiply_matrices, i);
  op.table_index = static_cast<std::uint32_t>(program_.matrices.size());
  take(0, matrix.mma.d_registers, matrix.d);
  take(1, matrix.mma.a_registers, matrix.a);
  take(2, matrix.mma.b_registers, matrix.b);
  take(3, matrix.mma.c_registers, matrix.c);
  program_.matrices.push_back(std::move(matrix));
}

/// wmma.load and wmma.store move a whole matrix between memory and a fragment. Unused registers of a fragment (see
/// find_wmma) keep their values.
void FunctionLowering::lower_fragment(const ptx::Instruction& i) {
  const bool stores = i.opcode == Opcode::wmma_store_d;
  MatrixOp matrix;
  matrix.wmma = wmma_matrix(i, i.opcode == Opcode::wmma_load_a ? 'a' : i.opcode == Opcode::wmma_load_b ? 'b' : 'c');
  matrix.by_rows = i.has(Modifier::row);
  const Operand& registers = operand(i, stores ? 1 : 0);
  const auto count = static_cast<std::size_t>(matrix.wmma.registers);
  if (count_of(registers) < count) refuse(i, "has a fragment with too few registers");
  Access access;
  access.space = i.space;
  access.bytes = static_cast<std::uint8_t>(matrix.wmma.element_bytes);
  access.store = stores;
  Op& op = emit(stores ? handlers::store_fragment : handlers::load_fragment, i);
  lower_address_operand(operand(i, stores ? 0 : 1), access, op, i);
  const int bytes = matrix.wmma.element_bytes == 8 ? 8 : 4;
  for (std::size_t k = 0; k < count; ++k) {
    const Operand& o = element(registers, k);
    matrix.d.push_back(stores ? source(o, bytes, i.type(), i) : destination(o, i));
  }
  // Without a stride, the rows (or columns) of the matrix are contiguous.
  const bool by_rows = matrix.by_rows;
  op.b = i.operands.size() > 2
             ? source(operand(i, 2), 4, ptx::Type::u32, i)
             : constant(static_cast<std::uint64_t>(by_rows ? matrix.wmma.columns : matrix.wmma.rows), 4);
  op.table_index = static_cast<std::uint32_t>(program_.accesses.size());
  op.target = static_cast<std::uint32_t>(program_.matrices.size());
  program_.accesses.push_back(access);
  program_.matrices.push_back(std::move(matrix));
}

void FunctionLowering::lower_matrix(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::mma:
    case Opcode::wmma_mma: return lower_multiply(i);
    case Opcode::wmma_load_a:
    case Opcode::wmma_load_b:
    case Opcode::wmma_load_c:
    case Opcode::wmma_store_d: return lower_fragment(i);
    default: break;
  }
  MatrixOp matrix;
  matrix.transposed = i.has(Modifier::trans);
  if (i.opcode == Opcode::movmatrix) {
    Op& op = emit(handlers::move_matrix, i);
    op.d = destination(operand(i, 0), i);
    op.a = source(operand(i, 1), 4, ptx::Type::b32, i);
    return;
  }
  const bool loads = i.opcode == Opcode::ldmatrix;
  const Operand& registers = operand(i, loads ? 0 : 1);
  Access access;
  access.space = ptx::Space::shared;  // a generic address is resolved at run time
  access.bytes = 16;
  access.store = !loads;
  Op& op = emit(loads ? handlers::load_matrix : handlers::store_matrix, i);
  for (std::size_t k = 0; k < count_of(registers); ++k) {
    const Operand& o = element(registers, k);
    if (loads) {
      matrix.d.push_back(destination(o, i));
    } else {
      matrix.a.push_back(source(o, 4, ptx::Type::b32, i));
    }
  }
  lower_address_operand(operand(i, loads ? 1 : 0), access, op, i);
  op.table_index = static_cast<std::uint32_t>(program_.accesses.size());
  op.target = static_cast<std::uint32_t>(program_.matrices.size());
  program_.accesses.push_back(access);
  program_.matrices.push_back(std::move(matrix));
}

}  // namespace warpwalk::gpu
