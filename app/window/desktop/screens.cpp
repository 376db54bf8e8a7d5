#include "app/window/desktop/screens.h"

#include <algorithm>
#include <cstdint>

namespace warpwalk::window {
namespace {

std::int64_t shared(const Area& a, const Area& b) {
  const int wide = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const int high = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return std::int64_t{std::max(0, wide)} * std::max(0, high);
}

std::int64_t size(const Area& area) { return std::int64_t{area.width} * area.height; }

}  // namespace

std::optional<Area> screen_of(const std::vector<Area>& screens, const Area& window) {
  const auto own = std::ranges::max_element(screens, {}, [&](const Area& screen) { return shared(screen, window); });
  return own == screens.end() ? std::nullopt : std::optional(*own);
}

Placement placement(const std::vector<Area>& screens, const Area& window, bool swapped) {
  if (screens.empty()) return {};
  const Area& primary = screens.front();
  std::optional<Area> other;
  for (const Area& screen : screens) {
    if (shared(screen, primary) > 0) continue;
    const bool better = other && (shared(screen, window) > shared(*other, window) ||
                                  (shared(screen, window) == shared(*other, window) && size(screen) > size(*other)));
    if (!other || better) other = screen;
  }
  if (!other) return {};
  return swapped ? Placement{primary, *other} : Placement{*other, primary};
}

Area middle_of(const Area& screen, int width, int height) {
  width = std::min(width, screen.width);
  height = std::min(height, screen.height);
  return {screen.x + (screen.width - width) / 2, screen.y + (screen.height - height) / 2, width, height};
}

}  // namespace warpwalk::window
