#pragma once

#include <vector>

#include "core/gpu/timing/estimate/code_blocks.h"
#include "core/gpu/timing/estimated_code.h"
#include "core/gpu/timing/timing.h"

namespace warpwalk::gpu {

/// Puts the instructions of a part of a basic block into the order that ptxas is expected to choose: a list schedule in
/// which the instructions with the longest way to the end come first, so that loads move ahead of independent
/// instructions. Accesses to memory keep their order, except that loads may pass each other and accesses to other state
/// spaces. A folded instruction comes right after what it depends on.
std::vector<EstimatedInstruction> in_issue_order(std::vector<EstimatedInstruction> instructions, const Timing& timing);

/// Sets stall counts, dependence counters and wait masks of a function's instructions, which are in issue order, so
/// that every instruction issues after the results that it reads are there:
/// - Fixed latencies: by stall counts. At the end of a block, all results that another block may read are there.
/// - Other results: by one of six counters per producer. If more are on their way, producers whose results are wanted
///   at about the same time share one. Waits follow from all paths through the function; calls and returns wait for
///   all.
/// - Operands of stores and the like that are overwritten later: by a counter that is released once they have been
/// read.
void set_control_codes(std::vector<CodeBlock>& blocks, bool is_entry);

/// The steps of set_control_codes().
void assign_counters(std::vector<CodeBlock>& blocks);
void set_wait_masks(std::vector<CodeBlock>& blocks, bool is_entry);
void set_stall_counts(std::vector<CodeBlock>& blocks);

}  // namespace warpwalk::gpu
