#pragma once

#include <imgui.h>
#if __has_include(<imgui_freetype.h>)
#include <imgui_freetype.h>
#endif

#include <cstdint>

#include "core/story/pictures/slide.h"

/// Wraps the differences between Dear ImGui 1.86 (Debian 12) and 1.92. No other file in this folder checks the version.
namespace warpwalk::draw {

static_assert(IMGUI_VERSION_NUM >= 18600, "Dear ImGui 1.86 or newer is needed");
static_assert(IM_COL32_R_SHIFT == 0 && IM_COL32_A_SHIFT == 24, "pictures are RGBA8 with R in the low byte");

/// The coverage of the atlas, one byte per texel. The atlas owns the data, which is valid until the atlas changes.
struct AtlasTexels {
  const unsigned char* alpha = nullptr;
  int width = 0;
  int height = 0;
};

/// Makes a texture ID: a pointer up to 1.91.3, a 64-bit number since.
inline ImTextureID texture_id(std::uint64_t value) {
#if IMGUI_VERSION_NUM >= 19140
  return static_cast<ImTextureID>(value);
#else
  return reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(value));
#endif
}

/// The texture ID of a person's picture: its address, which no texture of a window has.
inline ImTextureID photo_id(const story::Pixels& pixels) {
  return texture_id(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&pixels)));
}

/// The picture that a command draws; null: it draws with the atlas. The picture must still be there.
inline const story::Pixels* photo_of(const ImDrawCmd& command) {
  constexpr std::uintptr_t above_all_textures = 0x10000;  // windows count their textures
#if IMGUI_VERSION_NUM >= 19140
  const auto value = static_cast<std::uintptr_t>(command.GetTexID());
#else
  const auto value = reinterpret_cast<std::uintptr_t>(command.TextureId);
#endif
  return value < above_all_textures ? nullptr : reinterpret_cast<const story::Pixels*>(value);
}

/// Has a command draw with a texture of the window.
inline void set_texture(ImDrawCmd& command, std::uint64_t name) {
#if IMGUI_VERSION_NUM >= 19200
  command.TexRef = ImTextureRef(texture_id(name));
#else
  command.TextureId = texture_id(name);
#endif
}

/// Begins a list outside of a frame that draws with the atlas into this many pixels.
inline void begin_list(ImDrawList& list, const ImFontAtlas& atlas, ImVec2 size) {
  list._ResetForNewFrame();
#if IMGUI_VERSION_NUM >= 19200
  list.PushTexture(atlas.TexRef);
#else
  list.PushTextureID(atlas.TexID);
#endif
  list.PushClipRect({0, 0}, size);
}

/// What rasterise() takes of a list; `lists` must outlive the result.
inline ImDrawData data_of(ImDrawList& list, [[maybe_unused]] ImDrawList* (&lists)[1], ImVec2 size) {
  ImDrawData data;
  data.DisplaySize = size;
  data.FramebufferScale = {1, 1};
#if IMGUI_VERSION_NUM >= 18980
  data.AddDrawList(&list);
#else
  lists[0] = &list;
  data.CmdLists = lists;
  data.CmdListsCount = 1;
#endif
  data.Valid = true;
  return data;
}

/// Selects the FreeType builder. Debian's library contains it but defaults to stb, which does not hint and so blurs
/// small text. Returns true if FreeType draws the glyphs.
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

/// Sets the extra pixels between letters.
inline void set_tracking(ImFontConfig& config, float pixels) {
#if IMGUI_VERSION_NUM >= 19190
  config.GlyphExtraAdvanceX = pixels;
#else
  config.GlyphExtraSpacing.x = pixels;
#endif
}

/// Draws every glyph into the atlas. Since 1.92 glyphs are loaded on demand, but only for backends that set
/// RendererHasTextures. Without that flag, ImGui bakes the ranges given to AddFont at once into one texture, which the
/// rasteriser needs.
inline AtlasTexels build_atlas(ImFontAtlas& atlas) {
  unsigned char* alpha = nullptr;
  AtlasTexels texels;
#if IMGUI_VERSION_NUM >= 19200
  atlas.TexDesiredFormat = ImTextureFormat_Alpha8;
#endif
  atlas.GetTexDataAsAlpha8(&alpha, &texels.width, &texels.height);
  texels.alpha = alpha;
  atlas.SetTexID(texture_id(1));  // any valid ID; newer versions do not draw without one
  return texels;
}

/// Sets the tessellation quality, which is the same for windows and pictures.
inline void set_quality(ImGuiStyle& style) {
  style.AntiAliasedLinesUseTex = false;  // lines as geometry: the rasteriser has a fast path for it
  style.CurveTessellationTol = 0.3f;     // these two keep large circles and curves smooth
  style.CircleTessellationMaxError = 0.1f;
}

/// The size at which a font was loaded, in pixels from ascender to descender.
inline float font_size(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.LegacySize;
#else
  return font.FontSize;
#endif
}

/// Pixels from the top of a line to its baseline, at font_size(). `font` is not const because 1.92 bakes it on demand.
inline float font_ascent(ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.GetFontBaked(font.LegacySize)->Ascent;
#else
  return font.Ascent;
#endif
}

/// True if the atlas contains the character itself; the fallback glyph does not count.
inline bool has_glyph(ImFont& font, char32_t character) {
  if (character > IM_UNICODE_CODEPOINT_MAX) return false;
#if IMGUI_VERSION_NUM >= 19200
  return font.GetFontBaked(font.LegacySize)->FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
#else
  return font.FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
#endif
}

}  // namespace warpwalk::draw
