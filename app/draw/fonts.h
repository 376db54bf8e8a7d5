#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/draw/glyphs.h"
#include "app/draw/imgui_compat.h"
#include "core/base/result.h"

namespace warpwalk::draw {

/// Identifies the fonts that were drawn, e.g. "imgui 1.86, freetype 2.12.1, fonts 0123456789abcdef". Two pictures of
/// one scene can be compared pixel by pixel only if their identities are equal. The hash covers the bytes of the font
/// files.
struct FontIdentity {
  std::string text;
  bool operator==(const FontIdentity&) const = default;
};

/// The typeface of a style in CSS terms, for pictures that keep text as text (SVG).
struct Typeface {
  std::string family;  ///< "Inter"
  int weight = 400;
  float em = 0;        ///< em size in pixels; differs from font_size()
  float tracking = 0;  ///< extra pixels between letters
};

/// The text styles of the program. The atlas that the fonts were loaded into owns them.
struct FontSet {
  ImFont* title = nullptr;       ///< the name of a scene
  ImFont* heading = nullptr;     ///< the name of a panel or of a part of a scene
  ImFont* sentence = nullptr;    ///< the narration
  ImFont* body = nullptr;        ///< running text; all wide character ranges
  ImFont* label = nullptr;       ///< text beside marks; all wide character ranges
  ImFont* small_caps = nullptr;  ///< column headings; use with capital letters
  ImFont* figure = nullptr;      ///< an important number
  ImFont* mono = nullptr;        ///< code and numbers in columns; all wide character ranges
  ImFont* mono_small = nullptr;  ///< the same, smaller
  float scale = 1;               ///< pixels per unit
  FontIdentity identity;
  AtlasTexels texels;  ///< input of rasterise()
  std::array<std::pair<const ImFont*, Typeface>, 9> typefaces;
  Glyphs* glyphs = nullptr;  ///< of the options: notes what is drawn and missing
  bool lacks_cjk = false;    ///< Chinese, Japanese or Korean characters were asked for, and no font has them
  std::shared_ptr<const std::string> cjk;  ///< the bytes of a font that the atlas reads

  const Typeface& typeface(const ImFont* font) const;
  /// The place of the font's style in `typefaces`.
  std::size_t style_of(const ImFont* font) const;
};

/// Sizes for the last row of a lecture hall, in pixels of an em, as CSS counts them.
struct LargeType {
  float smallest = 0;  ///< no style is smaller
  float sentence = 0;  ///< the narration is not smaller
  float title = 0;     ///< the size of the title
  bool operator==(const LargeType&) const = default;
};

struct FontOptions {
  float scale = 1;  ///< pixels per unit; 2 on a HiDPI screen; clamped to 0.25 .. 8
  /// Folders to search for font files, in order.
  std::vector<std::filesystem::path> directories;
  /// UTF-8. If set, the atlas contains only these characters and ASCII, which is much faster for a single picture.
  std::optional<std::string> only_text;
  std::optional<LargeType> large = {};  ///< while presenting
  /// Characters that the atlas has besides; further ones are noted there as they are drawn. It must outlive the fonts.
  /// Null: none.
  Glyphs* glyphs = nullptr;
};

/// One line for FontSet::lacks_cjk: what is shown instead, and the packages that help.
std::string cjk_advice();

/// The folders where Debian, Ubuntu, Fedora and Arch install Inter, JetBrains Mono, DejaVu and fonts for CJK.
std::vector<std::filesystem::path> default_font_directories();

/// Returns the files that load_fonts would use from these folders, without duplicates. The list is empty if a style
/// lacks a font.
std::vector<std::filesystem::path> font_files(const std::vector<std::filesystem::path>& directories);

/// Loads all styles into an empty atlas and builds it; body becomes its first font, the default. DejaVu replaces Inter
/// and JetBrains Mono if they are missing. A font with Chinese, Japanese and Korean characters is read only if the text
/// or the glyphs of the options have such. On failure: one line that names what is missing and the packages that
/// contain it; the atlas then stays empty.
base::Result<void> load_fonts(ImFontAtlas& atlas, const FontOptions& options, FontSet& fonts);

/// The styles by name, for tests and font specimens.
std::array<std::pair<const char*, ImFont*>, 9> styles_of(const FontSet& fonts);

}  // namespace warpwalk::draw
