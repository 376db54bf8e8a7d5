#include <algorithm>
#include <cmath>
#include <string>

#include "app/pages/timeline/timeline_frame.h"
#include "core/analysis/slices.h"
#include "core/story/facts/words/rows.h"

namespace warpwalk::pages {
namespace {

using draw::Box;

constexpr float below_rows_height = 20;  // the line that names the tracks out of sight

void toggle(std::set<std::string>& marks, const std::string& key) {
  if (marks.erase(key) == 0) marks.insert(key);
}

// The stretch of time moves to the chosen slice if it is not in it.
void pan_to_slice(TimelineFrame& page) {
  const auto [from, to] = chosen_times(page);
  const double wide = page.shown.to - page.shown.from;
  if (to >= page.shown.from + 0.02 * wide && from <= page.shown.to - 0.02 * wide) return;
  const double middle = to - from < wide ? (from + to) / 2 : from + 0.4 * wide;
  panels::pan(page.shown, (middle - (page.shown.from + page.shown.to) / 2) / wide, page.length());
}

}  // namespace

const ShownRow* TimelineFrame::row_at(float y) const {
  const auto found =
      std::ranges::find_if(on, [&](const ShownRow& row) { return y >= row.box.y && y < row.box.bottom(); });
  return found == on.end() ? nullptr : &*found;
}

const ShownRow* TimelineFrame::row_with(trace::SliceId slice) const {
  if (slice == trace::no_slice) return nullptr;
  for (const ShownRow& row : on) {
    if (row.place.kind == RowPlace::Kind::curve) continue;
    if (state.content.tracks[track(row.place).index].track != trace.slices.track[slice]) continue;
    if (row.place.kind == RowPlace::Kind::activity || index_in(lane(row.place), slice) < lane(row.place).size())
      return &row;
  }
  return nullptr;
}

void lay_out(TimelineFrame& page) {
  const Box& lanes = page.lanes;
  page.axis = {page.shown.from, page.shown.to, lanes.x, lanes.right()};
  page.rows = timeline_rows(page.state.content, page.state.marks, static_cast<std::int64_t>(page.shown.from),
                            static_cast<std::int64_t>(std::ceil(page.shown.to)), 0.5f * lanes.height);
  page.on.clear();
  float y = lanes.y;
  for (const RowPlace& row : page.rows.pinned) {
    if (row.y + row.height > 0.5f * lanes.height) break;
    page.on.push_back({row, {lanes.x, lanes.y + row.y, lanes.width, row.height}, true});
    y = page.on.back().box.bottom() + 10;
  }
  page.scrolling = {lanes.x, y, lanes.width, lanes.bottom() - y};
  if (page.rows.rest_height > page.scrolling.height) page.scrolling.height -= below_rows_height;
  page.window = row_window(page.rows.rest, page.rows.rest_height, page.state.top, page.scrolling.height);
  for (std::size_t i = page.window.first; i < page.window.last; ++i) {
    const RowPlace& row = page.rows.rest[i];
    page.on.push_back({row, {lanes.x, y + row.y - page.window.scroll, lanes.width, row.height}, false});
  }
}

void scroll_rows(TimelineFrame& page, std::ptrdiff_t by) {
  const auto rows = static_cast<std::ptrdiff_t>(page.rows.rest.size());
  if (by == 0 || rows == 0) return;
  const auto to = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(page.window.first) + by, 0, rows - 1);
  const RowPlace& row = page.rows.rest[static_cast<std::size_t>(to)];
  page.state.top = {row.track, row.lane};
}

void bring_into_view(TimelineFrame& page) {
  TimelineState& state = page.state;
  if (!std::exchange(state.to_slice, false) || state.slice == trace::no_slice) return;
  pan_to_slice(page);
  lay_out(page);
  const std::size_t row = row_of(page.rows.rest, state.content, page.trace, state.slice);
  if (row >= page.rows.rest.size()) return;  // pinned, or without a time
  if (row < page.window.first) {
    scroll_rows(page, static_cast<std::ptrdiff_t>(row) - static_cast<std::ptrdiff_t>(page.window.first));
  } else if (row >= page.window.last) {
    // The first row from which on there is room down to this one.
    const RowPlace& last = page.rows.rest[row];
    std::size_t first = row;
    while (first > 0 && last.y + last.height - page.rows.rest[first - 1].y <= page.scrolling.height) --first;
    state.top = {page.rows.rest[first].track, page.rows.rest[first].lane};
  }
  lay_out(page);
}

std::pair<double, double> chosen_times(const TimelineFrame& page) {
  const auto from = static_cast<double>(analysis::since_start(page.trace, page.trace.slices.start[page.state.slice]));
  return {from, from + static_cast<double>(page.trace.slices.duration[page.state.slice])};
}

std::string track_name(const TimelineFrame& page, const PageTrack& track) {
  const draw::Ui& ui = page.ui;
  if (!track.curve) {
    const trace::TrackId id = page.state.content.tracks[track.index].track;
    const trace::Track& thread = page.trace.tracks[id];
    if (!track.same_number) return story::track_label(ui.words(), page.trace, id);
    const std::string process(page.trace.text(thread.pid));
    return ui.word("timeline", "thread_of_process",
                   {{"process", thread.pid_is_text ? process : ui.word("timeline", "process") + " " + process},
                    {"n", std::string(page.trace.text(thread.tid))}});
  }
  const TraceCurve& curve = page.state.content.curves[track.index];
  if (curve.cpu) return ui.word("timeline", "curve.cpu");
  const std::string device = curve.device == trace::absent ? "?" : std::to_string(curve.device);
  switch (curve.kind) {
    case TraceCurve::Kind::queue: return ui.word("timeline", "curve.queue", {{"device", device}});
    case TraceCurve::Kind::allocator: return ui.word("timeline", "curve.memory", {{"device", device}});
    case TraceCurve::Kind::driver: break;
  }
  return ui.word("timeline", "curve.driver", {{"device", device}});
}

void toggle_pinned(TimelineState& state, std::size_t track) {
  if (track < state.content.order.size()) toggle(state.marks.pinned, state.content.order[track].key);
}

void toggle_folded(TimelineState& state, std::size_t track) {
  if (track < state.content.order.size()) toggle(state.marks.folded, state.content.order[track].key);
}

}  // namespace warpwalk::pages
