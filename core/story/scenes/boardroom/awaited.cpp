// What a call that waits for the GPU waits for.
#include <algorithm>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/story/elements/figure.h"
#include "core/story/elements/walk.h"
#include "core/story/scenes/boardroom/boardroom.h"

namespace warpwalk::story {

std::optional<WorkAhead> awaited_work(const Trace& trace, SliceId wait, std::int64_t device) {
  const auto& rows = trace.slices;
  const std::int64_t from = rows.start[wait], to = rows.end(wait);
  WorkAhead found;
  const auto look = [&](SliceId s) {
    // Work that goes on after the call was not waited for. The clocks of CPU and GPU agree within a microsecond.
    if (!trace::is_gpu_work(rows.kind[s]) || rows.end(s) <= from || rows.end(s) > to + clock_accuracy) return;
    const std::int64_t time = std::min(rows.end(s), to) - std::max(rows.start[s], from);
    if (time > 0) found.add(trace, s, time);
  };
  for (const trace::Track& track : trace.tracks) {
    if (!track.gpu || track.device != device) continue;
    const analysis::Reaching reaching = analysis::reaching_into(trace, track, from);
    std::ranges::for_each(reaching.before, look);
    for (SliceId s = reaching.first; s < track.last && rows.start[s] < to; ++s) look(s);
  }
  return found.count > 0 ? std::optional(found) : std::nullopt;
}

std::string awaited_text(const SceneInput& input, const WorkAhead& awaited) {
  const std::size_t longest_label = awaited.count == 1 ? 40 : 26;
  const auto label = [&](SliceId s) { return analysis::shortened(analysis::label_of(input.trace, s), longest_label); };
  return input.narration.text("boardroom.awaited", awaited.count == 1 ? "one" : "many",
                              {{"n", with_thousands(static_cast<std::int64_t>(awaited.count))},
                               {"longest", label(awaited.longest)},
                               {"time", time_text(static_cast<double>(awaited.longest_time))},
                               {"last", label(awaited.last)}});
}

}  // namespace warpwalk::story
