#include "core/story/labs/lab_parts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/gpu/device/device.h"
#include "core/records/hardware.h"

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
  return with_marks(fmt::format("{}{:.{}g}", value < 0 ? "−" : "", std::abs(value), digits));
}

const gpu::Device& described_gpu(const Hardware& hardware, std::string_view id) {
  const gpu::Device* const device = hardware.find(id);
  return device == nullptr ? hardware.devices.front() : *device;
}

std::size_t gpu_index(const Hardware& hardware, std::string_view id) {
  const auto found = std::ranges::find(hardware.devices, id, &gpu::Device::id);
  return found == hardware.devices.end() ? 0 : static_cast<std::size_t>(found - hardware.devices.begin());
}

std::string short_gpu_name(const gpu::Device& device) {
  std::string_view name = device.name;
  bool made = false;
  for (const std::string_view prefix : {"NVIDIA ", "GeForce "})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      made = true;
    }
  // What follows the number is the memory: "H100 80GB HBM3".
  const std::size_t number = name.find_first_of("0123456789");
  if (made && number != name.npos) name = name.substr(0, name.find(' ', number));
  return std::string(name);
}

std::string short_percent(double percent) {
  const bool whole = std::abs(percent - std::round(percent)) < 0.05;
  return with_marks(fmt::format("{:.{}f} %", percent, whole ? 0 : 1));
}

Figure measured_time(double ns) { return Figure::recorded(ns, Unit::nanoseconds, Origin::measured); }

Panel tasks_panel(const SceneInput& input, std::string_view lab, const std::vector<Task>& tasks) {
  const auto word = [&](std::string_view key, const Narration::Values& values = {}) {
    return input.narration.text("lab.task", key, values);
  };
  TablePicture table;
  table.columns = {{word("task"), 6, false, false, true}, {word("state"), 1}};
  const std::string section = fmt::format("{}.task", lab);
  for (const Task& task : tasks)
    table.rows.push_back({{word_cell(input.narration.text(section, task.key)),
                           word_cell(word(task.done ? "done" : "open"), task.done ? Tone::work : Tone::quiet)},
                          false});
  const auto done = std::ranges::count(tasks, true, &Task::done);
  return {word("heading", {{"done", fmt::to_string(done)}, {"all", fmt::to_string(tasks.size())}}), 1,
          std::move(table)};
}

}  // namespace warpwalk::story
