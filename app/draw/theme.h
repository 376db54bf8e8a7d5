#pragma once

#include <optional>
#include <string_view>

#include <imgui.h>

#include "core/story/stage/stage.h"

namespace warpwalk::draw {

/// The colours of the program. Each colour has one meaning in every scene and theme. The hues are the Okabe-Ito
/// palette, which is safe for colour-blind users. Shape, position or text always carries the same information.
struct Theme {
  std::string_view name;
  ImU32 ground, panel, line;
  ImU32 guide;                ///< guide lines of an axis, behind the picture
  ImU32 text, second, faint;  ///< faint: for content of the lowest importance
  ImU32 now;                  ///< yellow: the followed item and the current moment
  ImU32 memory;               ///< blue: memory and copies
  ImU32 done;                 ///< green: instruction issue, GPU work
  ImU32 shared;               ///< orange: shared memory
  ImU32 launch;               ///< vermilion, in the light theme dark red: launches by the host, what is refused
  ImU32 barrier;              ///< violet: threads and calls that wait for others
  ImU32 host;                 ///< slate: the CPU's own work
  ImU32 on_colour;            ///< text on any of the full colours
  float hairline;             ///< units
};

const Theme& dark_theme();
const Theme& light_theme();
const Theme& high_contrast_theme();
/// Returns the theme "dark", "light" or "high-contrast"; nullopt for any other name.
std::optional<Theme> theme_named(std::string_view name);

/// Blends two colours: `amount` 1 is a, 0 is b. The result is opaque.
ImU32 mixed(ImU32 a, ImU32 b, float amount);
ImU32 with_alpha(ImU32 colour, float alpha);
/// Contrast ratio of two opaque colours according to WCAG 2.1: 1 to 21.
float contrast(ImU32 a, ImU32 b);

ImU32 colour_of(story::Role role, const Theme& theme);

}  // namespace warpwalk::draw
