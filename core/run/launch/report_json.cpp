#include <array>
#include <cmath>
#include <string_view>

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include "core/run/launch/cycle_figures.h"
#include "core/run/launch/report.h"
#include "core/trace/chrome/json_text.h"

namespace warpwalk::run {
namespace {

using Json = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

void key(Json& json, std::string_view name) { json.Key(name.data(), static_cast<rapidjson::SizeType>(name.size())); }

void write(Json& json, std::string_view text) {
  // rapidjson does not validate UTF-8. Other bytes (a file name in the PTX) would make the report invalid.
  std::string quoted;
  trace::append_quoted(quoted, text);
  json.RawValue(quoted.data(), quoted.size(), rapidjson::kStringType);
}

void member(Json& json, std::string_view name, std::string_view text) {
  key(json, name);
  write(json, text);
}

void member(Json& json, std::string_view name, std::uint64_t number) {
  key(json, name);
  json.Uint64(number);
}

void member(Json& json, std::string_view name, double number) {
  key(json, name);
  json.Double(number);
}

void member(Json& json, std::string_view name, const std::array<std::uint32_t, 3>& shape) {
  key(json, name);
  json.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  json.StartArray();
  for (const std::uint32_t n : shape) json.Uint(n);
  json.EndArray();
  json.SetFormatOptions(rapidjson::kFormatDefault);
}

void write(Json& json, const Comparison& comparison) {
  json.StartObject();
  key(json, "match");
  json.Bool(comparison.match);
  member(json, "mismatches", comparison.mismatches);
  member(json, "max_abs_error", comparison.max_abs_error);
  member(json, "max_ulp", comparison.max_ulp);
  json.EndObject();
}

void write(Json& json, const gpu::Finding& finding) {
  json.StartObject();
  member(json, "kind", gpu::name_of(finding.kind));
  member(json, "message", finding.message);
  member(json, "block", finding.block);
  member(json, "thread", finding.thread);
  member(json, "ptx_line", std::uint64_t{finding.ptx_line});
  if (finding.source_line != 0) {
    member(json, "source_file", finding.source_file);
    member(json, "source_line", std::uint64_t{finding.source_line});
  } else {
    for (const char* const name : {"source_file", "source_line"}) {
      json.Key(name);
      json.Null();
    }
  }
  key(json, "address");
  if (finding.address)
    json.Uint64(*finding.address);
  else
    json.Null();
  json.EndObject();
}

/// Whole numbers are written as integers.
void write_figure(Json& json, const CycleFigure& figure) {
  if (figure.value == std::floor(figure.value) && figure.value < 0x1p53)
    member(json, figure.name, static_cast<std::uint64_t>(figure.value));
  else
    member(json, figure.name, figure.value);
}

void write_cycles(Json& json, const gpu::Device& device, const LaunchResult& result) {
  if (!result.cycles.timing) return;
  const gpu::LaunchTiming& timing = *result.cycles.timing;
  for (const CycleFigure& figure : cycle_figures(timing)) write_figure(json, figure);
  member(json, "schedule", schedule_of(timing));
  member(json, "time_us", 1e6 * seconds_of(device, timing.cycles));
  member(json, "ipc", ipc_of(device, timing));
  const IssueSlots slots = issue_slots_of(timing);
  json.Key("issue_slots");
  json.StartObject();
  member(json, "issued_pct", slots.issued);
  member(json, "no_eligible_warp_pct", slots.no_eligible_warp);
  member(json, "no_warp_pct", slots.no_warp);
  json.EndObject();
  json.Key("stalls");
  json.StartObject();
  for (const CycleFigure& stall : stall_figures(timing)) write_figure(json, stall);
  json.EndObject();
  const Roofline place = roofline_of(device, timing);
  json.Key("roofline");
  json.StartObject();
  if (place.instructions_per_sector) member(json, "warp_instructions_per_dram_sector", *place.instructions_per_sector);
  member(json, "issue_pct", place.issue_pct);
  member(json, "dram_pct", place.dram_pct);
  json.EndObject();
  member(json, "issue_policy", name_of(result.policy));
  member(json, "cycles_host_seconds", timing.host_seconds);
}

}  // namespace

std::string report_json(const gpu::Device& device, const LoadedLaunch& loaded, const LaunchResult& result) {
  const gpu::Simulation& simulation = result.simulation;
  const gpu::Occupancy& occupancy = simulation.occupancy;
  rapidjson::StringBuffer buffer;
  Json json(buffer);
  json.SetIndent(' ', 2);
  json.StartObject();
  member(json, "kernel", loaded.file.kernel);
  member(json, "gpu", device.id);
  member(json, "grid", loaded.file.grid);
  member(json, "block", loaded.file.block);
  member(json, "threads", static_cast<std::uint64_t>(simulation.threads_used));
  member(json, "code", loaded.code);
  member(json, "registers", static_cast<std::uint64_t>(simulation.registers));
  member(json, "registers_origin", loaded.registers_origin);
  member(json, "blocks_per_sm", static_cast<std::uint64_t>(occupancy.blocks_per_sm));
  member(json, "occupancy_pct", occupancy.percent);
  if (!occupancy.limiters.empty()) member(json, "occupancy_limiter", gpu::name_of(occupancy.limiters.front()));
  for (const ReportCounter& counter : report_counters(simulation.counters, loaded.runs_machine_code()))
    member(json, counter.name, counter.value);
  write_cycles(json, device, result);
  json.Key("notes");
  json.StartArray();
  for (const std::string& note : loaded.notes) write(json, note);
  if (!result.cycles.missing.empty()) write(json, cycles_note(result.cycles));
  json.EndArray();
  if (result.recorded) {
    json.Key("recorded");
    json.StartObject();
    member(json, "same", std::uint64_t{result.recorded->same});
    member(json, "different", std::uint64_t{result.recorded->different});
    member(json, "unknown", std::uint64_t{result.recorded->unknown});
    if (!result.recorded->first_different.empty()) member(json, "first_different", result.recorded->first_different);
    if (result.recorded->measured_ns > 0)
      member(json, "measured_time_us", static_cast<double>(result.recorded->measured_ns) / 1e3);
    json.EndObject();
  }
  json.Key("outputs");
  json.StartObject();
  for (const Output& output : result.outputs) {
    key(json, loaded.file.buffers[output.buffer].name);
    write(json, output.comparison);
  }
  json.EndObject();
  json.Key("findings");
  json.StartArray();
  for (const gpu::Finding& finding : simulation.findings) write(json, finding);
  json.EndArray();
  member(json, "host_seconds", simulation.host_seconds);
  member(json, "warp_instructions_per_second", warp_instructions_per_second(simulation));
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace warpwalk::run
