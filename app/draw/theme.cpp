#include "app/draw/theme.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::draw {
namespace {

constexpr ImU32 rgb(unsigned hex) { return IM_COL32(hex >> 16 & 255, hex >> 8 & 255, hex & 255, 255); }

unsigned channel(ImU32 colour, int shift) { return colour >> shift & 255; }

float luminance(ImU32 colour) {
  const auto linear = [&](int shift) {
    const float c = static_cast<float>(channel(colour, shift)) / 255;
    return c <= 0.03928f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
  };
  return 0.2126f * linear(IM_COL32_R_SHIFT) + 0.7152f * linear(IM_COL32_G_SHIFT) + 0.0722f * linear(IM_COL32_B_SHIFT);
}

}  // namespace

const Theme& dark_theme() {
  static constexpr Theme theme = {.name = "dark",
                                  .ground = rgb(0x0e1116),
                                  .panel = rgb(0x151a21),
                                  .line = rgb(0x262d37),
                                  .guide = rgb(0x1b212a),
                                  .text = rgb(0xe6e9ee),
                                  .second = rgb(0x9aa4b2),
                                  .faint = rgb(0x7d899a),
                                  .now = rgb(0xf0e442),
                                  .memory = rgb(0x56b4e9),
                                  .done = rgb(0x12b886),
                                  .shared = rgb(0xe69f00),
                                  .launch = rgb(0xef7830),
                                  .barrier = rgb(0xb661f2),
                                  .host = rgb(0x7d8a9c),
                                  .on_colour = rgb(0x0e1116),
                                  .hairline = 1};
  return theme;
}

const Theme& light_theme() {
  static constexpr Theme theme = {.name = "light",
                                  .ground = rgb(0xffffff),
                                  .panel = rgb(0xf3f5f8),
                                  .line = rgb(0xd3d9e1),
                                  .guide = rgb(0xe9edf2),
                                  .text = rgb(0x14181f),
                                  .second = rgb(0x4a5463),
                                  .faint = rgb(0x636d7b),
                                  .now = rgb(0x8f7400),
                                  .memory = rgb(0x005c94),
                                  .done = rgb(0x00624a),
                                  .shared = rgb(0x7a4d00),
                                  .launch = rgb(0x800e22),
                                  .barrier = rgb(0x6800b2),
                                  .host = rgb(0x5c6878),
                                  .on_colour = rgb(0xffffff),
                                  .hairline = 1};
  return theme;
}

const Theme& high_contrast_theme() {
  static constexpr Theme theme = {.name = "high-contrast",
                                  .ground = rgb(0x000000),
                                  .panel = rgb(0x000000),
                                  .line = rgb(0x9aa0a8),
                                  .guide = rgb(0x3a3f46),
                                  .text = rgb(0xffffff),
                                  .second = rgb(0xe2e6ec),
                                  .faint = rgb(0xbfc5ce),
                                  .now = rgb(0xffff33),
                                  .memory = rgb(0x7cc8ff),
                                  .done = rgb(0x2ee6a8),
                                  .shared = rgb(0xffb727),
                                  .launch = rgb(0xff8f4a),
                                  .barrier = rgb(0xc573ff),
                                  .host = rgb(0xb4bdc9),
                                  .on_colour = rgb(0x000000),
                                  .hairline = 1.5f};
  return theme;
}

std::optional<Theme> theme_named(std::string_view name) {
  for (const Theme* theme : {&dark_theme(), &light_theme(), &high_contrast_theme()})
    if (theme->name == name) return *theme;
  return {};
}

ImU32 mixed(ImU32 a, ImU32 b, float amount) {
  const int part = static_cast<int>(std::clamp(amount, 0.0f, 1.0f) * 256);
  ImU32 out = 0xffu << IM_COL32_A_SHIFT;
  for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT}) {
    const int x = static_cast<int>(channel(a, shift)) * part + static_cast<int>(channel(b, shift)) * (256 - part);
    out |= static_cast<ImU32>(x >> 8) << shift;
  }
  return out;
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  const auto a = static_cast<ImU32>(std::clamp(alpha, 0.0f, 1.0f) * 255 + 0.5f);
  return (colour & ~(0xffu << IM_COL32_A_SHIFT)) | a << IM_COL32_A_SHIFT;
}

float contrast(ImU32 a, ImU32 b) {
  const float high = std::max(luminance(a), luminance(b));
  const float low = std::min(luminance(a), luminance(b));
  return (high + 0.05f) / (low + 0.05f);
}

ImU32 colour_of(story::Role role, const Theme& theme) {
  using story::Role;
  switch (role) {
    case Role::python:
    case Role::op:
    case Role::call:
    case Role::overhead:
    case Role::wait: return theme.host;
    case Role::launch: return theme.launch;
    case Role::kernel: return theme.done;
    case Role::copy:
    case Role::fill: return theme.memory;
  }
  return theme.host;
}

}  // namespace warpwalk::draw
