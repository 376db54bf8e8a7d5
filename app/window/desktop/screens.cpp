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

}  // namespace

std::optional<Area> other_screen(const std::vector<Area>& screens, const Area& window) {
  const auto own = std::ranges::max_element(screens, {}, [&](const Area& screen) { return shared(screen, window); });
  std::optional<Area> best;
  for (const Area& screen : screens) {
    if (shared(screen, *own) > 0) continue;
    if (!best || std::int64_t{screen.width} * screen.height > std::int64_t{best->width} * best->height) best = screen;
  }
  return best;
}

}  // namespace warpwalk::window
