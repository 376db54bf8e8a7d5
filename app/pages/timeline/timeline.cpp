#include "app/pages/timeline/timeline.h"

#include <algorithm>
#include <string>

#include "app/pages/timeline/timeline_facts.h"
#include "app/pages/timeline/timeline_frame.h"
#include "app/pages/timeline/timeline_range.h"
#include "core/story/elements/figure.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float timeline_axis_height = 30, timeline_gutter = 170, timeline_divider = 12, least_rows_height = 120;

// The height of the panel: a third of the page, or as it was dragged; the rows keep some room.
float panel_height(const TimelinePanel& panel, float page_height, float rows_top) {
  const float most = std::max(80.0f, page_height - rows_top - timeline_divider - least_rows_height);
  const float usual = std::clamp(0.31f * page_height, 176.0f, 320.0f);
  const float wanted = panel.tall ? 0.62f * page_height : panel.height.value_or(usual);
  return std::clamp(wanted, std::min(96.0f, most), most);
}

// Two buttons choose what is beside the chosen slice. Returns the height used.
float paint_sides(TimelineFrame& page, const Box& box) {
  draw::Ui& ui = page.ui;
  TimelinePanel& panel = page.state.panel;
  const auto notes = static_cast<std::int64_t>(page.state.notebook.notes.size());
  float x = box.x;
  const auto side = [&](const char* id, const std::string& word, TimelinePanel::Side which) {
    const Box button = {x, box.y, ui.canvas().text_width(Style::label, word) + 20, 24};
    if (ui.button(id, button, word, panel.side == which)) panel.side = which;
    x = button.right() + 4;
  };
  side("timeline.side.range", ui.word("timeline", "side.range"), TimelinePanel::Side::range);
  side("timeline.side.notes", ui.word("timeline", "side.notes", {{"n", story::with_thousands(notes)}}),
       TimelinePanel::Side::notes);
  return 30;
}

void paint_panel(TimelineFrame& page, const Box& box) {
  draw::Ui& ui = page.ui;
  TimelineState& state = page.state;
  const float slice_wide = std::clamp(0.32f * box.width, 300.0f, 470.0f);
  const FactsChoice asked = timeline_slice(ui, {box.x, box.y, slice_wide, box.height}, page.trace, state.slice,
                                           page.resolution(), state.panel.fields);
  if (asked.follow) page.choice.follow = slice_to_follow(page.trace, state.slice);
  if (asked.copy_name) state.memory.copied = page.trace.name(state.slice);
  Box side = {box.x + slice_wide + 32, box.y, box.width - slice_wide - 32, box.height};
  const float used = paint_sides(page, side);
  const Box switches = {side.x, side.y, side.width, used};
  side.y += used;
  side.height -= used;
  if (state.panel.side == TimelinePanel::Side::range)
    timeline_range(ui, side, switches, page.trace, state);
  else if (const auto note = timeline_note_list(ui, side, page.resolution(), state))
    go_to_note(page, TimelineNote(state.notebook.notes[*note]));
}

}  // namespace

void prepare_timeline(const trace::Trace& trace, const story::Walk& walk, TimelineState& state) {
  state.content = timeline_content(trace);
  state.slice = walk.kernel != trace::no_slice ? walk.kernel : walk.op;
  state.to_slice = true;
  state.prepared = true;
}

TimelineChoice timeline(draw::Ui& ui, const trace::Trace& trace, const story::Walk& walk, panels::StripState& shown,
                        TimelineState& state) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const float width = canvas.width(), height = canvas.height();
  canvas.fill({0, 0, width, height}, theme.ground);
  // Neither a click nor Tab in a field leaves a focus behind that Enter would use.
  if (!state.memory.focus_shown || state.typing != TimelineTyping::none) {
    state.memory.focus.clear();
    state.memory.focus_shown = false;
  }
  TimelineChoice choice;
  TimelineFrame page = {ui, trace, state, shown, choice};
  const float head = timeline_head_height(ui);
  if (state.content.tracks.empty()) {
    paint_timeline_head(page, head);
    canvas.text({timeline_margin, head + 16}, Style::body, theme.second, ui.word("timeline", "empty"));
    return choice;
  }
  panels::pan(shown, 0, page.length());  // inside the trace

  const float top = head + timeline_axis_height;
  if (ui.dragged("timeline.divider",
                 {0, height - panel_height(state.panel, height, top) - timeline_divider, width, timeline_divider})) {
    state.panel.tall = false;
    state.panel.height = height - ui.input().mouse.y - timeline_divider / 2;
  }
  const float panel = panel_height(state.panel, height, top);
  page.lanes = {timeline_margin + timeline_gutter, top, width - 2 * timeline_margin - timeline_gutter,
                height - top - panel - timeline_divider};
  page.names = {timeline_margin, top, timeline_gutter, page.lanes.height};
  lay_out(page);
  take_timeline_keys(page);
  take_timeline_pointer(page);
  bring_into_view(page);
  lay_out(page);

  paint_timeline_head(page, head);
  pictures::paint_axis(canvas, page.axis, head, 0);
  paint_timeline_rows(page, walk);
  paint_track_names(page);
  paint_note_flags(page);

  const float y = height - panel;
  canvas.line({0, y}, {width, y}, theme.line, theme.hairline);
  canvas.fill({width / 2 - 16, y - 7, 32, 3}, theme.line, 1);  // the grip
  paint_panel(page, {timeline_margin, y + 10, width - 2 * timeline_margin, panel - 20});
  return choice;
}

}  // namespace warpwalk::pages
