#include "app/panels/strip.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/pictures/axis.h"
#include "core/analysis/slices.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/words/rows.h"

namespace warpwalk::panels {
namespace {

using draw::Box;
using draw::Style;

constexpr float track_height = 20;
constexpr float strip_axis_height = 28;
constexpr float strip_gutter = 150;
constexpr std::size_t max_tracks = 6;
constexpr double shortest = 200;  // ns; the smallest stretch that can be shown

void keep_inside(StripState& state, std::int64_t length) {
  const auto all = static_cast<double>(std::max<std::int64_t>(length, 1));
  const double width = std::clamp(state.to - state.from, std::min(shortest, all), all);
  state.from = std::clamp(state.from, 0.0, all - width);
  state.to = state.from + width;
}

}  // namespace

float strip_height(const std::vector<analysis::TrackActivity>& tracks) {
  return track_height * static_cast<float>(std::clamp<std::size_t>(tracks.size(), 1, max_tracks)) + strip_axis_height +
         12;
}

void zoom(StripState& state, double factor, double at, std::int64_t length) {
  if (state.to <= state.from) state = {0, static_cast<double>(length)};
  state.from = at - (at - state.from) * factor;
  state.to = at + (state.to - at) * factor;
  keep_inside(state, length);
}

void pan(StripState& state, double share, std::int64_t length) {
  if (state.to <= state.from) state = {0, static_cast<double>(length)};
  const double by = (state.to - state.from) * share;
  state.from += by;
  state.to += by;
  keep_inside(state, length);
}

void reveal(StripState& state, double from, double to, std::int64_t length) {
  if (state.to <= state.from) return;  // the whole trace
  const double width = state.to - state.from, span = to - from;
  const double seen = std::min(to, state.to) - std::max(from, state.from);
  constexpr double fair_part = 0.05;  // of the stretch
  if (seen >= std::min(span, fair_part * width)) return;
  state.from = span <= width ? (from + to - width) / 2 : from - fair_part * width;
  state.to = state.from + width;
  keep_inside(state, length);
}

void follow_choice(StripState& state, StripFocus& focus, const trace::Trace& trace, story::SliceId slice,
                   std::optional<std::int64_t> now) {
  const std::int64_t length = trace.end_ns - trace.begin_ns;
  const bool other_slice = slice != focus.slice, other_moment = now != focus.now;
  focus = {slice, now};
  // The slice comes last, so that it is seen if the stretch cannot hold both.
  if (other_moment && now) reveal(state, static_cast<double>(*now), static_cast<double>(*now), length);
  if (other_slice && slice != story::no_slice)
    reveal(state, static_cast<double>(trace.slices.start[slice] - trace.begin_ns),
           static_cast<double>(trace.slices.end(slice) - trace.begin_ns), length);
}

StripChoice strip(draw::Ui& ui, const Box& box, const trace::Trace& trace,
                  const std::vector<analysis::TrackActivity>& tracks, const story::Walk& walk,
                  std::optional<std::int64_t> now, StripState& state) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::int64_t length = trace.end_ns - trace.begin_ns;
  if (state.to <= state.from) state = {0, static_cast<double>(length)};
  keep_inside(state, length);
  canvas.fill(box, theme.panel);
  StripChoice choice;
  const pictures::Axis axis = {state.from, state.to, box.x + strip_gutter, box.right() - 32};
  const auto time_at = [&](float x) {
    return state.from + static_cast<double>((x - axis.left) / (axis.right - axis.left)) * (state.to - state.from);
  };

  float y = box.y + 6;
  const std::vector<std::size_t> shown_tracks = analysis::tracks_to_show(tracks, trace, walk, max_tracks);
  const std::size_t shown = shown_tracks.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::TrackActivity& activity = tracks[shown_tracks[i]];
    const std::string name = story::track_label(ui.words(), trace, activity.track);
    canvas.text_in(
        {box.x, y, strip_gutter - 12, track_height}, Style::label, theme.second,
        i + 1 == max_tracks && tracks.size() > max_tracks
            ? ui.word("strip", "more", {{"lane", name}, {"n", fmt::format("{}", tracks.size() - max_tracks)}})
            : name,
        draw::Align::right);
    canvas.fill({axis.left, y + 2, axis.right - axis.left, track_height - 4}, theme.ground);
    // One step per pixel column; neighbours with the same share are merged into one rectangle.
    constexpr float column = 1;
    float run_from = axis.left;
    int run_level = -1;
    ImU32 run_colour = theme.host;
    const auto flush = [&](float to) {
      if (run_level > 0)
        canvas.fill({run_from, y + 2, to - run_from, track_height - 4},
                    draw::mixed(run_colour, theme.ground, 0.25f + 0.75f * static_cast<float>(run_level) / 8));
      run_from = to;
    };
    for (float x = axis.left; x < axis.right; x += column) {
      const auto from = static_cast<std::int64_t>(time_at(x));
      const auto to = std::max(from + 1, static_cast<std::int64_t>(time_at(x + column)));
      const std::int64_t busy = activity.busy_in(from, to);
      const int level = busy <= 0 ? 0 : std::clamp(static_cast<int>(8 * busy / (to - from)), 1, 8);
      // GPU work has the colours of the stage: kernels, copies and fills.
      const story::SliceId work = activity.gpu && level > 0 ? activity.at(from, to - from) : story::no_slice;
      const ImU32 colour =
          work == story::no_slice ? theme.host : draw::colour_of(story::role_of(trace, work, {}), theme);
      if (level != run_level || colour != run_colour) {
        flush(x);
        run_level = level;
        run_colour = colour;
      }
    }
    flush(axis.right);
    y += track_height;
  }

  const Box names = {box.x, box.y, strip_gutter, y - box.y};
  if (ui.hovered(names)) ui.tooltip(ui.word("strip", "timeline.tip"));
  choice.timeline = ui.activated("strip.names", names);

  // Marks what is followed.
  const auto mark = [&](story::SliceId s) {
    if (s == story::no_slice) return;
    for (std::size_t i = 0; i < shown; ++i) {
      if (tracks[shown_tracks[i]].track != trace.slices.track[s]) continue;
      const float left = axis.x(static_cast<double>(trace.slices.start[s] - trace.begin_ns));
      const float right = axis.x(static_cast<double>(trace.slices.end(s) - trace.begin_ns));
      if (right < axis.left || left > axis.right) continue;
      const float at = std::clamp(left, axis.left, axis.right);
      canvas.outline({at - 1, box.y + 6 + track_height * static_cast<float>(i),
                      std::max(4.0f, std::min(right, axis.right) - at + 2), track_height},
                     theme.now, 3, 2);
    }
  };
  mark(walk.ops.empty() ? walk.op : walk.ops.front());
  mark(walk.kernel);
  pictures::paint_axis(canvas, axis, y + 2, 0);

  const Box lanes_box = {axis.left, box.y, axis.right - axis.left, y - box.y + strip_axis_height};
  if (ui.hovered(lanes_box)) {
    const double at = time_at(ui.input().mouse.x);
    if (ui.input().wheel != 0) zoom(state, std::pow(0.8, static_cast<double>(ui.input().wheel)), at, length);
    const auto row = static_cast<std::size_t>(std::max(0.0f, (ui.input().mouse.y - box.y - 6) / track_height));
    const auto reach =
        static_cast<std::int64_t>(3 * (state.to - state.from) / static_cast<double>(axis.right - axis.left));
    const story::SliceId under =
        row < shown ? tracks[shown_tracks[row]].at(static_cast<std::int64_t>(at), reach) : story::no_slice;
    if (under != story::no_slice)
      ui.tooltip(ui.word("strip", "slice.tip",
                         {{"slice", analysis::label_of(trace, under)},
                          {"time", story::time_text(static_cast<double>(trace.slices.duration[under]))},
                          {"at", story::time_text(static_cast<double>(trace.slices.start[under] - trace.begin_ns))},
                          {"origin", ui.word("origin", trace::name_of(trace.records.time_origin()))}}));
    if (ui.activated("strip", lanes_box)) choice.slice = under;
  } else {
    ui.activated("strip", lanes_box);
  }
  if (ui.dragged("strip.moment", {axis.left, y, axis.right - axis.left, strip_axis_height}))
    choice.time = static_cast<std::int64_t>(std::clamp(time_at(ui.input().mouse.x), 0.0, static_cast<double>(length)));
  if (now && static_cast<double>(*now) >= state.from && static_cast<double>(*now) <= state.to) {
    const float x = axis.x(static_cast<double>(*now));
    canvas.line({x, box.y + 4}, {x, y + 6}, theme.now, 2);
  }
  return choice;
}

}  // namespace warpwalk::panels
