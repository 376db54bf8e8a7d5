#pragma once

#include <cstdint>
#include <string_view>

#include "core/analysis/kernels/op_work.h"

namespace warpwalk::analysis {

/// Whether a kernel computes on tensor cores, as far as its name says.
enum class TensorCoreUse : std::uint8_t { unknown, no, yes };

/// "unknown", "no", "yes".
std::string_view name_of(TensorCoreUse use);

struct TensorCoreName {
  TensorCoreUse use = TensorCoreUse::unknown;
  std::string_view by;  ///< the part of the name that says so, in lower case; empty: none does
};

/// Derived from the kernel's name alone, ignoring case, by the first rule that applies:
///
/// 0. A product of a stand-in for a library (stand_in.h) by its type.
/// 1. No, if it names the FP32 or FP64 units: simt, ffma, dfma, sgemm_ or dgemm_ as cuBLAS writes them, gemv, scudnn.
/// 2. Yes, if it names tensor cores: tensorop, hmma, imma, dmma, qmma, wgmma, gmma, xmma, wmma, nvjet, a tile of
///    tensor cores (_tensor16x8x16), or the shape of their instruction with its type (s16816, h1688, s884, i16832,
///    d884 ...). AMD's matrix cores count too: mfma, or the tile of their instruction (_MI16x16x1).
/// 3. Yes for the kernels of FlashAttention (flash_fwd, flash_bwd), which are written for tensor cores only.
/// 4. No, if it is one of PyTorch's or Triton's kernels without a product: elementwise, reduce, softmax, layer_norm,
///    copies, fills, random numbers, multi_tensor_apply, triton_poi, triton_red, triton_per. Not if the name also has
///    gemm, conv, attention, fmha or triton_tem in it.
/// 5. Otherwise unknown.
TensorCoreName tensor_core_use(std::string_view kernel_name);

/// The execution unit whose peak limits a kernel.
enum class MathUnit : std::uint8_t { f64, f64_tensor, f32, tf32_tensor, f16, f16_tensor, f8_tensor, none };
constexpr std::size_t math_units = static_cast<std::size_t>(MathUnit::none);

/// "f64", "f64_tensor" ...: keys of the narration, [kernels_page.unit].
std::string_view name_of(MathUnit unit);

/// The unit for a type of arithmetic. If the name does not say whether tensor cores are used, the faster unit of the
/// type counts, so that a share of its peak is never too large. float32 on tensor cores is TF32.
MathUnit unit_of(MathType type, TensorCoreUse use);

}  // namespace warpwalk::analysis
