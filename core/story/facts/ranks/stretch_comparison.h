#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/story/facts/ranks/rank_report.h"

namespace warpwalk::story {

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
  std::int64_t on_path = 0;            ///< ns of its own
  std::int64_t count = 0, blocks = 0;  ///< beyond the others'
  SliceId slice = no_slice;            ///< its longest slice
  std::uint32_t line = 0;              ///< the line of the program, in RankDigest::names; 0: not recorded
};

/// The same of all stretches in which the rank has a cost.
struct CostExcess {
  CostKey key;
  std::vector<StretchExcess> parts;  ///< by stretch
  std::int64_t excess = 0, own = 0, on_path = 0, count = 0, blocks = 0;

  /// What of it can have made the rank late.
  std::int64_t counts() const;
};

/// Compares the stretches of a rank with the same stretches of the others (of many, eight of them).
class StretchComparison {
 public:
  /// The report must outlive this.
  explicit StretchComparison(const RankReport& report);

  /// What the rank does more than others, the largest excess first.
  std::vector<CostExcess> excesses(std::size_t rank, const std::vector<RankStretch>& stretches) const;
  /// All kernels together, found from these excesses. `blocks` counts the kernels of the rank.
  CostExcess all_work(std::size_t rank, const std::vector<RankStretch>& stretches,
                      const std::vector<CostExcess>& excesses) const;
  const std::string& name(const CostKey& key) const { return names_[key.name]; }

 private:
  struct Sum;
  const RankCollective& collective(const Member& member) const;
  CostKey key_of(std::size_t rank, const StretchCost& cost) const;
  std::vector<Sum> sums_of(const Member& own) const;
  void add_others(const std::vector<const Member*>& others, std::vector<Sum>& sums) const;

  const RankReport& report_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::uint32_t>> numbers_;  // by rank and its own number of the name: in names_
};

}  // namespace warpwalk::story
