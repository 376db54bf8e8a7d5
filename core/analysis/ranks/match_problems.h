#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_report.h"

namespace warpwalk::analysis {

/// Says what could not be matched: one line for each group and kind of problem, for at most a few groups.
class MatchProblems {
 public:
  explicit MatchProblems(RankReport& report) : report_(report) {}

  /// Looks at the collectives [first, last) of RankReport::collectives, in their order; all are of one group and of the
  /// same open ranks (indexes). `things`: "collectives", "messages from rank 0 to rank 1".
  void look_at(std::size_t first, std::size_t last, const std::vector<std::size_t>& ranks, const std::string& things);
  /// A send or receive that does not say to or from whom.
  void add_without_peer() { ++without_peer_; }

  /// Appends the lines to the report's problems.
  void finish();

 private:
  enum Kind : std::uint8_t { absent, outside, between, differing, kinds };

  void look_for_missing(std::size_t first, std::size_t last, const std::vector<std::size_t>& ranks,
                        const std::string& things);
  std::string text_of(std::size_t collective) const;

  RankReport& report_;
  std::array<std::vector<std::string>, kinds> lines_;
  std::size_t without_peer_ = 0;
};

}  // namespace warpwalk::analysis
