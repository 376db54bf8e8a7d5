#pragma once

#include <optional>
#include <string_view>

#include "core/ptx/opcode.h"
#include "core/ptx/type.h"

namespace warpwalk::gpu {

/// How far the result of an approximate instruction may be from the exact value: within one of the two. A bound that
/// the manual does not give is 0.
struct ApproximationBound {
  double ulp = 0;       ///< units in the last place of the result's type
  double relative = 0;  ///< part of the exact value
  double absolute = 0;
  std::string_view where;  ///< the arguments it holds for; empty: all
};

/// What the PTX ISA 9.0 states for an opcode with .approx (div: .full too) in a type; nothing where it states none.
/// The simulated GPU computes these functions in f64 and rounds once, so its own error is about half a unit in the last
/// place: within the bound, but not the GPU's bits.
std::optional<ApproximationBound> approximation_bound(ptx::Opcode opcode, ptx::Type type);

}  // namespace warpwalk::gpu
