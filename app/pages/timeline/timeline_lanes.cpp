#include "app/pages/timeline/timeline_lanes.h"

#include <algorithm>
#include <cmath>

#include "app/pages/timeline/timeline_search.h"
#include "core/analysis/slices.h"
#include "core/story/facts/words/rows.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float cluster = 2;    // units; slices that are narrower share one piece of this width
constexpr float labelled = 28;  // the width from which a slice has its name
constexpr int levels = 8;       // of the share of busy time

ImU32 slice_colour(const trace::Trace& trace, trace::SliceId slice, const draw::Theme& theme) {
  const story::Role role = story::role_of(trace, slice, {});
  const ImU32 colour = draw::colour_of(role, theme);
  return role == story::Role::python ? draw::mixed(colour, theme.panel, 0.6f) : colour;
}

// Neighbouring pieces of a row that look the same are drawn as one.
class Pieces {
 public:
  Pieces(Canvas& canvas, const Box& row, float end) : canvas_(canvas), row_(row), end_(end) {}

  /// `level`: 1 to `levels`. `found`: a search found something in it.
  void add(float from, float width, ImU32 colour, int level, bool found) {
    if (level != level_ || colour != colour_ || found != found_ || from > to_ + 0.5f) {
      flush();
      from_ = from;
      level_ = level;
      colour_ = colour;
      found_ = found;
    }
    to_ = std::min(end_, from + width);
  }
  void flush() {
    if (level_ > 0) {
      const draw::Theme& theme = canvas_.theme();
      canvas_.fill({from_, row_.y + 1, to_ - from_, row_.height - 2},
                   draw::mixed(colour_, theme.ground, 0.25f + 0.65f * static_cast<float>(level_) / levels));
      if (found_) canvas_.fill({from_, row_.y, to_ - from_, 2}, theme.text);
    }
    level_ = 0;
  }

 private:
  Canvas& canvas_;
  Box row_;
  float end_;
  float from_ = 0, to_ = 0;
  int level_ = 0;
  ImU32 colour_ = 0;
  bool found_ = false;
};

int level_of(std::int64_t busy, std::int64_t length) {
  return std::clamp(static_cast<int>(std::lround(levels * static_cast<double>(busy) / static_cast<double>(length))), 1,
                    levels);
}

// A slice that is wide enough to be seen by itself. `dim`: a search did not find it; `found`: it did.
void paint_slice(Canvas& canvas, const Box& slice, const std::string& label, ImU32 colour, bool dim, bool found) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(slice, draw::mixed(colour, theme.ground, dim ? 0.15f : 0.45f), 2);
  canvas.fill({slice.x, slice.y, std::min(2.0f, slice.width), slice.height},
              dim ? draw::mixed(colour, theme.ground, 0.4f) : colour);
  if (found) canvas.outline(slice, theme.text, 2, 1);
  if (slice.width >= labelled)
    canvas.text_in({slice.x + 6, slice.y, slice.width - 8, slice.height}, Style::label, dim ? theme.second : theme.text,
                   label);
}

}  // namespace

void paint_lane(Canvas& canvas, const Box& box, const pictures::Axis& axis, const trace::Trace& trace,
                const analysis::TimelineLane& lane, const std::vector<std::uint32_t>* matches) {
  const draw::Theme& theme = canvas.theme();
  const double unit = (axis.to - axis.from) / static_cast<double>(axis.right - axis.left);  // ns
  const auto shown_to = static_cast<std::int64_t>(std::ceil(axis.to));
  Pieces pieces(canvas, box, axis.right);
  std::size_t i = lane.ending_after(static_cast<std::int64_t>(axis.from));
  while (i < lane.size() && lane.start(i) < shown_to) {
    const float left = std::max(axis.left, axis.x(static_cast<double>(lane.start(i))));
    const float right = std::min(axis.right, axis.x(static_cast<double>(lane.end(i))));
    const ImU32 colour = slice_colour(trace, lane.slice(i), theme);
    if (right - left >= cluster) {
      pieces.flush();
      const bool found = matches != nullptr && any_between(*matches, i, i + 1);
      paint_slice(canvas,
                  {left, box.y + 1, std::max(1.0f, right - left - (right - left > 4 ? 1.0f : 0.0f)), box.height - 2},
                  right - left >= labelled ? analysis::label_of(trace, lane.slice(i)) : std::string(), colour,
                  matches != nullptr && !found, found);
      ++i;
      continue;
    }
    // Merges the slices that start within one piece, up to a slice that is wide enough by itself.
    const float piece = axis.left + std::floor((left - axis.left) / cluster) * cluster;
    const auto from = static_cast<std::int64_t>(axis.from + static_cast<double>(piece - axis.left) * unit);
    const std::int64_t to =
        std::max(lane.start(i) + 1, static_cast<std::int64_t>(static_cast<double>(from) + cluster * unit));
    std::size_t next = lane.starting_at(to, i);
    if (next > i + 1 && static_cast<double>(lane.end(next - 1) - lane.start(next - 1)) >= cluster * unit) --next;
    const bool found = matches != nullptr && any_between(*matches, i, next);
    // The busy time of the last slice may reach into the next piece.
    const int level = matches != nullptr && !found ? 1 : level_of(lane.busy_of(i, next), to - from);
    pieces.add(piece, cluster, colour, level, found);
    i = next;
  }
  pieces.flush();
}

void paint_activity(Canvas& canvas, const Box& box, const pictures::Axis& axis, const trace::Trace& trace,
                    const analysis::TrackActivity& activity) {
  const draw::Theme& theme = canvas.theme();
  const double unit = (axis.to - axis.from) / static_cast<double>(axis.right - axis.left);  // ns
  Pieces pieces(canvas, box, axis.right);
  for (float x = axis.left; x < axis.right; x += 1) {
    const auto from = static_cast<std::int64_t>(axis.from + static_cast<double>(x - axis.left) * unit);
    const std::int64_t to = std::max(from + 1, static_cast<std::int64_t>(static_cast<double>(from) + unit));
    const std::int64_t busy = activity.busy_in(from, to);
    const trace::SliceId work = busy > 0 ? activity.at(from, to - from) : trace::no_slice;
    if (work == trace::no_slice) continue;
    // A thread has one colour: what its ops are does not matter here.
    const ImU32 colour = activity.gpu ? slice_colour(trace, work, theme) : theme.host;
    pieces.add(x, 1, colour, level_of(busy, to - from), false);
  }
  pieces.flush();
}

void paint_curve(Canvas& canvas, const Box& box, const pictures::Axis& axis, const TraceCurve& curve) {
  const draw::Theme& theme = canvas.theme();
  const ImU32 colour = curve.kind == TraceCurve::Kind::queue ? theme.launch : theme.memory;
  const double unit = (axis.to - axis.from) / static_cast<double>(axis.right - axis.left);  // ns
  const auto highest = static_cast<double>(std::max<std::int64_t>(1, curve.highest()));
  const auto y_of = [&](std::int64_t value) {
    const double share = std::clamp(static_cast<double>(value) / highest, 0.0, 1.0);
    return box.bottom() - std::round((box.height - 3) * static_cast<float>(share));
  };
  canvas.line({box.x, box.bottom()}, {box.right(), box.bottom()}, theme.line, theme.hairline);
  // The columns of the same height are one box.
  struct Run {
    float from = 0, to = 0, low = 0, high = 0;
    bool open = false;
  };
  const auto paint_runs = [&](const StepCurve& steps, const auto& paint) {
    Run run;
    for (float x = axis.left; x < axis.right; x += 1) {
      const auto from = static_cast<std::int64_t>(axis.from + static_cast<double>(x - axis.left) * unit);
      const std::int64_t to = std::max(from + 1, static_cast<std::int64_t>(static_cast<double>(from) + unit));
      const auto extremes = steps.within(from, to);
      const float low = extremes ? y_of(extremes->low) : 0, high = extremes ? y_of(extremes->high) : 0;
      if (run.open && (!extremes || low != run.low || high != run.high)) {
        paint(run);
        run.open = false;
      }
      if (!extremes) continue;
      if (!run.open) run = {x, x, low, high, true};
      run.to = std::min(axis.right, x + 1);
    }
    if (run.open) paint(run);
  };
  paint_runs(curve.curve, [&](const Run& run) {
    canvas.fill({run.from, run.low, run.to - run.from, box.bottom() - run.low},
                draw::mixed(colour, theme.ground, 0.4f));
    if (run.low > run.high)  // it changed within the pixel
      canvas.fill({run.from, run.high, run.to - run.from, run.low - run.high}, draw::mixed(colour, theme.ground, 0.7f));
    canvas.fill({run.from, run.high - 1, run.to - run.from, 1}, colour);
  });
  paint_runs(curve.reserved, [&](const Run& run) {
    canvas.fill({run.from, run.high - 1, run.to - run.from, std::max(1.0f, run.low - run.high)}, theme.second);
  });
}

}  // namespace warpwalk::pages
