#include <map>

#include "core/gpu/exec/lower/instruction_estimate.h"
#include "core/gpu/exec/lower/lowering.h"

namespace warpwalk::gpu {

void count_issues(Program& program, const Function& function, const Flow& flow,
                  const std::vector<std::uint32_t>& block_of) {
  const ptx::Function& source = *function.source;
  const SassCount sass = sass_of(source, flow, {program.variable_addresses, function.variable_offsets});
  // Predicated instructions are issued whenever the previous block is.
  const auto pays = [&](std::uint32_t node) { return block_of[sass.guarded[node] != 0 ? node - 1 : node]; };
  for (Source& at : program.sources) {
    if (at.function != &source) continue;
    const auto index = static_cast<std::size_t>(at.instruction - source.instructions.data());
    at.issues = sass.issues[index];
    program.blocks[pays(flow.node_of[index])].issues += at.issues;
  }
  for (std::uint32_t node = 0; node < flow.nodes.size(); ++node) program.blocks[pays(node)].issues += sass.extra[node];
  for (const Op& op : program.ops) {
    if (op.instruction == nowhere || program.sources[op.instruction].function != &source) continue;
    const ptx::Instruction& i = *program.sources[op.instruction].instruction;
    if (i.opcode != ptx::Opcode::ld) continue;
    const std::uint8_t joined = sass.joined_bytes[static_cast<std::size_t>(&i - source.instructions.data())];
    if (joined != 255) program.accesses[op.detail].joined_bytes = joined;
  }
}

}  // namespace warpwalk::gpu
