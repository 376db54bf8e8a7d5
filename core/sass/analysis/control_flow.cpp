#include "core/sass/analysis/control_flow.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <variant>

namespace warpwalk::sass {
namespace {

bool is_predicate(const Operand& operand) {
  return operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
}

// Damaged code can have any number of calls and jumps through tables. Real kernels stay far below these limits.
constexpr std::size_t max_edges = 100'000, max_return_steps = 5'000'000;

// Whether a jump is always taken, never, or depending on a predicate. Besides the guard, jumps have a predicate among
// their operands.
enum class Taken : std::uint8_t { always, sometimes, never };

Taken taken(const Instruction& i) {
  Taken result = Taken::always;
  const auto add = [&](const Operand& predicate) {
    if (predicate.reg != true_predicate)
      result = result == Taken::never ? Taken::never : Taken::sometimes;
    else if (predicate.negate)
      result = Taken::never;
  };
  add(i.guard);
  if (!i.operands.empty() && is_predicate(i.operands.front()) && !i.operands.front().written) add(i.operands.front());
  return result;
}

class FlowBuilder {
 public:
  FlowBuilder(std::span<const Decoded> code, const CubinFunction& function) : code_(code), function_(function) {}

  ControlFlow build() {
    flow_.successors.resize(code_.size());
    flow_.predecessors.resize(code_.size());
    for (std::uint32_t i = 0; i < code_.size(); ++i) connect(i);
    connect_returns();
    for (std::uint32_t i = 0; i < code_.size(); ++i) {
      std::vector<std::uint32_t>& next = flow_.successors[i];
      std::ranges::sort(next);
      next.erase(std::unique(next.begin(), next.end()), next.end());
      for (const std::uint32_t to : next) flow_.predecessors[to].push_back(i);
    }
    flow_.reachable = reached_from(
        0, [&](std::uint32_t i) -> const auto& { return flow_.successors[i]; });
    return std::move(flow_);
  }

 private:
  std::optional<std::uint32_t> index_of(std::uint64_t address) const {
    if (address % instruction_bytes != 0 || address / instruction_bytes >= code_.size()) return {};
    return static_cast<std::uint32_t>(address / instruction_bytes);
  }

  void edge(std::uint32_t from, std::uint64_t to) {
    if (to >= code_.size()) return;
    if (++edges_ > max_edges + code_.size()) {
      flow_.complete = false;
      return;
    }
    flow_.successors[from].push_back(static_cast<std::uint32_t>(to));
  }

  void connect(std::uint32_t at) {
    const auto* const i = std::get_if<Instruction>(&code_[at]);
    if (i == nullptr) {
      flow_.complete = false;
      return edge(at, at + 1);
    }
    const Operand* const target = [&]() -> const Operand* {
      for (const Operand& operand : i->operands)
        if (operand.kind == OperandKind::target) return &operand;
      return nullptr;
    }();
    const auto to = target == nullptr ? std::nullopt : index_of(static_cast<std::uint64_t>(target->value));
    Taken jumps = Taken::never;
    switch (i->opcode) {
      case Opcode::bra:
        jumps = taken(*i);
        if (jumps == Taken::always && (i->has(Word::div) || i->has(Word::conv))) jumps = Taken::sometimes;
        if (to && jumps != Taken::never) edge(at, *to);
        break;
      case Opcode::warpsync:
        if (to) edge(at, *to);
        break;
      case Opcode::brx:
        jumps = taken(*i);
        if (jumps != Taken::never)
          for (const std::uint32_t one : table_targets()) edge(at, one);
        break;
      case Opcode::call:
        jumps = taken(*i);
        if (jumps == Taken::never) break;
        if (to && !i->has(Word::abs)) {
          calls_.emplace_back(at, *to);
          edge(at, *to);
        } else {
          jumps = Taken::sometimes;
          flow_.complete = false;
        }
        break;
      case Opcode::ret:
      case Opcode::exit:
      case Opcode::kill: jumps = taken(*i); break;
      default: break;
    }
    if (jumps != Taken::always) edge(at, std::uint64_t{at} + 1);
  }

  // The addresses in the compiler's constants that are instructions of the code: among them are the tables of BRX.
  const std::vector<std::uint32_t>& table_targets() {
    if (table_targets_) return *table_targets_;
    table_targets_.emplace();
    for (const CubinConstants& bank : function_.constants) {
      if (bank.number == 0) continue;
      for (std::size_t at = 0; at + 4 <= bank.bytes.size(); at += 4) {
        std::uint32_t address = 0;
        std::memcpy(&address, bank.bytes.data() + at, 4);
        if (const auto to = index_of(address)) table_targets_->push_back(*to);
      }
    }
    std::ranges::sort(*table_targets_);
    table_targets_->erase(std::unique(table_targets_->begin(), table_targets_->end()), table_targets_->end());
    return *table_targets_;
  }

  // A call inside a function continues after the call.
  void connect_returns() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> callers;
    for (const auto& [at, to] : calls_) callers[to].push_back(at);
    if (callers.size() * code_.size() > max_return_steps) {
      flow_.complete = false;
      return;
    }
    std::vector<std::vector<std::uint32_t>> returns(code_.size());
    for (const auto& [entry, calls] : callers) {
      const std::vector<bool> body = reached_from(entry, [&](std::uint32_t i) {
        std::vector<std::uint32_t> next = flow_.successors[i];
        if (is(i, Opcode::call) && i + 1 < code_.size()) next = {i + 1};
        return next;
      });
      for (std::uint32_t i = 0; i < code_.size(); ++i)
        if (body[i] && is(i, Opcode::ret))
          for (const std::uint32_t call : calls) {
            if (edges_ > max_edges) break;
            ++edges_;
            returns[i].push_back(call + 1);
          }
    }
    for (std::uint32_t i = 0; i < code_.size(); ++i)
      for (const std::uint32_t to : returns[i]) edge(i, to);
  }

  bool is(std::uint32_t i, Opcode opcode) const {
    const auto* const instruction = std::get_if<Instruction>(&code_[i]);
    return instruction != nullptr && instruction->opcode == opcode;
  }

  template <class Next>
  std::vector<bool> reached_from(std::uint32_t first, Next&& next) const {
    std::vector<bool> reached(code_.size());
    if (first >= code_.size()) return reached;
    std::vector<std::uint32_t> open = {first};
    reached[first] = true;
    while (!open.empty()) {
      const std::uint32_t i = open.back();
      open.pop_back();
      for (const std::uint32_t to : next(i)) {
        if (reached[to]) continue;
        reached[to] = true;
        open.push_back(to);
      }
    }
    return reached;
  }

  std::span<const Decoded> code_;
  const CubinFunction& function_;
  ControlFlow flow_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> calls_;  // the call and the first instruction it calls
  std::optional<std::vector<std::uint32_t>> table_targets_;
  std::size_t edges_ = 0;
};

}  // namespace

ControlFlow control_flow(std::span<const Decoded> code, const CubinFunction& function) {
  return FlowBuilder(code, function).build();
}

}  // namespace warpwalk::sass
