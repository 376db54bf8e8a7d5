#include "core/sass/analysis/liveness.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

namespace warpwalk::sass {
namespace {

// Compilers' code takes about three steps per instruction, and more in nested loops.
constexpr std::size_t max_steps_per_instruction = 50;

// A predicate or its negation.
struct Guard {
  OperandKind kind = OperandKind::predicate;
  std::uint8_t reg = true_predicate;
  bool negate = false;

  bool operator==(const Guard&) const = default;
  Guard opposite() const { return {kind, reg, !negate}; }
};

// The registers live at a point: some always, others only for threads in which a predicate is true or false. So a value
// written and read under the same guard is not live before it is written.
struct LiveState {
  RegisterSet always;
  std::vector<std::pair<Guard, RegisterSet>> guarded;

  bool operator==(const LiveState&) const = default;

  RegisterSet& under(const Guard& guard) {
    for (auto& [known, set] : guarded)
      if (known == guard) return set;
    return guarded.emplace_back(guard, RegisterSet{}).second;
  }

  RegisterSet all() const {
    RegisterSet set = always;
    for (const auto& [guard, registers] : guarded) set |= registers;
    return set;
  }

  void add(const LiveState& other) {
    always |= other.always;
    for (const auto& [guard, set] : other.guarded) under(guard) |= set;
    tidy();
  }

  // Adds what is live if the guard holds.
  void add_under(const Guard& condition, const LiveState& other) {
    under(condition) |= other.always;
    for (const auto& [guard, set] : other.guarded)
      if (!(guard == condition.opposite())) under(guard) |= set;
    tidy();
  }

  // Before a predicate is written, its later value is unknown.
  void forget(const RegisterSet& written) {
    for (auto& [guard, set] : guarded) {
      const auto& predicates = guard.kind == OperandKind::predicate ? written.predicates : written.uniform_predicates;
      if (!predicates[guard.reg]) continue;
      always |= set;
      set = {};
    }
  }

  void write_always(const RegisterSet& written) {
    always -= written;
    for (auto& [guard, set] : guarded) set -= written;
  }

  void write_under(const Guard& guard, const RegisterSet& written) {
    const RegisterSet kept = always & written;
    always -= kept;
    under(guard) -= written;
    under(guard.opposite()) |= kept;
  }

  void tidy() {
    for (auto& [guard, set] : guarded) set -= always;
    std::erase_if(guarded, [](const auto& entry) { return entry.second.empty(); });
    std::ranges::sort(guarded, {}, [](const auto& entry) {
      return std::tuple(entry.first.kind, entry.first.reg, entry.first.negate);
    });
  }
};

Guard guard_of(const Instruction& i) { return {i.guard.kind, i.guard.reg, i.guard.negate}; }

// Whether the guard alone decides if the thread continues with the next instruction.
bool guard_decides(const Instruction& i) {
  if (i.guard.reg == true_predicate || i.has(Word::div) || i.has(Word::conv)) return false;
  if (i.opcode != Opcode::bra && i.opcode != Opcode::exit) return false;
  return std::ranges::none_of(i.operands, [](const Operand& operand) {
    return operand.kind != OperandKind::target && (operand.reg != true_predicate || operand.negate);
  });
}

LiveState state_after(std::uint32_t at, const Instruction* instruction, const ControlFlow& flow,
                      const std::vector<LiveState>& states) {
  LiveState after;
  const std::vector<std::uint32_t>& successors = flow.successors[at];
  const bool decides = instruction != nullptr && guard_decides(*instruction);
  for (const std::uint32_t next : successors) {
    const Guard guard = decides ? guard_of(*instruction) : Guard{};
    if (!decides)
      after.add(states[next]);
    else if (next == at + 1)
      after.add_under(guard.opposite(), states[next]);
    else
      after.add_under(guard, states[next]);
  }
  return after;
}

LiveState before(LiveState state, const RegisterUse& use, const Instruction* instruction) {
  state.forget(use.writes);
  if (use.always) {
    state.write_always(use.writes);
    state.always |= use.reads;
  } else {
    const Guard guard = guard_of(*instruction);
    RegisterSet predicate;
    (guard.kind == OperandKind::predicate ? predicate.predicates : predicate.uniform_predicates).set(guard.reg);
    // If the instruction writes its own guard, the guard of the values after it is another one.
    if (!(use.writes & predicate).empty()) {
      state.always |= use.reads;
    } else {
      state.write_under(guard, use.writes);
      state.under(guard) |= use.reads - predicate;
    }
    state.always |= predicate;
  }
  state.tidy();
  return state;
}

// Removes registers from the points that no write to them reaches.
void remove_unwritten(const ControlFlow& flow, const RegisterSet& given, Liveness& live) {
  std::vector<RegisterSet> written(live.before.size());  // before each instruction, on some path
  std::vector<std::uint32_t> open;
  if (!written.empty()) {
    written[0] = given;
    open.push_back(0);
  }
  std::vector<bool> visited(written.size());
  while (!open.empty()) {
    const std::uint32_t i = open.back();
    open.pop_back();
    visited[i] = true;
    const RegisterSet after = written[i] | live.uses[i].writes;
    for (const std::uint32_t next : flow.successors[i]) {
      const RegisterSet joined = written[next] | after;
      if (visited[next] && joined == written[next]) continue;
      written[next] = joined;
      visited[next] = true;
      open.push_back(next);
    }
  }
  for (std::size_t i = 0; i < written.size(); ++i) {
    live.before[i] &= written[i];
    live.after[i] &= written[i] | live.uses[i].writes;
  }
}

}  // namespace

std::size_t Liveness::peak() const {
  std::size_t best = 0, most = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::size_t count = occupied(i).general.count();
    if (count <= most) continue;
    most = count;
    best = i;
  }
  return best;
}

Liveness liveness(std::span<const Decoded> code, const ControlFlow& flow, const CubinFunction& function) {
  Liveness live;
  live.uses.resize(code.size());
  live.before.resize(code.size());
  live.after.resize(code.size());
  const auto instruction_at = [&](std::size_t i) { return std::get_if<Instruction>(&code[i]); };
  for (std::size_t i = 0; i < code.size(); ++i)
    if (const Instruction* const instruction = instruction_at(i); instruction != nullptr && flow.reachable[i])
      live.uses[i] = register_use(*instruction);

  // Backwards, until nothing changes. An instruction waits here if the state after it may have grown.
  std::vector<LiveState> states(code.size());
  std::vector<std::uint32_t> waiting;
  std::vector<bool> is_waiting(code.size());
  const auto wait = [&](std::uint32_t i) {
    if (is_waiting[i] || !flow.reachable[i]) return;
    is_waiting[i] = true;
    waiting.push_back(i);
  };
  for (std::uint32_t i = 0; i < code.size(); ++i) wait(i);
  std::size_t steps = max_steps_per_instruction * code.size();
  while (!waiting.empty()) {
    if (steps-- == 0) {
      live.complete = false;
      break;
    }
    const std::uint32_t i = waiting.back();
    waiting.pop_back();
    is_waiting[i] = false;
    LiveState after = state_after(i, instruction_at(i), flow, states);
    live.after[i] = after.all();
    LiveState state = warpwalk::sass::before(std::move(after), live.uses[i], instruction_at(i));
    if (state == states[i]) continue;
    states[i] = std::move(state);
    for (const std::uint32_t previous : flow.predecessors[i]) wait(previous);
  }
  for (std::size_t i = 0; i < code.size(); ++i) live.before[i] = states[i].all();
  if (!code.empty()) live.at_entry = live.before.front();
  remove_unwritten(flow, function.is_entry ? RegisterSet{} : live.at_entry, live);
  return live;
}

}  // namespace warpwalk::sass
