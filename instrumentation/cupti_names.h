#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpwalk::instrumentation {

// Names for CUPTI's enumerators, spelled as in PyTorch's profiler. Unknown values give "kind N".

/// CUpti_ActivityMemcpyKind: "HtoD".
std::string copy_kind_name(std::uint32_t kind);
/// CUpti_ActivityMemoryKind: "Pinned".
std::string memory_kind_name(std::uint32_t kind);
/// CUpti_ActivitySynchronizationType: "Stream Sync".
std::string sync_kind_name(std::uint32_t kind);
/// CUpti_ActivityOverheadKind: "Lazy Function Loading".
std::string overhead_kind_name(std::uint32_t kind);
/// CUpti_ActivityMemoryOperationType: "allocation".
std::string memory_operation_name(std::uint32_t operation);
/// CUpti_ActivityMemoryPoolOperationType: "pool created".
std::string pool_operation_name(std::uint32_t operation);

/// CUPTI's version from the value of cuptiGetVersion: "CUPTI 13.0", or "CUPTI (API 24)" before CUDA 13, when the value
/// counted CUPTI's own releases.
std::string cupti_version_name(std::uint32_t api);

/// A function's name without its version suffix: cudaLaunchKernel_v7000 and cudaLaunchKernel_ptsz_v7000 both give
/// cudaLaunchKernel. The _v2 of a driver function is part of its name and is kept.
std::string_view strip_version_suffix(std::string_view name);
/// The demangled name of a kernel; names that are not mangled are returned unchanged.
std::string demangle(std::string_view name);

}  // namespace warpwalk::instrumentation
