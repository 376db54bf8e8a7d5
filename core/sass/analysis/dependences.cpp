#include "core/sass/analysis/dependences.h"

#include <algorithm>
#include <tuple>
#include <variant>

namespace warpwalk::sass {
namespace {

// Walks backwards from an instruction with a state that `pass` may change. Stops on a path when `pass` returns an empty
// state. Each instruction is visited again only with states that it has not seen.
template <class State, class Pass>
void walk_back(const ControlFlow& flow, std::uint32_t from, const State& wanted, Pass&& pass) {
  std::vector<State> seen(flow.predecessors.size());
  std::vector<std::pair<std::uint32_t, State>> open = {{from, wanted}};
  while (!open.empty()) {
    const auto [at, state] = open.back();
    open.pop_back();
    for (const std::uint32_t previous : flow.predecessors[at]) {
      if (!flow.reachable[previous]) continue;
      const State fresh = state - seen[previous];
      if (fresh.empty()) continue;
      seen[previous] |= fresh;
      const State rest = pass(previous, fresh);
      if (!rest.empty()) open.emplace_back(previous, rest);
    }
  }
}

// Dependence barriers as a set of bits.
struct Barriers {
  std::uint8_t bits = 0;
  bool empty() const { return bits == 0; }
  Barriers& operator|=(Barriers other) {
    bits |= other.bits;
    return *this;
  }
  friend Barriers operator-(Barriers a, Barriers b) {
    return {static_cast<std::uint8_t>(a.bits & static_cast<std::uint8_t>(~b.bits))};
  }
};

}  // namespace

std::vector<std::uint32_t> producers(const ControlFlow& flow, const Liveness& live, std::uint32_t instruction) {
  std::vector<std::uint32_t> found;
  walk_back(flow, instruction, live.uses[instruction].reads, [&](std::uint32_t at, const RegisterSet& wanted) {
    const RegisterUse& use = live.uses[at];
    if (!(wanted & use.writes).empty()) found.push_back(at);
    return use.always ? wanted - use.writes : wanted;
  });
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<BarrierSetter> awaited(std::span<const Decoded> code, const ControlFlow& flow, std::uint32_t instruction) {
  std::vector<BarrierSetter> found;
  const auto* const waiter = std::get_if<Instruction>(&code[instruction]);
  if (waiter == nullptr) return found;
  walk_back(flow, instruction, Barriers{waiter->control.wait_mask}, [&](std::uint32_t at, Barriers wanted) {
    const auto* const i = std::get_if<Instruction>(&code[at]);
    if (i == nullptr) return wanted;
    for (std::uint8_t barrier = 0; barrier < 6; ++barrier) {
      if ((wanted.bits >> barrier & 1) == 0) continue;
      if (i->control.write_barrier == barrier) found.push_back({barrier, at, true});
      if (i->control.read_barrier == barrier) found.push_back({barrier, at, false});
    }
    return wanted - Barriers{i->control.wait_mask};
  });
  const auto order = [](const BarrierSetter& s) { return std::tuple(s.barrier, s.instruction, s.on_write); };
  std::ranges::sort(found, {}, order);
  found.erase(
      std::unique(found.begin(), found.end(), [&](const auto& a, const auto& b) { return order(a) == order(b); }),
      found.end());
  return found;
}

}  // namespace warpwalk::sass
