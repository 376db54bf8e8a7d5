#include "app/draw/line_breaks.h"

#include "app/draw/glyphs.h"

namespace warpwalk::draw {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; }

// The character that begins at byte `at`.
char32_t character_at(std::string_view text, std::size_t at) {
  if ((text[at] & 0x80) == 0) return static_cast<unsigned char>(text[at]);
  std::size_t end = at + 1;
  while (end < text.size() && continues_character(text[end])) ++end;
  char32_t character = 0;
  visit_wide(text.substr(at, end - at), [&](char32_t one) { character = one; });
  return character;
}

// Chinese and Japanese have no spaces, Korean has.
bool is_word_by_itself(char32_t character) {
  const bool korean = (character >= 0x1100 && character <= 0x11ff) || (character >= 0xac00 && character <= 0xd7ff);
  return is_cjk(character) && !korean;
}

// Whether a line may end before byte `at` without a space.
bool breaks_before(std::string_view line, std::size_t at) {
  constexpr std::u32string_view closing = U"、。，．：；？！）」』】》〉〕…ー々ゃゅょっァィゥェォャュョッ,.:;?!)%";
  constexpr std::u32string_view opening = U"（「『【《〈〔([";
  std::size_t start = at - 1;
  while (start > 0 && continues_character(line[start])) --start;
  const char32_t next = character_at(line, at), before = character_at(line, start);
  if (!is_word_by_itself(next) && !is_word_by_itself(before)) return false;
  return closing.find(next) == std::u32string_view::npos && opening.find(before) == std::u32string_view::npos;
}

}  // namespace

std::size_t next_break(std::string_view line, std::size_t from) {
  for (std::size_t at = from; at < line.size(); ++at) {
    if (line[at] == ' ') return at;
    const bool wide = at > 0 && ((line[at] & 0x80) != 0 || (line[at - 1] & 0x80) != 0);
    if (wide && !continues_character(line[at]) && breaks_before(line, at)) return at;
  }
  return std::string_view::npos;
}

}  // namespace warpwalk::draw
