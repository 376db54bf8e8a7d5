#include "core/gpu/history/loop.h"

#include <algorithm>
#include <map>

namespace warpwalk::gpu {
namespace {

constexpr double alike = 1.1;
constexpr std::int64_t alike_cycles = 4;

// The issues of one loop's first instruction, while the warp stays in the loop.
class Visits {
 public:
  Visits(const std::vector<IssuedInstruction>& issues, std::uint32_t first, std::uint32_t last)
      : issues_(issues), first_(first), last_(last) {}

  void add_to(std::vector<LoopVisit>& visits) const {
    for (std::size_t i = 0; i < issues_.size();) {
      if (issues_[i].instruction != first_) {
        ++i;
        continue;
      }
      LoopVisit visit{first_, last_, {issues_[i].cycle}, 0};
      bool left = false;
      std::uint32_t lanes = issues_[i].lanes;
      for (++i; i < issues_.size(); ++i) {
        const IssuedInstruction& issue = issues_[i];
        const bool inside = issue.instruction >= first_ && issue.instruction <= last_;
        // Other lanes at the first instruction begin a loop of their own.
        const bool others = issue.instruction == first_ && (issue.lanes & lanes) == 0;
        if (!inside || others) {
          visit.end = issue.cycle;
          left = true;
          break;
        }
        if (issue.instruction == first_) {
          visit.starts.push_back(issue.cycle);
          lanes = issue.lanes;
        }
      }
      if (!left) {
        visit.end = visit.starts.back();
        visit.starts.pop_back();
      }
      if (visit.passes() > 1) visits.push_back(std::move(visit));
    }
  }

 private:
  const std::vector<IssuedInstruction>& issues_;
  std::uint32_t first_, last_;
};

PassGroup joined(const PassGroup& a, const PassGroup& b) {
  return {a.first, a.count + b.count, 0, std::min(a.shortest, b.shortest), std::max(a.longest, b.longest)};
}

double spread(const PassGroup& group) {
  return static_cast<double>(group.longest) / static_cast<double>(std::max<std::int64_t>(1, group.shortest));
}

}  // namespace

std::vector<LoopVisit> find_loops(const std::vector<IssuedInstruction>& issues) {
  std::map<std::uint32_t, std::uint32_t> last_of;  // by the loop's first instruction
  for (std::size_t i = 1; i < issues.size(); ++i) {
    const std::uint32_t to = issues[i].instruction, from = issues[i - 1].instruction;
    if (to > from || (issues[i].lanes & issues[i - 1].lanes) == 0) continue;
    std::uint32_t& last = last_of.try_emplace(to, from).first->second;
    last = std::max(last, from);
  }
  std::vector<LoopVisit> visits;
  for (const auto& [first, last] : last_of) Visits(issues, first, last).add_to(visits);
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
