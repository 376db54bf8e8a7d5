#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Writes a linked trace in the PyTorch profiler's format with the "warpwalk" key, so that Perfetto, chrome://tracing
/// and HTA can open it. Compressed with gzip if the name ends in ".gz". Writes to a temporary file and renames it.
/// Reading the file gives an equal trace, and equal traces give equal bytes. The error names the
/// file.
base::Result<void> write_trace(const Trace& trace, const std::filesystem::path& file);
/// Returns the same text instead of writing a file.
std::string write_trace_text(const Trace& trace);

}  // namespace warpwalk::trace
