#pragma once

#include <cstddef>
#include <string_view>

/// Characters and words of UTF-8 text, as a caret moves over them. Positions are in bytes.
namespace warpwalk::draw {

/// Whether a byte continues a character that began before it.
bool inside_character(char c);

std::size_t character_before(std::string_view text, std::size_t at);  ///< start of the character before `at`, or 0
std::size_t character_after(std::string_view text, std::size_t at);   ///< end of the character at `at`, or the text's
std::size_t word_before(std::string_view text, std::size_t at);       ///< start of the word before `at`, or 0
std::size_t word_after(std::string_view text, std::size_t at);        ///< end of the word after `at`, or the text's

}  // namespace warpwalk::draw
