// The part of Builder that pairs the begins and ends of slices: B and E of a thread, b and e of asynchronous ones.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/trace/chrome/builder.h"
#include "core/trace/json/json_text.h"
#include "core/trace/json/numbers.h"

namespace warpwalk::trace {
namespace {

// More tracks for overlapping slices of one thread would show nothing.
constexpr std::size_t most_async_lanes = 32;

}  // namespace

void Builder::begin_slice(const RawEvent& event, bool asynchronous) {
  const std::size_t row = trace_.slices.size();
  slice(event);
  if (trace_.slices.size() == row) return;
  SliceEdge edge = slice_edge(event, asynchronous);
  edge.time = trace_.slices.start[row];
  edge.name = trace_.slices.name[row];
  edge.slice = static_cast<SliceId>(row);
  edges_.push_back(edge);
}

void Builder::end_slice(const RawEvent& event, bool asynchronous) {
  std::int64_t time = 0;
  if (!read_time(event, time)) return;
  SliceEdge edge = slice_edge(event, asynchronous);
  edge.time = time;
  edge.name = text(event.name);
  edge.extra = keep_all(event);
  edges_.push_back(edge);
}

Builder::SliceEdge Builder::slice_edge(const RawEvent& event, bool asynchronous) {
  SliceEdge edge{};
  edge.byte_offset = event_offset_;
  edge.slice = no_slice;
  edge.asynchronous = asynchronous;
  // An end often lacks the category, which would say whether the track is a stream.
  edge.thread = track_of(event, false);
  if (!asynchronous) return edge;
  edge.process = file_tracks_[edge.thread].pid;
  edge.category = text(event.category);
  const auto id = event.id.type == RawValue::Type::number ? parse_integer(event.id.text.text) : std::nullopt;
  edge.id = id.value_or(0);
  edge.text_id = id ? 0 : text(event.id);
  return edge;
}

void Builder::pair_edges() {
  if (edges_.empty()) return;
  // Those of one thread, or of one asynchronous id, by time; an end comes before a begin only if the file has it so.
  const auto group = [](const SliceEdge& e) {
    return std::tuple(e.asynchronous, e.asynchronous ? e.process : e.thread, e.category, e.id, e.text_id);
  };
  std::vector<const SliceEdge*> order;
  for (std::size_t i = 0; i < edges_.size(); ++i) order.push_back(&edges_[i]);
  std::ranges::sort(order, [&](const SliceEdge* a, const SliceEdge* b) {
    return std::tuple(group(*a), a->time, a->byte_offset) < std::tuple(group(*b), b->time, b->byte_offset);
  });
  std::vector<const SliceEdge*> open;
  const SliceEdge* before = nullptr;
  for (const SliceEdge* const edge : order) {
    if (before != nullptr && group(*before) != group(*edge)) leave_open(open);
    before = edge;
    if (edge->slice != no_slice)
      open.push_back(edge);
    else
      end_innermost(*edge, open);
  }
  leave_open(open);
  place_asynchronous(order);
  edges_.clear();
}

void Builder::end_innermost(const SliceEdge& end, std::vector<const SliceEdge*>& open) {
  // An end with a name ends the innermost slice of that name, if there is one.
  const auto named = std::find_if(open.rbegin(), open.rend(), [&](const SliceEdge* e) { return e->name == end.name; });
  const auto innermost = end.name != 0 && named != open.rend() ? named : open.rbegin();
  if (innermost == open.rend()) {
    problems_.add(ProblemKind::unmatched_end, end.byte_offset, [&] {
      return fmt::format("event at byte {} ends a slice that never began; it is not shown", end.byte_offset);
    });
    return;
  }
  const SliceId slice = (*innermost)->slice;
  open.erase(std::next(innermost).base());
  Slices& rows = trace_.slices;
  rows.duration[slice] = end.time - rows.start[slice];
  if (rows.kind[slice] != SliceKind::other || end.extra == 0) return;
  if (rows.extra[slice] == 0)
    rows.extra[slice] = end.extra;
  else if (rows.extra[slice] != end.extra)  // the same figures with other values stay those of the begin
    rows.extra[slice] = merged_extra(rows.extra[slice], end.extra);
}

StringId Builder::merged_extra(StringId first, StringId second) {
  std::string all(trace_.text(first));
  JsonCursor cursor(trace_.text(second), true);
  RawText key;
  RawValue value;
  while (cursor.string(key) && cursor.take(':') && cursor.value(value)) {
    const std::string member = fmt::format("\"{}\": ", key.text);
    std::uint32_t ignored = 0;
    if (all.find(member) == std::string::npos)
      all += fmt::format(", {}{}", member, to_strict_json(value, scratch_, ignored));
    if (!cursor.take(',')) break;
  }
  return trace_.strings.intern(all);
}

// A slice without an end lasts to the end of the file, as other viewers show it.
void Builder::leave_open(std::vector<const SliceEdge*>& open) {
  if (open.empty()) return;
  Slices& rows = trace_.slices;
  if (last_time_ == absent) {
    for (std::size_t s = 0; s < rows.size(); ++s) last_time_ = std::max(last_time_, rows.end(static_cast<SliceId>(s)));
    for (std::size_t i = 0; i < edges_.size(); ++i) last_time_ = std::max(last_time_, edges_[i].time);
  }
  for (const SliceEdge* const begin : open) {
    rows.duration[begin->slice] = last_time_ - rows.start[begin->slice];
    problems_.add(ProblemKind::open_slice, begin->byte_offset, [&] {
      return fmt::format("{} at byte {} begins and never ends; it is shown to the end of the file",
                         excerpt(trace_.text(begin->name)), begin->byte_offset);
    });
  }
  open.clear();
}

// Asynchronous slices can overlap those of their thread and each other, so they get tracks beside it, on each of which
// they nest.
void Builder::place_asynchronous(const std::vector<const SliceEdge*>& edges) {
  Slices& rows = trace_.slices;
  std::vector<SliceId> slices;
  for (const SliceEdge* const edge : edges)
    if (edge->asynchronous && edge->slice != no_slice && !file_tracks_[rows.track[edge->slice]].gpu)
      slices.push_back(edge->slice);
  std::ranges::sort(slices, [&](SliceId a, SliceId b) {
    return std::tuple(rows.start[a], -rows.duration[a], a) < std::tuple(rows.start[b], -rows.duration[b], b);
  });
  std::map<TrackId, std::vector<std::vector<std::int64_t>>> lanes_of;  // ends of what is open
  for (const SliceId slice : slices) {
    auto& lanes = lanes_of[rows.track[slice]];
    std::size_t lane = 0;
    for (; lane < lanes.size(); ++lane) {
      while (!lanes[lane].empty() && lanes[lane].back() <= rows.start[slice]) lanes[lane].pop_back();
      if (lanes[lane].empty() || lanes[lane].back() >= rows.end(slice)) break;
    }
    lane = std::min(lane, most_async_lanes - 1);
    if (lane == lanes.size()) lanes.emplace_back();
    lanes[lane].push_back(rows.end(slice));
    rows.track[slice] = beside_thread(rows.track[slice], lane);
  }
}

TrackId Builder::beside_thread(TrackId thread, std::size_t lane) {
  FileTrack track = file_tracks_[thread];
  const std::string tid =
      fmt::format("{}{}asynchronous {}", trace_.text(track.tid), trace_.text(track.tid).empty() ? "" : " ", lane + 1);
  const std::string_view name = thread_name(track);
  const std::string shown = fmt::format("{}{}asynchronous", name, name.empty() ? "" : ": ");
  track.tid = trace_.strings.intern(tid);
  track.tid_is_text = true;
  const auto [found, is_new] = track_ids_.try_emplace(track, static_cast<TrackId>(trace_.tracks.size()));
  if (is_new) {
    trace_.tracks.emplace_back();
    file_tracks_.push_back(track);
    threads_.try_emplace(track, Named{trace_.strings.intern(shown)});
  }
  return found->second;
}

}  // namespace warpwalk::trace
