#include <bit>
#include <string_view>

#include "core/sass/analysis/register_use.h"
#include "core/sass/opcode_properties.h"

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
    case Word::n256:  // in two operands
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
    if (shape == Word::n8816 || shape == Word::n8832) return {1, 1, 2};
    return shape == Word::n16816 ? MatrixRegisters{2, 1, 4} : MatrixRegisters{4, 2, 4};
  }
  switch (shape) {  // BMMA and DMMA
    case Word::n88128: return {1, 1, 2};
    case Word::n168128: return {2, 1, 4};
    case Word::n168256: return {4, 2, 4};
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

// Coordinates and, for an array, the layer.
unsigned coordinates_of(Word shape) {
  switch (shape) {
    case Word::n2d:
    case Word::array_1d:
    case Word::n1d_array: return 2;
    case Word::n3d:
    case Word::cube:
    case Word::array_2d:
    case Word::n2d_array: return 3;
    case Word::array_cube: return 4;
    default: return 1;
  }
}

Word texture_shape(const Instruction& i) {
  for (const Operand& o : i.operands)
    if (o.kind == OperandKind::word) return o.suffix;
  return Word::none;
}

bool is_array(Word shape) { return shape == Word::array_1d || shape == Word::array_2d || shape == Word::array_cube; }

// True if the handle is in a register. Otherwise, two integers or a uniform register say where it is.
bool has_handle_register(const Instruction& i) {
  bool pair = false, uniform = false;
  for (std::size_t k = 0; k < i.operands.size(); ++k) {
    uniform = uniform || i.operands[k].kind == OperandKind::uniform_reg;
    pair =
        pair || (k > 0 && i.operands[k].kind == OperandKind::integer && i.operands[k - 1].kind == OperandKind::integer);
  }
  return !pair && !uniform;
}

unsigned components(const Instruction& i) {
  return static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(i.operands.back().value) & 15));
}

// Among the registers of the instruction; destinations and sources are counted apart.
std::size_t number_of(const Instruction& i, std::size_t operand) {
  std::size_t number = 0;
  for (std::size_t o = 0; o < operand; ++o)
    if (i.operands[o].kind == OperandKind::reg && i.operands[o].written == i.operands[operand].written) ++number;
  return number;
}

unsigned surface_registers(const Instruction& i) {
  if (i.has(Word::p)) return i.has(Word::r) ? 1 : 4;
  if (i.has(Word::n128)) return 4;
  return i.has(Word::n64) || i.has(Word::u64) ? 2 : 1;
}

// The registers of an operand of an instruction on a texture or a surface: a register, a uniform register or an
// address.
unsigned texture_register_count(const Instruction& i, std::size_t operand) {
  const Operand& o = i.operands[operand];
  if (o.kind == OperandKind::uniform_reg) return 2;  // the handle
  if (o.kind == OperandKind::address) return coordinates_of(i.word(Field::shape));
  const std::size_t number = number_of(i, operand);
  const bool is_load = i.opcode == Opcode::suld;
  if (is_load || i.opcode == Opcode::sust || i.opcode == Opcode::sured)
    return o.written == is_load && number == 0 ? surface_registers(i) : 1;  // 1: the handle
  if (o.written) {
    // The second pair is the first destination.
    const unsigned count = components(i);
    if (number == 0) return count > 2 ? count - 2 : 0;
    return count < 2 ? count : 2;
  }
  const unsigned handle = has_handle_register(i) ? 1 : 0;
  if (i.opcode == Opcode::txq) return 1 + handle;  // the mipmap level
  const Word shape = texture_shape(i);
  const unsigned coordinates = coordinates_of(shape);
  if (i.opcode == Opcode::txd)
    return number == 0 ? coordinates + handle : 2 * (coordinates - (is_array(shape) ? 1 : 0));
  const Word level = i.word(Field::mode);
  const unsigned rest = handle + (level == Word::ll || level == Word::lb ? 1 : 0);
  // .SCR divides the sources evenly; otherwise the first operand has the coordinates.
  const unsigned first = i.has(Word::scr) ? (coordinates + rest + 1) / 2 : coordinates;
  return number == 0 ? first : coordinates + rest - first;
}

}  // namespace

unsigned register_count(const Instruction& i, std::size_t operand) {
  const bool written = i.operands[operand].written;
  switch (row_of(i.opcode).registers) {
    case RegisterRule::one: return 1;
    case RegisterRule::pair: return 2;
    case RegisterRule::product:
      if (written) return i.has(Word::wide) ? 2 : 1;
      return (i.has(Word::wide) || i.has(Word::hi)) && source_number(i, operand) == 2 ? 2 : 1;
    case RegisterRule::uniform_sum: return i.has(Word::n64) ? 2 : 1;
    case RegisterRule::conversion: return registers_of(i.word(written ? Field::type : Field::source_type));
    case RegisterRule::type: return registers_of(i.word(Field::type));
    case RegisterRule::size: return registers_of(i.word(Field::size));
    case RegisterRule::atomic:
      if (written && i.has(Word::cast)) return 1;  // whether it has swapped
      return i.has(Word::arrive) ? 2 : registers_of(i.word(Field::type));
    case RegisterRule::mbarrier: return i.has(Word::exch) || (written && i.has(Word::arrive)) ? 2 : 1;
    case RegisterRule::clock: return i.has(Word::n32) ? 1 : 2;
    case RegisterRule::match: return !written && i.has(Word::u64) ? 2 : 1;
    case RegisterRule::matrices: return i.has(Word::n4) ? 4 : i.has(Word::n2) ? 2 : 1;
    case RegisterRule::matrix_product: {
      const MatrixRegisters registers = matrix_registers(i);
      if (written) return registers.c;
      const std::size_t source = source_number(i, operand);
      return source == 0 ? registers.a : source == 1 ? registers.b : registers.c;
    }
    case RegisterRule::group_product:
      if (i.operands[operand].kind != OperandKind::reg) return 4;  // the descriptors
      // A, if it is in registers, is the first source, before the descriptor.
      return !written && operand == 1 ? 4 : group_registers(i);
    case RegisterRule::texture: return texture_register_count(i, operand);
  }
  return 1;
}

}  // namespace warpwalk::sass
