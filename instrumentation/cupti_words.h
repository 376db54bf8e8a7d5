#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpwalk::recording {

// CUPTI's numbers of kinds in words, spelt as PyTorch's profiler spells them. An unknown number is said as such.

/// CUpti_ActivityMemcpyKind: "HtoD".
std::string copy_words(std::uint32_t kind);
/// CUpti_ActivityMemoryKind: "Pinned".
std::string memory_words(std::uint32_t kind);
/// CUpti_ActivitySynchronizationType: "Stream Sync".
std::string sync_words(std::uint32_t kind);
/// CUpti_ActivityOverheadKind: "Lazy Function Loading".
std::string overhead_words(std::uint32_t kind);
/// CUpti_ActivityMemoryOperationType: "allocation".
std::string memory_operation_words(std::uint32_t operation);
/// CUpti_ActivityMemoryPoolOperationType: "pool created".
std::string pool_operation_words(std::uint32_t operation);

/// CUPTI and its version, by what cuptiGetVersion gives: "CUPTI 13.0", or "CUPTI (API 24)" before CUDA 13, when the
/// number counted CUPTI's own releases.
std::string cupti_words(std::uint32_t api);

/// A function's own name: cudaLaunchKernel of cudaLaunchKernel_v7000 and of cudaLaunchKernel_ptsz_v7000. The _v2 of a
/// driver function is part of its name.
std::string_view function_name(std::string_view name);
/// A kernel's name as it stands in the source, or as it is where it is not mangled.
std::string demangled(std::string_view name);

}  // namespace warpwalk::recording
