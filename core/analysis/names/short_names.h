#pragma once

// This folder shortens the names of kernels, ops and frames. Other words are in core/story/facts/words.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::analysis {

/// A kernel's function name without return type, namespaces, template and call arguments:
/// "vectorized_elementwise_kernel".
std::string kernel_function_name(std::string_view name);
/// A short name that distinguishes kernels of one template. The operation comes first, so that it stays visible if the
/// text is cut: "FillFunctor · vectorized_elementwise_kernel". A wrapper is named by the kernel inside it
/// ("cutlass_80_simt_sgemm_64x64_8x5_tn_align1", not "Kernel2"), a generic name by its namespace ("gemvx::kernel").
std::string short_kernel_name(std::string_view name);
/// A Python frame without its folders: "profiler.py(862): __enter__"; built-ins as "relu (built-in)".
std::string short_frame_name(std::string_view name);
/// 8, 16, 1 -> "8 × 16"; 300, 1, 1 -> "300".
std::string shape_text(const std::array<std::int32_t, 3>& shape);
/// The coordinates of number `i` in a shape without a zero, x fastest: 5 in 4, 2, 1 -> "(1, 1, 0)".
std::string coordinates_text(std::int64_t i, const std::array<std::int64_t, 3>& shape);
/// The narration key for a shape: "grid", or "grid.one" if it counts a single one.
std::string shape_key(std::string_view what, const std::array<std::int32_t, 3>& shape);
/// At most `limit` characters (code points), the middle replaced by an ellipsis.
std::string shortened(std::string_view text, std::size_t limit);

/// Short names of the kernels of one list (see short_kernel_name()), in the order of `names`, which are distinct. If
/// instances of one template would get the same short name, the template arguments in which they differ are appended:
/// "splitKreduce_kernel<…, true, …>".
std::vector<std::string> kernel_labels(std::span<const std::string_view> names);

}  // namespace warpwalk::analysis
