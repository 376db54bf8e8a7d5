#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/gpu/exec/machine/warp.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// A matrix of a tensor-core instruction, spread over the registers of the 32 lanes (alu/mma_fragment.h).
struct MatrixTile {
  struct Element {
    int lane = 0;  ///< that holds it
    double value = 0;
  };
  int rows = 0, columns = 0;
  std::vector<Element> elements;  ///< row-major
};

/// D = A B + C of one instruction: A, B and C before it, D after it.
struct MmaOperands {
  MatrixTile a, b, c, d;
};

/// The matrices that an instruction of machine code multiplies; none for other instructions, for those of f64, and for
/// m8n8k4 of f16, which makes four products. `before` and `after`: the warp on both sides of the instruction.
std::optional<MmaOperands> mma_operands(const Program& program, std::uint32_t instruction, const Warp& before,
                                        const Warp& after);

}  // namespace warpwalk::gpu
