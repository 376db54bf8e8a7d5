#include "core/sass/forms/notation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string>

namespace warpwalk::sass {
namespace {

BitRange bits(std::uint8_t first, std::uint8_t count) { return {.pieces = {{first, count}}}; }

std::uint8_t take_bit(std::string_view& text, std::uint8_t fallback) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return fallback;
  return take_bits(text).pieces.front().first;
}

AddressForm parse_address(std::string_view text) {
  AddressForm form;
  for (std::string_view part : split_words(text, '.')) {
    if (part == "z") {
      form.uniform_shown = true;
    } else if (part == "k") {
      form.offset_unit = 32;
    } else if (part == "v") {
      form.next_uniform = true;
    } else if (part == "n") {
      form.base = no_bit;
      form.offset_bits = 0;
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
        default: reject_notation("unknown address part", text);
      }
    }
  }
  // In SYNCS.EXCH, the uniform register is at bit 24, instead of a register.
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

void place_register(OperandForm& form, std::uint8_t first) {
  form.role = OperandRole::reg;
  form.bits = bits(first, 8);
}

void place_uniform(OperandForm& form, std::uint8_t first, std::uint8_t uniform_bits) {
  form.role = OperandRole::uniform_reg;
  form.bits = bits(first, uniform_bits);
}

void place_register(OperandForm& form, bool uniform, std::uint8_t first, std::uint8_t uniform_bits) {
  if (uniform)
    place_uniform(form, first, uniform_bits);
  else
    place_register(form, first);
}

/// The operand in bits 32-63: a register, an immediate, a constant or a uniform register, depending on the form.
void place_slot_32(OperandForm& form, bool uniform, unsigned number, std::uint8_t uniform_bits) {
  switch (number) {
    case 1: place_register(form, uniform, 32, uniform_bits); break;
    case 2:
    case 4:
      form.role = OperandRole::immediate;
      form.bits = bits(32, 32);
      break;
    case 3:
    case 5: form.role = OperandRole::constant_words; break;
    case 6:
    case 7: place_uniform(form, 32, uniform_bits); break;
    default: reject_notation("no form", std::to_string(number));
  }
}

void place_source(OperandForm& form, char source, bool uniform, unsigned number, std::uint8_t uniform_bits) {
  const bool third_in_32 = number == 2 || number == 3 || number == 7;
  if (source == 'A')
    place_register(form, uniform, 24, uniform_bits);
  else if (source == 'S' || source == 'Z' || (source == 'C') == third_in_32)
    place_slot_32(form, uniform, number, uniform_bits);
  else
    place_register(form, uniform, 64, uniform_bits);
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
      case '^': form.inverted_number = true; break;
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
          default: reject_notation("unknown type", text);
        }
        text.remove_prefix(1);
        break;
      case '/':
        if (take(text, "=")) {
          form.suffix = notation_word(text);
          text = {};
        } else {
          form.suffix_bits = take_bits(text);
          if (!take(text, ":")) reject_notation("no list", text);
          const std::size_t end = std::min(text.find_first_of("?#"), text.size());
          form.suffix_list = notation_list(text.substr(0, end));
          text.remove_prefix(end);
        }
        break;
      default: reject_notation("unknown attribute", text);
    }
  }
  // The bits of an immediate overlap those of the negation, the absolute value and the suffix.
  if (form.role == OperandRole::immediate) {
    form.negate = form.absolute = form.invert = no_bit;
    form.suffix_list = nullptr;
    form.suffix_bits = {};
  }
}

}  // namespace

void reject_notation(std::string_view what, std::string_view text) {
  throw std::logic_error("SASS form: " + std::string(what) + " in \"" + std::string(text) + "\"");
}

std::uint64_t notation_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) reject_notation("no number", text);
  return value;
}

/// Takes the digits, commas and plus signs at the beginning of `text`.
BitRange take_bits(std::string_view& text) {
  BitRange range;
  const std::size_t end = std::min(text.find_first_not_of("0123456789+,"), text.size());
  for (const std::string_view piece : split_words(text.substr(0, end), ',')) {
    const std::size_t plus = piece.find('+');
    range.pieces.push_back({static_cast<std::uint8_t>(notation_number(piece.substr(0, plus), 10)),
                            plus == std::string_view::npos
                                ? std::uint8_t{1}
                                : static_cast<std::uint8_t>(notation_number(piece.substr(plus + 1), 10))});
  }
  text.remove_prefix(end);
  return range;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

Word notation_word(std::string_view name) {
  const Word found = word_named(name);
  if (found == Word::invalid) reject_notation("unknown word", name);
  return found;
}

const ChoiceList* notation_list(std::string_view name) {
  const ChoiceList* const found = choice_list(name);
  if (found == nullptr) reject_notation("unknown list", name);
  return found;
}

OperandForm parse_operand(std::string_view text, unsigned number, std::uint8_t uniform_bits) {
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
  if (take(text, "UPR")) {
    form.role = OperandRole::uniform_predicates;
    parse_attributes(form, text);
    return form;
  }
  const bool uniform = text.size() > 1 && text.front() == 'u' && (text[1] < '0' || text[1] > '9');
  if (uniform) text.remove_prefix(1);
  const char kind = text.front();
  text.remove_prefix(1);
  switch (kind) {
    case 'w': form.role = OperandRole::word; break;
    case 'd':
      place_register(form, uniform, 16, uniform_bits);
      form.written = true;
      break;
    case 'A':
    case 'B':
    case 'C':
    case 'S':
    case 'Z': place_source(form, kind, uniform, number, uniform_bits); break;
    case 'c':
      form.role = take(text, "uA")  ? OperandRole::constant_uniform
                  : take(text, "A") ? OperandRole::constant_reg
                                    : OperandRole::constant;
      form.constant_offset = take_bit(text, form.constant_offset);
      break;
    default: {
      static constexpr std::string_view kinds = "rupqPQiXbsmgeGnRtyTo";
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
                                        OperandRole::group_scoreboard,
                                        OperandRole::descriptor,
                                        OperandRole::matrix_descriptor,
                                        OperandRole::swizzle_signs,
                                        OperandRole::return_pc,
                                        OperandRole::relative_target,
                                        OperandRole::relative_bytes,
                                        OperandRole::absolute_target,
                                        OperandRole::branch_offset};
      const std::size_t at = kinds.find(kind);
      if (at == std::string_view::npos) reject_notation("unknown operand", text);
      form.role = roles[at];
      form.bits = take_bits(text);
      if (kind == 'r') place_register(form, form.bits.pieces.front().first);
      if (kind == 'u') place_uniform(form, form.bits.pieces.front().first, uniform_bits);
      if (kind == 'e' || kind == 'G') form.bits.pieces.front().count = uniform_bits;
      if (kind == 'p' || kind == 'q' || kind == 'P' || kind == 'Q') form.bits.pieces.front().count = 3;
      if (kind == 'p' || kind == 'q') form.written = true;
    }
  }
  parse_attributes(form, text);
  return form;
}

}  // namespace warpwalk::sass
