#include "app/draw/glyphs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/draw/imgui_compat.h"

namespace warpwalk::draw {

bool is_cjk(char32_t character) {
  constexpr std::pair<char32_t, char32_t> blocks[] = {{0x1100, 0x11ff},  {0x2e80, 0x9fff}, {0xac00, 0xd7ff},
                                                      {0xf900, 0xfaff},  {0xfe30, 0xfe4f}, {0xff00, 0xffef},
                                                      {0x20000, 0x323af}};
  return std::ranges::any_of(blocks, [&](const auto& b) { return character >= b.first && character <= b.second; });
}

void Glyphs::note(std::string_view text, std::size_t style, ImFont& font) {
  visit_wide(text, [&](char32_t character) {
    if (character > IM_UNICODE_CODEPOINT_MAX || has_glyph(font, character)) return;
    grown_ |= noted_[style].insert(static_cast<ImWchar>(character)).second;
  });
}

const std::array<std::set<ImWchar>, Glyphs::styles>& Glyphs::take() {
  grown_ = false;
  return noted_;
}

}  // namespace warpwalk::draw
