#pragma once

#include <string_view>

namespace warpwalk::analysis {

/// Whether a kernel of this name only prepares or finishes a product that another kernel computes: it changes the
/// layout of tensors (nchwToNhwcKernel, batched_transpose_..., im2col), transforms tiles for Winograd's algorithm,
/// computes offsets, fills, scales, or adds the parts of a split product. The FLOPs of a product never count for it.
/// By the name alone, ignoring case; false for names that are not known.
bool is_helper_kernel(std::string_view kernel_name);

/// Whether a kernel of this name is a step of a convolution by Winograd's or Fourier's transform. Such a convolution
/// needs fewer operations than the direct one, whose FLOPs the shapes give.
bool is_fast_convolution_kernel(std::string_view kernel_name);

}  // namespace warpwalk::analysis
