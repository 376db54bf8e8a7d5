#include "core/sass/analysis/register_use.h"

#include <algorithm>
#include <string_view>

#include "core/sass/analysis/texture_registers.h"

namespace warpwalk::sass {
namespace {

// Registers of a value of this type, or of an access of this size.
unsigned registers_of(Word word) {
  switch (word) {
    case Word::n64:
    case Word::u64:
    case Word::s64:
    case Word::f64:
    case Word::f64_rn:
    case Word::f16x4_rn:
    case Word::bf16x4_rn:
    case Word::f32x2_rn:
    case Word::f32x2_ftz_rn: return 2;
    case Word::n128:
    case Word::f16x8_rn:
    case Word::bf16x8_rn:
    case Word::f32x4_rn:
    case Word::f32x4_ftz_rn: return 4;
    default: return 1;
  }
}

// Registers per thread of the matrices of D = A B + C ("Matrix Fragments" in the PTX ISA).
struct MatrixRegisters {
  unsigned a = 1, b = 1, c = 1;
};

MatrixRegisters matrix_registers(const Instruction& i) {
  const Word shape = i.word(Field::shape);
  if (i.opcode == Opcode::hmma) {
    const unsigned c = i.word(Field::type) == Word::f16 ? 2 : 4;
    const bool large = shape == Word::n16816 || (shape == Word::n1688 && i.word(Field::source_type) == Word::tf32);
    return large ? MatrixRegisters{4, 2, c} : MatrixRegisters{2, 1, c};
  }
  if (i.opcode == Opcode::imma) {
    if (shape == Word::n8816) return {1, 1, 2};
    return shape == Word::n16816 ? MatrixRegisters{2, 1, 4} : MatrixRegisters{4, 2, 4};
  }
  switch (shape) {  // DMMA
    case Word::n16x8x4: return {4, 2, 8};
    case Word::n16x8x8: return {8, 4, 8};
    case Word::n16x8x16: return {16, 8, 8};
    default: return {2, 2, 4};
  }
}

// Registers of D and C of a product of a warp group: 64 rows, so half a register per column, or a quarter for f16. The
// shape is written 64xNxK.
unsigned group_registers(const Instruction& i) {
  const std::string_view shape = name_of(i.word(Field::shape)).substr(3);
  unsigned columns = 0;
  for (const char digit : shape.substr(0, shape.find('x'))) columns = 10 * columns + static_cast<unsigned>(digit - '0');
  return i.word(Field::type) == Word::f16 ? columns / 4 : columns / 2;
}

bool is_value(const Operand& operand) {
  return operand.kind == OperandKind::reg || operand.kind == OperandKind::uniform_reg ||
         operand.kind == OperandKind::constant || operand.kind == OperandKind::integer ||
         operand.kind == OperandKind::f64_high;
}

// Which source an operand is, counted from 0 and without predicates.
std::size_t source_number(const Instruction& i, std::size_t operand) {
  std::size_t number = 0;
  for (std::size_t o = 0; o < operand; ++o)
    if (!i.operands[o].written && is_value(i.operands[o])) ++number;
  return number;
}

bool is_global(Opcode opcode) {
  switch (opcode) {
    case Opcode::ld:
    case Opcode::ldg:
    case Opcode::st:
    case Opcode::stg:
    case Opcode::atom:
    case Opcode::atomg:
    case Opcode::red:
    case Opcode::redg:
    case Opcode::qspc:
    case Opcode::cctl: return true;
    default: return false;
  }
}

void add_general(RegisterSet& set, unsigned first, unsigned count) {
  if (first == zero_register) return;
  for (unsigned r = first; r < std::min(first + count, unsigned{zero_register}); ++r) set.general.set(r);
}

void add_uniform(RegisterSet& set, unsigned first, unsigned count) {
  if (first >= zero_uniform_register) return;
  for (unsigned r = first; r < std::min(first + count, unsigned{zero_uniform_register}); ++r) set.uniform.set(r);
}

void add_predicate(RegisterSet& set, const Operand& operand) {
  if (operand.reg >= true_predicate) return;
  if (operand.kind == OperandKind::predicate) set.predicates.set(operand.reg);
  if (operand.kind == OperandKind::uniform_predicate) set.uniform_predicates.set(operand.reg);
}

// The address of global memory is 64 bits wide: in a register pair, unless a uniform pair holds its base.
void add_address(RegisterSet& reads, const Operand& address, bool global) {
  const bool has_uniform = address.uniform != zero_uniform_register;
  const bool pair = global && (address.width == AddressWidth::bits_64 || !has_uniform);
  add_general(reads, address.reg, pair ? 2 : 1);
  add_uniform(reads, address.uniform, global ? 2 : 1);
  add_uniform(reads, address.descriptor, 2);
}

// P2R and R2P: the predicates that the mask in the last operand selects.
void add_all_predicates(RegisterSet& set, const Instruction& i) {
  const Operand& mask = i.operands.back();
  const std::uint64_t chosen = mask.kind == OperandKind::integer ? static_cast<std::uint64_t>(mask.value) : 0x7f;
  for (unsigned p = 0; p < true_predicate; ++p)
    if ((chosen >> p & 1) != 0) set.predicates.set(p);
}

}  // namespace

unsigned register_count(const Instruction& i, std::size_t operand) {
  const bool written = i.operands[operand].written;
  if (accesses_texture(i.opcode)) return texture_register_count(i, operand);
  switch (i.opcode) {
    case Opcode::dadd:
    case Opcode::dmul:
    case Opcode::dfma:
    case Opcode::dsetp:
    case Opcode::lepc:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::brx: return 2;
    case Opcode::imad:
    case Opcode::uimad:
      if (written) return i.has(Word::wide) ? 2 : 1;
      return (i.has(Word::wide) || i.has(Word::hi)) && source_number(i, operand) == 2 ? 2 : 1;
    case Opcode::f2f:
    case Opcode::f2i:
    case Opcode::i2f: return registers_of(i.word(written ? Field::type : Field::source_type));
    case Opcode::frnd: return registers_of(i.word(Field::type));
    case Opcode::ld:
    case Opcode::ldg:
    case Opcode::ldl:
    case Opcode::lds:
    case Opcode::ldc:
    case Opcode::uldc:
    case Opcode::st:
    case Opcode::stg:
    case Opcode::stl:
    case Opcode::sts: return registers_of(i.word(Field::size));
    case Opcode::ldsm:
    case Opcode::stsm: return i.has(Word::n4) ? 4 : i.has(Word::n2) ? 2 : 1;
    case Opcode::atom:
    case Opcode::atomg:
    case Opcode::atoms:
      if (written && i.has(Word::cast)) return 1;  // whether it has swapped
      return i.has(Word::arrive) ? 2 : registers_of(i.word(Field::type));
    case Opcode::red:
    case Opcode::redg: return registers_of(i.word(Field::type));
    case Opcode::syncs: return i.has(Word::exch) || (written && i.has(Word::arrive)) ? 2 : 1;
    case Opcode::cs2r: return i.has(Word::n32) ? 1 : 2;
    case Opcode::match: return !written && i.has(Word::u64) ? 2 : 1;
    case Opcode::uiadd3: return i.has(Word::n64) ? 2 : 1;
    case Opcode::hgmma:
    case Opcode::igmma:
    case Opcode::qgmma:
    case Opcode::bgmma:
      if (i.operands[operand].kind != OperandKind::reg) return 4;  // the descriptors
      // A, if it is in registers, is the first source, before the descriptor.
      return !written && operand == 1 ? 4 : group_registers(i);
    case Opcode::hmma:
    case Opcode::imma:
    case Opcode::dmma: {
      const MatrixRegisters registers = matrix_registers(i);
      if (written) return registers.c;
      const std::size_t source = source_number(i, operand);
      return source == 0 ? registers.a : source == 1 ? registers.b : registers.c;
    }
    default: return 1;
  }
}

RegisterUse register_use(const Instruction& i) {
  RegisterUse use;
  if (i.guard.reg == true_predicate && i.guard.negate) return use;
  use.always = i.guard.reg == true_predicate;
  add_predicate(use.reads, i.guard);
  bool shared_part = i.opcode == Opcode::ldgsts;  // LDGSTS: first the address in shared memory
  for (std::size_t o = 0; o < i.operands.size(); ++o) {
    const Operand& operand = i.operands[o];
    RegisterSet& set = operand.written ? use.writes : use.reads;
    switch (operand.kind) {
      case OperandKind::reg: add_general(set, operand.reg, register_count(i, o)); break;
      case OperandKind::uniform_reg:
      case OperandKind::matrix_descriptor: add_uniform(set, operand.reg, register_count(i, o)); break;
      case OperandKind::predicate:
      case OperandKind::uniform_predicate: add_predicate(set, operand); break;
      case OperandKind::predicates: add_all_predicates(set, i); break;
      case OperandKind::constant:
        if (operand.indexed) add_general(use.reads, operand.reg, 1);
        add_uniform(use.reads, operand.uniform, operand.bindless ? 2 : 1);
        break;
      case OperandKind::address:
        if (accesses_texture(i.opcode)) add_general(use.reads, operand.reg, register_count(i, o));
        add_address(use.reads, operand, is_global(i.opcode) || (i.opcode == Opcode::ldgsts && !shared_part));
        shared_part = false;
        break;
      default: break;
    }
  }
  return use;
}

}  // namespace warpwalk::sass
