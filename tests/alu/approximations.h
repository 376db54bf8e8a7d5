#pragma once

#include <optional>
#include <string_view>

#include "core/ptx/opcode.h"
#include "core/ptx/type.h"

namespace warpwalk::gpu {

/// The allowed distance between the result of an approximate instruction and the exact value. It suffices to be within
/// one of the bounds. A bound that the manual does not give is 0.
struct ApproximationBound {
  double ulp = 0;       ///< units in the last place of the result's type
  double relative = 0;  ///< relative to the exact value
  double absolute = 0;
  std::string_view where;  ///< the arguments that the bound applies to; empty: all
};

/// Returns the bound that PTX ISA 9.0 states for an opcode with .approx (div: also .full) on a type, or nullopt.
std::optional<ApproximationBound> approximation_bound(ptx::Opcode opcode, ptx::Type type);

}  // namespace warpwalk::gpu
