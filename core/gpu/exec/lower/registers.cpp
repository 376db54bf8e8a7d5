#include <algorithm>
#include <vector>

#include "core/gpu/exec/lower/lowering.h"
#include "core/gpu/exec/uses.h"

namespace warpwalk::gpu {

namespace {

/// 32-bit registers per value. Predicates have their own registers.
int words_of(ptx::Type type) {
  if (type == ptx::Type::pred) return 0;
  return std::max(1, ptx::bytes_of(type) / 4);
}

using Live = std::vector<std::uint8_t>;

/// Maximum number of 32-bit registers live at any point of a function.
int max_alive(const ptx::Module& module, const ptx::Function& function) {
  const ControlFlow flow = build_control_flow(module, function);
  std::vector<Live> in(flow.nodes.size(), Live(function.registers.size()));
  int maximum = 0;
  for (bool changed = true; changed;) {
    changed = false;
    maximum = 0;
    for (std::size_t n = flow.nodes.size(); n-- > 0;) {
      Live live(function.registers.size());
      for (const std::uint32_t to : flow.nodes[n].successors) {
        for (std::size_t r = 0; r < live.size(); ++r) live[r] |= in[to][r];
      }
      int words = 0;
      for (std::size_t r = 0; r < live.size(); ++r) words += live[r] != 0 ? words_of(function.registers[r].type) : 0;
      maximum = std::max(maximum, words);
      for (std::uint32_t at = flow.nodes[n].end; at-- > flow.nodes[n].first;) {
        const Uses uses = uses_of(function.instructions[at]);
        for (const std::int32_t r : uses.writes) {
          if (std::exchange(live[static_cast<std::size_t>(r)], 0) != 0)
            words -= words_of(function.registers[static_cast<std::size_t>(r)].type);
        }
        for (const std::int32_t r : uses.reads) {
          if (std::exchange(live[static_cast<std::size_t>(r)], 1) == 0)
            words += words_of(function.registers[static_cast<std::size_t>(r)].type);
        }
        maximum = std::max(maximum, words);
      }
      if (live != in[n]) {
        in[n] = std::move(live);
        changed = true;
      }
    }
  }
  return maximum;
}

}  // namespace

int estimate_registers(const Program& program) {
  // All but the smallest kernels also need the stack pointer and a register pair for addresses. A call keeps the
  // caller's values live in addition to the callee's.
  constexpr int besides = 4;
  int maximum = 0, deepest = 0;
  for (const Function& function : program.functions) {
    const int alive = max_alive(*program.module, *function.source);
    if (&function == &program.functions.front()) {
      maximum = alive;
    } else {
      deepest = std::max(deepest, alive);
    }
  }
  int registers = std::clamp(maximum + deepest + besides, 16, 255);
  if (program.entry->maxnreg) registers = std::min(registers, static_cast<int>(*program.entry->maxnreg));
  return registers;
}

}  // namespace warpwalk::gpu
