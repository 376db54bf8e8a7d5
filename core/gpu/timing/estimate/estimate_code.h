#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/program.h"
#include "core/gpu/timing/estimate/estimated_instruction.h"
#include "core/gpu/timing/timing.h"

namespace warpwalk::gpu {

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

/// Estimates the machine code of a program that was lowered from PTX. The number of instructions is that of
/// Program::sources, so the counters agree with it.
EstimatedCode estimate_code(const Program& program, const Timing& timing);

}  // namespace warpwalk::gpu
