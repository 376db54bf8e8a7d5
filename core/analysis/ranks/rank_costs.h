#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/analysis/modules/code_place.h"
#include "core/analysis/ranks/rank_digest.h"
#include "core/analysis/time/critical_path.h"

namespace warpwalk::analysis {

/// Adds up what the CPU and the GPU of one rank do in a stretch.
class RankCosts {
 public:
  /// `tracks`: as of digest_of.
  RankCosts(const Trace& trace, const PathFinder& paths, const CodePlaces& places, const std::vector<bool>& tracks);

  /// Appends the costs of a stretch: what the CPU did between two moments of a thread, what it gave the GPU meanwhile,
  /// and which part of both was on the critical path to this collective since `arrived`. Times are ns since the
  /// trace's base; no stretch may begin before the one that was asked for last.
  void append(trace::TrackId thread, std::int64_t from, std::int64_t to, std::int64_t arrived, RankCollective& one,
              std::vector<StretchCost>& costs);
  std::vector<std::string> take_names() { return std::move(names_); }

 private:
  struct Key {
    std::uint64_t name;
    CostKind kind;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return key.name * 31 + static_cast<std::size_t>(key.kind); }
  };
  struct Sum {
    StretchCost cost;
    std::int64_t longest = 0;
  };
  using Sums = std::unordered_map<Key, Sum, Hash>;

  /// The sum of a stretch of the CPU, or of work on the GPU; null for what is not counted.
  Sum* sum_of(const PathSegment& segment, Sums& sums);
  Sum& sum_of_work(SliceId work, Sums& sums);
  void finish(Sums& sums, std::vector<StretchCost>& costs);
  std::uint32_t name_id(const std::string& text);
  SliceId frame_of(SliceId slice) const;
  SliceId op_around(SliceId slice) const;
  std::string name_of_call(SliceId slice) const;
  /// The line of the program around a slice, as a name.
  std::uint32_t line_of(SliceId slice);

  const Trace& trace_;
  const PathFinder& paths_;
  const CodePlaces& places_;
  std::vector<std::pair<std::int64_t, SliceId>> launched_;  // start of the launch and work, by start
  std::size_t next_ = 0;                                    // in launched_
  std::vector<std::string> names_{std::string()};
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::unordered_map<trace::StringId, std::uint32_t> lines_;  // by the name of a frame
};

}  // namespace warpwalk::analysis
