#pragma once

#include <optional>
#include <vector>

namespace warpwalk::window {

/// A screen, or a window on it, in screen coordinates.
struct Area {
  int x = 0, y = 0, width = 0, height = 0;
  friend bool operator==(const Area&, const Area&) = default;
};

/// The screens of the two windows of a presentation; none: there is only one screen.
struct Placement {
  std::optional<Area> stage, lecturer;
  friend bool operator==(const Placement&, const Placement&) = default;
};

/// Where the stage and the lecturer's window go. `screens`: the primary one, which is the lecturer's own, comes first.
/// The stage goes to another one: the one on which most of `window` is already, else the largest. Screens that show the
/// same place (mirrored ones) are one screen. `swapped`: the two exchange their screens.
Placement placement(const std::vector<Area>& screens, const Area& window, bool swapped);

/// The screen that shows most of a window; none if there are no screens.
std::optional<Area> screen_of(const std::vector<Area>& screens, const Area& window);

/// The middle of a screen for a window of this size, which is made smaller if it does not fit.
Area middle_of(const Area& screen, int width, int height);

}  // namespace warpwalk::window
