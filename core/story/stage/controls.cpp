#include "core/story/stage/controls.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/ops/expression/utf8.h"

namespace warpwalk::story {

void Controls::clear_scene(std::string_view scene) {
  const std::string prefix = std::string(scene) + ".";
  std::erase_if(values_, [&](const auto& one) { return one.first.starts_with(prefix); });
}

const Setting* Controls::find(std::string_view scene, std::string_view control) const {
  const auto at = values_.find(fmt::format("{}.{}", scene, control));
  return at == values_.end() ? nullptr : &at->second;
}

std::optional<double> Controls::get(std::string_view scene, std::string_view control) const {
  const auto* const number = std::get_if<double>(find(scene, control));
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::optional<std::string> Controls::get_text(std::string_view scene, std::string_view control) const {
  const auto* const text = std::get_if<std::string>(find(scene, control));
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<std::string> text_fault(std::string_view text, std::size_t max_bytes) {
  if (text.size() > max_bytes) return fmt::format("the text has {} bytes; at most {} fit", text.size(), max_bytes);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = ops::character_bytes(text, at);
    if (bytes == 0) return fmt::format("byte {} of the text is not UTF-8", at + 1);
    const std::uint32_t point = ops::code_point(text.substr(at, bytes));
    // Control characters, and the two characters that only break lines.
    if (point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x2028 || point == 0x2029)
      return fmt::format("byte {} of the text is a control character; write one line of text", at + 1);
    at += bytes;
  }
  return {};
}

namespace {

base::Result<NamedSetting> text_setting(std::string_view name, std::string_view text, const TextControl& control) {
  // The text is not quoted: it may be long, or not printable.
  if (const auto fault = text_fault(text, control.max_bytes)) return base::Error{fmt::format("{}: {}", name, *fault)};
  return NamedSetting{std::string(name), std::string(text)};
}

}  // namespace

base::Result<NamedSetting> parse_setting(std::string_view text,
                                         const TextControl* (*text_control)(std::string_view name)) {
  const std::size_t equals = text.find('=');
  const std::size_t point = text.substr(0, equals).find('.');
  if (equals != std::string_view::npos)
    if (const TextControl* const control = text_control(text.substr(0, equals)))
      return text_setting(text.substr(0, equals), text.substr(equals + 1), *control);
  const std::string_view digits = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  double value = 0;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool number = !digits.empty() && error == std::errc{} && rest == digits.data() + digits.size();
  if (point == std::string_view::npos || point == 0 || point + 1 >= equals || !number || !std::isfinite(value))
    return base::Error{fmt::format("{}: not a setting; write SCENE.CONTROL=NUMBER, for example sm.registers=64", text)};
  return NamedSetting{std::string(text.substr(0, equals)), value};
}

std::string setting_text(std::string_view name, const Setting& setting) {
  return std::visit([&](const auto& value) { return fmt::format("{}={}", name, value); }, setting);
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
