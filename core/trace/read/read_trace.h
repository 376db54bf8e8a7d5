#pragma once

// This folder reads a file of any format: it finds the format and calls the reader that is in the folder of the format,
// core/trace/chrome, ncu, nsys, rocm or snapshot.

#include <filesystem>
#include <string_view>

#include "core/trace/read_result.h"

namespace warpwalk::trace {

/// Reads a PyTorch profiler (Chrome-trace JSON) or warpwalk file (core/trace/chrome), plain or gzip, a memory snapshot
/// (core/trace/snapshot), a report of Nsight Compute or its CSV (core/trace/ncu) or a database of Nsight Systems
/// (core/trace/nsys), or what rocprofv3 writes (core/trace/rocm; of its CSV files, also those beside the file). Traces
/// of other profilers in the same JSON are read as far as their processes and threads say what their rows are. From a
/// damaged file, everything readable is kept, and `problems` lists what was lost and where. The returned trace is
/// linked (link.h).
ReadResult read_trace(const std::filesystem::path& file, const ReadOptions& options = {});
/// Reads from memory instead of a file; messages use `name` as the file name.
ReadResult read_trace_text(std::string_view bytes, const ReadOptions& options = {}, std::string_view name = "trace");

}  // namespace warpwalk::trace
