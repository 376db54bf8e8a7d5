// Lab: the parameters of a simulated GPU, each with its unit, its meaning, and how its value is known.
#include "core/gpu/device/parameters.h"

#include <algorithm>
#include <array>

#include "core/analysis/device_match.h"
#include "core/records/hardware.h"
#include "core/story/facts/launch/device_parameter.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view parameters_name = "lab/parameters";
constexpr std::string_view parameter_words = "lab/parameters.word";

// The groups of parameters, each of which has a beat.
enum class Group {
  chip,
  sm,
  shared,
  blocks,
  issue,
  start,
  memory,
  distance,
  width,
  fetch,
  pipes,
  results,
  requests,
  l1,
  crossbar,
  l2,
  dram,
  launch,
  host
};

// A run of parameters of one group begins at the one named here and ends where another one begins.
struct Run {
  std::string_view first;
  Group group;
};
constexpr Run runs[] = {{"compute_capability", Group::chip},
                        {"threads_per_warp", Group::sm},
                        {"shared_per_sm", Group::shared},
                        {"run_ahead_first", Group::blocks},
                        {"sm_clock", Group::chip},
                        {"issue_per_scheduler", Group::issue},
                        {"barrier_base", Group::start},
                        {"line_bytes", Group::memory},
                        {"latency_shared", Group::distance},
                        {"l1_bandwidth", Group::width},
                        {"icache_l0_lines", Group::fetch},
                        {"latency_branch", Group::start},
                        {"dispatch_interval", Group::blocks},
                        {"interval_fma", Group::pipes},
                        {"latency_xu", Group::results},
                        {"mio_queue", Group::requests},
                        {"interval_l1_line", Group::l1},
                        {"l1_fill_bandwidth", Group::crossbar},
                        {"interval_l2_read", Group::l2},
                        {"memory_channels", Group::dram},
                        {"launch_time", Group::launch},
                        {"host_op", Group::host}};

std::vector<gpu::ParameterRow> rows_of(const gpu::Device& device, Group wanted) {
  std::vector<gpu::ParameterRow> rows;
  Group group = runs[0].group;
  // The runs follow the order of all parameters, since a device may lack the first one of a group.
  std::vector<gpu::ParameterRow> known = gpu::parameter_rows(device);
  auto row = known.begin();
  for (const gpu::ParameterInfo& info : gpu::parameter_infos()) {
    if (const auto begins = std::ranges::find(runs, info.name, &Run::first); begins != std::end(runs))
      group = begins->group;
    if (row == known.end() || row->info != &info) continue;
    if (group == wanted) rows.push_back(*row);
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

// A GPU, chosen by the control, and its parameters of the beat's group.
struct Parameters {
  const SceneInput& input;
  ControlSet controls{input, parameters_name};
  const gpu::Device* device = nullptr;
  std::vector<gpu::ParameterRow> rows;

  Parameters(const SceneInput& in, Group group) : input(in) {
    std::vector<std::string> names;
    for (const gpu::Device& one : input.hardware.devices) names.push_back(short_gpu_name(one));
    const std::size_t chosen = controls.choice("device", std::move(names), followed_device(input), "followed");
    static const gpu::Device undescribed;
    device = chosen < input.hardware.devices.size() ? &input.hardware.devices[chosen] : &undescribed;
    rows = rows_of(*device, group);
  }
};
using ParametersBeat = BeatOf<Parameters, Group>;

Narration::Values parameters_values(const Parameters& p) {
  return {{"gpu", p.device->name},
          {"parameters", count_text(p.input.narration, "parameter", static_cast<std::int64_t>(p.rows.size()))}};
}

void parameters_facts(const Parameters& p, FactWriter& facts) {
  const std::vector<gpu::ParameterRow> all = gpu::parameter_rows(*p.device);
  facts.counted("all", all.size());
  for (const gpu::Status status : {gpu::Status::spec, gpu::Status::measured, gpu::Status::fitted, gpu::Status::assumed})
    facts.counted(gpu::name_of(status),
                  static_cast<std::size_t>(std::ranges::count(all, status, &gpu::ParameterRow::status)));
}

PanelRows parameters_panels(const Parameters& p) {
  return {{1, {table_of(p.input, p.rows, p.input.narration.text(parameter_words, "heading", parameters_values(p)))}}};
}

constexpr Frame<Parameters, Group> parameters_frame = {
    .subject = [](const Here& here) { return Parameters(here.input, here.shown<ParametersBeat>()->more); },
    .stop = "front_end",
    .values = parameters_values,
    .facts = parameters_facts,
    .complete = take_controls,
};

constexpr ParametersBeat of_group(std::string_view key, Group group) {
  return {.key = key, .panels = parameters_panels, .more = group};
}
constexpr ParametersBeat parameters_beats[] = {
    of_group("chip", Group::chip),         of_group("sm", Group::sm),
    of_group("shared", Group::shared),     of_group("blocks", Group::blocks),
    of_group("issue", Group::issue),       of_group("start", Group::start),
    of_group("memory", Group::memory),     of_group("distance", Group::distance),
    of_group("width", Group::width),       of_group("fetch", Group::fetch),
    of_group("pipes", Group::pipes),       of_group("results", Group::results),
    of_group("requests", Group::requests), of_group("l1", Group::l1),
    of_group("crossbar", Group::crossbar), of_group("l2", Group::l2),
    of_group("dram", Group::dram),         of_group("launch", Group::launch),
    of_group("host", Group::host),
};

}  // namespace

const Contents& parameters_lab() {
  static const BeatTable table(parameters_name, parameters_frame, parameters_beats);
  return table;
}

}  // namespace warpwalk::story
