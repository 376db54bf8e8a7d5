#include "core/sass/analysis/texture_registers.h"

#include <bit>

namespace warpwalk::sass {
namespace {

/// Coordinates and, for an array, the layer.
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

unsigned components(const Instruction& i) {
  return static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(i.operands.back().value) & 15));
}

/// Among the registers of the instruction; destinations and sources are counted apart.
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

}  // namespace

bool accesses_texture(Opcode opcode) {
  switch (opcode) {
    case Opcode::tex:
    case Opcode::tld:
    case Opcode::tld4:
    case Opcode::txd:
    case Opcode::txq:
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured: return true;
    default: return false;
  }
}

unsigned texture_register_count(const Instruction& i, std::size_t operand) {
  const Operand& o = i.operands[operand];
  if (o.kind == OperandKind::uniform_reg) return 2;  // the handle
  if (o.kind == OperandKind::address) return coordinates_of(i.word(Field::shape));
  if (i.opcode == Opcode::suld || i.opcode == Opcode::sust || i.opcode == Opcode::sured) return surface_registers(i);
  const std::size_t number = number_of(i, operand);
  if (o.written) {
    // The second pair is the first destination.
    const unsigned count = components(i);
    if (number == 0) return count > 2 ? count - 2 : 0;
    return count < 2 ? count : 2;
  }
  if (i.opcode == Opcode::txq) return 1;
  const unsigned coordinates = coordinates_of(texture_shape(i));
  if (number == 0) return i.has(Word::scr) ? 2 : coordinates;
  if (i.opcode == Opcode::txd) return 2 * coordinates;
  return i.has(Word::scr) ? coordinates : 1;
}

}  // namespace warpwalk::sass
