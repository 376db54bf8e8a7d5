#include <algorithm>
#include <ranges>

#include "core/story/elements/walk.h"
#include "core/story/labs/streams/streams.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t most_read = 20000;  // slices of a stream
constexpr std::size_t most_streams = 6;
constexpr std::size_t most_work = 24;

// A number for each stream's change: how many streams work, and when.
void measure(const Trace& trace, StreamWindow& window) {
  struct Change {
    std::int64_t time;
    int change;
    trace::TrackId track;
  };
  std::vector<Change> changes;
  for (const SliceId s : window.work) {
    window.added += trace.slices.duration[s];
    changes.push_back({trace.slices.start[s], 1, trace.slices.track[s]});
    changes.push_back({trace.slices.end(s), -1, trace.slices.track[s]});
  }
  std::ranges::sort(changes, [](const Change& a, const Change& b) {
    return a.time != b.time ? a.time < b.time : a.change < b.change;
  });
  std::vector<int> running(trace.tracks.size());
  int streams = 0;
  std::int64_t since = window.from;
  for (const auto& [time, change, track] : changes) {
    if (streams > 0) window.busy += time - since;
    if (streams > 1) window.overlapped += time - since;
    since = time;
    if (running[track] == 0) ++streams;
    running[track] += change;
    if (running[track] == 0) --streams;
  }
}

// Copies, fills and kernels of a stream, as far as it is read.
auto work_of(const Trace& trace, const trace::Track& track) {
  const SliceId last = std::min<SliceId>(track.last, track.first + most_read);
  return std::views::iota(track.first, last) | std::views::filter([&trace](SliceId s) {
           return trace::is_gpu_work(trace.slices.kind[s]) && has_time(trace, s);
         });
}

// The streams of the followed work's GPU that worked.
std::vector<trace::TrackId> working_streams(const Trace& trace, const Walk& walk) {
  std::vector<trace::TrackId> streams;
  if (walk.kernel == no_slice) return streams;
  const std::int64_t device = trace.tracks[trace.slices.track[walk.kernel]].device;
  for (trace::TrackId t = 0; t < trace.tracks.size() && streams.size() < most_streams; ++t) {
    const trace::Track& track = trace.tracks[t];
    if (track.gpu && track.device == device && !work_of(trace, track).empty()) streams.push_back(t);
  }
  return streams;
}

}  // namespace

bool several_streams_work(const Trace& trace, const Walk& walk) { return working_streams(trace, walk).size() > 1; }

std::optional<StreamWindow> stream_window(const Trace& trace, const Walk& walk) {
  StreamWindow window;
  window.streams = working_streams(trace, walk);
  if (window.streams.size() < 2) return {};
  std::vector<SliceId> all;
  for (const trace::TrackId t : window.streams)
    for (const SliceId s : work_of(trace, trace.tracks[t])) all.push_back(s);
  std::ranges::sort(all, {}, [&](SliceId s) { return std::pair(trace.slices.start[s], s); });
  std::size_t first = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (trace.slices.track[all[i]] != trace.slices.track[all[i - 1]] &&
        trace.slices.start[all[i]] < trace.slices.end(all[i - 1])) {
      first = i - 1;
      break;
    }
  const std::size_t last = std::min(all.size(), first + most_work);
  window.work.assign(all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last));
  window.from = trace.slices.start[window.work.front()];
  for (const SliceId s : window.work) window.to = std::max(window.to, trace.slices.end(s));
  measure(trace, window);
  return window;
}

}  // namespace warpwalk::story
