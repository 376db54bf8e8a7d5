#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/sass/forms/form.h"

// The parts of a Row's notation. The tables are part of the program, so a mistake in them throws std::logic_error,
// which the tests of this room find.
namespace warpwalk::sass {

/// The parts of a text between spaces.
inline std::vector<std::string_view> split_words(std::string_view text, char separator = ' ') {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) words.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return words;
}

[[noreturn]] void reject_notation(std::string_view what, std::string_view text);
/// A whole number in this base.
std::uint64_t notation_number(std::string_view text, int base);
/// Takes the digits, commas and plus signs at the beginning of `text`.
BitRange take_bits(std::string_view& text);
/// Takes `prefix` if `text` begins with it.
bool take(std::string_view& text, std::string_view prefix);
Word notation_word(std::string_view name);
const ChoiceList* notation_list(std::string_view name);

/// One word of Row::operands, for one value of bits 9-11. The number of a uniform register has `uniform_bits` bits.
OperandForm parse_operand(std::string_view text, unsigned form_number, std::uint8_t uniform_bits);

}  // namespace warpwalk::sass
