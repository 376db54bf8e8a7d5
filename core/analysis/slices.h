#pragma once

// This folder explains a trace: idle times, critical paths, kernels, memory, modules, ranks. It has no sentences, which
// are in core/words, and no pictures, which are in core/story. The files beside the folders read slices and follow one
// op; the folders use them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::analysis {

using trace::no_slice;
using trace::SliceId;
using trace::Trace;

/// The slices of a track to read from a moment on, without scanning all earlier slices.
struct Reaching {
  std::vector<SliceId> before;  ///< started earlier and still running at the moment, in order
  SliceId first = 0;            ///< the first slice that starts at the moment or later
};
/// Slices that overlap without nesting are found only if they start shortly before.
Reaching reaching_into(const Trace& trace, const trace::Track& track, std::int64_t from);

/// Converts ns since the trace's base to ns since the trace's start, as used on a stage.
inline std::int64_t since_start(const Trace& trace, std::int64_t ns) { return ns - trace.begin_ns; }

/// Whether exactly `depth` ops enclose this slice; false if hundreds of steps were needed to find out.
bool has_depth(const Trace& trace, SliceId slice, std::size_t depth);

/// The label of a slice's bar: short names for kernels and frames.
std::string label_of(const Trace& trace, SliceId slice);

/// The number of a GPU track's stream, or its text if it is not numbered.
std::string stream_name(const Trace& trace, trace::TrackId track);
/// A call that makes the CPU wait for the GPU.
bool is_wait(const Trace& trace, SliceId slice);

/// A call that takes memory of the GPU, or pinned memory, from the driver, maps it or gives it back.
bool is_allocation(const Trace& trace, SliceId slice);
/// Whether this is the name of a copy of pageable memory to the GPU.
bool is_pageable_copy(std::string_view work);
/// Whether this call, or the call around it, copies pageable memory to the GPU: the CPU is in it until the driver has
/// copied the memory to a buffer of its own, and most of it to the GPU.
bool copies_pageable(const Trace& trace, SliceId call);

/// The profiler's own work. CUPTI also records work of CUDA itself as overhead, e.g. "Lazy Function Loading".
bool is_profiler_work(const Trace& trace, SliceId slice);
/// Work of CUDA itself that CUPTI records as overhead: loading or compiling code.
bool is_cuda_work(const Trace& trace, SliceId slice);

/// Whether warpwalk itself made this trace from a typed expression: no Python ran, and the expression takes the place
/// of Python frames.
inline bool is_typed(const trace::Trace& trace) { return !trace.records.expression.empty(); }

/// The number of blocks of a grid; none if the grid was not fully recorded.
std::optional<std::uint64_t> blocks_of(const std::array<std::int32_t, 3>& shape);

}  // namespace warpwalk::analysis
