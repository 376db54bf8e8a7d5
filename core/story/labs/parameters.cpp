// Lab: the parameters of a simulated GPU, each with its unit, its meaning, and how its value is known.
#include "core/gpu/device/parameters.h"

#include <algorithm>
#include <array>

#include "core/analysis/device_match.h"
#include "core/story/facts/launch/device_parameter.h"
#include "core/story/labs/lab.h"
#include "core/story/records/hardware.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view parameters_lab = "lab/parameters";
constexpr std::string_view parameter_words = "lab/parameters.word";

// Each beat shows one group. A group begins at the parameters named here and ends where another one begins.
struct Group {
  std::string_view first, beat;
};
constexpr std::array groups = {Group{"compute_capability", "chip"},
                               Group{"threads_per_warp", "sm"},
                               Group{"shared_per_sm", "shared"},
                               Group{"run_ahead_first", "blocks"},
                               Group{"sm_clock", "chip"},
                               Group{"issue_per_scheduler", "issue"},
                               Group{"barrier_base", "start"},
                               Group{"line_bytes", "memory"},
                               Group{"latency_shared", "distance"},
                               Group{"l1_bandwidth", "width"},
                               Group{"icache_l0_lines", "fetch"},
                               Group{"latency_branch", "start"},
                               Group{"dispatch_interval", "blocks"},
                               Group{"interval_fma", "pipes"},
                               Group{"latency_xu", "results"},
                               Group{"mio_queue", "requests"},
                               Group{"interval_l1_line", "l1"},
                               Group{"l1_fill_bandwidth", "crossbar"},
                               Group{"interval_l2_read", "l2"},
                               Group{"memory_channels", "dram"},
                               Group{"launch_time", "launch"},
                               Group{"host_op", "host"}};

std::vector<gpu::ParameterRow> rows_of(const gpu::Device& device, std::string_view beat) {
  std::vector<gpu::ParameterRow> rows;
  std::string_view group = groups.front().beat;
  // The groups follow the order of all parameters, since a device may lack the first one of a group.
  std::vector<gpu::ParameterRow> known = gpu::parameter_rows(device);
  auto row = known.begin();
  for (const gpu::ParameterInfo& info : gpu::parameter_infos()) {
    if (const auto begins = std::ranges::find(groups, info.name, &Group::first); begins != groups.end())
      group = begins->beat;
    if (row == known.end() || row->info != &info) continue;
    if (group == beat) rows.push_back(*row);
    ++row;
  }
  return rows;
}

// Long whole numbers with their thousands separated.
std::string value_text(const std::string& value) {
  const bool whole =
      value.size() > 4 && value.size() < 19 && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
  return whole ? with_thousands(std::stoll(value)) : value;
}

Panel table_of(const SceneInput& input, const std::vector<gpu::ParameterRow>& rows, const std::string& heading) {
  const auto word = [&](std::string_view key) { return input.narration.text(parameter_words, key); };
  TablePicture table;
  table.columns = {{.head = word("parameter"), .fits = true},
                   {.head = word("value"), .right = true, .fits = true},
                   {.head = word("unit"), .fits = true},
                   {.head = word("status"), .fits = true},
                   {.head = word("meaning"), .wraps = true}};
  for (const gpu::ParameterRow& row : rows) {
    TableCell parameter = word_cell(std::string(row.info->name));
    parameter.code = true;
    TableCell meaning = word_cell(input.narration.text("parameter", row.info->name));
    meaning.below = row.source;
    table.rows.push_back(
        {{std::move(parameter), figure_cell(Figure::recorded(value_text(row.value), origin_of(row.status))),
          word_cell(std::string(row.info->unit)), word_cell(word(gpu::name_of(row.status))), std::move(meaning)},
         false});
  }
  return {heading, 1, std::move(table)};
}

// The number of the GPU that the walk ran on among the descriptions, else that of the H200.
std::size_t followed_device(const SceneInput& input) {
  const auto at = [&](std::string_view id) {
    return static_cast<std::size_t>(std::ranges::find(input.hardware.devices, id, &gpu::Device::id) -
                                    input.hardware.devices.begin());
  };
  const analysis::DeviceMatch match = analysis::device_of(input.trace, input.walk, input.hardware.devices);
  if (match.device && at(match.device->id) < input.hardware.devices.size()) return at(match.device->id);
  return at("h200") < input.hardware.devices.size() ? at("h200") : 0;
}

}  // namespace

std::vector<Beat> parameters_beats(const Trace&, const Walk&) {
  std::vector<Beat> beats;
  for (const Group& group : groups)
    if (std::ranges::find(beats, group.beat, &Beat::key) == beats.end()) beats.push_back({std::string(group.beat), 0});
  return beats;
}

Stage parameters(const SceneInput& input) {
  ControlSet controls(input, parameters_lab);
  std::vector<std::string> ids;
  for (const gpu::Device& device : input.hardware.devices) ids.push_back(device.id);
  const std::size_t chosen = controls.choice("device", std::move(ids), followed_device(input), "followed");
  static const gpu::Device undescribed;
  const gpu::Device& device = chosen < input.hardware.devices.size() ? input.hardware.devices[chosen] : undescribed;

  const std::vector<Beat> beats = parameters_beats(input.trace, input.walk);
  const std::vector<gpu::ParameterRow> rows =
      rows_of(device, beats[static_cast<std::size_t>(input.moment.value - 1)].key);
  const Narration::Values values = {
      {"gpu", device.name},
      {"parameters", count_text(input.narration, "parameter", static_cast<std::int64_t>(rows.size()))}};
  Stage stage = common_stage(input, parameters_lab, beats, values, "front_end");
  FactWriter facts(input, values, stage);
  const std::vector<gpu::ParameterRow> all = gpu::parameter_rows(device);
  facts.counted("all", all.size());
  for (const gpu::Status status : {gpu::Status::spec, gpu::Status::measured, gpu::Status::fitted, gpu::Status::assumed})
    facts.counted(gpu::name_of(status),
                  static_cast<std::size_t>(std::ranges::count(all, status, &gpu::ParameterRow::status)));
  Panels panels;
  panels.rows.push_back({1, {table_of(input, rows, input.narration.text(parameter_words, "heading", values))}});
  stage.picture = std::make_shared<const Panels>(std::move(panels));
  stage.controls = controls.take();
  return stage;
}

}  // namespace warpwalk::story
