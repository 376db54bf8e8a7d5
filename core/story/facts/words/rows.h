#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/story/elements/narration.h"
#include "core/story/stage/stage.h"
#include "core/trace/trace.h"

namespace warpwalk::gpu {
struct Occupancy;
}

namespace warpwalk::story {

/// The slices of a track to read from a moment on, without scanning all earlier slices.
struct Reaching {
  std::vector<SliceId> before;  ///< started earlier and still running at the moment, in order
  SliceId first = 0;            ///< the first slice that starts at the moment or later
};
/// Slices that overlap without nesting are found only if they start shortly before.
Reaching reaching_into(const Trace& trace, const trace::Track& track, std::int64_t from);

/// Bars for the slices of one track in [from, to] (ns since the trace's base) that satisfy `wanted`, by start.
/// Neighbours that together are shorter than `finest` ns and are not in `path` become one bar.
std::vector<Bar> bars_of(const Narration& narration, const Trace& trace, trace::TrackId track, std::int64_t from,
                         std::int64_t to, std::int64_t finest, const std::vector<SliceId>& path,
                         const std::function<bool(SliceId)>& wanted);

/// Adds the whole time to the label of each bar that the axis cuts: "1,593.9 µs in all: aten::mm". A cut bar's length
/// on screen is not its time.
void name_cut_bars(const Narration& narration, TimelinePicture& picture);

/// Converts ns since the trace's base to ns since the trace's start, as used on a stage.
inline std::int64_t since_start(const Trace& trace, std::int64_t ns) { return ns - trace.begin_ns; }

/// Whether exactly `depth` ops enclose this slice; false if hundreds of steps were needed to find out.
bool has_depth(const Trace& trace, SliceId slice, std::size_t depth);

/// The label of a slice's bar: short names for kernels and frames.
std::string label_of(const Trace& trace, SliceId slice);
Role role_of(const Trace& trace, SliceId slice, const std::vector<SliceId>& path);

/// The number of a GPU track's stream, or its text if it is not numbered.
std::string stream_name(const Trace& trace, trace::TrackId track);
/// "CPU thread 584" or "GPU 0 stream 7".
std::string track_label(const Narration& narration, const Trace& trace, trace::TrackId track);
/// "GPU 0, NVIDIA H200".
std::string device_label(const Narration& narration, const Trace& trace, std::int64_t device);

/// A call that makes the CPU wait for the GPU.
bool is_wait(const Trace& trace, SliceId slice);

/// The profiler's own work. CUPTI also records work of CUDA itself as overhead, e.g. "Lazy Function Loading".
bool is_profiler_work(const Trace& trace, SliceId slice);
/// Work of CUDA itself that CUPTI records as overhead: loading or compiling code.
bool is_cuda_work(const Trace& trace, SliceId slice);

/// Whether warpwalk itself made this trace from a typed expression: no Python ran, and the expression takes the place
/// of Python frames.
inline bool is_typed(const trace::Trace& trace) { return !trace.records.expression.empty(); }

/// The narration's key under [row] for the caller of the ops.
inline std::string_view frame_word(const trace::Trace& trace) { return is_typed(trace) ? "typed" : "python"; }

/// "128 blocks", "one block": a count in words of the narration, [launch.count].
std::string counted_words(const Narration& narration, std::string_view what, std::uint64_t n);

/// The words of the limiters, "registers, shared memory".
std::string limiter_words(const Narration& narration, const gpu::Occupancy& occupancy);

}  // namespace warpwalk::story
