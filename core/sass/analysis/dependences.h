#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/sass/analysis/liveness.h"

namespace warpwalk::sass {

/// The instructions whose result this one may read, in the order of the code.
std::vector<std::uint32_t> producers(const ControlFlow& flow, const Liveness& live, std::uint32_t instruction);

/// An instruction that sets a dependence barrier.
struct BarrierSetter {
  std::uint8_t barrier = 0;  ///< 0 to 5
  std::uint32_t instruction = 0;
  bool on_write = true;  ///< released when its result is written; false: when its operands have been read
};

/// The instructions that set the barriers for which this one waits, and may still be unfinished when it issues, by
/// barrier and then in the order of the code. A wait for a barrier covers all instructions before it that set it.
std::vector<BarrierSetter> awaited(std::span<const Decoded> code, const ControlFlow& flow, std::uint32_t instruction);

}  // namespace warpwalk::sass
