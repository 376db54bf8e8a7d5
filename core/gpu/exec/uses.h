#pragma once

#include <cstdint>
#include <vector>

#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// The registers (indices into ptx::Function::registers) that an instruction reads and writes. A predicated write also
/// counts as a read, since lanes whose predicate is false keep the old value.
struct Uses {
  std::vector<std::int32_t> reads, writes;
};
/// True if the first operand is a result.
bool has_destination(const ptx::Instruction& instruction);
Uses uses_of(const ptx::Instruction& instruction);
/// Those of the first operand of an instruction without a result: the address of a store.
Uses uses_of_address(const ptx::Instruction& instruction);

}  // namespace warpwalk::gpu
