#include "core/story/labs/lab.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/gpu/device/device.h"
#include "core/story/records/hardware.h"

namespace warpwalk::story {

std::string linear_text(std::int64_t i, const gpu::Shape& shape) {
  const gpu::Shape at = gpu::coordinates_of(i, shape);
  return fmt::format("{} + {} * ({} + {} * {}) = {}", at[0], shape[0], at[1], shape[1], at[2], i);
}

std::vector<std::pair<Tone, std::string>> legend(const CellGrid& cells, const SceneInput& input,
                                                 std::string_view section,
                                                 std::initializer_list<std::pair<Tone, std::string_view>> words) {
  std::vector<std::pair<Tone, std::string>> entries;
  for (const auto& [tone, key] : words)
    if (std::ranges::find(cells.cells, tone, &Cell::tone) != cells.cells.end())
      entries.emplace_back(tone, input.narration.text(section, key));
  return entries;
}

std::string real_text(double value, int digits) {
  if (value != value) return "NaN";
  return fmt::format("{}{:.{}g}", value < 0 ? "−" : "", std::abs(value), digits);
}

const gpu::Device& described_gpu(const Hardware& hardware, std::string_view id) {
  const gpu::Device* const device = hardware.find(id);
  return device == nullptr ? hardware.devices.front() : *device;
}

void keep_controls(Stage& stage, std::initializer_list<std::string_view> names) {
  std::erase_if(stage.controls, [&](const Control& control) {
    return control.kind != Control::Kind::hidden && std::ranges::find(names, control.name) == names.end();
  });
}

std::string binary_text(double bytes) {
  static constexpr std::string_view units[] = {"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; unit + 1 < std::size(units) && bytes >= 1024; ++unit) bytes /= 1024;
  return fmt::format("{:g} {}", bytes, units[unit]);
}

}  // namespace warpwalk::story
