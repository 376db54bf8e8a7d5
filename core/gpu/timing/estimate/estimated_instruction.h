#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/timing/instruction_timing.h"

namespace warpwalk::gpu {

/// The memory that an instruction accesses, for the order of accesses. A bit per kind; generic accesses have two.
enum MemoryBits : std::uint8_t { no_memory = 0, global_memory = 1, shared_memory = 2, local_memory = 4, textures = 8 };

/// A machine instruction that ptxas is expected to generate for a PTX instruction, or a PTX instruction without one.
struct EstimatedInstruction {
  std::uint32_t source = no_index;  ///< index into Program::sources
  InstructionTiming timing;
  /// Registers of the function by number; numbers from Function::registers.size() on are temporary values between the
  /// instructions of one PTX instruction.
  std::vector<std::int32_t> reads, writes;
  std::int32_t guard = -1;          ///< its predicate, also among `reads`; -1: none
  bool folded = false;              ///< no machine instruction: the results are other names for the operands
  bool counted = false;             ///< a dependence counter announces the results; otherwise they take a fixed time
  bool compares = false;            ///< writes predicates, which guards may read only after more cycles
  std::uint8_t memory = no_memory;  ///< MemoryBits
  std::uint8_t words = 0;           ///< loads: registers of 32 bits that it fills
  bool stores = false;              ///< changes memory
  bool ordered = false;             ///< atomic, volatile and the like: keeps its place among all accesses to memory
  bool calls = false, returns = false;
  bool last = true;  ///< the last instruction of its PTX instruction
};

/// Cycles from the issue of `producer` until `consumer` may issue that reads its result `reg`; for a result without a
/// dependence counter. These are the smallest stall counts that ptxas 13.0 sets in the sm_90 code of assets/cubin.
int dependence_cycles(const EstimatedInstruction& producer, const EstimatedInstruction& consumer, std::int32_t reg);
/// The longest such time for any consumer.
int completion_cycles(const EstimatedInstruction& producer);

}  // namespace warpwalk::gpu
