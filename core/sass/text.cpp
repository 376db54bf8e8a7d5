#include "core/sass/text.h"

#include <array>

#include "core/sass/number_text.h"
#include "core/sass/special_register.h"

namespace warpwalk::sass {
namespace {

constexpr unsigned barrier_count = 16;
constexpr std::uint64_t address_mask = 0xffffff;  // an address without a register is not negative

std::string register_text(std::uint8_t reg) { return reg == zero_register ? "RZ" : "R" + std::to_string(reg); }

std::string uniform_text(std::uint8_t reg) { return reg == zero_uniform_register ? "URZ" : "UR" + std::to_string(reg); }

std::string predicate_text(const Operand& operand) {
  std::string text = operand.negate ? "!" : "";
  if (operand.kind == OperandKind::uniform_predicate) text += "U";
  return text + (operand.reg == true_predicate ? "PT" : "P" + std::to_string(operand.reg));
}

/// Writes the sum of the parts of an address.
class Sum {
 public:
  void add(const std::string& part) { text_ += (text_.empty() ? "" : "+") + part; }
  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string address_text(const Operand& operand, Architecture architecture) {
  Sum sum;
  const bool has_uniform = operand.uniform != zero_uniform_register || operand.uniform_shown;
  const bool zero_is_shown = operand.scale != 1 || (operand.width == AddressWidth::unsigned_32 &&
                                                    architecture >= Architecture::sm_80 && !operand.descriptor_shown);
  const bool has_base = operand.reg != zero_register || (zero_is_shown && has_uniform);
  if (has_base || (!has_uniform && operand.value == 0)) {
    std::string base = register_text(operand.reg);
    if (operand.width == AddressWidth::bits_64) base += ".64";
    if (operand.width == AddressWidth::unsigned_32) base += ".U32";
    if (operand.scale != 1 && has_base) base += ".X" + std::to_string(operand.scale);
    sum.add(base);
  }
  if (has_uniform) sum.add(uniform_text(operand.uniform));
  if (sum.empty())
    sum.add(hex_text_unsigned(static_cast<std::uint64_t>(operand.value) & address_mask));
  else if (operand.value != 0)
    sum.add(hex_text(operand.value));
  return (operand.descriptor_shown ? "desc[" + uniform_text(operand.descriptor) + "]" : "") + "[" + sum.text() + "]";
}

std::string constant_text(const Operand& operand) {
  Sum sum;
  // nvdisasm separates the brackets if the operand can have a suffix.
  const std::string gap = operand.has_suffix ? " " : "";
  if (operand.bindless) {
    sum.add(hex_text(operand.value));
    return "cx[" + uniform_text(operand.uniform) + "]" + gap + "[" + sum.text() + "]";
  }
  if (operand.reg != zero_register) sum.add(register_text(operand.reg));
  if (operand.uniform != zero_uniform_register) sum.add(uniform_text(operand.uniform));
  if (operand.indexed && sum.empty() && operand.value == 0)
    sum.add(operand.uniform_shown ? uniform_text(zero_uniform_register) : register_text(zero_register));
  if (operand.value != 0 || sum.empty()) sum.add(hex_text(operand.value));
  return "c[" + hex_text(operand.bank) + "]" + gap + "[" + sum.text() + "]";
}

std::string pair_text(const Operand& operand, double (*value_of)(std::uint16_t)) {
  const auto bits = static_cast<std::uint32_t>(operand.value);
  return real_text(value_of(static_cast<std::uint16_t>(bits >> 16))) + ", " +
         real_text(value_of(static_cast<std::uint16_t>(bits)));
}

std::string set_text(std::uint64_t set) {
  std::string text;
  for (unsigned i = 64; i-- > 0;)
    if ((set >> i & 1) != 0) text += (text.empty() ? "" : ",") + std::to_string(i);
  return "{" + text + "}";
}

std::string barrier_text(std::uint8_t number) {
  // State of the warp that BMOV moves.
  static constexpr std::array<std::string_view, 17> states{"THREAD_STATE_ENUM.0",
                                                           "THREAD_STATE_ENUM.1",
                                                           "THREAD_STATE_ENUM.2",
                                                           "THREAD_STATE_ENUM.3",
                                                           "THREAD_STATE_ENUM.4",
                                                           "TRAP_RETURN_PC.LO",
                                                           "TRAP_RETURN_PC.HI",
                                                           "TRAP_RETURN_MASK",
                                                           "MEXITED",
                                                           "MKILL",
                                                           "MACTIVE",
                                                           "MATEXIT",
                                                           "OPT_STACK",
                                                           "API_CALL_DEPTH",
                                                           "ATEXIT_PC.LO",
                                                           "ATEXIT_PC.HI",
                                                           "MCOLLECTIVE"};
  if (number < barrier_count || number - barrier_count >= states.size()) return "B" + std::to_string(number);
  return std::string(states[number - barrier_count]);
}

/// Two bits for each of the four lanes of a quad, the last lane first: the signs of both sources. Z: zero.
std::string signs_text(std::uint64_t bits) {
  static constexpr std::array<std::string_view, 4> pairs{"PP", "PN", "NP", "ZP"};
  std::string text;
  for (unsigned lane = 4; lane-- > 0;) text += pairs[bits >> (2 * lane) & 3];
  return text;
}

std::string plain_text(const Operand& operand, Architecture architecture) {
  switch (operand.kind) {
    case OperandKind::reg: return register_text(operand.reg);
    case OperandKind::uniform_reg: return uniform_text(operand.reg);
    case OperandKind::predicate:
    case OperandKind::uniform_predicate: return predicate_text(operand);
    case OperandKind::predicates: return "PR";
    case OperandKind::uniform_predicates: return "UPR";
    case OperandKind::integer:
      if (operand.is_unsigned) return hex_text_unsigned(static_cast<std::uint64_t>(operand.value));
      return hex_text(operand.value);
    case OperandKind::target:
    case OperandKind::branch_offset: return hex_text(operand.value);
    case OperandKind::f32: return real_text(f32_value(static_cast<std::uint32_t>(operand.value)));
    case OperandKind::f64_high: return real_text(f64_value(static_cast<std::uint32_t>(operand.value)));
    case OperandKind::f16_pair: return pair_text(operand, f16_value);
    case OperandKind::bf16_pair: return pair_text(operand, bf16_value);
    case OperandKind::constant: return constant_text(operand);
    case OperandKind::address: return address_text(operand, architecture);
    case OperandKind::word: return std::string(name_of(operand.suffix));
    case OperandKind::special_reg: return special_register_name(architecture, static_cast<std::uint8_t>(operand.value));
    case OperandKind::barrier: return barrier_text(operand.reg);
    case OperandKind::scoreboard: return "SB" + std::to_string(operand.reg);
    case OperandKind::group_scoreboard: return "gsb" + std::to_string(operand.reg);
    case OperandKind::descriptor: return "desc[" + uniform_text(operand.reg) + "]";
    case OperandKind::matrix_descriptor: return "gdesc[" + uniform_text(operand.reg) + "]";
    case OperandKind::swizzle_signs: return signs_text(static_cast<std::uint64_t>(operand.value));
    case OperandKind::return_pc: return "Rpc";
    case OperandKind::scoreboard_set: return set_text(static_cast<std::uint64_t>(operand.value));
  }
  return {};
}

std::string operand_text(const Operand& operand, Architecture architecture) {
  if (operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate)
    return predicate_text(operand);
  std::string text = plain_text(operand, architecture);
  if (operand.kind == OperandKind::word) return text;
  const std::string suffix = operand.suffix == Word::none ? "" : "." + std::string(name_of(operand.suffix));
  const bool suffix_inside =
      operand.kind == OperandKind::constant || operand.kind == OperandKind::uniform_reg || operand.suffix == Word::h1;
  if (suffix_inside) text += suffix;
  if (operand.absolute) text = "|" + text + "|";
  if (operand.reuse) text += ".reuse";
  if (!suffix_inside) text += suffix;
  return (operand.negate ? "-" : operand.invert ? "~" : "") + text;
}

/// A target or an offset follows the register to which it is added after a space.
bool joins_register(const Instruction& instruction, const Operand& operand, const Operand& before) {
  return before.kind == OperandKind::reg && instruction.opcode != Opcode::warpsync &&
         (operand.kind == OperandKind::target || operand.kind == OperandKind::branch_offset) &&
         instruction.opcode != Opcode::lepc;
}

}  // namespace

std::string mnemonic_of(const Instruction& instruction) {
  std::string text(name_of(instruction.opcode));
  for (const Modifier& modifier : instruction.modifiers)
    if (modifier.shown && modifier.word != Word::none) text += "." + std::string(name_of(modifier.word));
  return text;
}

std::string text_of(const Instruction& instruction, Architecture architecture) {
  std::string text;
  if (instruction.guard.reg != true_predicate || instruction.guard.negate)
    text = "@" + predicate_text(instruction.guard) + " ";
  text += mnemonic_of(instruction);
  const Operand* before = nullptr;
  for (const Operand& operand : instruction.operands) {
    if (!operand.shown) continue;
    text += before == nullptr || joins_register(instruction, operand, *before) ? " " : ", ";
    text += operand_text(operand, architecture);
    before = &operand;
  }
  return text;
}

}  // namespace warpwalk::sass
