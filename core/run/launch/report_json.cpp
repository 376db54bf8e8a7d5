#include <array>
#include <cmath>
#include <string_view>

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "core/run/launch/cupti_time.h"
#include "core/run/launch/cycle_figures.h"
#include "core/run/launch/python_costs.h"
#include "core/run/launch/report.h"
#include "core/run/layouts/layout_report.h"
#include "core/trace/json/json_text.h"

namespace warpwalk::run {
namespace {

using ReportWriter = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

void write_key(ReportWriter& json, std::string_view name) {
  json.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}

void write(ReportWriter& json, std::string_view text) {
  // rapidjson does not validate UTF-8. Other bytes (a file name in the PTX) would make the report invalid.
  std::string quoted;
  trace::append_quoted(quoted, text);
  json.RawValue(quoted.data(), quoted.size(), rapidjson::kStringType);
}

void write_member(ReportWriter& json, std::string_view name, std::string_view text) {
  write_key(json, name);
  write(json, text);
}

void write_member(ReportWriter& json, std::string_view name, std::uint64_t number) {
  write_key(json, name);
  json.Uint64(number);
}

void write_member(ReportWriter& json, std::string_view name, double number) {
  write_key(json, name);
  json.Double(number);
}

void write_member(ReportWriter& json, std::string_view name, const std::array<std::uint32_t, 3>& shape) {
  write_key(json, name);
  json.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  json.StartArray();
  for (const std::uint32_t n : shape) json.Uint(n);
  json.EndArray();
  json.SetFormatOptions(rapidjson::kFormatDefault);
}

void write(ReportWriter& json, const Comparison& comparison) {
  json.StartObject();
  write_key(json, "match");
  json.Bool(comparison.match);
  write_member(json, "mismatches", comparison.mismatches);
  write_member(json, "max_abs_error", comparison.max_abs_error);
  write_member(json, "max_ulp", comparison.max_ulp);
  json.EndObject();
}

void write(ReportWriter& json, const gpu::Finding& finding) {
  json.StartObject();
  write_member(json, "kind", gpu::name_of(finding.kind));
  write_member(json, "message", finding.message);
  write_member(json, "block", finding.block);
  write_member(json, "thread", finding.thread);
  write_member(json, "ptx_line", std::uint64_t{finding.ptx_line});
  if (finding.source_line != 0) {
    write_member(json, "source_file", finding.source_file);
    write_member(json, "source_line", std::uint64_t{finding.source_line});
  } else {
    for (const char* const name : {"source_file", "source_line"}) {
      json.Key(name);
      json.Null();
    }
  }
  if (!finding.inlined.empty()) write_member(json, "inlined", finding.inlined);
  write_key(json, "other_line");
  if (finding.other_line != 0)
    json.Uint(finding.other_line);
  else
    json.Null();
  write_key(json, "address");
  if (finding.address)
    json.Uint64(*finding.address);
  else
    json.Null();
  json.EndObject();
}

/// Whole numbers are written as integers.
void write_figure(ReportWriter& json, const CycleFigure& figure) {
  if (figure.value == std::floor(figure.value) && figure.value < 0x1p53)
    write_member(json, figure.name, static_cast<std::uint64_t>(figure.value));
  else
    write_member(json, figure.name, figure.value);
}

void write_cycles(ReportWriter& json, const gpu::Device& device, const LaunchResult& result) {
  if (!result.cycles.timing) return;
  const gpu::LaunchTiming& timing = *result.cycles.timing;
  for (const CycleFigure& figure : cycle_figures(timing)) write_figure(json, figure);
  write_member(json, "schedule", schedule_of(timing));
  write_member(json, "caches", name_of(timing.caches));
  write_member(json, "time_us", 1e6 * seconds_of(device, timing.cycles));
  write_member(json, "ipc", ipc_of(device, timing));
  const IssueSlots slots = issue_slots_of(timing);
  json.Key("issue_slots");
  json.StartObject();
  write_member(json, "issued_pct", slots.issued);
  write_member(json, "no_eligible_warp_pct", slots.no_eligible_warp);
  write_member(json, "no_warp_pct", slots.no_warp);
  json.EndObject();
  json.Key("stalls");
  json.StartObject();
  for (const CycleFigure& stall : stall_figures(timing)) write_figure(json, stall);
  json.EndObject();
  const Roofline place = roofline_of(device, timing);
  json.Key("roofline");
  json.StartObject();
  if (place.instructions_per_sector)
    write_member(json, "warp_instructions_per_dram_sector", *place.instructions_per_sector);
  write_member(json, "issue_pct", place.issue_pct);
  write_member(json, "dram_pct", place.dram_pct);
  json.EndObject();
  write_member(json, "issue_policy", name_of(result.policy));
  write_member(json, "cycles_host_seconds", timing.host_seconds);
}

void write(ReportWriter& json, const MeasuredPair& pair) {
  json.StartObject();
  write_member(json, "name", pair.name);
  write_figure(json, {"measured", pair.measured});
  write_figure(json, {"simulated", pair.simulated});
  write_key(json, "ratio");
  if (const auto ratio = pair.ratio())
    json.Double(*ratio);
  else
    json.Null();
  json.EndObject();
}

/// A member for each quantity of a line: what was measured and what was simulated.
void write(ReportWriter& json, const MeasuredLine& line) {
  const auto write_both = [&](std::string_view name, auto measured, auto simulated) {
    write_key(json, name);
    json.StartObject();
    write_member(json, "measured", measured);
    write_member(json, "simulated", simulated);
    json.EndObject();
  };
  json.StartObject();
  write_member(json, "line", line.line);
  write_member(json, "text", line.text);
  write_both("stall_pct", line.measured_stall_pct, line.simulated_stall_pct);
  write_both("reason", std::string_view(line.measured_reason), std::string_view(line.simulated_reason));
  write_both("warp_instructions", line.measured_instructions, line.simulated_instructions);
  write_both("global_sectors", line.measured_sectors, line.simulated_sectors);
  write_both("ideal_sectors", line.measured_ideal_sectors, line.simulated_ideal_sectors);
  write_both("shared_bank_conflicts", line.measured_conflicts, line.simulated_conflicts);
  json.EndObject();
}

/// `measured` and `measured_lines`, and under `measured_by` where they are from.
void write_measured(ReportWriter& json, const BesideMeasured& beside) {
  json.Key("measured_by");
  json.StartObject();
  write_member(json, "report", beside.report);
  write_member(json, "by", beside.by);
  write_member(json, "gpu", beside.gpu);
  write_member(json, "launch", beside.launch);
  write_member(json, "source_file", beside.source_file);
  json.Key("notes");
  json.StartArray();
  for (const std::string& note : beside.notes) write(json, note);
  json.EndArray();
  json.EndObject();
  json.Key("measured");
  json.StartArray();
  for (const MeasuredPair& pair : beside.figures) write(json, pair);
  json.EndArray();
  json.Key("measured_lines");
  json.StartArray();
  for (const MeasuredLine& line : beside.lines) write(json, line);
  json.EndArray();
}

void write_values(ReportWriter& json, const LoadedLaunch& loaded, const LaunchResult& result) {
  json.Key("values");
  json.StartObject();
  for (const BufferFile& value : result.values) {
    const BufferSpec& buffer = loaded.file.buffers[value.buffer];
    write_key(json, buffer.name);
    json.StartObject();
    write_member(json, "dtype", name_of(buffer.dtype));
    write_member(json, "count", buffer.count);
    write_member(json, "file", value.file);
    json.EndObject();
  }
  json.EndObject();
}

}  // namespace

std::string report_json(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result,
                        const CheckedLayouts* layouts, const PythonCosts* lines) {
  const gpu::Simulation& simulation = result.simulation;
  const gpu::Occupancy& occupancy = simulation.occupancy;
  rapidjson::StringBuffer buffer;
  ReportWriter json(buffer);
  json.SetIndent(' ', 2);
  json.StartObject();
  write_member(json, "kernel", loaded.file.kernel);
  write_member(json, "gpu", device.id);
  write_member(json, "grid", loaded.file.grid);
  write_member(json, "block", loaded.file.block);
  write_member(json, "threads", static_cast<std::uint64_t>(simulation.threads_used));
  write_member(json, "code", loaded.code);
  write_member(json, "registers", static_cast<std::uint64_t>(simulation.registers));
  write_member(json, "registers_origin", loaded.registers_origin);
  write_member(json, "blocks_per_sm", static_cast<std::uint64_t>(occupancy.blocks_per_sm));
  write_member(json, "occupancy_pct", occupancy.percent);
  if (!occupancy.limiters.empty()) write_member(json, "occupancy_limiter", gpu::name_of(occupancy.limiters.front()));
  for (const ReportCounter& counter : report_counters(simulation.counters, loaded.runs_machine_code()))
    write_member(json, counter.name, counter.value);
  write_cycles(json, device, result);
  json.Key("notes");
  json.StartArray();
  for (const std::string& note : loaded.notes) write(json, note);
  if (!result.cycles.missing.empty()) write(json, cycles_note(result.cycles));
  json.EndArray();
  if (result.recorded) {
    json.Key("recorded");
    json.StartObject();
    write_member(json, "same", std::uint64_t{result.recorded->same});
    write_member(json, "different", std::uint64_t{result.recorded->different});
    write_member(json, "unknown", std::uint64_t{result.recorded->unknown});
    if (!result.recorded->first_different.empty())
      write_member(json, "first_different", result.recorded->first_different);
    if (result.recorded->measured_ns > 0)
      write_member(json, "measured_time_us", static_cast<double>(result.recorded->measured_ns) / 1e3);
    if (result.recorded->measured_ns > 0 && result.cycles.timing)
      write_member(json, "simulated_time_us", cupti_ns(device, *result.cycles.timing, result.recorded->gpu) / 1e3);
    json.EndObject();
  }
  if (result.measured) write_measured(json, *result.measured);
  json.Key("outputs");
  json.StartObject();
  for (const Output& output : result.outputs) {
    write_key(json, loaded.file.buffers[output.buffer].name);
    write(json, output.comparison);
  }
  json.EndObject();
  if (!result.values.empty()) write_values(json, loaded, result);
  if (layouts != nullptr) {
    const std::string array = layouts_json(*layouts);
    json.Key("layouts");
    json.RawValue(array.data(), array.size(), rapidjson::kArrayType);
  }
  if (lines != nullptr) {
    const std::string members = python_lines_json(*lines);
    json.Key("lines");
    json.RawValue(members.data(), members.size(), rapidjson::kArrayType);
  }
  json.Key("findings");
  json.StartArray();
  for (const gpu::Finding& finding : simulation.findings) write(json, finding);
  json.EndArray();
  write_member(json, "host_seconds", simulation.host_seconds);
  write_member(json, "warp_instructions_per_second", warp_instructions_per_second(simulation));
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace warpwalk::run
