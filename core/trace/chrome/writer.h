#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Writes a linked trace in the PyTorch profiler's format with the "warpwalk" key, so that Perfetto, chrome://tracing
/// and HTA open it too. Compressed with gzip if the name ends in ".gz"; written aside and then renamed. Reading it
/// gives an equal trace, and the same trace gives the same bytes. None, or one line: what, where, what to do.
std::optional<std::string> write_trace(const Trace& trace, const std::filesystem::path& file);
/// The same text, in memory.
std::string write_trace_text(const Trace& trace);

}  // namespace warpwalk::trace
