#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpwalk::analysis {

/// What a piece of GPU work is for, as engineers add it up.
enum class WorkCategory : std::uint8_t {
  gemm,           ///< products of matrices and vectors
  convolution,    ///< with the transforms of Winograd's and Fourier's algorithm
  attention,      ///< fused kernels; attention in parts counts as products, softmax ...
  normalisation,  ///< layer, RMS, group and batch norm
  reduction,      ///< softmax, sums, scans, sorting
  elementwise,    ///< each element by itself, optimizers included
  indexing,       ///< embedding, gather, scatter
  layout,         ///< kernels that only move data: transposes, concatenation, copies
  communication,  ///< with other GPUs
  copy,           ///< copies and fills by the driver
  other,
};
constexpr std::size_t work_categories = static_cast<std::size_t>(WorkCategory::other) + 1;
/// "gemm", "convolution" ...
std::string_view name_of(WorkCategory category);

/// The category that a kernel's name says, ignoring case; `other` if it says none. One table has the names of all
/// vendors: NVIDIA's and AMD's libraries, oneDNN and PyTorch's kernels for Intel's GPUs, Triton, and XLA's ops.
/// Communication with other GPUs is not looked for: is_communication_name() tells it.
WorkCategory category_of_name(std::string_view kernel_name);

/// The category of an op of XLA, by its name ("dot.3", "wrapped_transpose", "loop_add_fusion") or by the category that
/// XLA's profiler gives it ("convolution fusion", "data formatting"); `other` if it says none.
WorkCategory category_of_hlo(std::string_view name);

/// Whether a kernel of this name exchanges data with other GPUs. Known names: NCCL and RCCL of every generation
/// (ncclKernel_*, ncclDevKernel_*, ncclSymkDevKernel_*), MSCCL and MSCCL++, the custom all-reduces of vLLM, SGLang and
/// TensorRT-LLM (cross_device_reduce_1stage, one_shot_all_reduce, allreduce_fusion ...), PyTorch's symmetric memory
/// (multimem_all_reduce_ ...), NVSHMEM, DeepEP, oneCCL, XLA's collectives (all-reduce.1).
bool is_communication_name(std::string_view kernel);

}  // namespace warpwalk::analysis
