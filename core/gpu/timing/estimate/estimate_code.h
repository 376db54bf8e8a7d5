#pragma once

// This folder estimates machine code, with its order and control codes, for kernels that have only PTX.

#include <cstdint>

#include "core/gpu/exec/program.h"
#include "core/gpu/timing/estimated_code.h"
#include "core/gpu/timing/timing.h"

namespace warpwalk::gpu {

/// Cycles from the issue of `producer` until `consumer` may issue that reads its result `reg`; for a result without a
/// dependence counter. These are the smallest stall counts that ptxas 13.0 sets in the sm_90 code of assets/cubin.
int dependence_cycles(const EstimatedInstruction& producer, const EstimatedInstruction& consumer, std::int32_t reg);
/// The longest such time for any consumer.
int completion_cycles(const EstimatedInstruction& producer);

/// Estimates the machine code of a program that was lowered from PTX. The number of instructions is that of
/// Program::sources, so the counters agree with it. `program_order`: for a debugger, instructions keep the order of the
/// program, each of them issues, and before one issues exactly those before it have been executed.
EstimatedCode estimate_code(const Program& program, const Timing& timing, bool program_order = false);

}  // namespace warpwalk::gpu
