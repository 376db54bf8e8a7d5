#include "core/story/facts/words/rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/base/enum_names.h"
#include "core/gpu/blocks/occupancy.h"
#include "core/story/elements/figure.h"
#include "core/trace/link.h"

namespace warpwalk::story {

using trace::SliceKind;

std::string_view name_of(Role role) { return base::enum_name(role); }

std::vector<Bar> bars_of(const Narration& narration, const Trace& trace, trace::TrackId track_id, std::int64_t from,
                         std::int64_t to, std::int64_t finest, const std::vector<SliceId>& path,
                         const std::function<bool(SliceId)>& wanted) {
  const auto& rows = trace.slices;
  const trace::Track& track = trace.tracks[track_id];
  std::vector<Bar> bars;
  const auto add = [&](SliceId s) {
    if (rows.end(s) <= from || !wanted(s)) return;
    const bool followed = std::find(path.begin(), path.end(), s) != path.end();
    const std::int64_t start = rows.start[s] - trace.begin_ns;
    const std::int64_t end = rows.end(s) - trace.begin_ns;
    const Role role = role_of(trace, s, path);
    if (!followed && !bars.empty() && !bars.back().followed && bars.back().role == role &&
        end - bars.back().start < finest) {
      bars.back().end = std::max(bars.back().end, end);
      ++bars.back().merged;
      bars.back().label = narration.text("merged", name_of(role), {{"n", std::to_string(bars.back().merged)}});
    } else {
      bars.push_back({s, analysis::label_of(trace, s), start, end, role, followed, 1});
    }
  };
  const analysis::Reaching reaching = analysis::reaching_into(trace, track, from);
  for (const SliceId s : reaching.before) add(s);
  for (SliceId s = reaching.first; s < track.last && rows.start[s] < to; ++s) add(s);
  return bars;
}

void name_cut_bars(const Narration& narration, TimelinePicture& picture) {
  for (RowGroup& group : picture.groups)
    for (Row& row : group.rows)
      for (Bar& bar : row.bars)
        if (static_cast<double>(bar.start) < picture.from || static_cast<double>(bar.end) > picture.to)
          bar.label = narration.text(
              "row", "cut", {{"label", bar.label}, {"time", time_text(static_cast<double>(bar.end - bar.start))}});
}

Role role_of(const Trace& trace, SliceId slice, const std::vector<SliceId>& path) {
  switch (trace.slices.kind[slice]) {
    case SliceKind::python:
    case SliceKind::annotation: return Role::python;
    case SliceKind::runtime:
    case SliceKind::driver: {
      if (analysis::is_wait(trace, slice)) return Role::wait;
      const bool in_path = std::find(path.begin(), path.end(), slice) != path.end();
      const std::size_t i = trace::first_launched(trace, slice);
      const bool launches = i < trace.launched.size() && trace.launched[i].first == slice;
      return in_path || launches ? Role::launch : Role::call;
    }
    case SliceKind::kernel: return Role::kernel;
    case SliceKind::memcpy: return Role::copy;
    case SliceKind::memset: return Role::fill;
    case SliceKind::overhead: return analysis::is_cuda_work(trace, slice) ? Role::call : Role::overhead;
    default: return Role::op;
  }
}

std::string track_label(const Narration& narration, const Trace& trace, trace::TrackId id) {
  const trace::Track& track = trace.tracks[id];
  if (!track.gpu) return narration.text("track", "thread", {{"n", std::string(trace.text(track.tid))}});
  const std::string gpu =
      track.device == trace::absent ? std::string(trace.text(track.pid)) : std::to_string(track.device);
  return narration.text("track", "stream", {{"gpu", gpu}, {"n", analysis::stream_name(trace, id)}});
}

std::string device_label(const Narration& narration, const Trace& trace, std::int64_t device) {
  const std::string number = std::to_string(device);
  for (const trace::Device& known : trace.devices)
    if (known.id == device && known.name != 0)
      return narration.text("track", "device", {{"gpu", number}, {"name", std::string(trace.text(known.name))}});
  if (device == trace::absent) return narration.text("track", "device.unknown");
  return narration.text("track", "device.unnamed", {{"gpu", number}});
}

std::string counted_words(const Narration& narration, std::string_view what, std::uint64_t n) {
  return narration.text("launch.count", n == 1 ? fmt::format("{}.one", what) : std::string(what),
                        {{"n", with_thousands(static_cast<std::int64_t>(n))}});
}

std::string limiter_words(const Narration& narration, const gpu::Occupancy& occupancy) {
  std::string words;
  for (const gpu::Limiter limiter : occupancy.limiters)
    words.append(words.empty() ? "" : ", ").append(narration.text("launch.limiter", gpu::name_of(limiter)));
  return words;
}

}  // namespace warpwalk::story
