#include "core/sass/forms/form.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/sass/forms/notation.h"

namespace warpwalk::sass {
namespace {

constexpr std::size_t code_count = 4096;
constexpr std::uint8_t blackwell =
    1u << static_cast<unsigned>(Architecture::sm_100) | 1u << static_cast<unsigned>(Architecture::sm_120);
constexpr std::uint8_t uniform_bits = 6, blackwell_uniform_bits = 8;

std::uint8_t parse_architectures(std::string_view text) {
  std::uint8_t mask = 0;
  const std::size_t dash = text.find('-');
  const std::uint64_t first = text.empty() ? 0 : notation_number(text.substr(0, dash), 10);
  std::uint64_t last = first;
  if (text.empty() || dash + 1 == text.size())
    last = 1000;
  else if (dash != std::string_view::npos)
    last = notation_number(text.substr(dash + 1), 10);
  for (std::size_t i = 0; i < architecture_count; ++i) {
    const std::uint32_t capability = capability_of(static_cast<Architecture>(i));
    if (capability >= first && capability <= last) mask |= static_cast<std::uint8_t>(1u << i);
  }
  return mask;
}

Condition parse_condition(std::string_view text) {
  Condition condition;
  if (take(text, "pow2(")) {
    condition.test = Condition::Test::power_of_two;
    condition.bits = take_bits(text);
    return condition;
  }
  condition.bits = take_bits(text);
  if (take(text, "!="))
    condition.test = Condition::Test::different;
  else if (!take(text, "="))
    reject_notation("no comparison", text);
  condition.value = notation_number(text, 16);
  return condition;
}

ModifierForm parse_modifier(std::string_view text) {
  ModifierForm form;
  if (take(text, "=")) {
    form.word = notation_word(text);
    return form;
  }
  form.bits = take_bits(text);
  if (take(text, "?"))
    form.word = notation_word(text);
  else if (take(text, ":"))
    form.list = notation_list(text);
  else
    reject_notation("no list", text);
  return form;
}

void mark(Encoding& used, std::uint8_t first, unsigned count) {
  if (first != no_bit && count > 0) used.set(first, count, ~std::uint64_t{0});
}

void mark_operand(Encoding& used, const OperandForm& form, std::uint8_t uniform) {
  form.bits.mark(used);
  form.suffix_bits.mark(used);
  for (const std::uint8_t bit : {form.negate, form.absolute, form.invert}) mark(used, bit, 1);
  switch (form.role) {
    case OperandRole::constant_words: mark(used, 40, 19); break;
    case OperandRole::constant_reg: mark(used, 24, 8); break;
    case OperandRole::constant_uniform: mark(used, 24, uniform); break;
    case OperandRole::address:
      mark(used, form.address.base, 8);
      mark(used, form.address.uniform, uniform);
      mark(used, form.address.wide, 1);
      mark(used, form.address.descriptor, 1);
      mark(used, form.address.scale, 2);
      mark(used, form.address.descriptor_shown, 1);
      if (form.address.offset_bits != 0) mark(used, form.address.offset, form.address.offset_bits);
      break;
    default: break;
  }
  if (form.role == OperandRole::constant || form.role == OperandRole::constant_reg ||
      form.role == OperandRole::constant_uniform)
    mark(used, form.constant_offset, 59U - form.constant_offset);
}

/// Bits 0-15 hold the opcode and the guard, bits 105-125 the control information.
Encoding common_bits() { return Encoding{}.set(0, 16, 0xffff).set(105, 21, 0x1fffff); }

/// The form of a row for the architectures of a mask.
Form parse_row(const Row& row, unsigned form_number, std::uint8_t architectures) {
  Form form;
  form.architectures = architectures;
  form.uniform_bits = (architectures & blackwell) != 0 ? blackwell_uniform_bits : uniform_bits;
  form.opcode = row.opcode;
  form.used = common_bits();
  for (const std::string_view text : split_words(row.when)) {
    form.when.push_back(parse_condition(text));
    if (form.when.back().test == Condition::Test::equal) form.when.back().bits.mark(form.used);
  }
  const Encoding pinned = form.used;
  for (const std::string_view text : split_words(row.modifiers)) {
    form.modifiers.push_back(parse_modifier(text));
    form.modifiers.back().bits.mark(form.used);
  }
  for (const std::string_view text : split_words(row.operands)) {
    if (text == "@U") {
      form.uniform_guard = true;
      continue;
    }
    const OperandForm operand = parse_operand(text, form_number, form.uniform_bits);
    mark_operand(form.used, operand, form.uniform_bits);
    form.operands.push_back(operand);
    // Bit 91 says that bits 32-37 name a uniform register.
    if (operand.role == OperandRole::uniform_reg && form_number >= 6 && !pinned.bit(91)) {
      form.when.push_back({.bits = {.pieces = {{91, 1}}}, .test = Condition::Test::equal, .value = 1});
      mark(form.used, 91, 1);
    }
  }
  for (std::string_view text : split_words(row.ignored)) {
    const BitRange range = take_bits(text);
    range.mark(form.used);
    if (!pinned.bit(range.pieces.front().first)) form.ignored.push_back(range);
  }
  return form;
}

/// Bits 0-11 for a form: "x24" is the operation 024, "y08" the operation 108, and the form is in bits 9-11.
std::uint32_t code_of(std::string_view text, unsigned form_number) {
  if (text.front() != 'x' && text.front() != 'y') return static_cast<std::uint32_t>(notation_number(text, 16));
  return static_cast<std::uint32_t>(notation_number(text.substr(1), 16)) | (text.front() == 'y' ? 0x100u : 0u) |
         form_number << 9;
}

using Table = std::array<std::vector<Form>, code_count>;

Table parse_tables() {
  Table table;
  for (const std::span<const Row> rows : {blackwell_rows(), integer_rows(), float_rows(), half_rows(), matrix_rows(),
                                          convert_rows(), memory_rows(), atomic_rows(), control_rows(), uniform_rows(),
                                          move_rows(), texture_rows(), warp_group_rows(), bulk_copy_rows()})
    for (const Row& row : rows)
      for (const char digit : row.forms) {
        const unsigned form_number = static_cast<unsigned>(digit - '0');
        std::vector<Form>& forms = table[code_of(row.code, form_number)];
        const std::uint8_t all = parse_architectures(row.architectures);
        // The number of a uniform register is longer since sm_100.
        for (const std::uint8_t part : {all & ~blackwell, all & blackwell})
          if (part != 0) forms.push_back(parse_row(row, form_number, part));
      }
  return table;
}

}  // namespace

std::uint64_t BitRange::of(const Encoding& encoding) const {
  std::uint64_t value = 0;
  unsigned shift = 0;
  for (const Piece& piece : pieces) {
    value |= encoding.bits(piece.first, piece.count) << shift;
    shift += piece.count;
  }
  return value;
}

unsigned BitRange::count() const {
  unsigned total = 0;
  for (const Piece& piece : pieces) total += piece.count;
  return total;
}

void BitRange::mark(Encoding& used) const {
  for (const Piece& piece : pieces) used.set(piece.first, piece.count, ~std::uint64_t{0});
}

std::span<const Form> forms_of(std::uint32_t code) {
  static const Table table = parse_tables();
  return table[code % code_count];
}

}  // namespace warpwalk::sass
