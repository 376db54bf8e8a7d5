#include "app/draw/fonts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <map>
#include <string_view>
#include <system_error>

#include <ft2build.h>
#include <xxhash.h>
#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H

#include "core/platform/executable_path.h"

namespace warpwalk::draw {
namespace {

using Names = std::initializer_list<const char*>;

// In order of preference. DejaVu is last: it is the fallback on systems without the other two.
constexpr Names kInterMedium = {"Inter-Medium.otf", "Inter-Medium.ttf", "DejaVuSans.ttf"};
constexpr Names kInterSemiBold = {"Inter-SemiBold.otf", "Inter-SemiBold.ttf", "DejaVuSans-Bold.ttf"};
constexpr Names kMono = {"JetBrainsMono-Regular.ttf", "JetBrainsMono-Regular.otf", "DejaVuSansMono.ttf"};
constexpr Names kMonoMedium = {"JetBrainsMono-Medium.ttf", "JetBrainsMono-Medium.otf", "DejaVuSansMono.ttf"};
constexpr Names kSansRest = {"DejaVuSans.ttf"};
constexpr Names kMonoRest = {"DejaVuSansMono.ttf"};
// The first is that of the page in a browser, which has only the glyphs of its texts (app/window/browser/pack.py).
constexpr Names kCjk = {"warpwalk-cjk.ttf",          "wqy-microhei.ttc", "NotoSansCJK-Regular.ttc",
                        "NotoSansCJKsc-Regular.otf", "wqy-zenhei.ttc",   "DroidSansFallbackFull.ttf"};

/// Pairs of first and last character, in ImGui's format. Used for large text: headlines and numbers.
constexpr ImWchar kNarrow[] = {0x20,   0x7e,   0xa0,   0xff,   0x3b1,  0x3c9,  0x1d40, 0x1d40, 0x2010, 0x2026, 0x2032,
                               0x2033, 0x2070, 0x207b, 0x2080, 0x2089, 0x2190, 0x2193, 0x2202, 0x2202, 0x2207, 0x2207,
                               0x2212, 0x2212, 0x221e, 0x221e, 0x2248, 0x2248, 0x2260, 0x2260, 0x2264, 0x2265, 0};
/// Latin, Greek, superscripts, arrows, operators, technical signs, boxes and shapes, check marks.
constexpr ImWchar kWide[] = {0x20,   0x17f,  0x370,  0x3ff,  0x1d40, 0x1d40, 0x1d62, 0x1d6a, 0x2010,
                             0x205e, 0x2070, 0x209c, 0x2190, 0x21ff, 0x2200, 0x22ff, 0x2300, 0x23ff,
                             0x2500, 0x25ff, 0x2713, 0x2717, 0x2c7c, 0x2c7c, 0};

struct FontStyle {
  ImFont* FontSet::*font;
  const char* name;
  Names files;
  Names rest;  ///< fallback fonts, merged for characters that the first font lacks
  float size;
  const ImWchar* ranges;
  float tracking = 0;  ///< extra units between letters; capitals are too close together without it
};

// Body first: the atlas's first font is ImGui's default.
const std::array<FontStyle, 9> kStyles = {{
    {&FontSet::body, "body", kInterMedium, kSansRest, 17, kWide},
    {&FontSet::label, "label", kInterMedium, kSansRest, 15, kWide},
    {&FontSet::mono, "mono", kMono, kMonoRest, 17, kWide},
    {&FontSet::mono_small, "mono_small", kMono, kMonoRest, 15, kNarrow},
    {&FontSet::sentence, "sentence", kInterMedium, kSansRest, 21, kNarrow},
    {&FontSet::small_caps, "small_caps", kInterSemiBold, kSansRest, 14, kNarrow, 0.7f},
    {&FontSet::heading, "heading", kInterSemiBold, kSansRest, 20, kNarrow},
    {&FontSet::figure, "figure", kMonoMedium, kMonoRest, 24, kNarrow},
    {&FontSet::title, "title", kInterSemiBold, kSansRest, 36, kNarrow},
}};

/// Font files. Each is read once, even if several styles use it.
class Files {
 public:
  explicit Files(const std::vector<std::filesystem::path>& directories) : directories_(directories) {}

  /// Returns the first of `names` that can be read, or nullptr.
  const std::string* find(const Names& names) {
    for (const char* name : names) {
      const std::string& bytes = read(name);
      if (!bytes.empty()) return &bytes;
    }
    return nullptr;
  }

  /// The paths of the files that were found, in order of their names.
  std::vector<std::filesystem::path> places() const {
    std::vector<std::filesystem::path> out;
    for (const auto& [name, place] : places_) out.push_back(place);
    return out;
  }

  /// Hash of the bytes of all used files, in order of their names.
  std::uint64_t hash() const {
    std::uint64_t hash = 0;
    for (const auto& [name, bytes] : read_) hash = XXH3_64bits_withSeed(bytes.data(), bytes.size(), hash);
    return hash;
  }

 private:
  static bool is_font(const std::string& bytes) {
    // ImGui aborts on a file that is not a font, so such files are rejected here.
    if (bytes.size() < 64) return false;
    const std::string_view magic(bytes.data(), 4);
    return magic == std::string_view("\0\1\0\0", 4) || magic == "OTTO" || magic == "true" || magic == "ttcf";
  }

  const std::string& read(const char* name) {
    const auto [place, is_new] = read_.try_emplace(name);
    if (!is_new) return place->second;
    for (const std::filesystem::path& directory : directories_) {
      std::error_code error;
      if (!std::filesystem::is_regular_file(directory / name, error)) continue;
      std::ifstream in(directory / name, std::ios::binary | std::ios::ate);
      if (!in || in.tellg() <= 0) continue;
      std::string bytes(static_cast<std::size_t>(in.tellg()), '\0');
      in.seekg(0);
      in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      if (!in || !is_font(bytes)) continue;
      place->second = std::move(bytes);
      places_.emplace(name, directory / name);
      break;
    }
    return place->second;
  }

  const std::vector<std::filesystem::path>& directories_;
  std::map<std::string, std::string> read_;
  std::map<std::string, std::filesystem::path> places_;
};

std::string nothing_found(const std::vector<std::filesystem::path>& directories) {
  std::string text = "no font found: looked in ";
  for (std::size_t i = 0; i < directories.size(); ++i) text.append(i > 0 ? ", " : "").append(directories[i].string());
  if (directories.empty()) text += "no folder at all";
  return text.append("; install fonts-inter fonts-jetbrains-mono fonts-dejavu-core");
}

/// Adds a copy of the bytes. The atlas owns the copy, because newer ImGui versions read it for the atlas's lifetime.
ImFont* add_font(ImFontAtlas& atlas, const std::string& bytes, float size, float tracking, const ImWchar* ranges,
                 bool merge) {
  ImFontConfig config;
  config.MergeMode = merge;
  config.OversampleH = 1;
  config.PixelSnapH = true;  // glyphs start on whole pixels, so hinted stems stay sharp
  set_tracking(config, tracking);
  void* copy = IM_ALLOC(bytes.size());
  std::memcpy(copy, bytes.data(), bytes.size());
  return atlas.AddFontFromMemoryTTF(copy, static_cast<int>(bytes.size()), size, &config, ranges);
}

/// Merges the CJK characters of a style into its font. The bytes are not copied: the file is large.
void add_cjk(ImFontAtlas& atlas, const std::string& bytes, float size, float tracking, const ImWchar* ranges) {
  ImFontConfig config;
  config.MergeMode = true;
  config.OversampleH = 1;
  config.PixelSnapH = true;
  config.FontDataOwnedByAtlas = false;
  set_tracking(config, tracking);
  atlas.AddFontFromMemoryTTF(const_cast<char*>(bytes.data()), static_cast<int>(bytes.size()), size, &config, ranges);
}

/// The characters of one style's fonts: all of them, and those that only a CJK font has.
struct StyleRanges {
  ImVector<ImWchar> all, cjk;
  std::vector<ImWchar> cjk_characters;

  StyleRanges(const FontStyle& style, const FontOptions& options, const std::set<ImWchar>& noted) {
    ImFontGlyphRangesBuilder every, wide;
    const auto add = [&](char32_t character) {
      if (character > IM_UNICODE_CODEPOINT_MAX) return;
      every.AddChar(static_cast<ImWchar>(character));
      if (!is_cjk(character)) return;
      wide.AddChar(static_cast<ImWchar>(character));
      cjk_characters.push_back(static_cast<ImWchar>(character));
    };
    if (options.only_text) {
      for (ImWchar c = 0x20; c < 0x7f; ++c) every.AddChar(c);
      visit_wide(*options.only_text, add);
    } else {
      every.AddRanges(style.ranges);
    }
    for (const ImWchar character : noted) add(character);
    every.BuildRanges(&all);
    if (!cjk_characters.empty()) wide.BuildRanges(&cjk);
  }
};

/// A separate FreeType instance that reads the metadata of font files.
class FreeType {
 public:
  FreeType() { usable_ = FT_Init_FreeType(&library_) == 0; }
  ~FreeType() {
    if (usable_) FT_Done_FreeType(library_);
  }
  FreeType(const FreeType&) = delete;
  FreeType& operator=(const FreeType&) = delete;

  std::string version() const {
    if (!usable_) return "freetype unknown";
    FT_Int major = 0, minor = 0, patch = 0;
    FT_Library_Version(library_, &major, &minor, &patch);
    return "freetype " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  }

  /// `size` is measured as in ImGui: from ascender to descender.
  Typeface typeface(const std::string& bytes, float size, float tracking) const {
    Typeface out = {"sans-serif", 400, size * 0.8f, tracking};
    FT_Face face = nullptr;
    const auto* data = reinterpret_cast<const FT_Byte*>(bytes.data());
    if (!usable_ || FT_New_Memory_Face(library_, data, static_cast<FT_Long>(bytes.size()), 0, &face) != 0) return out;
    if (face->family_name != nullptr) out.family = face->family_name;
    const int high = face->ascender - face->descender;
    if (high > 0) out.em = size * static_cast<float>(face->units_per_EM) / static_cast<float>(high);
    if (const auto* os2 = static_cast<const TT_OS2*>(FT_Get_Sfnt_Table(face, FT_SFNT_OS2)); os2 != nullptr)
      out.weight = os2->usWeightClass;
    FT_Done_Face(face);
    return out;
  }

 private:
  FT_Library library_ = nullptr;
  bool usable_ = false;
};

/// The size of a style in pixels from ascender to descender, of which `em` is the part of an em.
float large_size(const LargeType& large, const FontStyle& style, float size, float em) {
  const float part = em > 0 ? em : 0.8f;
  if (style.font == &FontSet::title) return std::ceil(large.title / part);
  const float least = style.font == &FontSet::sentence ? std::max(large.sentence, large.smallest) : large.smallest;
  return std::max(size, std::ceil(least / part));
}

}  // namespace

std::vector<std::filesystem::path> default_font_directories() {
  return {platform::executable_path().parent_path().parent_path() / "share/warpwalk/fonts",  // of an installation
          "/usr/share/fonts/opentype/inter",
          "/usr/share/fonts/truetype/inter",
          "/usr/share/fonts/truetype/jetbrains-mono",
          "/usr/share/fonts/opentype/jetbrains-mono",
          "/usr/share/fonts/truetype/dejavu",
          "/usr/share/fonts/rsms-inter-fonts",
          "/usr/share/fonts/jetbrains-mono-fonts",
          "/usr/share/fonts/dejavu-sans-fonts",
          "/usr/share/fonts/dejavu-sans-mono-fonts",
          "/usr/share/fonts/inter",
          "/usr/share/fonts/TTF",
          "/usr/share/fonts/truetype/wqy",
          "/usr/share/fonts/opentype/noto",
          "/usr/share/fonts/truetype/droid",
          "/usr/share/fonts/google-noto-sans-cjk-fonts",
          "/usr/share/fonts/google-noto-cjk",
          "/usr/share/fonts/noto-cjk",
          "/usr/local/share/fonts"};
}

std::vector<std::filesystem::path> font_files(const std::vector<std::filesystem::path>& directories) {
  Files files(directories);
  for (const FontStyle& style : kStyles) {
    if (files.find(style.files) == nullptr) return {};
    files.find(style.rest);
  }
  return files.places();
}

base::Result<void> load_fonts(ImFontAtlas& atlas, const FontOptions& options, FontSet& fonts) {
  Files files(options.directories);
  // Find all files before changing the atlas, so that a failure leaves it empty.
  for (const FontStyle& style : kStyles) {
    if (files.find(style.files) == nullptr) return base::Error{nothing_found(options.directories)};
  }

  const std::array<std::set<ImWchar>, Glyphs::styles> none = {};
  const auto& noted = options.glyphs != nullptr ? options.glyphs->take() : none;
  std::vector<StyleRanges> ranges;
  // Without copies: ImGui copies an empty ImVector with memcpy from a null pointer.
  ranges.reserve(kStyles.size());
  for (std::size_t i = 0; i < kStyles.size(); ++i) ranges.emplace_back(kStyles[i], options, noted[i]);
  const bool any_cjk = std::ranges::any_of(ranges, [](const StyleRanges& one) { return !one.cjk_characters.empty(); });
  const std::string* const cjk = any_cjk ? files.find(kCjk) : nullptr;
  // The bytes stay: newer ImGui versions read them for the atlas's lifetime.
  if (cjk != nullptr) fonts.cjk = std::make_shared<const std::string>(*cjk);

  const float scale = options.scale >= 0.25f ? std::min(options.scale, 8.0f) : 0.25f;
  const bool freetype = use_freetype(atlas);
  atlas.Flags |= ImFontAtlasFlags_NoBakedLines | ImFontAtlasFlags_NoMouseCursors;
  const FreeType library;
  for (std::size_t i = 0; i < kStyles.size(); ++i) {
    const FontStyle& style = kStyles[i];
    const std::string* first = files.find(style.files);
    float wanted = style.size * scale;
    if (options.large) wanted = large_size(*options.large, style, wanted, library.typeface(*first, 1, 0).em);
    const float size = static_cast<float>(static_cast<int>(wanted + 0.5f));
    const float tracking = static_cast<float>(static_cast<int>(style.tracking * scale + 0.5f));
    const ImWchar* const all = ranges[i].all.Data;
    fonts.*style.font = add_font(atlas, *first, size, tracking, all, false);
    fonts.typefaces[i] = {fonts.*style.font, library.typeface(*first, size, tracking)};
    const std::string* rest = files.find(style.rest);
    if (rest != nullptr && rest != first) add_font(atlas, *rest, size, tracking, all, true);
    if (cjk != nullptr && !ranges[i].cjk_characters.empty())
      add_cjk(atlas, *fonts.cjk, size, tracking, ranges[i].cjk.Data);
  }
  fonts.texels = build_atlas(atlas);
  fonts.scale = scale;
  fonts.glyphs = options.glyphs;
  fonts.lacks_cjk = false;
  for (std::size_t i = 0; i < kStyles.size(); ++i)
    for (const ImWchar character : ranges[i].cjk_characters)
      fonts.lacks_cjk |= !has_glyph(*(fonts.*kStyles[i].font), character);
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(files.hash()));
  fonts.identity.text = std::string("imgui ") + ImGui::GetVersion() + ", " +
                        (freetype ? library.version() : "stb_truetype") + ", fonts " + hash;
  return {};
}

std::string cjk_advice() {
  return "Chinese, Japanese and Korean characters appear as ?: no font here has them all; install the package "
         "fonts-wqy-microhei or fonts-noto-cjk";
}

const Typeface& FontSet::typeface(const ImFont* font) const { return typefaces[style_of(font)].second; }

std::size_t FontSet::style_of(const ImFont* font) const {
  const auto found =
      std::find_if(typefaces.begin(), typefaces.end(), [&](const auto& one) { return one.first == font; });
  return found == typefaces.end() ? 0 : static_cast<std::size_t>(found - typefaces.begin());
}

std::array<std::pair<const char*, ImFont*>, 9> styles_of(const FontSet& fonts) {
  std::array<std::pair<const char*, ImFont*>, 9> styles;
  for (std::size_t i = 0; i < kStyles.size(); ++i) styles[i] = {kStyles[i].name, fonts.*kStyles[i].font};
  return styles;
}

}  // namespace warpwalk::draw
