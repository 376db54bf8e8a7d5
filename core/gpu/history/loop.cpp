#include "core/gpu/history/loop.h"

#include <algorithm>
#include <map>

namespace warpwalk::gpu {
namespace {

constexpr double alike = 1.1;
constexpr std::int64_t alike_cycles = 4;

bool contains(const std::vector<std::uint32_t>& instructions, std::uint32_t instruction) {
  return std::ranges::find(instructions, instruction) != instructions.end();
}

// Follows a warp through one loop of the program.
class Visits {
 public:
  Visits(const Loop& loop, std::vector<LoopVisit>& visits) : loop_(loop), visits_(visits) {}

  void follow(const std::vector<IssuedInstruction>& issues) {
    for (std::size_t i = 0; i < issues.size(); ++i) {
      const IssuedInstruction& issue = issues[i];
      if (!inside(issue.instruction)) {
        if (loop_.is_left_by(issue.instruction)) leave(issue.cycle);
        continue;
      }
      if (visit_ && i > 0 && is_end_of_pass(issues[i - 1], issue)) {
        if ((issue.lanes & issues[i - 1].lanes) == 0)
          leave(issue.cycle);  // other lanes begin a visit of their own
        else if (contains(issued_, issue.instruction))
          visit_->starts.push_back(issue.cycle);
        else
          visit_.reset();  // the way back from instructions that lie outside of the passes
      }
      if (!visit_) enter(issue, i == 0 && issue.instruction != loop_.first);
      if (!contains(issued_, issue.instruction)) issued_.push_back(issue.instruction);
    }
    if (!visit_ || visit_->starts.empty()) return;
    visit_->end = visit_->starts.back();
    visit_->starts.pop_back();
    keep();
  }

 private:
  bool inside(std::uint32_t instruction) const { return instruction >= loop_.first && instruction <= loop_.last; }

  bool is_end_of_pass(const IssuedInstruction& before, const IssuedInstruction& now) const {
    if (!contains(loop_.branches, before.instruction) || now.instruction > before.instruction) return false;
    return now.instruction < before.instruction || loop_.first == loop_.last;
  }

  void enter(const IssuedInstruction& issue, bool in_the_middle) {
    visit_ = LoopVisit{loop_.first, loop_.last, {}, 0};
    if (!in_the_middle) visit_->starts.push_back(issue.cycle);
    issued_.clear();
  }

  void leave(std::int64_t cycle) {
    if (!visit_) return;
    visit_->end = cycle;
    keep();
  }

  void keep() {
    if (visit_->passes() > 1) visits_.push_back(std::move(*visit_));
    visit_.reset();
  }

  const Loop& loop_;
  std::vector<LoopVisit>& visits_;
  std::optional<LoopVisit> visit_;     // the one that the warp is in
  std::vector<std::uint32_t> issued_;  // in this visit
};

PassGroup joined(const PassGroup& a, const PassGroup& b) {
  return {a.first, a.count + b.count, 0, std::min(a.shortest, b.shortest), std::max(a.longest, b.longest)};
}

double spread(const PassGroup& group) {
  return static_cast<double>(group.longest) / static_cast<double>(std::max<std::int64_t>(1, group.shortest));
}

}  // namespace

std::vector<Loop> loops_of(const Program& program) {
  std::vector<std::uint32_t> from(program.functions.size(), no_index), to(program.functions.size(), 0);
  for (const Op& op : program.ops) {
    if (op.instruction == no_index) continue;
    from[op.function] = std::min(from[op.function], op.instruction);
    to[op.function] = std::max(to[op.function], op.instruction);
  }
  std::map<std::uint32_t, Loop> loops;  // by the first instruction
  for (const Op& op : program.ops) {
    if (!op.backward || op.instruction == no_index || op.target == no_index) continue;
    const auto target = std::find_if(program.ops.begin() + op.target, program.ops.end(),
                                     [](const Op& one) { return one.instruction != no_index; });
    if (target == program.ops.end() || target->instruction > op.instruction) continue;
    Loop& loop = loops[target->instruction];
    loop.first = target->instruction;
    loop.last = std::max(loop.last, op.instruction);
    loop.branches.push_back(op.instruction);
    loop.function_first = from[op.function];
    loop.function_last = to[op.function];
  }
  std::vector<Loop> all;
  for (auto& [first, loop] : loops) all.push_back(std::move(loop));
  return all;
}

std::vector<LoopVisit> find_visits(const std::vector<Loop>& loops, const std::vector<IssuedInstruction>& issues) {
  std::vector<LoopVisit> visits;
  for (const Loop& loop : loops) Visits(loop, visits).follow(issues);
  std::ranges::stable_sort(visits, {}, [](const LoopVisit& visit) { return visit.starts.front(); });
  return visits;
}

const LoopVisit* innermost(const std::vector<LoopVisit>& visits, std::int64_t cycle) {
  const LoopVisit* found = nullptr;
  for (const LoopVisit& visit : visits) {
    if (cycle < visit.starts.front() || cycle >= visit.end) continue;
    if (found == nullptr || visit.last - visit.first < found->last - found->first) found = &visit;
  }
  return found;
}

std::vector<PassGroup> fold_passes(const LoopVisit& visit, std::optional<std::size_t> apart, std::size_t most) {
  std::vector<PassGroup> groups;
  const auto alone = [&](const PassGroup& group) { return group.count == 1 && group.first == apart; };
  for (std::size_t pass = 0; pass < visit.passes(); ++pass) {
    const PassGroup one{pass, 1, pass, visit.cycles(pass), visit.cycles(pass)};
    if (!groups.empty() && !alone(groups.back()) && pass != apart) {
      const PassGroup both = joined(groups.back(), one);
      if (spread(both) <= alike || both.longest - both.shortest <= alike_cycles) {
        groups.back() = both;
        continue;
      }
    }
    groups.push_back(one);
  }
  while (groups.size() > most) {
    std::size_t best = groups.size();
    for (std::size_t i = 0; i + 1 < groups.size(); ++i) {
      if (alone(groups[i]) || alone(groups[i + 1])) continue;
      if (best == groups.size() ||
          spread(joined(groups[i], groups[i + 1])) < spread(joined(groups[best], groups[best + 1])))
        best = i;
    }
    if (best == groups.size()) break;
    groups[best] = joined(groups[best], groups[best + 1]);
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  for (PassGroup& group : groups) {
    std::vector<std::size_t> passes(group.count);
    for (std::size_t i = 0; i < group.count; ++i) passes[i] = group.first + i;
    const auto middle = passes.begin() + static_cast<std::ptrdiff_t>((group.count - 1) / 2);
    std::ranges::nth_element(passes, middle, {}, [&](std::size_t pass) { return visit.cycles(pass); });
    group.typical = *middle;
  }
  return groups;
}

}  // namespace warpwalk::gpu
