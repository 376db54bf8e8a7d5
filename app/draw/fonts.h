#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/draw/imgui_compat.h"

namespace warpwalk::draw {

/// Says exactly which type was drawn, for example "imgui 1.86, freetype 2.12.1, fonts 0123456789abcdef". Two pictures
/// of one scene can be compared pixel by pixel only where this is the same; the hash is over the bytes of the font
/// files.
struct FontIdentity {
  std::string text;
  bool operator==(const FontIdentity&) const = default;
};

/// What a style's letters are called elsewhere, for pictures that keep text as text.
struct Typeface {
  std::string family;  ///< "Inter"
  int weight = 400;
  float em = 0;        ///< pixels; font_size() is another measure
  float tracking = 0;  ///< pixels between letters, on top of the font's own
};

/// The styles of the house. The fonts belong to the atlas they were loaded into.
struct FontSet {
  ImFont* title = nullptr;       ///< the name of a scene
  ImFont* heading = nullptr;     ///< a part of a scene, a panel
  ImFont* sentence = nullptr;    ///< the narration
  ImFont* body = nullptr;        ///< running text; every wide range
  ImFont* label = nullptr;       ///< text beside marks; every wide range
  ImFont* small_caps = nullptr;  ///< column heads; write capitals
  ImFont* figure = nullptr;      ///< a number that is the point
  ImFont* mono = nullptr;        ///< code and numbers in columns; every wide range
  ImFont* mono_small = nullptr;  ///< the same, smaller
  float scale = 1;               ///< what the sizes were multiplied by
  FontIdentity identity;
  AtlasTexels texels;  ///< what rasterise() draws them from
  std::array<std::pair<const ImFont*, Typeface>, 9> typefaces;

  const Typeface& typeface(const ImFont* font) const;
};

struct FontOptions {
  float scale = 1;  ///< pixels for one unit of the design; 2 on a HiDPI screen; clamped to 0.25 .. 8
  /// Where font files are looked for, first come first served.
  std::vector<std::filesystem::path> directories;
  /// UTF-8. Where given, only its characters (and ASCII) are drawn into the atlas: much quicker for a single picture.
  std::optional<std::string> only_text;
};

/// The folders in which Debian, Ubuntu, Fedora and Arch keep Inter, JetBrains Mono and DejaVu.
std::vector<std::filesystem::path> default_font_directories();

/// The files that load_fonts would use from these folders, each once; none where some style has no font.
std::vector<std::filesystem::path> font_files(const std::vector<std::filesystem::path>& directories);

/// Loads all styles into an empty atlas and builds it; body becomes its first font, the default. Inter and JetBrains
/// Mono give way to DejaVu where they are missing. Answers what is missing and which packages hold it; then the atlas
/// is as empty as before.
std::optional<std::string> load_fonts(ImFontAtlas& atlas, const FontOptions& options, FontSet& fonts);

/// The styles by name, for tests and specimens.
std::array<std::pair<const char*, ImFont*>, 9> styles_of(const FontSet& fonts);

}  // namespace warpwalk::draw
