#include "core/story/stage/control_set.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace warpwalk::story {
namespace {

/// A value of a slider: a size as all sizes, any other number with its unit.
std::string slider_text(const Narration& narration, std::int64_t value, std::string_view unit) {
  if (unit == "B") return shared_bytes_text(value);
  if (unit == "KiB") return bytes_text(0x1p10 * static_cast<double>(value));
  if (unit == "MiB") return bytes_text(0x1p20 * static_cast<double>(value));
  if (unit == "cycles") return count_text(narration, "cycle", value);
  return fmt::format("{}{}{}", with_thousands(value), unit.empty() ? "" : " ", unit);
}

}  // namespace

std::int64_t ControlSet::slider(std::string_view name, std::vector<double> steps, std::int64_t fallback,
                                std::string_view source, std::string_view unit) {
  const std::string section = fmt::format("{}.control", scene_);
  fallback = std::max(fallback, static_cast<std::int64_t>(steps.front()));  // absent values of a trace are negative
  Control control;
  control.name = name;
  control.label = input_.narration.text(section, name);
  control.steps = with_step(std::move(steps), static_cast<double>(fallback));
  control.value = static_cast<double>(fallback);
  if (const auto set = input_.set(scene_, name); set && std::isfinite(*set)) {
    control.value = control.steps[step_at(control.steps, *set)];
    control.set = true;
  }
  const auto value = static_cast<std::int64_t>(control.value);
  control.shown = slider_text(input_.narration, value, unit);
  control.source = input_.narration.text(section, source);
  controls_.push_back(std::move(control));
  return value;
}

std::size_t ControlSet::choice(std::string_view name, std::vector<std::string> words, std::size_t fallback,
                               std::string_view source) {
  if (words.empty()) return 0;
  const std::string section = fmt::format("{}.control", scene_);
  Control control;
  control.kind = Control::Kind::choice;
  control.name = name;
  control.label = input_.narration.text(section, name);
  control.value = static_cast<double>(fallback);
  if (const auto set = input_.set(scene_, name); set && std::isfinite(*set)) {
    control.value = std::floor(std::clamp(*set, 0.0, static_cast<double>(words.size() - 1)));
    control.set = true;
  }
  const auto value = static_cast<std::size_t>(control.value);
  control.shown = words[value];
  control.words = std::move(words);
  control.source = input_.narration.text(section, source);
  controls_.push_back(std::move(control));
  return value;
}

std::string ControlSet::text(std::string_view name, std::string_view fallback, std::string_view source,
                             std::size_t max_bytes) {
  const std::string section = fmt::format("{}.control", scene_);
  Control control;
  control.kind = Control::Kind::text;
  control.name = name;
  control.label = input_.narration.text(section, name);
  control.shown = fallback;
  control.max_bytes = max_bytes;
  if (auto set = input_.controls.get_text(scene_, name); set && !text_fault(*set, max_bytes)) {
    control.shown = std::move(*set);
    control.set = true;
  }
  control.source = input_.narration.text(section, source);
  controls_.push_back(std::move(control));
  return controls_.back().shown;
}

std::int64_t ControlSet::pointed(std::string_view name, std::int64_t last, std::int64_t fallback) {
  Control control;
  control.kind = Control::Kind::hidden;
  control.name = name;
  control.value = static_cast<double>(std::min(fallback, last));
  if (const auto set = input_.set(scene_, name); set && std::isfinite(*set)) {
    control.value = std::floor(std::clamp(*set, 0.0, static_cast<double>(last)));
    control.set = true;
  }
  controls_.push_back(control);
  return static_cast<std::int64_t>(control.value);
}

void keep_controls(Stage& stage, const std::vector<std::string_view>& names) {
  std::erase_if(stage.controls, [&](const Control& control) {
    return control.kind != Control::Kind::hidden && std::ranges::find(names, control.name) == names.end();
  });
}

}  // namespace warpwalk::story
