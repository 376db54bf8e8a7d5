#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/sass/analysis/control_flow.h"
#include "core/sass/analysis/register_use.h"

namespace warpwalk::sass {

/// Which registers hold a value that is still needed, around each instruction. Instructions that are never reached have
/// empty sets.
struct Liveness {
  std::vector<RegisterUse> uses;    ///< of each instruction; an unknown instruction uses none
  std::vector<RegisterSet> before;  ///< read by this instruction or a later one before they are overwritten
  std::vector<RegisterSet> after;   ///< the same after this instruction
  /// Read before any write on some path from the start. In a kernel, only registers that are written under one guard
  /// and read under another, which implies the first; `before` and `after` have them from the first write on.
  RegisterSet at_entry;
  bool complete = true;  ///< false if the code was too tangled to be analysed to the end

  /// The registers occupied while an instruction executes: those live before it and those that it writes.
  RegisterSet occupied(std::size_t instruction) const { return before[instruction] | uses[instruction].writes; }
  /// The first instruction with the most occupied general registers; 0 if there is no code.
  std::size_t peak() const;
};

/// Live registers along the paths of one thread. A value that is written and read only under the same guard is not live
/// before it is written. Loads and other instructions of variable latency count as finished when they issue.
Liveness liveness(std::span<const Decoded> code, const ControlFlow& flow, const CubinFunction& function);

}  // namespace warpwalk::sass
