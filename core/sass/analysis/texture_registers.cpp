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

bool is_array(Word shape) { return shape == Word::array_1d || shape == Word::array_2d || shape == Word::array_cube; }

/// True if the handle is in a register. Otherwise, two integers or a uniform register say where it is.
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

}  // namespace warpwalk::sass
