#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/kernel_lab/source_file.h"
#include "core/run/launch/launch_file.h"
#include "core/trace/records.h"

namespace warpwalk::run {

/// Whether the first bytes are float32 numbers of ordinary size, and not all of them 0 or small whole numbers.
bool look_like_floats(const std::vector<std::uint8_t>& bytes);

/// Adds the arguments and buffers of a launch that was recorded with its memory (KernelRecord::state) to a launch file.
/// Numbers are those that were recorded. A pointer becomes a buffer from there to the next pointer into the same
/// memory, or to its end. Buffers hold random elements in place of the recorded bytes, or zeros if they are whole
/// numbers, which may be indices. `cubin`: the machine code of the kernel; `declared`: its parameters in the source, or
/// none. Returns the names of the arguments; on failure, one sentence without its full stop.
base::Result<std::vector<std::string>> add_recorded_arguments(const trace::KernelRecord& record, std::string_view cubin,
                                                              const std::vector<DeclaredParameter>& declared,
                                                              LaunchFile& file);

}  // namespace warpwalk::run
