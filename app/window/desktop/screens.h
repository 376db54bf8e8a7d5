#pragma once

#include <optional>
#include <vector>

namespace warpwalk::window {

/// A screen, or a window on it, in screen coordinates.
struct Area {
  int x = 0, y = 0, width = 0, height = 0;
  friend bool operator==(const Area&, const Area&) = default;
};

/// The largest screen other than the one that shows most of the window; none if there is no second screen. Screens that
/// show the same place (mirrored ones) are one screen.
std::optional<Area> other_screen(const std::vector<Area>& screens, const Area& window);

}  // namespace warpwalk::window
