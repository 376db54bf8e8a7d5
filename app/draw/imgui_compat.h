#pragma once

#include <imgui.h>
#if __has_include(<imgui_freetype.h>)
#include <imgui_freetype.h>
#endif
#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>
#elif __has_include(<imgui_impl_opengl3.h>)
#include <imgui_impl_opengl3.h>
#endif

#include <cstdint>

/// Dear ImGui 1.86 (Debian 12) to 1.92 differ in what follows; no other file of this folder asks for the version.
namespace warpwalk::draw {

static_assert(IMGUI_VERSION_NUM >= 18600, "Dear ImGui 1.86 or newer is needed");
static_assert(IM_COL32_R_SHIFT == 0 && IM_COL32_A_SHIFT == 24, "pictures are RGBA8 with R in the low byte");

/// The atlas as coverage, a byte a texel; it belongs to the atlas and lives until that is changed.
struct AtlasTexels {
  const unsigned char* alpha = nullptr;
  int width = 0;
  int height = 0;
};

/// A texture's name: a pointer up to 1.91.3, a 64-bit number since.
inline ImTextureID texture_id(std::uint64_t value) {
#if IMGUI_VERSION_NUM >= 19140
  return static_cast<ImTextureID>(value);
#else
  return reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(value));
#endif
}

/// Debian's library holds FreeType's builder without making it the default; stb's does not hint, which blurs small
/// type. Answers whether FreeType draws the glyphs.
inline bool use_freetype([[maybe_unused]] ImFontAtlas& atlas) {
#if !__has_include(<imgui_freetype.h>)
  return false;
#elif IMGUI_VERSION_NUM >= 19200
  atlas.SetFontLoader(ImGuiFreeType::GetFontLoader());
  return true;
#else
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  return true;
#endif
}

/// Pixels between the letters, on top of the font's own.
inline void set_tracking(ImFontConfig& config, float pixels) {
#if IMGUI_VERSION_NUM >= 19190
  config.GlyphExtraAdvanceX = pixels;
#else
  config.GlyphExtraSpacing.x = pixels;
#endif
}

/// Draws every glyph into the atlas. Since 1.92 glyphs come on demand, but only for backends that announce
/// RendererHasTextures; without it the ranges given to AddFont are baked at once, as they always were, and there is one
/// texture, which is what the rasteriser wants.
inline AtlasTexels build_atlas(ImFontAtlas& atlas) {
  unsigned char* alpha = nullptr;
  AtlasTexels texels;
#if IMGUI_VERSION_NUM >= 19200
  atlas.TexDesiredFormat = ImTextureFormat_Alpha8;
#endif
  atlas.GetTexDataAsAlpha8(&alpha, &texels.width, &texels.height);
  texels.alpha = alpha;
  atlas.SetTexID(texture_id(1));  // any but "none", which newer versions refuse to draw with
  return texels;
}

/// Gives a rebuilt atlas to the OpenGL backend; since 1.92 that one looks after it by itself.
inline void upload_fonts() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

/// How round is round: the same in a window as in a picture.
inline void set_quality(ImGuiStyle& style) {
  style.AntiAliasedLinesUseTex = false;  // lines as geometry: the rasteriser has a fast path for it
  style.CurveTessellationTol = 0.3f;     // these two: no corners to be seen in large circles and curves
  style.CircleTessellationMaxError = 0.1f;
}

/// The size a font was made for, in pixels from ascender to descender.
inline float font_size(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.LegacySize;
#else
  return font.FontSize;
#endif
}

/// Pixels from the top of a line to its baseline, at font_size(). `font` is not const since 1.92 looks it up on demand.
inline float font_ascent(ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.GetFontBaked(font.LegacySize)->Ascent;
#else
  return font.Ascent;
#endif
}

/// Whether the character was drawn into the atlas, its stand-in aside.
inline bool has_glyph(ImFont& font, char32_t character) {
  if (character > IM_UNICODE_CODEPOINT_MAX) return false;
#if IMGUI_VERSION_NUM >= 19200
  return font.GetFontBaked(font.LegacySize)->FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
#else
  return font.FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
#endif
}

}  // namespace warpwalk::draw
