#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/boardroom/boardroom.h"

namespace warpwalk::story {
namespace {

using trace::SliceKind;

Span padded(double from, double to, double before, double after) {
  const double length = std::max(to - from, 100.0);
  return {from - before * length, to + after * length};
}

}  // namespace

Span boardroom_window(const Boardroom& s, BoardroomReach::Window window) {
  const Trace& trace = s.trace();
  const Walk& walk = s.walk();
  const std::optional<Receipt>& receipt = s.receipt;
  const auto& rows = trace.slices;
  const SliceId root = !walk.ops.empty() ? walk.ops.front() : walk.op != no_slice ? walk.op : walk.kernel;
  if (root == no_slice) return {0, 1};
  double from = static_cast<double>(rows.start[root]);
  double to = static_cast<double>(rows.end(root));
  if (receipt) {
    from = std::min(from, static_cast<double>(receipt->kernel_start));
    to = std::max(to, static_cast<double>(receipt->kernel_end));
  }
  const Span whole = padded(from, to, 0.04, 0.08);
  if (!receipt || window == BoardroomReach::Window::op) return whole;
  double near_from = static_cast<double>(std::min(receipt->launch_start, receipt->kernel_start));
  double near_to = static_cast<double>(std::max(receipt->launch_end, receipt->kernel_end));
  if (window == BoardroomReach::Window::aftermath) {
    constexpr double furthest = 16;  // a wait further away would flatten everything else
    const Aftermath after = aftermath_of(trace, walk, *receipt);
    for (const SliceId slice : {after.next_op, after.wait})
      if (slice != no_slice && static_cast<double>(rows.end(slice)) - near_from < furthest * (near_to - near_from))
        near_to = std::max(near_to, static_cast<double>(rows.end(slice)));
  }
  return padded(near_from, near_to, 0.25, 0.12);
}

std::vector<std::pair<Role, std::string>> timeline_legend(const SceneInput& input) {
  static constexpr std::pair<Role, std::string_view> legend[] = {
      {Role::op, "op"},     {Role::launch, "launch"}, {Role::kernel, "kernel"},     {Role::copy, "copy"},
      {Role::fill, "fill"}, {Role::wait, "wait"},     {Role::overhead, "profiler"},
  };
  std::vector<std::pair<Role, std::string>> words;
  for (const auto& [role, key] : legend) words.emplace_back(role, input.narration.text("legend", key));
  return words;
}

TimelinePicture boardroom_timeline(const Boardroom& subject) {
  const SceneInput& input = subject.input;
  const double phase = input.moment.phase;
  const BoardroomReach reach = subject.here.shown<BoardroomBeat>()->more;
  const BoardroomBeat* const beat_before = subject.here.before<BoardroomBeat>();
  const BoardroomReach reach_before = beat_before == nullptr ? reach : beat_before->more;
  const Span target = boardroom_window(subject, reach.window), source = boardroom_window(subject, reach_before.window);
  const double moved = eased(part(phase, 0, 0.45));
  const Span window = {source.from + (target.from - source.from) * moved, source.to + (target.to - source.to) * moved};
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const auto& rows = trace.slices;
  TimelinePicture picture;
  const auto word = [&](std::string_view key, const auto&... n) {
    Narration::Values values;
    (values.emplace("n", fmt::format("{}", n)), ...);
    return input.narration.text("row", key, values);
  };
  picture.from = window.from - static_cast<double>(trace.begin_ns);
  picture.to = window.to - static_cast<double>(trace.begin_ns);
  const auto from = static_cast<std::int64_t>(window.from);
  const auto to = static_cast<std::int64_t>(window.to) + 1;
  const std::int64_t finest = (to - from) / 400;
  std::vector<SliceId> path = walk.frames;
  path.insert(path.end(), walk.ops.begin(), walk.ops.end());
  path.push_back(walk.launch);
  path.push_back(walk.kernel);

  // Rows appear in a given beat; a row that is new in this beat fades in over [from, to] of its motion.
  const auto shown_from = [&](int first, double appear_from, double appear_to) {
    return reach.rows < first ? 0.0 : reach_before.rows >= first ? 1.0 : part(phase, appear_from, appear_to);
  };
  const SliceId cpu_slice = !walk.ops.empty() ? walk.ops.front() : walk.launch;
  if (cpu_slice != no_slice) {
    const trace::TrackId thread = rows.track[cpu_slice];
    RowGroup cpu;
    cpu.name = track_label(input.narration, trace, thread);
    const auto add = [&](std::string name, double shown, const std::function<bool(SliceId)>& wanted,
                         trace::TrackId track) {
      Row row{std::move(name), bars_of(input.narration, trace, track, from, to, finest, path, wanted), shown};
      if (!row.bars.empty()) cpu.rows.push_back(std::move(row));
    };
    for (trace::TrackId t = 0; t < trace.tracks.size(); ++t)
      if (!trace.tracks[t].gpu)
        add(
            word("profiler"), shown_from(1, 0.6, 1), [&](SliceId s) { return analysis::is_profiler_work(trace, s); },
            t);
    for (trace::TrackId t = 0; t < trace.tracks.size(); ++t)
      if (!trace.tracks[t].gpu)
        add(
            word("cuda_work"), shown_from(2, 0.3, 0.5), [&](SliceId s) { return analysis::is_cuda_work(trace, s); }, t);
    // The outermost and the innermost frame are enough to see where the call comes from.
    std::vector<SliceId> frames;
    if (!walk.frames.empty()) frames.push_back(walk.frames.front());
    if (walk.frames.size() > 1) frames.push_back(walk.frames.back());
    for (const SliceId frame : frames)
      add(
          word(frame_word(trace)), 1, [=](SliceId s) { return s == frame; }, thread);
    constexpr std::size_t max_ops = 5;
    const std::size_t shown_ops = std::min(walk.ops.size(), max_ops);
    for (std::size_t i = 0; i < shown_ops; ++i) {
      // If not all ops fit, the outermost ones and the innermost one are kept.
      const std::size_t depth = i + 1 < shown_ops ? i : walk.ops.size() - 1;
      const double begin = 0.15 * static_cast<double>(i);
      const double appears = depth == 0 ? 1 : shown_from(1, begin, begin + 0.4);
      const bool outermost = depth == 0;
      add(
          depth > i   ? word("deeper", depth - i)
          : outermost ? word("op")
                      : word("nested"),
          appears,
          [&trace, depth, own = walk.ops[depth]](SliceId s) {
            return trace.slices.kind[s] == SliceKind::op && (s == own || analysis::has_depth(trace, s, depth));
          },
          thread);
    }
    add(
        word("cuda"), shown_from(2, 0.3, 0.5), [&](SliceId s) { return trace::is_call(rows.kind[s]); }, thread);
    if (!cpu.rows.empty()) picture.groups.push_back(std::move(cpu));
  }

  if (walk.kernel != no_slice) {
    const trace::TrackId followed = rows.track[walk.kernel];
    RowGroup gpu;
    gpu.name = device_label(input.narration, trace, trace.tracks[followed].device);
    std::vector<trace::TrackId> streams = {followed};
    for (trace::TrackId t = 0; t < trace.tracks.size(); ++t)
      if (trace.tracks[t].gpu && t != followed && trace.tracks[t].device == trace.tracks[followed].device)
        streams.push_back(t);
    constexpr std::size_t max_streams = 4;
    for (const trace::TrackId t : streams) {
      Row row{word("stream", analysis::stream_name(trace, t)),
              bars_of(input.narration, trace, t, from, to, finest, path,
                      [&](SliceId s) { return trace::is_gpu_work(rows.kind[s]); }),
              shown_from(2, 0.8, 1)};
      if ((t == followed || !row.bars.empty()) && gpu.rows.size() < max_streams) gpu.rows.push_back(std::move(row));
    }
    picture.groups.push_back(std::move(gpu));
  }
  picture.legend = timeline_legend(input);
  picture.scale_note = input.narration.text("legend", "scale");
  name_cut_bars(input.narration, picture);
  return picture;
}

TimelinePicture untimed_timeline(const Boardroom& s, const OrderedShown& shown) {
  TimelinePicture picture = ordered_picture(s.input, true, shown);
  picture.legend = timeline_legend(s.input);
  return picture;
}

}  // namespace warpwalk::story
