#include "core/ptx/parse/video_check.h"

#include <algorithm>

namespace warpwalk::ptx {
namespace {

/// The number of parts that the instruction works on: 2 or 4 for vadd2 and vadd4, 1 for vadd.
int lanes_of(Opcode opcode) {
  const std::string_view name = name_of(opcode);
  return name.ends_with('4') ? 4 : name.ends_with('2') ? 2 : 1;
}

/// .b0 to .b3, .h0 and .h1.
std::string scalar_error(const Selector& selector) {
  const bool fits = selector.count == 1 && selector.parts[0] < (selector.halves ? 2 : 4);
  return fits ? "" : "expected the selector .b0, .b1, .b2, .b3, .h0 or .h1";
}

/// The parts that are written: each once, the highest first, as in .h10 and .b320.
std::string mask_error(const Selector& selector, int lanes) {
  const auto* const parts = selector.parts.data();
  bool fits = selector.halves == (lanes == 2) && selector.count <= lanes && parts[selector.count - 1] < lanes;
  for (int i = 1; i < selector.count; ++i) fits = fits && parts[i - 1] < parts[i];
  if (fits) return "";
  return lanes == 2 ? "expected the selector .h0, .h1 or .h10" : "expected a selector from .b0 to .b3210, such as .b20";
}

/// For each part of the result, the part of the two sources together that it is computed from.
std::string source_error(const Selector& selector, int lanes) {
  const bool fits = selector.halves == (lanes == 2) && selector.count == lanes &&
                    std::all_of(selector.parts.begin(), selector.parts.begin() + lanes,
                                [lanes](std::uint8_t part) { return part < 2 * lanes; });
  if (fits) return "";
  return lanes == 2 ? "expected a selector from .h00 to .h33" : "expected a selector from .b0000 to .b7777";
}

}  // namespace

std::string video_operand_error(const Instruction& instruction, const Operand& operand, bool is_written) {
  const auto& operands = instruction.operands;
  if (instruction.opcode == Opcode::vmad && operands.size() == 4) {
    const bool product = operands[1].minus != operands[2].minus;
    if (instruction.has(Modifier::po) && operand.minus) return "vmad.po cannot negate its operands";
    if (product && operands[3].minus) return "vmad can negate either a * b or c";
  } else if (operand.minus) {
    return "this instruction cannot negate its operands";
  }
  const int lanes = lanes_of(instruction.opcode);
  if (lanes > 1 && operand.kind != OperandKind::reg) return "expected a register";
  if (operand.selector.count == 0) return "";
  if (lanes > 1) return is_written ? mask_error(operand.selector, lanes) : source_error(operand.selector, lanes);
  if (is_written && operands.size() < 4) return "a part of the destination needs a third source for the rest";
  return scalar_error(operand.selector);
}

}  // namespace warpwalk::ptx
