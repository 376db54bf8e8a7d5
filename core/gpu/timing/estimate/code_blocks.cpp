#include "core/gpu/timing/estimate/code_blocks.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/gpu/exec/lower/flow.h"
#include "core/gpu/exec/lower/instruction_estimate.h"
#include "core/gpu/timing/estimate/expand.h"

namespace warpwalk::gpu {

namespace {

/// By instruction of the function: its index into Program::sources; no_index if it has no operation.
std::vector<std::uint32_t> sources_of(const Program& program, const ptx::Function& function) {
  std::vector<std::uint32_t> sources(function.instructions.size(), no_index);
  for (std::uint32_t s = 0; s < program.sources.size(); ++s)
    if (program.sources[s].function == &function)
      sources[static_cast<std::size_t>(program.sources[s].instruction - function.instructions.data())] = s;
  return sources;
}

/// By node: the block that it belongs to. Predicated nodes join the block before them, and so does the node behind them
/// if nothing else leads there.
std::vector<std::uint32_t> blocks_of(const ControlFlow& flow, const InstructionEstimate& estimate) {
  const std::size_t count = flow.nodes.size();
  std::vector<std::uint32_t> predecessors(count);
  for (const ControlFlow::Node& node : flow.nodes)
    for (const std::uint32_t to : node.successors) ++predecessors[to];
  std::vector<std::uint32_t> block(count);
  std::uint32_t next = 0;
  for (std::uint32_t n = 0; n < count; ++n) {
    const bool behind = n >= 2 && estimate.predicated[n - 1] != 0 && predecessors[n] == 2;
    const bool joins = n > 0 && (estimate.predicated[n] != 0 || behind);
    block[n] = joins ? next - 1 : next++;
  }
  return block;
}

/// The guard of the branch around a predicated node; -1 if there is none.
std::int32_t guard_of(const ptx::Function& function, const ControlFlow& flow, std::uint32_t node) {
  return function.instructions[flow.nodes[node - 1].end - 1].guard;
}

/// The wide loads of shared memory that ptxas makes of several loads of one node. The first of these is the wide load.
class MergedLoads {
 public:
  explicit MergedLoads(const InstructionEstimate& estimate) : estimate_(estimate) {}

  void begin_node() { first_.clear(); }
  /// Makes the result of a load that was merged into an earlier one depend on that one.
  void add(const ptx::Instruction& i, std::size_t index, EstimatedInstruction& made) {
    const std::uint8_t bytes = estimate_.merged_bytes[index];
    if (bytes == 255) return;
    const ptx::Operand& address = i.operands[1];
    const auto key = [&](std::int64_t size) {
      return std::tuple(address.index, size, address.offset - ((address.offset % size) + size) % size);
    };
    if (bytes != 0) {
      first_[key(bytes)] = made.writes.front();
      made.words = bytes / 4;
      return;
    }
    for (const std::int64_t size : {8, 16})
      if (const auto found = first_.find(key(size)); found != first_.end()) made.reads.push_back(found->second);
  }

 private:
  const InstructionEstimate& estimate_;
  std::map<std::tuple<std::int32_t, std::int64_t, std::int64_t>, std::int32_t> first_;
};

/// Makes the instructions of a predicated node depend on the branch's predicate and on the old values of the results.
void add_guard(std::vector<EstimatedInstruction>& instructions, std::size_t from, std::int32_t guard) {
  for (std::size_t k = from; k < instructions.size(); ++k) {
    EstimatedInstruction& i = instructions[k];
    if (i.guard < 0) i.guard = guard;
    i.reads.push_back(guard);
    i.reads.insert(i.reads.end(), i.writes.begin(), i.writes.end());
  }
}

}  // namespace

std::vector<CodeBlock> code_blocks(const Program& program, const Function& function, const Timing& timing) {
  const ptx::Function& source = *function.source;
  const ControlFlow flow = build_control_flow(*program.module, source);
  const InstructionEstimate estimate =
      estimate_instructions(source, flow, {program.variable_addresses, function.variable_offsets});
  const std::vector<std::uint32_t> sources = sources_of(program, source);
  const std::vector<std::uint32_t> block_of = blocks_of(flow, estimate);
  Expander expander(source, timing);
  MergedLoads merged(estimate);
  std::vector<CodeBlock> blocks(block_of.back() + 1);
  std::vector<std::uint8_t> closed(blocks.size());  // its last part takes no more instructions
  for (std::uint32_t n = 0; n < flow.nodes.size(); ++n) {
    CodeBlock& block = blocks[block_of[n]];
    for (const std::uint32_t to : flow.nodes[n].successors)
      if ((block_of[to] != block_of[n] || to <= n) &&
          std::ranges::find(block.successors, block_of[to]) == block.successors.end())
        block.successors.push_back(block_of[to]);
    merged.begin_node();
    int overhead = estimate.overhead[n];
    for (std::uint32_t k = flow.nodes[n].first; k < flow.nodes[n].end; ++k) {
      if (sources[k] == no_index) continue;
      const ptx::Instruction& i = source.instructions[k];
      const bool alone = stands_alone(i);
      if (block.parts.empty() || alone || closed[block_of[n]]) block.parts.emplace_back().first_source = sources[k];
      closed[block_of[n]] = alone;
      CodeBlock::Part& part = block.parts.back();
      part.end_source = sources[k] + 1;
      const std::size_t before = part.instructions.size();
      expander.add_overhead(sources[k], overhead, n == 0, part.instructions);
      overhead = 0;
      expander.expand(i, sources[k], program.sources[sources[k]].machine_instructions, part.instructions);
      merged.add(i, k, part.instructions.back());
      if (estimate.predicated[n] != 0) add_guard(part.instructions, before, guard_of(source, flow, n));
    }
  }
  return blocks;
}

}  // namespace warpwalk::gpu
