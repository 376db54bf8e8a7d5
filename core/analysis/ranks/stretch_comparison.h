#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_hosts.h"
#include "core/analysis/ranks/rank_report.h"

namespace warpwalk::analysis {

/// A line, call or kernel of all ranks.
struct CostKey {
  CostKind kind = CostKind::line;
  std::uint32_t name = 0, line = 0;  ///< numbers of StretchComparison
  auto operator<=>(const CostKey&) const = default;
};

/// The stretch of a rank before a collective that was matched.
struct RankStretch {
  std::size_t matched = 0;   ///< in RankReport::collectives
  std::size_t own = 0;       ///< in RankDigest::collectives
  std::int64_t late_by = 0;  ///< ns; 0: another rank arrives last
};

/// What a rank does in a stretch beyond the median of the others.
struct StretchExcess {
  std::size_t stretch = 0;             ///< index among the rank's stretches
  std::int64_t time = 0, own = 0;      ///< ns beyond the others', and in all
  std::int64_t high = 0;               ///< ns: the upper quartile of the others
  std::int64_t on_path = 0;            ///< ns of its own
  std::int64_t count = 0, blocks = 0;  ///< beyond the others'
  SliceId slice = no_slice;            ///< its longest slice
  std::uint32_t line = 0;              ///< the line of the program, in RankDigest::names; 0: not recorded
};

/// The same of all stretches in which the rank has a cost.
struct CostExcess {
  CostKey key;
  std::vector<StretchExcess> parts;  ///< by stretch
  std::int64_t excess = 0, own = 0, high = 0, on_path = 0, count = 0, blocks = 0;

  void add(const StretchExcess& part);
  /// What of it can have made the rank late.
  std::int64_t counts() const;
  /// Whether nearly all of it is in one stretch.
  bool is_once() const;
};

/// ns of a rank and of the others.
struct BusyTimes {
  std::int64_t own = 0, others = 0;
};

/// Compares the stretches of a rank with the same stretches of the others (of many, eight of them, if possible on other
/// machines). The two ranks of a message do different work before it: the receiver waits, or is another stage of a
/// pipeline. So the stretches before messages are compared by the training step: of the rank's cost in the step, what
/// the others have in it is taken off.
class StretchComparison {
 public:
  /// The report must outlive this.
  explicit StretchComparison(const RankReport& report);

  /// What the rank does more than others, the largest excess first.
  std::vector<CostExcess> excesses(std::size_t rank, const std::vector<RankStretch>& stretches) const;
  /// All kernels together, found from these excesses. `blocks` counts the kernels of the rank.
  CostExcess all_work(std::size_t rank, const std::vector<RankStretch>& stretches,
                      const std::vector<CostExcess>& excesses) const;
  /// What the rank's CPU needs between collectives, waits for the GPU left out, and the others' median. None without
  /// records of the CPU.
  std::optional<BusyTimes> busy_times(std::size_t rank, const std::vector<RankStretch>& stretches) const;
  const std::string& name(const CostKey& key) const { return names_[key.name]; }

 private:
  struct Sum;
  using CostAmounts = std::array<std::int64_t, 3>;  // time, count and blocks
  using CostsOfStep = std::map<CostKey, CostAmounts>;
  const RankCollective& collective(const Member& member) const;
  CostKey key_of(std::size_t rank, const StretchCost& cost) const;
  std::vector<Sum> sums_of(const Member& own) const;
  void add_others(const std::vector<const Member*>& others, std::vector<Sum>& sums) const;
  const CostsOfStep& costs_of_step(std::size_t rank, std::int64_t step) const;
  void take_off_others(std::size_t rank, std::int64_t step, const CostKey& key, std::size_t stretches,
                       std::span<StretchExcess> parts) const;
  std::int64_t busy_before(const Member& member) const;
  std::vector<const Member*> peers_in(const MatchedCollective& one, std::size_t rank) const;

  const RankReport& report_;
  RankHosts hosts_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::uint32_t>> numbers_;  // by rank and its own number of the name: in names_
  mutable std::map<std::size_t, std::map<std::int64_t, CostsOfStep>> of_steps_;  // by rank and step
};

}  // namespace warpwalk::analysis
