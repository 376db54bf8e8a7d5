#pragma once

// This folder reads and writes the file format of PyTorch's profiler. JSON without the names of the format is in
// core/trace/json, and what finds the format of a file in core/trace/read.

#include <string_view>

#include "core/platform/byte_source.h"
#include "core/trace/json/window.h"
#include "core/trace/read_result.h"

namespace warpwalk::trace {

/// Reads Chrome-trace JSON, of which no more than the first bytes are in the window yet, for read_trace()
/// (core/trace/read/read_trace.h). `name`: of the file, for messages. The trace is linked (core/trace/link.h). Returns
/// false if the text is neither a trace nor another known JSON document, so that it may be of any other format; the
/// error then says what is wrong with it as JSON.
bool read_chrome(platform::ByteSource& source, Window window, const ReadOptions& options, std::string_view name,
                 ReadResult& result);

}  // namespace warpwalk::trace
