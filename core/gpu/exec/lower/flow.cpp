#include "core/gpu/exec/lower/flow.h"

#include <algorithm>

namespace warpwalk::gpu {

namespace {

using ptx::Opcode;

bool ends_block(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::bra:
    case Opcode::brx_idx:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap:
    case Opcode::call: return true;
    default: return false;
  }
}

bool returns_from(const ptx::Module& module, const ptx::Instruction& call) {
  const ptx::Operand& target = call.operands[1];
  return target.kind != ptx::OperandKind::function ||
         !module.functions[static_cast<std::size_t>(target.index)].noreturn;
}

void add(std::vector<std::uint32_t>& list, std::uint32_t node) {
  if (std::find(list.begin(), list.end(), node) == list.end()) list.push_back(node);
}

void find_successors(const ptx::Module& module, const ptx::Function& function, ControlFlow& flow, std::uint32_t index) {
  ControlFlow::Node& node = flow.nodes[index];
  const std::uint32_t next = index + 1;
  if (node.first == node.end) return;  // the last block
  const ptx::Instruction& i = function.instructions[node.end - 1];
  bool falls = true;
  switch (i.opcode) {
    case Opcode::bra:
      add(node.successors, flow.node_of[static_cast<std::size_t>(i.operands[0].index)]);
      falls = i.guard >= 0;
      break;
    case Opcode::brx_idx:
      for (const std::int32_t target : function.tables[static_cast<std::size_t>(i.operands[1].index)]) {
        add(node.successors, flow.node_of[static_cast<std::size_t>(target)]);
      }
      falls = i.guard >= 0;
      break;
    case Opcode::ret:
      add(node.successors, flow.last());
      falls = i.guard >= 0;
      break;
    case Opcode::exit:
    case Opcode::trap: falls = i.guard >= 0; break;
    case Opcode::call: falls = i.guard >= 0 || returns_from(module, i); break;
    default: break;
  }
  if (falls) add(node.successors, next);
  // A predicated call has its own basic block; lanes that do not take it branch around it from the block before.
  if (next < flow.last()) {
    const ptx::Instruction& after = function.instructions[flow.nodes[next].first];
    if (falls && after.opcode == Opcode::call && after.guard >= 0) add(node.successors, next + 1);
  }
}

/// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph.
void find_post_dominators(ControlFlow& flow) {
  const std::size_t count = flow.nodes.size();
  std::vector<std::vector<std::uint32_t>> before(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::uint32_t to : flow.nodes[i].successors) before[to].push_back(i);
  }
  std::vector<std::uint32_t> order;  // postorder of the reversed graph: the blocks that can reach the end
  std::vector<std::uint32_t> rank(count, ControlFlow::none);
  std::vector<std::uint8_t> seen(count);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{flow.last(), 0}};
  seen[flow.last()] = 1;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next == before[node].size()) {
      rank[node] = static_cast<std::uint32_t>(order.size());
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    const std::uint32_t to = before[node][next++];
    if (seen[to] != 0) continue;
    seen[to] = 1;
    stack.emplace_back(to, 0);
  }
  std::vector<std::uint32_t> dominator(count, ControlFlow::none);
  dominator[flow.last()] = flow.last();
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (rank[a] < rank[b]) a = dominator[a];
      while (rank[b] < rank[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      if (*at == flow.last()) continue;
      std::uint32_t best = ControlFlow::none;
      for (const std::uint32_t to : flow.nodes[*at].successors) {
        if (dominator[to] == ControlFlow::none) continue;
        best = best == ControlFlow::none ? to : meet(best, to);
      }
      if (dominator[*at] == best) continue;
      dominator[*at] = best;
      changed = true;
    }
  }
  for (std::uint32_t i = 0; i + 1 < count; ++i) flow.nodes[i].post_dominator = dominator[i];
}

}  // namespace

ControlFlow build_control_flow(const ptx::Module& module, const ptx::Function& function) {
  const auto count = static_cast<std::uint32_t>(function.instructions.size());
  std::vector<std::uint8_t> leads(count + 1);
  leads[0] = leads[count] = 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    if (ends_block(instruction)) leads[i + 1] = 1;
    if (instruction.opcode == Opcode::call && instruction.guard >= 0) leads[i] = 1;
    if (instruction.opcode == Opcode::bra) leads[static_cast<std::size_t>(instruction.operands[0].index)] = 1;
  }
  for (const auto& table : function.tables) {
    for (const std::int32_t target : table) leads[static_cast<std::size_t>(target)] = 1;
  }
  ControlFlow flow;
  flow.node_of.resize(count + 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (leads[i] != 0) {
      if (!flow.nodes.empty()) flow.nodes.back().end = i;
      flow.nodes.push_back({i, i, {}, ControlFlow::none});
    }
    flow.node_of[i] = static_cast<std::uint32_t>(flow.nodes.size() - 1);
  }
  if (!flow.nodes.empty()) flow.nodes.back().end = count;
  flow.nodes.push_back({count, count, {}, ControlFlow::none});
  flow.node_of[count] = flow.last();
  for (std::uint32_t i = 0; i < flow.nodes.size(); ++i) find_successors(module, function, flow, i);
  find_post_dominators(flow);
  return flow;
}

}  // namespace warpwalk::gpu
