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

/// Machine instructions of a basic block that ptxas may reorder, and the program's instructions that they come from.
/// The lanes that enter it at its start execute all of it, apart from lanes that skip predicated instructions.
struct EstimatedRegion {
  std::uint32_t first_source = 0, end_source = 0;  ///< range in Program::sources
  std::uint32_t first = 0, end = 0;                ///< range in EstimatedCode::instructions; empty: costs nothing
};

/// The machine instructions that ptxas is expected to make of a PTX program, in their order and with control codes.
struct EstimatedCode {
  std::vector<InstructionTiming> instructions;
  /// By instruction: what it reads and writes, and which instruction of the program it belongs to.
  std::vector<EstimatedInstruction> details;
  /// By instruction: when it issues, the program has to be executed up to this index into Program::sources, exclusive.
  /// 0: its effect cannot be observed, so that may wait. Instructions of the program are executed in their own order.
  std::vector<std::uint32_t> executes_to;
  std::vector<EstimatedRegion> regions;
  std::vector<std::uint32_t> region_of;  ///< by index into Program::sources
};

}  // namespace warpwalk::gpu
