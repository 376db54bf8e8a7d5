#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/draw/fonts.h"

namespace warpwalk::draw {
namespace {

FontOptions usual(float scale) { return {scale, default_font_directories(), {}}; }

TEST(Fonts, EveryStyleIsThereAtEveryScale) {
  for (const float scale : {1.0f, 1.33f, 2.0f}) {
    ImFontAtlas atlas;
    FontSet fonts;
    ASSERT_TRUE(load_fonts(atlas, usual(scale), fonts));
    for (const auto& [name, font] : styles_of(fonts)) {
      ASSERT_NE(font, nullptr) << name;
      for (const char32_t c : std::u32string_view(U"Az09µμ→×−…·–“₀₂²⁻ᵀ≤≥≈∂∇")) {
        EXPECT_TRUE(has_glyph(*font, c)) << name << " lacks U+" << std::hex << static_cast<unsigned>(c);
      }
    }
    EXPECT_EQ(font_size(*fonts.body), static_cast<float>(static_cast<int>(17 * scale + 0.5f)));
    EXPECT_GT(font_ascent(*fonts.body), 0.6f * font_size(*fonts.body));
    EXPECT_GT(fonts.texels.width * fonts.texels.height, 0);
    EXPECT_EQ(atlas.Fonts[0], fonts.body);
  }
}

TEST(Fonts, WideStylesHoldTheSignsOfTheScenes) {
  ImFontAtlas atlas;
  FontSet fonts;
  ASSERT_TRUE(load_fonts(atlas, usual(1), fonts));
  for (ImFont* font : {fonts.body, fonts.label, fonts.mono}) {
    for (const char32_t c : std::u32string_view(U"ᵀαβσ⁻ⁿ↳⇒∈∑√∞⊙⌈⌉⌘─│┌■□▲▶●◆✓✗")) {
      EXPECT_TRUE(has_glyph(*font, c)) << "U+" << std::hex << static_cast<unsigned>(c);
    }
  }
}

TEST(Fonts, OnlyTheTextThatIsAskedFor) {
  ImFontAtlas atlas;
  FontSet fonts;
  FontOptions options = usual(1);
  options.only_text = "é → ∑";
  ASSERT_TRUE(load_fonts(atlas, options, fonts));
  for (const auto& [name, font] : styles_of(fonts)) {
    for (const char32_t c : std::u32string_view(U"Az~é→∑")) {
      EXPECT_TRUE(has_glyph(*font, c)) << name << " lacks U+" << std::hex << static_cast<unsigned>(c);
    }
    EXPECT_FALSE(has_glyph(*font, U'ü')) << name;
  }
}

TEST(Fonts, NoFolderHasAFontIsSaid) {
  ImFontAtlas atlas;
  FontSet fonts;
  const auto done = load_fonts(atlas, {1, {"/nowhere/fonts", "/proc"}, {}}, fonts);
  ASSERT_FALSE(done);
  EXPECT_EQ(
      done.error(),
      "no font found: looked in /nowhere/fonts, /proc; install fonts-inter fonts-jetbrains-mono fonts-dejavu-core");
  EXPECT_FALSE(load_fonts(atlas, {1, {}, {}}, fonts));
  EXPECT_EQ(atlas.Fonts.Size, 0);
}

TEST(Fonts, DejaVuStandsInForMissingFamilies) {
  ImFontAtlas atlas, usual_atlas;
  FontSet fonts, usual_fonts;
  ASSERT_TRUE(load_fonts(atlas, {1, {"/usr/share/fonts/truetype/dejavu"}, {}}, fonts));
  ASSERT_TRUE(load_fonts(usual_atlas, usual(1), usual_fonts));
  for (const auto& [name, font] : styles_of(fonts)) EXPECT_TRUE(has_glyph(*font, U'→')) << name;
  EXPECT_NE(fonts.identity, usual_fonts.identity);
}

TEST(Fonts, FilesThatAreNoFontsNeverReachImGui) {
  const auto folder = std::filesystem::temp_directory_path() / ("warpwalk_fonts_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "Inter-SemiBold.otf");
  std::ofstream(folder / "Inter-Medium.otf") << std::string(1000, 'x');
  std::ofstream(folder / "JetBrainsMono-Regular.ttf");
  ImFontAtlas atlas;
  FontSet fonts;
  EXPECT_FALSE(load_fonts(atlas, {1, {folder}, {}}, fonts));
  EXPECT_TRUE(load_fonts(atlas, {1, {folder, "/usr/share/fonts/truetype/dejavu"}, {}}, fonts));
  std::filesystem::remove_all(folder);
}

TEST(Fonts, ChineseIsReadOnlyOnceItWasDrawn) {
  ImFontAtlas atlas;
  FontSet fonts;
  Glyphs glyphs;
  FontOptions options = usual(1);
  options.glyphs = &glyphs;
  ASSERT_TRUE(load_fonts(atlas, options, fonts));
  EXPECT_EQ(fonts.cjk, nullptr);
  const FontIdentity before = fonts.identity;
  glyphs.note("plain text → ∑", fonts.style_of(fonts.body), *fonts.body);
  EXPECT_FALSE(glyphs.grown());  // all of it is there
  glyphs.note("GPU 线程 Ж", fonts.style_of(fonts.body), *fonts.body);
  EXPECT_TRUE(glyphs.grown());
  atlas.Clear();
  ASSERT_TRUE(load_fonts(atlas, options, fonts));
  for (const char32_t c : std::u32string_view(U"线程Ж→"))
    EXPECT_TRUE(has_glyph(*fonts.body, c)) << std::hex << static_cast<unsigned>(c);
  EXPECT_FALSE(has_glyph(*fonts.title, U'线'));  // not drawn in that style
  EXPECT_FALSE(fonts.lacks_cjk);
  EXPECT_NE(fonts.cjk, nullptr);
  EXPECT_NE(fonts.identity, before);
  glyphs.note("线程", fonts.style_of(fonts.body), *fonts.body);
  EXPECT_FALSE(glyphs.grown());
}

TEST(Fonts, AMissingFontForChineseIsSaidAndNamesAPackage) {
  ImFontAtlas atlas;
  FontSet fonts;
  FontOptions options = {1, {"/usr/share/fonts/truetype/dejavu"}, "日本"};
  ASSERT_TRUE(load_fonts(atlas, options, fonts));
  EXPECT_TRUE(fonts.lacks_cjk);
  EXPECT_THAT(cjk_advice(), ::testing::HasSubstr("fonts-wqy-microhei"));
  ImFontAtlas other;
  options.only_text = "née → ∑";
  ASSERT_TRUE(load_fonts(other, options, fonts));
  EXPECT_FALSE(fonts.lacks_cjk);
}

TEST(Fonts, TextThatIsNoUtf8HasNoCharacters) {
  std::u32string read;
  visit_wide("a\xff\xe7\xba z\xc3\xa9\xf0\x9f\x98\x80\xe7", [&](char32_t c) { read += c; });
  EXPECT_EQ(read, U"é\U0001f600");
}

TEST(Fonts, IdentityIsTheSameEveryTimeAndNamesTheVersions) {
  ImFontAtlas atlas, again;
  FontSet fonts, fonts_again;
  ASSERT_TRUE(load_fonts(atlas, usual(1), fonts));
  ASSERT_TRUE(load_fonts(again, usual(2), fonts_again));
  EXPECT_EQ(fonts.identity, fonts_again.identity);
  EXPECT_THAT(fonts.identity.text, ::testing::HasSubstr(std::string("imgui ") + IMGUI_VERSION));
}

}  // namespace
}  // namespace warpwalk::draw
