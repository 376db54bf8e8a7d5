#include "app/pages/timeline/timeline_content.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace warpwalk::pages {
namespace {

std::string key_of_track(const trace::Trace& trace, trace::TrackId id) {
  const trace::Track& track = trace.tracks[id];
  return fmt::format("{}/{}/{}", track.gpu ? "stream" : "thread", trace.text(track.pid), trace.text(track.tid));
}

// Threads of several processes can have the same number: in a file of several ranks, most do.
void mark_same_numbers(const trace::Trace& trace, TimelineContent& content) {
  std::map<trace::StringId, std::set<trace::StringId>> processes;  // by the number of their threads
  const auto track_of = [&](const PageTrack& place) -> const trace::Track& {
    return trace.tracks[content.tracks[place.index].track];
  };
  for (const PageTrack& place : content.order)
    if (!track_of(place).gpu) processes[track_of(place).tid].insert(track_of(place).pid);
  for (PageTrack& place : content.order)
    place.same_number = !track_of(place).gpu && processes[track_of(place).tid].size() > 1;
}

std::string key_of_curve(const TraceCurve& curve) {
  return fmt::format("curve/{}/{}/{}", static_cast<int>(curve.kind), curve.cpu, curve.device);
}

}  // namespace

std::size_t TimelineContent::track_of(const trace::Trace& trace, trace::SliceId slice) const {
  if (slice == trace::no_slice) return order.size();
  const auto found = std::ranges::find_if(order, [&](const PageTrack& track) {
    return !track.curve && tracks[track.index].track == trace.slices.track[slice];
  });
  return static_cast<std::size_t>(found - order.begin());
}

TimelineContent timeline_content(const trace::Trace& trace) {
  TimelineContent content;
  content.tracks = analysis::timeline_tracks(trace);
  content.curves = trace_curves(trace);
  content.activities.resize(content.tracks.size());
  for (analysis::TrackActivity& activity : analysis::track_activities(trace)) {
    const auto at = std::ranges::find(content.tracks, activity.track, &analysis::TimelineTrack::track);
    if (at != content.tracks.end())
      content.activities[static_cast<std::size_t>(at - content.tracks.begin())] = std::move(activity);
  }
  std::size_t streams_end = 0;  // behind the last stream
  for (std::size_t i = 0; i < content.tracks.size(); ++i) {
    if (trace.tracks[content.tracks[i].track].gpu) streams_end = i + 1;
    content.order.push_back({key_of_track(trace, content.tracks[i].track), false, i});
  }
  mark_same_numbers(trace, content);  // the order has no curves yet
  std::vector<PageTrack> curves;
  for (std::size_t i = 0; i < content.curves.size(); ++i) curves.push_back({key_of_curve(content.curves[i]), true, i});
  const std::size_t at = streams_end > 0 ? streams_end : content.order.size();
  content.order.insert(content.order.begin() + static_cast<std::ptrdiff_t>(at), curves.begin(), curves.end());
  return content;
}

}  // namespace warpwalk::pages
