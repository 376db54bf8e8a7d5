#include "core/sass/forms/form.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string>

#include "core/sass/forms/parse_word.h"

// Parses the tables once. They are part of the program, so a mistake in them is a logic error, which the tests of this
// room find.
namespace warpwalk::sass {
namespace {

constexpr std::size_t code_count = 4096;

[[noreturn]] void reject(std::string_view what, std::string_view text) {
  throw std::logic_error("SASS form: " + std::string(what) + " in \"" + std::string(text) + "\"");
}

std::uint64_t number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) reject("no number", text);
  return value;
}

/// Takes the digits, commas and plus signs at the beginning of `text`.
BitRange take_bits(std::string_view& text) {
  BitRange range;
  const std::size_t end = std::min(text.find_first_not_of("0123456789+,"), text.size());
  for (const std::string_view piece : split_words(text.substr(0, end), ',')) {
    const std::size_t plus = piece.find('+');
    range.pieces.push_back({static_cast<std::uint8_t>(number(piece.substr(0, plus), 10)),
                            plus == std::string_view::npos
                                ? std::uint8_t{1}
                                : static_cast<std::uint8_t>(number(piece.substr(plus + 1), 10))});
  }
  text.remove_prefix(end);
  return range;
}

BitRange bits(std::uint8_t first, std::uint8_t count) { return {.pieces = {{first, count}}}; }

std::uint8_t take_bit(std::string_view& text, std::uint8_t fallback) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return fallback;
  return take_bits(text).pieces.front().first;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

Word word(std::string_view name) {
  const Word word = word_named(name);
  if (word == Word::invalid) reject("unknown word", name);
  return word;
}

const ChoiceList* list(std::string_view name) {
  const ChoiceList* const found = choice_list(name);
  if (found == nullptr) reject("unknown list", name);
  return found;
}

std::uint8_t parse_architectures(std::string_view text) {
  std::uint8_t mask = 0;
  const std::size_t dash = text.find('-');
  const std::uint64_t first = text.empty() ? 0 : number(text.substr(0, dash), 10);
  std::uint64_t last = first;
  if (text.empty() || dash + 1 == text.size())
    last = 1000;
  else if (dash != std::string_view::npos)
    last = number(text.substr(dash + 1), 10);
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
    reject("no comparison", text);
  condition.value = number(text, 16);
  return condition;
}

ModifierForm parse_modifier(std::string_view text) {
  ModifierForm form;
  if (take(text, "=")) {
    form.word = word(text);
    return form;
  }
  form.bits = take_bits(text);
  if (take(text, "?"))
    form.word = word(text);
  else if (take(text, ":"))
    form.list = list(text);
  else
    reject("no list", text);
  return form;
}

AddressForm parse_address(std::string_view text) {
  AddressForm form;
  for (std::string_view part : split_words(text, '.')) {
    if (part == "z") {
      form.uniform_shown = true;
    } else {
      const char kind = part.front();
      part.remove_prefix(1);
      const BitRange range = take_bits(part);
      const std::uint8_t first = range.pieces.front().first;
      switch (kind) {
        case 'r': form.base = first; break;
        case 'u': form.uniform = first; break;
        case 'w': form.wide = first; break;
        case 'd': form.descriptor = first; break;
        case 'x': form.scale = first; break;
        case 's': form.descriptor_shown = first; break;
        case 'o':
          form.offset = first;
          form.offset_bits = range.pieces.front().count;
          break;
        default: reject("unknown address part", text);
      }
    }
  }
  // SYNCS.EXCH has no register: its uniform register takes the place at bit 24.
  if (form.uniform == form.base) form.base = no_bit;
  return form;
}

/// The bits of the negation and of the absolute value of an operand slot.
struct SlotBits {
  std::uint8_t negate = no_bit, absolute = no_bit;
};

SlotBits slot_bits(const OperandForm& form) {
  switch (form.bits.pieces.empty() ? 32 : form.bits.pieces.front().first) {
    case 24: return {72, 73};
    case 64: return {75, 74};
    default: return {63, 62};
  }
}

void place_register(OperandForm& form, bool uniform, std::uint8_t first) {
  form.role = uniform ? OperandRole::uniform_reg : OperandRole::reg;
  form.bits = bits(first, uniform ? 6 : 8);
}

/// The operand in bits 32-63: a register, an immediate, a constant or a uniform register, depending on the form.
void place_slot_32(OperandForm& form, bool uniform, unsigned number) {
  switch (number) {
    case 1: place_register(form, uniform, 32); break;
    case 2:
    case 4:
      form.role = OperandRole::immediate;
      form.bits = bits(32, 32);
      break;
    case 3:
    case 5: form.role = OperandRole::constant_words; break;
    case 6:
    case 7: place_register(form, true, 32); break;
    default: reject("no form", std::to_string(number));
  }
}

void place_source(OperandForm& form, char source, bool uniform, unsigned number) {
  const bool third_in_32 = number == 2 || number == 3 || number == 7;
  if (source == 'A')
    place_register(form, uniform, 24);
  else if (source == 'S' || source == 'Z' || (source == 'C') == third_in_32)
    place_slot_32(form, uniform, number);
  else
    place_register(form, uniform, 64);
  // The operand cache counts the sources, not their bits.
  if (form.role == OperandRole::reg) form.reuse = source == 'A' ? 122 : source == 'B' || source == 'S' ? 123 : 124;
}

void parse_attributes(OperandForm& form, std::string_view text) {
  const SlotBits usual = slot_bits(form);
  while (!text.empty()) {
    const char attribute = text.front();
    text.remove_prefix(1);
    switch (attribute) {
      case '-': form.negate = take_bit(text, usual.negate); break;
      case '|': form.absolute = take_bit(text, usual.absolute); break;
      case '~': form.invert = take_bit(text, usual.negate); break;
      case '!': form.negate = take_bit(text, no_bit); break;
      case '?':
        form.optional = true;
        form.hidden_if_ones = take(text, "1");
        break;
      case '#':
        switch (text.empty() ? '\0' : text.front()) {
          case 's': form.is_signed = true; break;
          case 'f': form.immediate = OperandKind::f32; break;
          case 'd': form.immediate = OperandKind::f64_high; break;
          case 'h': form.immediate = OperandKind::f16_pair; break;
          case 'b': form.immediate = OperandKind::bf16_pair; break;
          default: reject("unknown type", text);
        }
        text.remove_prefix(1);
        break;
      case '/':
        if (take(text, "=")) {
          form.suffix = word(text);
          text = {};
        } else {
          form.suffix_bits = take_bits(text);
          if (!take(text, ":")) reject("no list", text);
          const std::size_t end = std::min(text.find_first_of("?#"), text.size());
          form.suffix_list = list(text.substr(0, end));
          text.remove_prefix(end);
        }
        break;
      default: reject("unknown attribute", text);
    }
  }
  // An immediate has no sign, absolute value or suffix of its own: its bits cover theirs.
  if (form.role == OperandRole::immediate) {
    form.negate = form.absolute = form.invert = no_bit;
    form.suffix_list = nullptr;
    form.suffix_bits = {};
  }
}

OperandForm parse_operand(std::string_view text, unsigned number) {
  OperandForm form;
  form.written = take(text, ">");
  if (text.starts_with("PR")) {
    form.role = OperandRole::predicates;
    parse_attributes(form, text.substr(2));
    return form;
  }
  if (take(text, "M")) {
    form.role = OperandRole::address;
    form.address = parse_address(text);
    return form;
  }
  const bool uniform = text.size() > 1 && text.front() == 'u' && (text[1] < '0' || text[1] > '9');
  if (uniform) text.remove_prefix(1);
  const char kind = text.front();
  text.remove_prefix(1);
  switch (kind) {
    case 'd':
      place_register(form, uniform, 16);
      form.written = true;
      break;
    case 'A':
    case 'B':
    case 'C':
    case 'S':
    case 'Z': place_source(form, kind, uniform, number); break;
    case 'c':
      form.role = take(text, "uA")  ? OperandRole::constant_uniform
                  : take(text, "A") ? OperandRole::constant_reg
                                    : OperandRole::constant;
      break;
    default: {
      static constexpr std::string_view kinds = "rupqPQiXbsmtyTo";
      static constexpr std::array roles{OperandRole::reg,
                                        OperandRole::uniform_reg,
                                        OperandRole::predicate,
                                        OperandRole::uniform_predicate,
                                        OperandRole::predicate,
                                        OperandRole::uniform_predicate,
                                        OperandRole::integer,
                                        OperandRole::special_reg,
                                        OperandRole::barrier,
                                        OperandRole::scoreboard,
                                        OperandRole::scoreboard_set,
                                        OperandRole::relative_target,
                                        OperandRole::relative_bytes,
                                        OperandRole::absolute_target,
                                        OperandRole::branch_offset};
      const std::size_t at = kinds.find(kind);
      if (at == std::string_view::npos) reject("unknown operand", text);
      form.role = roles[at];
      form.bits = take_bits(text);
      if (kind == 'r') place_register(form, false, form.bits.pieces.front().first);
      if (kind == 'u') place_register(form, true, form.bits.pieces.front().first);
      if (kind == 'p' || kind == 'q' || kind == 'P' || kind == 'Q') form.bits.pieces.front().count = 3;
      if (kind == 'p' || kind == 'q') form.written = true;
    }
  }
  parse_attributes(form, text);
  return form;
}

void mark(Encoding& used, std::uint8_t first, unsigned count) {
  if (first != no_bit) used.set(first, count, ~std::uint64_t{0});
}

void mark_operand(Encoding& used, const OperandForm& form) {
  form.bits.mark(used);
  form.suffix_bits.mark(used);
  for (const std::uint8_t bit : {form.negate, form.absolute, form.invert}) mark(used, bit, 1);
  switch (form.role) {
    case OperandRole::constant_words: mark(used, 40, 19); break;
    case OperandRole::constant_reg: mark(used, 24, 8); break;
    case OperandRole::constant_uniform: mark(used, 24, 6); break;
    case OperandRole::address:
      mark(used, form.address.base, 8);
      mark(used, form.address.uniform, 6);
      mark(used, form.address.wide, 1);
      mark(used, form.address.descriptor, 1);
      mark(used, form.address.scale, 2);
      mark(used, form.address.descriptor_shown, 1);
      mark(used, form.address.offset, form.address.offset_bits);
      break;
    default: break;
  }
  if (form.role == OperandRole::constant || form.role == OperandRole::constant_reg ||
      form.role == OperandRole::constant_uniform)
    mark(used, 38, 21);
}

/// Bits 0-15 hold the opcode and the guard, bits 105-125 the control information.
Encoding common_bits() { return Encoding{}.set(0, 16, 0xffff).set(105, 21, 0x1fffff); }

Form parse_row(const Row& row, unsigned form_number) {
  Form form;
  form.architectures = parse_architectures(row.architectures);
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
    const OperandForm operand = parse_operand(text, form_number);
    mark_operand(form.used, operand);
    form.operands.push_back(operand);
    // Bit 91 says that bits 32-37 name a uniform register.
    if (operand.role == OperandRole::uniform_reg && form_number >= 6 && !pinned.bit(91)) {
      form.when.push_back({.bits = bits(91, 1), .test = Condition::Test::equal, .value = 1});
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
  if (text.front() != 'x' && text.front() != 'y') return static_cast<std::uint32_t>(number(text, 16));
  return static_cast<std::uint32_t>(number(text.substr(1), 16)) | (text.front() == 'y' ? 0x100u : 0u) |
         form_number << 9;
}

using Table = std::array<std::vector<Form>, code_count>;

Table parse_tables() {
  Table table;
  for (const std::span<const Row> rows : {integer_rows(), float_rows(), half_rows(), matrix_rows(), convert_rows(),
                                          memory_rows(), atomic_rows(), control_rows(), uniform_rows(), move_rows()})
    for (const Row& row : rows)
      for (const char digit : row.forms) {
        const unsigned form_number = static_cast<unsigned>(digit - '0');
        table[code_of(row.code, form_number)].push_back(parse_row(row, form_number));
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
