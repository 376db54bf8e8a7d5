#pragma once

#include <cstdint>
#include <vector>

#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// The registers (Function::registers) that an instruction reads and writes. What is written only where its guard holds
/// is read too: it keeps its old value elsewhere.
struct Uses {
  std::vector<std::int32_t> reads, writes;
};
/// Whether the first operand is a result.
bool has_destination(const ptx::Instruction& instruction);
Uses uses_of(const ptx::Instruction& instruction);

}  // namespace warpwalk::gpu
