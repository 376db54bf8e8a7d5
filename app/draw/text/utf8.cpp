#include "app/draw/text/utf8.h"

#include <cctype>

namespace warpwalk::draw {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; }

}  // namespace

void append_utf8(std::string& text, char32_t c) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else if (c < 0x110000) {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

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
