#pragma once

#include <cstdint>
#include <functional>

#include "core/story/stage/narration.h"
#include "core/story/stage/stage.h"

namespace warpwalk::story {

/// Where a look at one track from a moment on begins, without a scan of all that is before it.
struct Reaching {
  std::vector<SliceId> before;  ///< started earlier and reach into it, in order
  SliceId first = 0;            ///< the first that starts at the moment or later
};
/// Of overlaps without nesting only those that start shortly before are found.
Reaching reaching_into(const Trace& trace, const trace::Track& track, std::int64_t from);

/// The slices of one track that lie in [from, to] (ns since the trace's base) and satisfy `wanted`, as bars by start.
/// Neighbours that together stay below `finest` ns and are not in `path` become one bar.
std::vector<Bar> bars_of(const Trace& trace, trace::TrackId track, std::int64_t from, std::int64_t to,
                         std::int64_t finest, const std::vector<SliceId>& path,
                         const std::function<bool(SliceId)>& wanted);

/// Adds the whole time to the label of each bar that the axis cuts: "1,593.9 µs in all: aten::mm". A cut bar's length
/// on screen is not its time.
void name_cut_bars(const Narration& narration, TimelinePicture& picture);

/// A time of the trace's base as ns since the trace's start, as all times on a stage are.
inline std::int64_t since_start(const Trace& trace, std::int64_t ns) { return ns - trace.begin_ns; }

/// Whether `depth` ops enclose this slice; no where that would take hundreds of steps to find out.
bool has_depth(const Trace& trace, SliceId slice, std::size_t depth);

/// What the bar of a slice says: short names for kernels and frames.
std::string label_of(const Trace& trace, SliceId slice);
Role role_of(const Trace& trace, SliceId slice, const std::vector<SliceId>& path);

/// The number of a GPU track's stream, or its text where it has none.
std::string stream_name(const Trace& trace, trace::TrackId track);
/// "CPU thread 584" or "GPU 0 stream 7".
std::string track_label(const Trace& trace, trace::TrackId track);
/// "GPU 0, NVIDIA H200".
std::string device_label(const Trace& trace, std::int64_t device);

/// A call that makes the CPU wait for the GPU.
bool is_wait(const Trace& trace, SliceId slice);

}  // namespace warpwalk::story
