#pragma once

#include "core/gpu/alu/per_lane.h"
#include "core/ptx/type.h"

/// Matrix products of a warp group (wgmma): D = A * B + C with 64 rows, of which each of the four warps computes 16.
namespace warpwalk::gpu {

/// Bytes of a row of A and of a column of B, for every type: k elements.
constexpr int group_line_bytes = 32;
constexpr int group_warp_rows = 16;
constexpr int group_max_columns = 256;

/// How a product is computed. Floating-point types are summed like mma.sync (mma_float.h), fp8 with a shorter
/// accumulator; integers wrap or are clamped.
struct GroupMma {
  int columns = 8;                            ///< n
  ptx::Type d_type = ptx::Type::f32;          ///< also of C: f32, f16 or s32
  ptx::Type a_type = ptx::Type::bf16;         ///< f16, bf16, tf32, e4m3, e5m2, s8 or u8
  ptx::Type b_type = ptx::Type::bf16;         ///< the same type, or another one of 8 bits
  bool negates_a = false, negates_b = false;  ///< floating point only
  bool saturates = false;                     ///< integers only

  int k() const;
  /// 32-bit registers per lane that hold D.
  int registers() const { return d_type == ptx::Type::f16 ? columns / 4 : columns / 2; }
};

/// The operands of one warp: its rows of A and the columns of B, group_line_bytes each, and the registers of D and C,
/// 32 values of 4 bytes each. c: null for zeros; d may use the same registers as c.
struct GroupMmaCall {
  const alu::u8* a = nullptr;
  const alu::u8* b = nullptr;
  void* const* d = nullptr;
  const void* const* c = nullptr;
};

void run(const GroupMma& mma, const GroupMmaCall& call);

}  // namespace warpwalk::gpu
