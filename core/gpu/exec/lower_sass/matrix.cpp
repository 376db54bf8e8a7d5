#include "core/gpu/alu/machine/machine.h"
#include "core/gpu/alu/matrix/mma.h"
#include "core/gpu/exec/lower_sass/lowering.h"
#include "core/gpu/exec/lower_sass/ptx_words.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu {

using sass::Field;
using sass::Opcode;
using sass::Operand;
using sass::Word;

/// HMMA, IMMA, BMMA and DMMA: mma.sync with the same fragments, in consecutive registers.
void MachineCodeLowering::lower_matrix() {
  ptx::Instruction like = ptx_instruction(ptx::Opcode::mma);
  set(like, ptx::Modifier::row);
  set(like, ptx::Modifier::col);
  const Word shape = i_->word(Field::shape);
  ptx::Type input = ptx::Type::f16, output = ptx::Type::f32;
  if (i_->opcode == Opcode::hmma) {
    const Word type = i_->word(Field::source_type);
    input = type == Word::bf16 ? ptx::Type::bf16 : type == Word::tf32 ? ptx::Type::tf32 : ptx::Type::f16;
    output = i_->word(Field::type) == Word::f16 ? ptx::Type::f16 : ptx::Type::f32;
    set(like, shape == Word::n16816  ? ptx::Modifier::m16n8k16
              : shape == Word::n1688 ? ptx::Modifier::m16n8k8
                                     : ptx::Modifier::m16n8k4);
    like.types = {output, input, input, output};
  } else if (i_->opcode == Opcode::imma) {
    std::vector<ptx::Type> types;
    for (const sass::Modifier& modifier : i_->modifiers)
      if (modifier.field == Field::type) types.push_back(type_of(modifier.word));
    if (types.size() != 2) refuse();
    set(like, shape == Word::n8816    ? ptx::Modifier::m8n8k16
              : shape == Word::n8832  ? ptx::Modifier::m8n8k32
              : shape == Word::n16816 ? ptx::Modifier::m16n8k16
              : shape == Word::n16864 ? ptx::Modifier::m16n8k64
                                      : ptx::Modifier::m16n8k32);
    set(like, ptx::Modifier::satfinite, has(Word::sat));
    like.types = {ptx::Type::s32, types[0], types[1], ptx::Type::s32};
  } else if (i_->opcode == Opcode::bmma) {
    set(like, shape == Word::n88128    ? ptx::Modifier::m8n8k128
              : shape == Word::n168128 ? ptx::Modifier::m16n8k128
                                       : ptx::Modifier::m16n8k256);
    like.action = has(Word::xor_) ? ptx::Action::xor_ : ptx::Action::and_;
    like.types = {ptx::Type::s32, ptx::Type::b1, ptx::Type::b1, ptx::Type::s32};
  } else {
    set(like, shape == Word::n16x8x4    ? ptx::Modifier::m16n8k4
              : shape == Word::n16x8x8  ? ptx::Modifier::m16n8k8
              : shape == Word::n16x8x16 ? ptx::Modifier::m16n8k16
                                        : ptx::Modifier::m8n8k4);
    like.rounding = rounding_of(i_->word(Field::rounding));
    like.types = {ptx::Type::f64, ptx::Type::f64, ptx::Type::f64, ptx::Type::f64};
  }
  auto found = find_mma(like);
  if (!found) refuse("is not supported (" + found.error() + ")");
  MatrixOp matrix;
  matrix.mma = *found;
  const bool pairs = matrix.mma.register_bytes == 8;
  // Register k of a fragment; a double is in a register pair.
  const auto register_of = [&](const Operand& o, int k) {
    Operand one = o;
    if (o.reg == sass::zero_register) return one;
    const int number = o.reg + (pairs ? 2 : 1) * k;
    if (number >= sass::zero_register) refuse("uses a register past the last one");
    one.reg = static_cast<std::uint8_t>(number);
    return one;
  };
  const auto take = [&](const Operand& o, int count, std::vector<Slot>& to) {
    for (int k = 0; k < count; ++k) to.push_back(pairs ? f64(register_of(o, k)) : word(register_of(o, k)));
  };
  for (int k = 0; k < matrix.mma.d_registers; ++k)
    matrix.d.push_back(pairs ? scratch() : destination(register_of(operand(0), k)));
  take(operand(1), matrix.mma.a_registers, matrix.a);
  take(operand(2), matrix.mma.b_registers, matrix.b);
  take(operand(3), matrix.mma.c_registers, matrix.c);
  const std::vector<Slot> results = matrix.d;
  Op& op = emit(handlers::multiply_matrices);
  op.table_index = static_cast<std::uint32_t>(program_.matrices.size());
  program_.matrices.push_back(std::move(matrix));
  for (int k = 0; pairs && k < static_cast<int>(results.size()); ++k)
    split_pair(register_of(operand(0), k), results[static_cast<std::size_t>(k)]);
}

/// LDSM, STSM and MOVM: 8x8 matrices of 16-bit elements.
void MachineCodeLowering::lower_matrix_move() {
  if (i_->opcode == Opcode::movm) {
    const Slot a = word(operand(1));
    Op& op = emit(handlers::move_matrix);
    op.d = destination(operand(0));
    op.a = a;
    return;
  }
  const bool loads = i_->opcode == Opcode::ldsm;
  const Word size = i_->word(Field::size);
  const unsigned count = size == Word::n4 ? 4 : size == Word::n2 ? 2 : 1;
  MatrixOp matrix;
  matrix.transposed = i_->word(Field::layout) == Word::mt88;
  Access access;
  access.space = ptx::Space::shared;
  access.bytes = 16;
  access.store = !loads;
  const Operand& registers = operand(loads ? 0 : 1);
  const Operand& where = operand(loads ? 1 : 0);
  for (unsigned k = 0; k < count; ++k) (loads ? matrix.d : matrix.a).push_back(part(registers, k));
  const Slot base = address(where, access);
  Op& op = emit(loads ? handlers::load_matrix : handlers::store_matrix);
  op.a = base;
  op.immediate = offset(where, access);
  op.target = static_cast<std::uint32_t>(program_.matrices.size());
  finish_access(op, access);
  program_.matrices.push_back(std::move(matrix));
}

}  // namespace warpwalk::gpu
