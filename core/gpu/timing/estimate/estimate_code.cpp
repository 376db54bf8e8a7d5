#include "core/gpu/timing/estimate/estimate_code.h"

#include <utility>

#include "core/gpu/timing/estimate/code_blocks.h"
#include "core/gpu/timing/estimate/scheduling.h"

namespace warpwalk::gpu {

namespace {

/// True if the program has to be executed up to this instruction when it issues: it accesses memory, or it ends a part.
bool is_observed(const EstimatedInstruction& i) {
  return i.last && (i.timing.kind != InstructionKind::arithmetic || i.memory != no_memory);
}

void append(EstimatedCode& code, CodeBlock::Part& part, bool program_order) {
  EstimatedRegion region{part.first_source, part.end_source, static_cast<std::uint32_t>(code.instructions.size()), 0};
  for (EstimatedInstruction& i : part.instructions) {
    if (i.folded && !program_order) continue;
    // Most of ptxas's instructions with such a stall count yield, and hardly any others.
    i.timing.yield = i.timing.stall >= 3 && i.timing.kind == InstructionKind::arithmetic;
    code.instructions.push_back(i.timing);
    code.executes_to.push_back(is_observed(i) || (program_order && i.last) ? i.source + 1 : 0);
    code.details.push_back(std::move(i));
  }
  region.end = static_cast<std::uint32_t>(code.instructions.size());
  if (region.end > region.first) code.executes_to.back() = part.end_source;
  for (std::uint32_t s = region.first_source; s < region.end_source; ++s)
    code.region_of[s] = static_cast<std::uint32_t>(code.regions.size());
  code.regions.push_back(region);
}

}  // namespace

EstimatedCode estimate_code(const Program& program, const Timing& timing, bool program_order) {
  EstimatedCode code;
  code.region_of.assign(program.sources.size(), 0);
  for (const Function& function : program.functions) {
    std::vector<CodeBlock> blocks = code_blocks(program, function, timing);
    if (!program_order)
      for (CodeBlock& block : blocks)
        for (CodeBlock::Part& part : block.parts)
          part.instructions = in_issue_order(std::move(part.instructions), timing);
    set_control_codes(blocks, function.source->is_entry);
    for (CodeBlock& block : blocks)
      for (CodeBlock::Part& part : block.parts) append(code, part, program_order);
  }
  return code;
}

}  // namespace warpwalk::gpu
