#include "app/window/type.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::window {

draw::FontOptions working_type(int width, int height, float density, double chosen) {
  const auto steps = [&](float wide, float high) {
    return std::floor(std::min(static_cast<float>(width) / wide, static_cast<float>(height) / high) * 4) / 4;
  };
  const float largest = std::clamp(steps(960, 600), 1.0f, 4.0f);  // with larger type the panels would overlap
  const float whole = std::min(static_cast<float>(width) / 1360, static_cast<float>(height) / 765);
  const float room = std::max(0.75f * density, std::floor(whole * 8) / 8);
  const float wanted = chosen > 0 ? static_cast<float>(chosen) : std::min(std::max(density, steps(1440, 810)), room);
  draw::FontOptions options;
  options.scale = std::clamp(wanted, std::min(1.0f, wanted), largest);
  return options;
}

draw::FontOptions lecturer_type(int width, int height, float density) {
  draw::FontOptions options;
  const float fit = std::min(static_cast<float>(width) / 1040, static_cast<float>(height) / 680);
  options.scale = std::clamp(std::max(std::min(density, fit), std::floor(fit * 4) / 4), 0.6f, 4.0f);
  return options;
}

}  // namespace warpwalk::window
