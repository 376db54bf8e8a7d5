#pragma once

#include <cstdint>
#include <string_view>

#include "core/trace/json/window.h"
#include "core/trace/rocm/recording.h"

namespace warpwalk::trace::rocm {

/// Whether a text begins as the JSON of rocprofv3, an object with the key "rocprofiler-sdk-tool".
bool is_rocprof_json(std::string_view first_bytes);

/// Reads the JSON of rocprofv3 --output-format json, of one or several processes: kernels, copies, calls, ranges of
/// rocTX, and the GPUs. `window`: at its start. `entry_cap_bytes`: a longer text or number ends reading. Fills a trace,
/// which is linked. Of a damaged file, everything before the damage is kept, and `problems` says where it is.
Result read_rocprof_json(Window& window, std::uint64_t entry_cap_bytes, const Options& options, Trace& trace,
                         Problems& problems);

}  // namespace warpwalk::trace::rocm
