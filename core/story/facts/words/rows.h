#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/analysis/slices.h"
#include "core/story/elements/narration.h"
#include "core/story/stage/stage.h"
#include "core/trace/trace.h"

namespace warpwalk::gpu {
struct Occupancy;
}

namespace warpwalk::story {

/// Bars for the slices of one track in [from, to] (ns since the trace's base) that satisfy `wanted`, by start.
/// Neighbours that together are shorter than `finest` ns and are not in `path` become one bar.
std::vector<Bar> bars_of(const Narration& narration, const Trace& trace, trace::TrackId track, std::int64_t from,
                         std::int64_t to, std::int64_t finest, const std::vector<SliceId>& path,
                         const std::function<bool(SliceId)>& wanted);

/// Adds the whole time to the label of each bar that the axis cuts: "1,593.9 µs in all: aten::mm". A cut bar's length
/// on screen is not its time.
void name_cut_bars(const Narration& narration, TimelinePicture& picture);

Role role_of(const Trace& trace, SliceId slice, const std::vector<SliceId>& path);

/// "CPU thread 584" or "GPU 0 stream 7".
std::string track_label(const Narration& narration, const Trace& trace, trace::TrackId track);
/// "GPU 0, NVIDIA H200".
std::string device_label(const Narration& narration, const Trace& trace, std::int64_t device);

/// The narration's key under [row] for the caller of the ops.
inline std::string_view frame_word(const trace::Trace& trace) { return analysis::is_typed(trace) ? "typed" : "python"; }

/// "128 blocks", "one block": a count in words of the narration, [launch.count].
std::string counted_words(const Narration& narration, std::string_view what, std::uint64_t n);

/// The words of the limiters, "registers, shared memory".
std::string limiter_words(const Narration& narration, const gpu::Occupancy& occupancy);

}  // namespace warpwalk::story
