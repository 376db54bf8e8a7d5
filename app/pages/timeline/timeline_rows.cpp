#include "app/pages/timeline/timeline_rows.h"

#include <algorithm>
#include <tuple>

#include "core/story/elements/walk.h"

namespace warpwalk::pages {
namespace {

constexpr float track_gap = 10, stack_gap = 4, curve_height = 2 * lane_height;

bool runs_in(const analysis::TimelineLane& lane, std::int64_t from, std::int64_t to) {
  const std::size_t i = lane.ending_after(from);
  return i < lane.size() && lane.start(i) < to;
}

// Adds rows below each other.
class RowWriter {
 public:
  RowWriter(std::vector<RowPlace>& rows, float& height) : rows_(rows), height_(height) {}

  void add(RowPlace row) {
    row.y = height_;
    height_ += row.height;
    rows_.push_back(row);
  }
  void skip(float gap) { height_ += gap; }

 private:
  std::vector<RowPlace>& rows_;
  float& height_;
};

void add_lanes(RowWriter& writer, const analysis::TimelineTrack& track, std::size_t number, std::int64_t from,
               std::int64_t to) {
  for (std::size_t stack = 0; stack < track.stacks.size(); ++stack) {
    const std::size_t first = track.stacks[stack];
    const std::size_t last = stack + 1 < track.stacks.size() ? track.stacks[stack + 1] : track.lanes.size();
    bool begins = stack > 0;
    for (std::size_t lane = first; lane < last; ++lane) {
      if (lane > 0 && !runs_in(track.lanes[lane], from, to)) continue;
      if (begins) writer.skip(stack_gap);
      writer.add({RowPlace::Kind::lane, number, lane, 0, lane_height, begins});
      begins = false;
    }
  }
}

void add_track(RowWriter& writer, const TimelineContent& content, std::size_t number, bool folded, std::int64_t from,
               std::int64_t to) {
  const PageTrack& track = content.order[number];
  if (track.curve)
    writer.add({RowPlace::Kind::curve, number, 0, 0, folded ? lane_height : curve_height});
  else if (folded)
    writer.add({content.activities[track.index].slices.empty() ? RowPlace::Kind::lane : RowPlace::Kind::activity,
                number, 0, 0, lane_height});
  else
    add_lanes(writer, content.tracks[track.index], number, from, to);
  writer.skip(track_gap);
}

}  // namespace

TimelineRows timeline_rows(const TimelineContent& content, const TrackMarks& marks, std::int64_t from, std::int64_t to,
                           float pinned_room) {
  TimelineRows rows;
  const auto is_folded = [&](const PageTrack& track) { return marks.folded.contains(track.key); };
  for (const bool all_folded : {false, true}) {
    rows.pinned.clear();
    rows.pinned_height = 0;
    RowWriter writer(rows.pinned, rows.pinned_height);
    for (std::size_t i = 0; i < content.order.size(); ++i) {
      const PageTrack& track = content.order[i];
      if (!marks.pinned.contains(track.key)) continue;
      const bool deep = !track.curve && content.tracks[track.index].lanes.size() > 2;
      add_track(writer, content, i, is_folded(track) || (all_folded && deep), from, to);
    }
    if (rows.pinned_height <= pinned_room) break;
  }
  RowWriter writer(rows.rest, rows.rest_height);
  for (std::size_t i = 0; i < content.order.size(); ++i)
    if (const PageTrack& track = content.order[i]; !marks.pinned.contains(track.key))
      add_track(writer, content, i, is_folded(track), from, to);
  if (!rows.rest.empty()) rows.rest_height -= track_gap;  // nothing follows
  return rows;
}

RowWindow row_window(const std::vector<RowPlace>& rows, float height, const RowAnchor& anchor, float room) {
  RowWindow window;
  const auto wanted = std::ranges::find_if(rows, [&](const RowPlace& row) {
    return std::tuple(row.track, row.lane) >= std::tuple(anchor.track, anchor.lane);
  });
  const auto furthest = std::ranges::find_if(rows, [&](const RowPlace& row) { return height - row.y <= room; });
  window.first = static_cast<std::size_t>(std::min(wanted, furthest) - rows.begin());
  if (window.first == rows.size() && !rows.empty()) window.first = rows.size() - 1;  // not even one row fits
  if (window.first < rows.size()) window.scroll = rows[window.first].y;
  window.last = window.first;
  while (window.last < rows.size() && rows[window.last].y + rows[window.last].height - window.scroll <= room)
    ++window.last;
  return window;
}

std::size_t index_in(const analysis::TimelineLane& lane, trace::SliceId slice) {
  std::size_t low = 0, high = lane.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (lane.slice(middle) < slice)
      low = middle + 1;
    else
      high = middle;
  }
  return low < lane.size() && lane.slice(low) == slice ? low : lane.size();
}

std::size_t row_of(const std::vector<RowPlace>& rows, const TimelineContent& content, const trace::Trace& trace,
                   trace::SliceId slice) {
  if (slice == trace::no_slice) return rows.size();
  const auto found = std::ranges::find_if(rows, [&](const RowPlace& row) {
    const PageTrack& track = content.order[row.track];
    if (track.curve || content.tracks[track.index].track != trace.slices.track[slice]) return false;
    if (row.kind == RowPlace::Kind::activity) return story::has_time(trace, slice);
    const analysis::TimelineLane& lane = content.tracks[track.index].lanes[row.lane];
    return index_in(lane, slice) < lane.size();
  });
  return static_cast<std::size_t>(found - rows.begin());
}

}  // namespace warpwalk::pages
