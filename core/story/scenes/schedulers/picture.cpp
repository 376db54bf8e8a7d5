#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/run/replay/history.h"
#include "core/story/facts/code/instruction_text.h"
#include "core/story/facts/code/source_lines.h"
#include "core/story/facts/simulated/gpu_glance.h"
#include "core/story/facts/simulated/kernel_cycles.h"
#include "core/story/facts/simulated/line_values.h"
#include "core/story/scenes/schedulers/schedulers.h"

namespace warpwalk::story {

RasterPicture cycles_raster(const SchedulersSubject& s) {
  const Narration& n = s.input.narration;
  RasterPicture picture;
  picture.from = s.window->from;
  picture.to = s.window->to;
  picture.states = raster_states(n);
  picture.now = s.cycle;
  picture.control = "schedulers.warp";
  picture.word_cycle = n.text("schedulers.word", "cycle");
  picture.word_rows = n.text("schedulers.word", "rows");
  picture.picks_cycle = true;
  picture.keeps = "schedulers.from";
  for (int scheduler = 0; scheduler < s.schedulers; ++scheduler) {
    RasterGroup& group = picture.groups.emplace_back();
    const Narration::Values values = {{"n", std::to_string(scheduler)},
                                      {"percent", fmt::format("{:.0f}", 100 * s.busy(scheduler))}};
    group.name = n.text("schedulers.word", "scheduler", values);
    group.note = n.text("schedulers.word", "issuing", values);
    group.weight = s.slot % s.schedulers == scheduler ? 2.4 : 1;
    for (const gpu::WarpRow& warp : s.window->warps) {
      if (warp.place.slot % s.schedulers != scheduler) continue;
      // Warps that follow one another in a slot share its row.
      const std::string label = fmt::format("{}.{}", warp.place.block, warp.place.warp);
      if (group.rows.empty() || group.rows.back().value != warp.place.slot)
        group.rows.push_back({label, static_cast<double>(warp.place.slot), warp.place.slot == s.slot, {}});
      RasterRow& row = group.rows.back();
      for (const gpu::WarpSpan& span : warp.spans) {
        std::string tip = stall_sentence(n, span.reason);
        if (s.cycle >= span.from && s.cycle < span.to)
          tip += "\n" + instruction_text(s.travel, s.history, span.instruction).text;
        row.spans.push_back({span.from, span.to, raster_state(span.reason), std::move(tip)});
      }
    }
  }
  keep_shown_states(picture);
  return picture;
}

namespace {

// The program around the followed warp's instruction, behind its source if that is known.
CodePicture code(const SchedulersSubject& s) {
  constexpr std::uint32_t before = 2, shown = 6;
  CodePicture picture;
  CodePicture::Column column;
  const bool machine = !s.travel.timing().estimated;
  column.kind = machine ? CodeKind::sass : CodeKind::ptx;
  column.name = s.input.narration.text("schedulers.word", machine ? "sass" : "ptx");
  if (s.warp == nullptr) {
    column.missing = s.input.narration.text("schedulers.word", "no_warp");
  } else {
    const std::uint32_t at = s.warp->instruction, count = instruction_count(s.travel);
    const std::uint32_t first = at > before ? at - before : 0, last = std::min(count, first + shown);
    for (std::uint32_t i = first; i < last; ++i) {
      InstructionText text = instruction_text(s.travel, s.history, i);
      if (i == at) column.window.focus = column.window.lines.size();
      column.window.lines.push_back({text.number, std::move(text.text), text.source_line, i == at});
    }
    column.window.all_lines = count;
    column.window.lit_lines = 1;
    if (auto source = source_column(s.input.narration, s.travel, s.history, at, shown)) {
      add_values_at(s.input, *source, s.warp->place, s.now->cycle);
      picture.columns.push_back(std::move(*source));
    }
  }
  picture.columns.push_back(std::move(column));
  picture.decoded = machine;
  return picture;
}

Panel code_panel(const SchedulersSubject& s) {
  CodePicture picture = code(s);
  const double share = picture.columns.size() > 1 ? 1.7 : 1;
  return {"", share, std::move(picture)};
}

// The warps by cycles over the code and the causes; of a changed GPU, over what the change does.
PanelRows rows_of(const SchedulersSubject& s, RasterPicture cycles) {
  const bool changed = &s.travel == s.input.history.changed;
  PanelRows rows;
  rows.push_back({changed ? 1.5 : 1.7, {{"", 1, std::move(cycles)}}});
  if (changed)
    rows.push_back({1, {{"", 1, change_table(s.input)}, {"", 1.15, why_table(s)}}});
  else
    rows.push_back({1, {code_panel(s), {"", 1.3, why_table(s)}}});
  return rows;
}

}  // namespace

PanelRows cycles_panels(const SchedulersSubject& s) { return rows_of(s, cycles_raster(s)); }

PanelRows hide_panels(const SchedulersSubject& s) {
  RasterPicture cycles = cycles_raster(s);
  // The other warps of its scheduler are what this beat is about.
  RasterGroup own = std::move(cycles.groups[static_cast<std::size_t>(s.slot % s.schedulers)]);
  cycles.groups.clear();
  cycles.groups.push_back(std::move(own));
  keep_shown_states(cycles);
  return rows_of(s, std::move(cycles));
}

PanelRows loop_panels(const SchedulersSubject& s) {
  if (!s.loop) return cycles_panels(s);
  RasterPicture passes = loop_raster(s);
  TablePicture table = loop_table(s);
  // Both get the height that their rows need.
  const double above = 70 + 22 * static_cast<double>(passes.groups.front().rows.size());
  const double below = 45 + 19 * static_cast<double>(table.rows.size());
  return {{above / below, {{"", 1, std::move(passes)}}}, {1, {code_panel(s), {"", 1.15, std::move(table)}}}};
}

PanelRows gpu_panels(const SchedulersSubject& s) {
  return {{1, {{"", 1, gpu_glance(s.input.narration, s.travel, s.sm, s.cycle)}}}};
}

}  // namespace warpwalk::story
