#include "app/verbs/info/json.h"

#include "app/verbs/common/terminal.h"
#include "app/verbs/info/fused_lines.h"
#include "app/verbs/info/json_writer.h"
#include "app/verbs/info/overview_json.h"
#include "app/verbs/info/ranks.h"
#include "core/analysis/time/idle_lines.h"
#include "core/platform/output_file.h"
#include "core/run/replay/load_recorded.h"

namespace warpwalk::verbs {
namespace {

using trace::SliceKind;
using trace::Trace;

void write_counts(JsonWriter& json, InfoFigures& figures) {
  const InfoSummary& summary = figures.summary();
  json.number("events", figures.loaded().result.events);
  json.number("ops", summary.of(SliceKind::op));
  json.number("launches", summary.launches);
  json.number("kernels", summary.of(SliceKind::kernel));
  if (!summary.stand_ins.empty())
    json.object("stand_ins", [&] {
      for (const auto& [library, kernels] : summary.stand_ins) json.number(library.c_str(), kernels);
    });
  json.number("memcpys", summary.of(SliceKind::memcpy));
  json.number("memsets", summary.of(SliceKind::memset));
  json.number("syncs", summary.of(SliceKind::sync));
  json.number("synchronisations", summary.synchronisations);
  json.number("streams", summary.streams);
  json.number("recorded_inside", run::recorded_launches(figures.trace()).size());
}

void write_devices(JsonWriter& json, InfoFigures& figures) {
  json.array("devices", figures.summary().devices, [&](const trace::Device& device) {
    json.object([&] {
      json.integer("id", device.id);
      json.text("name", figures.trace().text(device.name));
      if (device.sms == trace::absent)
        json.null("sms");
      else
        json.integer("sms", device.sms);
    });
  });
}

void write_problems(JsonWriter& json, const trace::Problems& problems) {
  json.array("problems", problems.rows(), [&](const trace::Problem& problem) {
    json.object([&] {
      json.text("kind", trace::name_of(problem.kind));
      json.number("count", problem.count);
      json.number("byte_offset", problem.byte_offset);
      json.text("message", problem.message);
    });
  });
}

void write_snapshot(JsonWriter& json, const analysis::SnapshotSums& sums) {
  json.object("memory_snapshot", [&] {
    json.integer("reserved_bytes", sums.reserved);
    json.integer("allocated_bytes", sums.allocated);
    json.integer("awaiting_free_bytes", sums.awaiting);
    json.integer("inactive_bytes", sums.inactive);
    json.integer("free_segments_bytes", sums.whole);
    if (sums.peak == trace::absent)
      json.null("peak_allocated_bytes");
    else
      json.integer("peak_allocated_bytes", sums.peak);
    json.number("segments", sums.segments);
    json.number("blocks", sums.blocks);
    json.number("blocks_in_use", sums.in_use);
    json.number("call_stacks", sums.stacks);
    json.number("out_of_memory", sums.refused);
  });
}

void write_figures(JsonWriter& json, InfoFigures& figures) {
  const trace::ReadResult& result = figures.loaded().result;
  const Trace& trace = figures.trace();
  json.object([&] {
    write_counts(json, figures);
    write_devices(json, figures);
    json.array("slowed_by", analysis::slowing_options(trace), [&](const auto& option) { json.text(option); });
    json.number("kernels_linked_to_launch", figures.summary().linked_to_launch);
    json.number("kernels_linked_to_op", figures.summary().linked_to_op);
    json.number("time_span_ns", static_cast<std::uint64_t>(trace.end_ns - trace.begin_ns));
    write_idle(json, figures);
    write_overview(json, figures);
    write_fused_lines(json, figures);
    write_measured_launches(json, trace);
    if (const analysis::SnapshotSums* const snapshot = figures.snapshot()) write_snapshot(json, *snapshot);
    if (const analysis::RankReport* const ranks = figures.ranks()) write_ranks(json, *ranks);
    if (const analysis::TraceComparison* const comparison = figures.comparison()) write_comparison(json, *comparison);
    write_problems(json, result.problems);
    json.real("load_seconds", figures.loaded().seconds);
    json.number("bytes", result.bytes);
    json.number("peak_memory_bytes", peak_memory_bytes());
  });
  json.finish();
}

}  // namespace

std::string figures_json(InfoFigures& figures) {
  JsonWriter json;
  write_figures(json, figures);
  return json.document();
}

base::Result<void> write_figures_json(InfoFigures& figures, const std::filesystem::path& file) {
  if (file == "-") {
    JsonWriter json(print_text);
    write_figures(json, figures);
    return {};
  }
  platform::OutputFile out(file);
  JsonWriter json([&](std::string_view text) { out.write(text); });
  write_figures(json, figures);
  return out.finish();
}

}  // namespace warpwalk::verbs
