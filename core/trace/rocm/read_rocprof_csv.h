#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/trace/json/window.h"
#include "core/trace/rocm/recording.h"

namespace warpwalk::trace::rocm {

/// Whether a text begins as one of the CSV files of rocprofv3 that have times: kernel_trace, memory_copy_trace,
/// hip_api_trace, hsa_api_trace, rccl_api_trace and marker_api_trace.
bool is_rocprof_csv(std::string_view first_bytes);

/// The other files of the same recording: rocprofv3 writes one for each kind of row, 123_kernel_trace.csv beside
/// 123_hip_api_trace.csv. The description of the GPUs, 123_agent_info.csv, is the first.
std::vector<std::filesystem::path> files_beside(const std::filesystem::path& file);

/// Reads the CSV of rocprofv3 --output-format csv, and the files beside it. `window`: at its start. Fills a trace,
/// which is linked. Rows that cannot be read are left out, and `problems` says how many.
Result read_rocprof_csv(Window& window, const std::vector<std::filesystem::path>& beside, const Options& options,
                        Trace& trace, Problems& problems);

}  // namespace warpwalk::trace::rocm
