#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ops/tensor/dtype.h"
#include "core/ops/tensor/geometry.h"

namespace warpwalk::run {

/// The properties of a tensor that determine the choice of a kernel.
struct Operand {
  ops::DType dtype = ops::DType::f32;
  ops::Geometry geometry;
};

/// One argument of a planned launch: the address of an operand's first element, or the bytes of a scalar or struct.
struct PlannedArgument {
  std::int32_t operand = -1;  ///< row of Plan::operands
  std::string dtype;          ///< type of a scalar, e.g. "i32"; empty for a struct
  std::vector<std::uint8_t> bytes;
};

/// A launch of one kernel of kernels/, identical on the simulated and on a real GPU.
struct PlannedLaunch {
  std::string module;  ///< kernels/MODULE.cu and assets/ptx/MODULE.ptx
  std::string entry;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<PlannedArgument> arguments;
  std::string
      why;  ///< reason for this kernel and shape, one sentence: "row-major f32: tiles of 16 x 16 in shared memory"
};

/// Everything that an op does on a GPU.
struct Plan {
  std::vector<Operand> operands;        ///< inputs, result, temporaries shared by the launches
  std::size_t result = 0;               ///< row of operands
  std::vector<PlannedLaunch> launches;  ///< empty if the result has no elements
};

}  // namespace warpwalk::run
