#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string_view>

#include <imgui.h>

namespace warpwalk::draw {

/// Whether a character is of Chinese, Japanese or Korean writing, which the fonts for text and code do not have.
bool is_cjk(char32_t character);

/// Calls `visit` with each character of UTF-8 text that is not ASCII. Bytes that are no UTF-8 are left out.
template <class Visit>
void visit_wide(std::string_view text, const Visit& visit) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    if ((*at & 0x80) == 0) {
      ++at;
      continue;
    }
    const auto first = static_cast<unsigned char>(*at);
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
    char32_t character = first & (0x3f >> more);
    int read = 0;
    for (++at; read < more && at < end && (*at & 0xc0) == 0x80; ++at, ++read)
      character = character << 6 | (static_cast<unsigned char>(*at) & 0x3f);
    if (more > 0 && read == more) visit(character);
  }
}

/// The characters that a window or a picture has drawn and that its atlas did not have, by style: the next atlas has
/// them. So an atlas has the glyphs of a language only for the texts that were shown.
class Glyphs {
 public:
  static constexpr std::size_t styles = 9;

  /// Notes the characters of a text in a style (its place in FontSet::typefaces) that the font lacks.
  void note(std::string_view text, std::size_t style, ImFont& font);
  /// True if characters were noted since take() was last called.
  bool grown() const { return grown_; }
  /// All characters that were ever noted, by style.
  const std::array<std::set<ImWchar>, styles>& take();

 private:
  std::array<std::set<ImWchar>, styles> noted_;
  bool grown_ = false;
};

}  // namespace warpwalk::draw
