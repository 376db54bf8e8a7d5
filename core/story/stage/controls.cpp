#include "core/story/stage/controls.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace warpwalk::story {

void Controls::clear_scene(std::string_view scene) {
  const std::string prefix = std::string(scene) + ".";
  std::erase_if(values_, [&](const auto& one) { return one.first.starts_with(prefix); });
}

std::optional<double> Controls::get(std::string_view scene, std::string_view control) const {
  const auto at = values_.find(fmt::format("{}.{}", scene, control));
  if (at == values_.end()) return {};
  return at->second;
}

std::pair<std::pair<std::string, double>, std::optional<std::string>> parse_setting(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::size_t point = text.substr(0, equals).find('.');
  const std::string_view digits = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  double value = 0;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool number = !digits.empty() && error == std::errc{} && rest == digits.data() + digits.size();
  if (point == std::string_view::npos || point == 0 || point + 1 >= equals || !number || !std::isfinite(value))
    return {{}, fmt::format("{}: not a setting; write SCENE.CONTROL=NUMBER, for example sm.registers=64", text)};
  return {{std::string(text.substr(0, equals)), value}, {}};
}

std::vector<double> steps_by(double from, double to, double by) {
  std::vector<double> steps;
  for (double value = from; value < to; value += by) steps.push_back(value);
  steps.push_back(to);
  return steps;
}

std::vector<double> steps_growing(double from, double to) {
  std::vector<double> steps;
  for (double power = 1; power <= to; power *= 2)
    for (const double value : {power, power * 1.5})
      if (value >= from && value < to && value == std::floor(value)) steps.push_back(value);
  steps.push_back(to);
  return steps;
}

std::vector<double> with_step(std::vector<double> steps, double value) {
  const auto at = std::lower_bound(steps.begin(), steps.end(), value);
  if (at == steps.end() || *at != value) steps.insert(at, value);
  return steps;
}

std::size_t step_at(const std::vector<double>& steps, double value) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (std::abs(steps[i] - value) < std::abs(steps[best] - value)) best = i;
  return best;
}

}  // namespace warpwalk::story
