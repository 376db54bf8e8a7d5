#pragma once

#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// What a JSON document or a pickle is that has no trace, and what to do with it: the rest of a sentence that begins
/// with the file's name. By the keys in the trace's metadata:
std::string_view other_document(const Trace& trace);

/// Of an array of trees of sums, and of one whose objects are no events.
std::string_view profile_tree();
std::string_view array_without_events();
/// Of a pickle of PyTorch's flight recorder.
std::string_view flight_recorder_dump();

/// Of a log of torch.compile, whose lines begin with V and not with JSON, and of its entries.
constexpr std::string_view torch_trace_log =
    "is a log of torch.compile (TORCH_TRACE), which has no GPU work; warpwalk info FILE lists its kernels; give the "
    "trace of torch.profiler's export_chrome_trace";

}  // namespace warpwalk::trace
