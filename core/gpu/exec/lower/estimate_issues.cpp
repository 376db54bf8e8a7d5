#include <map>

#include "core/gpu/exec/lower/instruction_estimate.h"
#include "core/gpu/exec/lower/lowering.h"

namespace warpwalk::gpu {

void estimate_issues(Program& program, const Function& function, const ControlFlow& flow,
                     const std::vector<std::uint32_t>& block_of) {
  const ptx::Function& source = *function.source;
  const InstructionEstimate sass =
      estimate_instructions(source, flow, {program.variable_addresses, function.variable_offsets});
  // Predicated instructions are issued whenever the previous block is.
  const auto issuing_block = [&](std::uint32_t node) { return block_of[sass.predicated[node] != 0 ? node - 1 : node]; };
  for (SourceInstruction& at : program.sources) {
    if (at.function != &source) continue;
    const auto index = static_cast<std::size_t>(at.instruction - source.instructions.data());
    at.machine_instructions = sass.machine_instructions[index];
    program.blocks[issuing_block(flow.node_of[index])].machine_instructions += at.machine_instructions;
  }
  for (std::uint32_t node = 0; node < flow.nodes.size(); ++node)
    program.blocks[issuing_block(node)].machine_instructions += sass.overhead[node];
  for (const Op& op : program.ops) {
    if (op.instruction == no_index || program.sources[op.instruction].function != &source) continue;
    const ptx::Instruction& i = *program.sources[op.instruction].instruction;
    if (i.opcode != ptx::Opcode::ld) continue;
    const std::uint8_t joined = sass.merged_bytes[static_cast<std::size_t>(&i - source.instructions.data())];
    if (joined != 255) program.accesses[op.table_index].merged_bytes = joined;
  }
}

}  // namespace warpwalk::gpu
