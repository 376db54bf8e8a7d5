// Grids, series and tables of the lab "streams".
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/streams/streams.h"

namespace warpwalk::story {
namespace {

// "s1"; the default stream has no name in calls.
std::string stream_name(int stream) { return stream == 0 ? "0" : fmt::format("s{}", stream); }

std::string call_code(const Streams& lab, const StreamStep& step) {
  const std::string stream = stream_name(step.stream);
  switch (step.op) {
    case StreamOp::none: return {};
    case StreamOp::copy_in: return fmt::format("cudaMemcpyAsync(d, h, n, H2D, {});", stream);
    case StreamOp::copy_out: return fmt::format("cudaMemcpyAsync(h, d, n, D2H, {});", stream);
    case StreamOp::kernel:
      return fmt::format("{}<<<grid, block, 0, {}>>>();", lab.word(fmt::format("kernel_{}", step.quarters)), stream);
    case StreamOp::record: return fmt::format("cudaEventRecord(event, {});", stream);
    case StreamOp::wait: return fmt::format("cudaStreamWaitEvent({}, event);", stream);
    case StreamOp::sync_stream: return fmt::format("cudaStreamSynchronize({});", stream);
    case StreamOp::sync_device: return "cudaDeviceSynchronize();";
  }
  return {};
}

}  // namespace

Panel program_panel(const Streams& lab) {
  // All calls up to the last one or the chosen one, and an empty line to go on with.
  std::size_t used = lab.step + 1;
  for (std::size_t i = 0; i < lab.program.size(); ++i)
    if (lab.program[i].op != StreamOp::none) used = std::max(used, i + 2);
  CodePicture::Column column;
  column.name = lab.word("program_code");
  for (std::size_t i = 0; i < std::min(used, lab.program.size()); ++i) {
    const StreamStep& step = lab.program[i];
    const auto number = static_cast<std::int64_t>(i) + 1;
    column.window.lines.push_back(
        {number, call_code(lab, step), number, i == lab.step,
         step.op == StreamOp::none
             ? lab.step_word(step)
             : fmt::format("{}: {}", lab.stream_word(step.stream, lab.rules.mode), lab.step_word(step))});
  }
  column.window.all_lines = std::ssize(column.window.lines);
  column.window.focus = lab.step;
  CodePicture picture;
  picture.columns = {std::move(column)};
  picture.line = static_cast<std::int64_t>(lab.step) + 1;
  for (const CodeLine& line : picture.columns[0].window.lines) picture.lines.push_back(line.number);
  picture.control = fmt::format("{}.step", Streams::name);
  return {"", 1.15, std::move(picture)};
}

Panel series_panel(const Streams& lab, std::string_view series, double shown) {
  ScatterPicture picture;
  picture.across = {lab.word("kernels_axis"), 0.9, 75, true, {}};
  for (const int tick : {1, 2, 4, 8, 16, 32, 64}) picture.across.ticks.emplace_back(tick, fmt::to_string(tick));
  const bool graphs = series == "graph";
  picture.up = {lab.word("time_axis"), 1e3, 3e6, true, {}};
  for (const auto& [tick, text] : {std::pair{1e3, "1 µs"}, {1e4, "10 µs"}, {1e5, "100 µs"}, {1e6, "1 ms"}})
    picture.up.ticks.emplace_back(tick, text);
  picture.groups = {{lab.word("single_cpu"), Tone::host},
                    {lab.word("single_total"), Tone::work},
                    {lab.word(graphs ? "graph_total" : "sync_total"), Tone::shared}};
  // With synchronization after each kernel, the CPU and the GPU end together.
  if (graphs) picture.groups.push_back({lab.word("graph_cpu"), Tone::barrier});
  std::size_t at = 0;
  for (double count = 1; count <= 64; count *= 2, ++at) {
    if (static_cast<double>(at) > shown * 7) break;
    const std::string kernels = lab.word("n_kernels", {{"n", with_marks(fmt::format("{:g}", count))}});
    const auto add = [&](const records::RecordedCalls* one, bool cpu, std::size_t group) {
      if (one == nullptr) return;
      const double ns = cpu ? one->cpu_ns : one->total_ns;
      picture.points.push_back({count, ns, group, kernels, time_text(ns), false});
    };
    const records::RecordedCalls* const single = lab.record->find("single_launches", count, lab.kernel_ns);
    const records::RecordedCalls* const other = lab.record->find(series, count, lab.kernel_ns);
    add(single, true, 0);
    add(single, false, 1);
    add(other, false, 2);
    if (graphs) add(other, true, 3);
  }
  return {"", 1, std::move(picture)};
}

Panel costs_panel(const Streams& lab) {
  TablePicture table;
  table.columns = {{lab.word("call_head"), 2.2, false, false, true}, {lab.word("cpu_head"), 1, true}};
  const auto row = [&](std::string_view what, std::string_view code) {
    const records::RecordedCalls* const one = lab.record->find(what);
    if (one == nullptr) return;
    TableRow& made = table.rows.emplace_back();
    made.cells = {word_cell(std::string(code)),
                  figure_cell(Figure::recorded(one->cpu_ns, Unit::nanoseconds, Origin::measured))};
    made.cells[0].code = true;
    made.cells[0].tip = lab.word(fmt::format("cost_{}", what));
  };
  row("launch", "kernel<<<...>>>()");
  row("copy_call", "cudaMemcpyAsync");
  row("record_call", "cudaEventRecord");
  row("wait_call", "cudaStreamWaitEvent");
  row("query_idle", "cudaStreamQuery");
  row("sync_stream_idle", "cudaStreamSynchronize");
  row("sync_device_idle", "cudaDeviceSynchronize");
  row("launch_and_sync_stream", "kernel + cudaStreamSynchronize");
  return {lab.word("costs_heading"), 0.8, std::move(table)};
}

Panel result_panel(const Streams& lab) {
  TablePicture table;
  for (const std::string_view column : {"calls_head", "end_head", "overlap_head", "cpu_wait_head"})
    table.columns.push_back({lab.word(column), 1, true});
  const auto time = [&](std::int64_t ns) {
    return figure_cell(Figure::derived(static_cast<double>(ns), Unit::nanoseconds, lab.word("by_schedule")));
  };
  table.rows.push_back({{number_cell(static_cast<std::int64_t>(lab.calls())), time(lab.run.end),
                         time(lab.run.overlapped(lab.program)), time(lab.run.cpu_waits())},
                        false});
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
