#include "app/draw/text/utf8.h"

#include <cctype>

namespace warpwalk::draw {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; }

}  // namespace

bool inside_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::size_t character_before(std::string_view text, std::size_t at) {
  if (at > 0) --at;
  while (at > 0 && inside_character(text[at])) --at;
  return at;
}

std::size_t character_after(std::string_view text, std::size_t at) {
  if (at < text.size()) ++at;
  while (at < text.size() && inside_character(text[at])) ++at;
  return at;
}

std::size_t word_before(std::string_view text, std::size_t at) {
  while (at > 0 && !is_word(text[at - 1])) --at;
  while (at > 0 && is_word(text[at - 1])) --at;
  return at;
}

std::size_t word_after(std::string_view text, std::size_t at) {
  while (at < text.size() && !is_word(text[at])) ++at;
  while (at < text.size() && is_word(text[at])) ++at;
  return at;
}

}  // namespace warpwalk::draw
