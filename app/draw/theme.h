#pragma once

#include <optional>
#include <string_view>

#include <imgui.h>

#include "core/story/stage/stage.h"

namespace warpwalk::draw {

/// The colours of the house. Each means one thing, in every scene and theme; hues are those of Okabe and Ito, which
/// people with any kind of colour vision can tell apart. Shape, position or text always says it too.
struct Theme {
  std::string_view name;
  ImU32 ground, panel, line;
  ImU32 guide;                ///< lines behind the picture, to read an axis by
  ImU32 text, second, faint;  ///< faint: for what is only there to be lined up with
  ImU32 now;                  ///< yellow: what is followed, and the moment
  ImU32 memory;               ///< blue: memory and copies
  ImU32 done;                 ///< green: issue, work being done
  ImU32 shared;               ///< orange: shared memory; derived
  ImU32 launch;               ///< vermilion: the host orders
  ImU32 barrier;              ///< pink
  ImU32 host;                 ///< slate: the CPU's own work
  ImU32 on_colour;            ///< text on any of the full colours
  float hairline;             ///< units
};

const Theme& dark_theme();
const Theme& light_theme();
const Theme& high_contrast_theme();
/// "dark", "light" or "high-contrast"; none for any other name.
std::optional<Theme> theme_named(std::string_view name);

/// `amount` of a over b: 1 is a, 0 is b. Opaque.
ImU32 mixed(ImU32 a, ImU32 b, float amount);
ImU32 with_alpha(ImU32 colour, float alpha);
/// Contrast of two opaque colours by WCAG 2.1: 1 to 21.
float contrast(ImU32 a, ImU32 b);

ImU32 colour_of(story::Role role, const Theme& theme);
ImU32 colour_of(story::Origin origin, const Theme& theme);

}  // namespace warpwalk::draw
