// Grids, series and tables of the lab "streams".
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/streams/streams.h"

namespace warpwalk::story {
namespace {

Tone tone_of(StreamOp op) {
  switch (op) {
    case StreamOp::none: return Tone::plain;
    case StreamOp::copy_in:
    case StreamOp::copy_out: return Tone::memory;
    case StreamOp::kernel: return Tone::work;
    case StreamOp::record:
    case StreamOp::wait: return Tone::barrier;
    case StreamOp::sync_stream:
    case StreamOp::sync_device: return Tone::host;
  }
  return Tone::plain;
}

std::vector<std::pair<Tone, std::string>> grid_legend(const Streams& lab, const CellGrid& grid) {
  return legend(grid, lab.input, fmt::format("{}.word", Streams::name),
                {{Tone::memory, "copies"}, {Tone::work, "kernels"}, {Tone::barrier, "events"}, {Tone::host, "syncs"}});
}

std::string full(std::string_view control) { return fmt::format("{}.{}", Streams::name, control); }

}  // namespace

Panel program_panel(const Streams& lab) {
  CellGrid grid;
  grid.columns = Streams::most_steps + 1;
  grid.cells.push_back({Tone::quiet, "", lab.word("calls_in_order")});
  for (std::size_t i = 0; i < Streams::most_steps; ++i)
    grid.cells.push_back({Tone::quiet,
                          fmt::to_string(i + 1),
                          lab.word("call_n", {{"n", fmt::to_string(i + 1)}}),
                          {{full("step"), static_cast<double>(i)}}});
  for (int stream = 0; stream <= lab.streams; ++stream) {
    const std::string row = lab.stream_word(stream, lab.rules.mode);
    grid.cells.push_back(
        {Tone::quiet,
         stream == 0 ? lab.word("default_short") : lab.word("stream_short", {{"n", fmt::to_string(stream)}}), row});
    for (std::size_t i = 0; i < Streams::most_steps; ++i) {
      const StreamStep& step = lab.program[i];
      const bool here = step.op != StreamOp::none && step.stream == stream;
      const std::string call = lab.word("call_n", {{"n", fmt::to_string(i + 1)}});
      Cell& cell = grid.cells.emplace_back();
      cell.tone = here ? tone_of(step.op) : Tone::plain;
      cell.label = here ? stream_choices[choice_of(step)].label : "";
      cell.tip = fmt::format("{}, {}{}{}", call, row, here ? ": " : "", here ? lab.step_word(step) : "");
      cell.sets = {{full("step"), static_cast<double>(i)},
                   {full(lab.step_control("stream", i)), static_cast<double>(stream)}};
    }
  }
  // An empty row, and the choices for the chosen call.
  const std::string chosen = lab.word("call_n", {{"n", fmt::to_string(lab.step + 1)}});
  for (std::size_t i = 0; i < grid.columns; ++i) grid.cells.push_back({Tone::quiet, "", chosen});
  grid.cells.push_back({Tone::quiet, fmt::to_string(lab.step + 1), chosen});
  for (std::size_t i = 0; i < Streams::most_steps; ++i) {
    if (i >= std::size(stream_choices)) {
      grid.cells.push_back({Tone::quiet, "", chosen});
      continue;
    }
    const StreamChoice& choice = stream_choices[i];
    grid.cells.push_back({i == 0 ? Tone::plain : tone_of(choice.op),
                          i == 0 ? "–" : std::string(choice.label),
                          fmt::format("{}: {}", chosen, lab.word(fmt::format("op_{}", choice.key))),
                          {{full(lab.step_control("op", lab.step)), static_cast<double>(i)}}});
  }
  const StreamStep& step = lab.program[lab.step];
  grid.followed = (static_cast<std::size_t>(step.stream) + 1) * grid.columns + lab.step + 1;
  for (std::size_t i = 0; i < Streams::most_steps; ++i)
    if (lab.program[i].op != StreamOp::none)
      grid.summary +=
          fmt::format("{}{} {}: {}", grid.summary.empty() ? "" : ", ", i + 1,
                      lab.stream_word(lab.program[i].stream, lab.rules.mode), lab.step_word(lab.program[i]));
  grid.legend = grid_legend(lab, grid);
  return {lab.word("program_heading", {{"n", fmt::to_string(lab.step + 1)}, {"what", lab.step_word(step)}}), 1,
          std::move(grid)};
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
    const std::string kernels = lab.word("n_kernels", {{"n", fmt::format("{:g}", count)}});
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
