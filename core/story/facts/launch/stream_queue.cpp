#include "core/story/facts/launch/stream_queue.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/launch/op_order.h"
#include "core/story/facts/words/rows.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t usual_way = 20000;  // ns; a launch without waiting takes a few thousand
constexpr std::size_t max_streams = 3;

struct QueueWindow {
  double from;
  double to;
};

// The time from the call to the GPU's start, with some time before and after it.
QueueWindow window_of(const StreamQueue& queue) {
  const auto start = static_cast<double>(queue.start), end = static_cast<double>(queue.end);
  if (queue.how == StreamQueue::How::unlaunched) {
    const double length = std::max(end - start, 100.0);
    return {start - 0.6 * length, end + 0.2 * length};
  }
  const double call = std::min(static_cast<double>(queue.launch_start), start);
  const double between = std::max({start, static_cast<double>(queue.launch_end)}) - call;
  const double span = std::max(between, 100.0);
  // A long kernel is cut, so that there is room for the way to it.
  const double shown = std::clamp(end - start, 0.3 * span, 1.2 * span);
  return {call - 0.2 * span, std::max(start, static_cast<double>(queue.launch_end)) + shown};
}

}  // namespace

StreamQueue stream_queue_of(const Trace& trace, const Walk& walk) {
  const auto& rows = trace.slices;
  StreamQueue queue;
  queue.start = rows.start[walk.kernel];
  queue.end = rows.end(walk.kernel);
  if (walk.launch == no_slice) return queue;
  if (!has_time(trace, walk.kernel)) {
    queue.how = StreamQueue::How::untimed;
    return queue;
  }
  queue.launch_start = rows.start[walk.launch];
  queue.launch_end = rows.end(walk.launch);
  if (queue.start < queue.launch_start) {
    queue.how = StreamQueue::How::skewed;
    return queue;
  }
  queue.ahead = work_ahead_of(trace, walk.kernel, queue.launch_end);
  queue.free = queue.ahead.count > 0 ? rows.end(queue.ahead.last) : queue.launch_end;
  queue.how = queue.start < queue.launch_end ? StreamQueue::How::early
              : queue.ahead.count > 0        ? StreamQueue::How::behind
              : queue.queue() > usual_way    ? StreamQueue::How::unexplained
                                             : StreamQueue::How::alone;
  return queue;
}

TimelinePicture stream_timeline(const SceneInput& input, const StreamQueue& queue, double travelled, double measured) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const auto& rows = trace.slices;
  if (!has_time(trace, walk.kernel)) return ordered_picture(input, false, {1, 1, 1, travelled});
  const QueueWindow window = window_of(queue);
  TimelinePicture picture;
  picture.from = window.from - static_cast<double>(trace.begin_ns);
  picture.to = window.to - static_cast<double>(trace.begin_ns);
  const auto from = static_cast<std::int64_t>(window.from), to = static_cast<std::int64_t>(window.to) + 1;
  const std::int64_t finest = (to - from) / 300;
  const std::vector<SliceId> path = {walk.launch, walk.kernel};
  const auto word = [&](std::string_view key, std::string n = {}) {
    return input.narration.text("row", key, {{"n", std::move(n)}});
  };
  if (walk.launch != no_slice) {
    const trace::TrackId thread = rows.track[walk.launch];
    RowGroup cpu{track_label(input.narration, trace, thread), {}};
    cpu.rows.push_back({word("cuda"),
                        bars_of(input.narration, trace, thread, from, to, finest, path,
                                [&](SliceId s) { return trace::is_call(rows.kind[s]); }),
                        1});
    picture.groups.push_back(std::move(cpu));
  }
  const trace::TrackId followed = rows.track[walk.kernel];
  RowGroup gpu{device_label(input.narration, trace, trace.tracks[followed].device), {}};
  const auto add = [&](trace::TrackId track) {
    Row row{word("stream", analysis::stream_name(trace, track)),
            bars_of(input.narration, trace, track, from, to, finest, path,
                    [&](SliceId s) { return trace::is_gpu_work(rows.kind[s]); }),
            1};
    if (track == followed || !row.bars.empty()) gpu.rows.push_back(std::move(row));
  };
  add(followed);
  for (trace::TrackId t = 0; t < trace.tracks.size() && gpu.rows.size() < max_streams; ++t)
    if (trace.tracks[t].gpu && t != followed && trace.tracks[t].device == trace.tracks[followed].device) add(t);
  picture.groups.push_back(std::move(gpu));
  picture.scale_note = input.narration.text("legend", "scale");
  name_cut_bars(input.narration, picture);

  if (walk.launch != no_slice) picture.arrows.push_back({walk.launch, walk.kernel, travelled});
  if (queue.timed()) {
    const bool waited = queue.how == StreamQueue::How::behind || queue.how == StreamQueue::How::unexplained;
    const std::int64_t begin = waited ? queue.launch_end : queue.launch_start;
    const Narration::Values time = {{"time", time_text(static_cast<double>(queue.start - begin))}};
    picture.measures.push_back({input.narration.text("launch.way", waited ? "waits" : "takes", time),
                                analysis::since_start(trace, begin), analysis::since_start(trace, queue.start),
                                measured, !waited});
  }
  return picture;
}

}  // namespace warpwalk::story
