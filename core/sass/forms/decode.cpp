#include "core/sass/forms/decode.h"

#include <bit>
#include <optional>

#include "core/sass/forms/form.h"
#include "core/sass/number_text.h"

namespace warpwalk::sass {
namespace {

constexpr unsigned uniform_bit = 91;    // in a constant operand: the bank is given by a descriptor
constexpr std::uint8_t pt_pattern = 7;  // three or four bits that name PT
constexpr std::uint64_t no_scoreboard = 7;
constexpr unsigned target_unit = 4;  // bytes per unit of a branch target

std::int64_t sign_extended(std::uint64_t value, unsigned count) {
  if (count >= 64) return static_cast<std::int64_t>(value);
  const std::uint64_t sign = std::uint64_t{1} << (count - 1);
  return static_cast<std::int64_t>((value ^ sign) - sign);
}

bool fits(const Condition& condition, const Encoding& encoding) {
  const std::uint64_t value = condition.bits.of(encoding);
  switch (condition.test) {
    case Condition::Test::equal: return value == condition.value;
    case Condition::Test::different: return value != condition.value;
    case Condition::Test::power_of_two: return std::has_single_bit(value);
  }
  return false;
}

bool fits(const Form& form, Architecture architecture, const Encoding& encoding) {
  if ((form.architectures >> static_cast<unsigned>(architecture) & 1) == 0) return false;
  for (const Condition& condition : form.when)
    if (!fits(condition, encoding)) return false;
  return true;
}

bool is_meaningless(const BitRange& range, const Encoding& encoding) {
  const std::uint64_t value = range.of(encoding);
  const std::uint64_t ones = (std::uint64_t{1} << range.count()) - 1;
  return value == 0 || value == ones || (range.count() == 4 && value == pt_pattern);
}

/// The first bit set in `encoding` but not in `used`, or nullopt.
std::optional<unsigned> unused_bit(const Encoding& encoding, const Encoding& used) {
  if (const std::uint64_t low = encoding.low & ~used.low; low != 0) return std::countr_zero(low);
  if (const std::uint64_t high = encoding.high & ~used.high; high != 0) return 64 + std::countr_zero(high);
  return std::nullopt;
}

std::string range_text(const BitRange& range) {
  std::string text;
  for (const BitRange::Piece& piece : range.pieces) {
    if (!text.empty()) text += " and ";
    text += std::to_string(piece.first);
    if (piece.count > 1) text += "-" + std::to_string(piece.first + piece.count - 1);
  }
  return text;
}

/// Decodes one instruction in a given form.
class Decoder {
 public:
  Decoder(Architecture architecture, const Encoding& encoding, std::uint64_t address)
      : architecture_(architecture), encoding_(encoding), address_(address) {}

  /// Returns the reason if the encoding has a bit or a value that the form does not know.
  std::optional<std::string> decode(const Form& form, Instruction& out) {
    out.opcode = form.opcode;
    out.address = address_;
    out.control = control_of(encoding_);
    out.guard.kind = form.uniform_guard ? OperandKind::uniform_predicate : OperandKind::predicate;
    out.guard.reg = byte(12, 3);
    out.guard.negate = encoding_.bit(15);
    uniform_bits_ = form.uniform_bits;
    Encoding used = form.used;
    for (const ModifierForm& modifier : form.modifiers)
      if (auto reason = decode(modifier, out)) return reason;
    for (const OperandForm& operand : form.operands)
      if (auto reason = decode(operand, out, used)) return reason;
    for (const BitRange& range : form.ignored)
      if (!is_meaningless(range, encoding_)) return "unknown value in bits " + range_text(range);
    if (const auto bit = unused_bit(encoding_, used)) return "bit " + std::to_string(*bit) + " has no known meaning";
    return std::nullopt;
  }

 private:
  std::uint8_t byte(unsigned first, unsigned count) const {
    return static_cast<std::uint8_t>(encoding_.bits(first, count));
  }
  /// The number of the uniform register in the bits from `first` on.
  std::uint8_t uniform_register(unsigned first) const {
    const std::uint8_t number = byte(first, uniform_bits_);
    return number == (1U << uniform_bits_) - 1 ? zero_uniform_register : number;
  }
  bool bit(std::uint8_t at) const { return at != no_bit && encoding_.bit(at); }

  std::optional<std::string> decode(const ModifierForm& form, Instruction& out) const {
    if (form.bits.pieces.empty()) {
      out.modifiers.push_back({Field::flag, form.word, true});
    } else if (form.list == nullptr) {
      if (form.bits.of(encoding_) != 0) out.modifiers.push_back({Field::flag, form.word, true});
    } else {
      const std::uint64_t value = form.bits.of(encoding_);
      if (value >= form.list->choices.size() || form.list->choices[value].word == Word::invalid)
        return "unknown modifier " + std::to_string(value) + " in bits " + range_text(form.bits);
      const Choice& choice = form.list->choices[value];
      out.modifiers.push_back({form.list->field, choice.word, choice.shown});
    }
    return std::nullopt;
  }

  std::optional<std::string> decode(const OperandForm& form, Instruction& out, Encoding& used) const {
    Operand operand;
    operand.written = form.written;
    operand.negate = bit(form.negate);
    operand.absolute = bit(form.absolute);
    operand.invert = bit(form.invert);
    const std::uint64_t value = form.bits.of(encoding_);
    const auto set = [&](OperandKind kind) {
      operand.kind = kind;
      operand.reg = static_cast<std::uint8_t>(value);
    };
    switch (form.role) {
      case OperandRole::reg:
        set(OperandKind::reg);
        operand.reuse = bit(form.reuse);
        operand.shown = !form.optional || operand.reg != zero_register;
        break;
      case OperandRole::uniform_reg:
        operand.kind = OperandKind::uniform_reg;
        operand.reg = uniform_register(form.bits.pieces.front().first);
        operand.shown = !form.optional || operand.reg != zero_uniform_register;
        break;
      case OperandRole::predicate:
      case OperandRole::uniform_predicate:
        set(form.role == OperandRole::predicate ? OperandKind::predicate : OperandKind::uniform_predicate);
        if (form.inverted_number) operand.reg = static_cast<std::uint8_t>(true_predicate - operand.reg);
        operand.shown = !form.optional || operand.reg != true_predicate || operand.negate;
        break;
      case OperandRole::predicates: set(OperandKind::predicates); break;
      case OperandRole::uniform_predicates: set(OperandKind::uniform_predicates); break;
      case OperandRole::immediate:
        operand.kind = form.immediate;
        operand.value = form.is_signed ? sign_extended(value, 32) : static_cast<std::int64_t>(value);
        break;
      case OperandRole::integer:
        operand.kind = OperandKind::integer;
        operand.value = form.is_signed ? sign_extended(value, form.bits.count()) : static_cast<std::int64_t>(value);
        operand.is_unsigned = form.bits.count() == 64;
        if (form.hidden_if_ones)
          operand.shown = value != (std::uint64_t{1} << form.bits.count()) - 1;
        else
          operand.shown = !form.optional || value != 0;
        break;
      case OperandRole::constant_words:
      case OperandRole::constant:
      case OperandRole::constant_reg:
      case OperandRole::constant_uniform:
        decode_constant(form, form.role == OperandRole::constant ? 24 : 32, operand, used);
        break;
      case OperandRole::address: decode_address(form.address, operand); break;
      case OperandRole::word: operand.kind = OperandKind::word; break;
      case OperandRole::special_reg:
        operand.kind = OperandKind::special_reg;
        operand.value = static_cast<std::int64_t>(value);
        break;
      case OperandRole::barrier: set(OperandKind::barrier); break;
      case OperandRole::scoreboard: set(OperandKind::scoreboard); break;
      case OperandRole::scoreboard_set:
        operand.kind = OperandKind::scoreboard_set;
        operand.value = static_cast<std::int64_t>(value);
        operand.shown = value != 0;
        break;
      case OperandRole::group_scoreboard:
        set(OperandKind::group_scoreboard);
        operand.shown = value != no_scoreboard;
        if (operand.shown && value != 0) return "unknown scoreboard " + std::to_string(value);
        break;
      case OperandRole::descriptor:
        operand.kind = OperandKind::descriptor;
        operand.reg = uniform_register(form.bits.pieces.front().first);
        operand.shown = encoding_.bit(form.bits.pieces.back().first);
        break;
      case OperandRole::matrix_descriptor:
        operand.kind = OperandKind::matrix_descriptor;
        operand.reg = uniform_register(form.bits.pieces.front().first);
        break;
      case OperandRole::swizzle_signs:
        operand.kind = OperandKind::swizzle_signs;
        operand.value = static_cast<std::int64_t>(value);
        break;
      case OperandRole::return_pc: set(OperandKind::return_pc); break;
      case OperandRole::relative_target:
      case OperandRole::relative_bytes:
      case OperandRole::absolute_target:
      case OperandRole::branch_offset: decode_target(form, value, operand); break;
    }
    if (form.suffix_list != nullptr) {
      const std::uint64_t index = form.suffix_bits.of(encoding_);
      if (index >= form.suffix_list->choices.size() || form.suffix_list->choices[index].word == Word::invalid)
        return "unknown part " + std::to_string(index) + " in bits " + range_text(form.suffix_bits);
      operand.suffix = form.suffix_list->choices[index].word;
      operand.has_suffix = true;
    } else {
      operand.suffix = form.suffix;
    }
    out.operands.push_back(operand);
    return std::nullopt;
  }

  void decode_constant(const OperandForm& form, unsigned descriptor_at, Operand& operand, Encoding& used) const {
    const OperandRole role = form.role;
    const unsigned offset_bits = 54U - form.constant_offset;
    operand.kind = OperandKind::constant;
    operand.bank = byte(54, 5);
    operand.value = sign_extended(encoding_.bits(form.constant_offset, offset_bits), offset_bits);
    operand.indexed = role == OperandRole::constant_reg || role == OperandRole::constant_uniform;
    if (role == OperandRole::constant_reg) operand.reg = byte(24, 8);
    if (role == OperandRole::constant_uniform) operand.uniform = uniform_register(24);
    operand.uniform_shown = role == OperandRole::constant_uniform;
    if (!operand.indexed && encoding_.bit(uniform_bit)) {
      operand.bindless = true;
      operand.value = static_cast<std::int64_t>(encoding_.bits(38, 16));
      operand.uniform = uniform_register(descriptor_at);
      used.set(uniform_bit, 1, 1).set(descriptor_at, uniform_bits_, 0xff);
    }
  }

  void decode_address(const AddressForm& form, Operand& operand) const {
    operand.kind = OperandKind::address;
    if (form.base != no_bit) operand.reg = byte(form.base, 8);
    if (form.scale != no_bit) {
      static constexpr std::uint8_t scales[] = {1, 4, 8, 16};
      operand.scale = scales[encoding_.bits(form.scale, 2)];
    }
    const bool has_descriptor = bit(form.descriptor);
    if (form.uniform != no_bit)
      (has_descriptor ? operand.descriptor : operand.uniform) = uniform_register(form.uniform);
    if (form.next_uniform && operand.uniform < zero_uniform_register - 1) ++operand.uniform;
    if (bit(form.wide))
      operand.width = AddressWidth::bits_64;
    else if (form.wide != no_bit)
      operand.width = AddressWidth::unsigned_32;
    operand.descriptor_shown = has_descriptor && (architecture_ >= Architecture::sm_90 || bit(form.descriptor_shown));
    operand.uniform_shown = form.uniform_shown;
    if (form.offset_bits != 0)
      operand.value = sign_extended(encoding_.bits(form.offset, form.offset_bits), form.offset_bits) * form.offset_unit;
  }

  void decode_target(const OperandForm& form, std::uint64_t value, Operand& operand) const {
    const std::uint64_t unit = form.role == OperandRole::relative_bytes ? 1 : target_unit;
    const std::uint64_t distance = unit * (form.role == OperandRole::absolute_target
                                               ? value
                                               : static_cast<std::uint64_t>(sign_extended(value, form.bits.count())));
    operand.kind = form.role == OperandRole::branch_offset ? OperandKind::branch_offset : OperandKind::target;
    const bool relative = form.role == OperandRole::relative_target || form.role == OperandRole::relative_bytes;
    operand.value = static_cast<std::int64_t>(distance + (relative ? address_ + instruction_bytes : 0));
    operand.shown = !form.optional || value != 0;
  }

  Architecture architecture_;
  const Encoding& encoding_;
  std::uint64_t address_;
  unsigned uniform_bits_ = 0;
};

UnknownInstruction unknown(const Encoding& encoding, std::uint64_t address, const std::string& reason) {
  const auto code = static_cast<std::uint32_t>(encoding.bits(0, 12));
  return {address, encoding,
          "instruction " + hex_text_unsigned(code) + " at " + hex_text_unsigned(address) + ": " + reason};
}

}  // namespace

Decoded decode(Architecture architecture, const Encoding& encoding, std::uint64_t address) {
  bool known = false;
  for (const Form& form : forms_of(static_cast<std::uint32_t>(encoding.bits(0, 12)))) {
    known = known || (form.architectures >> static_cast<unsigned>(architecture) & 1) != 0;
    if (!fits(form, architecture, encoding)) continue;
    Instruction instruction;
    const auto reason = Decoder(architecture, encoding, address).decode(form, instruction);
    if (reason) return unknown(encoding, address, std::string(name_of(form.opcode)) + ": " + *reason);
    return instruction;
  }
  return unknown(encoding, address, known ? "unknown form of the opcode" : "unknown opcode");
}

std::vector<Decoded> decode(Architecture architecture, std::string_view code) {
  std::vector<Decoded> out;
  out.reserve(code.size() / instruction_bytes);
  for (std::size_t at = 0; code.size() - at >= instruction_bytes; at += instruction_bytes)
    out.push_back(decode(architecture, encoding_at(reinterpret_cast<const unsigned char*>(code.data()) + at), at));
  return out;
}

}  // namespace warpwalk::sass
