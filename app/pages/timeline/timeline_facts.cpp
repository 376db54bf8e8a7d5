#include "app/pages/timeline/timeline_facts.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/story/elements/figure.h"
#include "core/story/facts/names/names.h"
#include "core/story/facts/words/rows.h"
#include "core/story/facts/words/time_column.h"
#include "core/trace/link.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::RangeName;

constexpr float sum_line_height = 22;

std::string time_of(std::int64_t ns) { return story::time_text(static_cast<double>(ns)); }

std::string share_of(std::int64_t part, std::int64_t whole) {
  return fmt::format("{:.1f} %",
                     100 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole)));
}

// One table of names: count, time, share of the range.
void paint_slice_names(draw::Ui& ui, const Box& box, const trace::Trace& trace, const story::RangeStatistics& range,
                       const std::vector<RangeName>& names, std::int64_t RangeName::*time, const char* heading) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  constexpr float count_wide = 64, time_wide = 96, share_wide = 66;
  const float name_wide = box.width - count_wide - time_wide - share_wide;
  const auto cells = [&](float y, Style style, ImU32 colour, const std::string& count, const std::string& time_text,
                         const std::string& share) {
    canvas.text_in({box.x + name_wide, y, count_wide, sum_line_height}, style, colour, count, Align::right);
    canvas.text_in({box.x + name_wide + count_wide, y, time_wide, sum_line_height}, style, colour, time_text,
                   Align::right);
    canvas.text_in({box.right() - share_wide, y, share_wide, sum_line_height}, style, colour, share, Align::right);
  };
  float y = box.y;
  canvas.text_in({box.x, y, name_wide, sum_line_height}, Style::small_caps, theme.second, ui.word("timeline", heading));
  cells(y, Style::small_caps, theme.second, ui.word("timeline", "count"), ui.word("timeline", "time"),
        ui.word("timeline", "share"));
  y += sum_line_height;
  canvas.line({box.x, y}, {box.right(), y}, theme.line, theme.hairline);
  y += 2;
  if (names.empty()) {
    canvas.text_in({box.x, y, box.width, sum_line_height}, Style::label, theme.second, ui.word("timeline", "nothing"));
    return;
  }
  const story::TimeColumn times(names.front().*time);
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.bottom() - y) / sum_line_height));
  for (std::size_t i = 0; i < std::min(room, names.size()); ++i, y += sum_line_height) {
    const RangeName& name = names[i];
    const bool rest = i + 1 == room && names.size() > room;
    if (rest) {
      canvas.text_in({box.x, y, box.width, sum_line_height}, Style::label, theme.second,
                     ui.word("timeline", "more", {{"n", std::to_string(names.size() - i)}}));
      break;
    }
    canvas.fill({box.x, y + 6, 10, 10}, draw::colour_of(story::role_of(trace, name.example, {}), theme), 2);
    canvas.text_in({box.x + 18, y, name_wide - 24, sum_line_height}, Style::label, theme.text,
                   story::label_of(trace, name.example));
    ui.point({box.x, y, name_wide, sum_line_height}, trace.name(name.example));
    cells(y, Style::mono_small, theme.text, story::with_thousands(static_cast<std::int64_t>(name.count)),
          times.text(name.*time), share_of(name.*time, range.to - range.from));
  }
}

}  // namespace

story::SliceId slice_to_follow(const trace::Trace& trace, story::SliceId slice) {
  if (slice == story::no_slice) return slice;
  const trace::SliceKind kind = trace.slices.kind[slice];
  if (kind == trace::SliceKind::op || trace::is_gpu_work(kind)) return slice;
  if (trace::is_call(kind)) {
    const std::size_t first = trace::first_launched(trace, slice);
    if (first < trace.launched.size() && trace.launched[first].first == slice) return trace.launched[first].second;
  }
  return trace::enclosing(trace, slice, trace::SliceKind::op);
}

bool timeline_slice(draw::Ui& ui, const Box& box, const trace::Trace& trace, story::SliceId slice) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  if (slice == story::no_slice) {
    canvas.paragraph({box.x, box.y}, Style::label, theme.second, ui.word("timeline", "no_slice"), box.width, 3);
    return false;
  }
  const auto& rows = trace.slices;
  const trace::SliceKind kind = rows.kind[slice];
  float y = box.y;
  canvas.text_in({box.x, y, box.width, sum_line_height}, Style::small_caps, theme.second,
                 ui.word("timeline_kind", story::name_of(story::role_of(trace, slice, {}))));
  y += sum_line_height;
  y += canvas.paragraph({box.x, y}, Style::body, theme.text, trace.name(slice), box.width, 2) + 6;
  std::vector<std::pair<std::string, std::string>> lines;
  const std::string origin = ui.word("origin", trace::name_of(trace.records.time_origin()));
  lines.emplace_back(ui.word("timeline", "takes"), fmt::format("{}  {}", time_of(rows.duration[slice]), origin));
  lines.emplace_back(ui.word("timeline", "starts"), time_of(story::since_start(trace, rows.start[slice])));
  if (trace::is_gpu_work(kind)) {
    const story::SliceId launch = trace::launch_of(trace, slice), op = trace::op_of(trace, slice);
    if (launch != story::no_slice) {
      lines.emplace_back(ui.word("timeline", "launched_by"), story::label_of(trace, launch));
      lines.emplace_back(ui.word("timeline", "after_launch"), time_of(rows.start[slice] - rows.start[launch]));
    }
    if (op != story::no_slice) lines.emplace_back(ui.word("timeline", "op"), story::label_of(trace, op));
  } else {
    const story::SliceId target = slice_to_follow(trace, slice);
    if (trace::is_call(kind) && target != story::no_slice && trace::is_gpu_work(rows.kind[target])) {
      lines.emplace_back(ui.word("timeline", "launches"), story::label_of(trace, target));
      lines.emplace_back(ui.word("timeline", "after_launch"), time_of(rows.start[target] - rows.start[slice]));
    }
    if (rows.parent[slice] != story::no_slice)
      lines.emplace_back(ui.word("timeline", "inside"), story::label_of(trace, rows.parent[slice]));
  }
  constexpr float name_wide = 128, button_high = 26;
  for (const auto& [name, value] : lines) {
    if (y + sum_line_height > box.bottom() - button_high) break;
    canvas.text_in({box.x, y, name_wide - 8, sum_line_height}, Style::label, theme.second, name);
    canvas.text_in({box.x + name_wide, y, box.width - name_wide, sum_line_height}, Style::mono_small, theme.text,
                   value);
    y += sum_line_height;
  }
  if (slice_to_follow(trace, slice) == story::no_slice) return false;
  const std::string word = ui.word("timeline", "follow");
  const Box button = {box.x - 8, box.bottom() - button_high, canvas.text_width(Style::label, word) + 16, button_high};
  return ui.button("timeline.follow", button, word);
}

void timeline_range(draw::Ui& ui, const Box& box, const trace::Trace& trace,
                    const std::optional<story::RangeStatistics>& range) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  if (!range) {
    canvas.paragraph({box.x, box.y}, Style::label, theme.second, ui.word("timeline", "no_range"), box.width, 3);
    return;
  }
  std::string head = ui.word(
      "timeline", "range",
      {{"length", time_of(range->to - range->from)}, {"from", time_of(range->from)}, {"to", time_of(range->to)}});
  for (const auto& [device, busy] : range->devices)
    head += ui.word("timeline", "busy",
                    {{"device", device == trace::absent ? std::string("?") : std::to_string(device)},
                     {"share", share_of(busy, range->to - range->from)}});
  canvas.text_in({box.x, box.y, box.width, sum_line_height}, Style::body, theme.text, head);
  constexpr float gap = 32;
  const float wide = (box.width - gap) / 2, y = box.y + sum_line_height + 6;
  paint_slice_names(ui, {box.x, y, wide, box.bottom() - y}, trace, *range, range->gpu, &RangeName::time, "gpu");
  paint_slice_names(ui, {box.x + wide + gap, y, wide, box.bottom() - y}, trace, *range, range->cpu, &RangeName::self,
                    "cpu");
}

}  // namespace warpwalk::pages
