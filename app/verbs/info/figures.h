#pragma once

// This folder has what `info` prints: figures of a trace as text, as JSON and as conditions.

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/verbs/common/load.h"
#include "core/analysis/compare/trace_comparison.h"
#include "core/analysis/memory/snapshot_sums.h"
#include "core/analysis/modules/code_place.h"
#include "core/analysis/ranks/rank_source.h"
#include "core/analysis/time/advice.h"
#include "core/analysis/time/overview.h"
#include "core/compiled/compiled.h"
#include "core/trace/trace.h"

namespace warpwalk::verbs {

/// What a trace holds, and how its kernels are linked.
struct InfoSummary {
  std::uint64_t by_kind[trace::slice_kinds] = {};
  std::uint64_t launches = 0;
  std::uint64_t streams = 0;
  std::uint64_t synchronisations = 0;  ///< cuda_sync records, and calls that wait for the GPU without such a record
  std::uint64_t linked_to_launch = 0;
  std::uint64_t linked_to_op = 0;
  std::vector<trace::Device> devices;  ///< described in the trace, or only used by its work
  /// By library: the kernels of warpwalk's own that stand in for those of the library.
  std::map<std::string, std::uint64_t> stand_ins;

  std::uint64_t of(trace::SliceKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
};

/// The critical path of a whole trace as lists, which do not grow with the trace.
struct PathFigures {
  std::array<std::int64_t, analysis::path_kinds> time = {};  ///< ns by kind
  std::vector<analysis::PathRow> rows;                       ///< by time
  std::vector<analysis::PathRow> longest;                    ///< its longest stretches, by time
  std::vector<analysis::PathRow> names;                      ///< the names that take the most of it
};

/// A time without work on a GPU, with what happened in it.
struct LongGap {
  std::int64_t device = trace::absent;
  analysis::IdleGap gap;
  std::vector<analysis::IdlePart> parts;
};

/// The figures of a trace. Each is computed when it is first asked for, and kept.
class InfoFigures {
 public:
  explicit InfoFigures(const LoadedTrace& loaded) : loaded_(loaded) {}
  InfoFigures(const InfoFigures&) = delete;
  InfoFigures& operator=(const InfoFigures&) = delete;

  const LoadedTrace& loaded() const { return loaded_; }
  const trace::Trace& trace() const { return loaded_.result.trace; }
  const InfoSummary& summary();
  const std::vector<analysis::IdleReport>& idle();
  /// The same, perhaps without the lists of gaps and parts.
  const std::vector<analysis::IdleReport>& idle_sums();
  /// The longest gaps of all GPUs, the longest first.
  const std::vector<LongGap>& longest_gaps();
  const std::vector<analysis::GpuBreakdown>& breakdowns();
  const analysis::Overview& overview();
  /// Prepares what is needed to find critical paths; until release_paths().
  const analysis::PathFinder& paths();
  const analysis::CodePlaces& places();
  const PathFigures& path();
  /// What the CPU did in the idle times of the GPU with the most kernels, by line.
  const std::vector<analysis::IdleLine>& idle_lines();
  const analysis::TrainingSteps& steps();
  /// What to change first, by what it can save.
  const std::vector<analysis::Advice>& advice();
  /// Predictions for each line of advice; empty unless they were asked for.
  const std::vector<analysis::AdvicePrediction>& predicted();
  void predict_advice() { predicts_ = true; }
  /// Frees what paths() has prepared.
  void release_paths() { paths_.reset(); }
  /// How another trace differs from this one; null: none is compared.
  const analysis::TraceComparison* comparison();
  void compare_with(analysis::WorkProfile other) { compared_ = std::move(other); }
  /// What compilers wrote of the trace's kernels, in the folder beside it or where read_compiled_from() says.
  const compiled::Compiled& compiled();
  void read_compiled_from(std::filesystem::path path) { compiled_path_ = std::move(path); }
  /// Of a memory snapshot of PyTorch; null for any other file.
  const analysis::SnapshotSums* snapshot();
  /// Of a file into which several ranks were merged; null for any other.
  const analysis::RankReport* ranks();

 private:
  const LoadedTrace& loaded_;
  std::optional<InfoSummary> summary_;
  std::optional<std::vector<analysis::IdleReport>> idle_;
  std::optional<std::vector<analysis::GpuBreakdown>> breakdowns_;
  std::optional<analysis::Overview> overview_;
  // Reads the gaps once, for all figures that come from them. They are not kept: there can be a million parts.
  void read_gaps();
  void read_gaps(const analysis::IdleGapReader& read);

  std::unique_ptr<const analysis::PathFinder> paths_;
  std::unique_ptr<const analysis::CodePlaces> places_;
  std::optional<PathFigures> path_;
  std::optional<std::vector<analysis::IdleReport>> idle_sums_;
  std::optional<std::vector<LongGap>> longest_gaps_;
  std::vector<analysis::IdleLine> idle_lines_;
  analysis::AdviceSums& advice_sums();
  std::optional<analysis::AdviceSums> advice_sums_;
  std::optional<std::vector<analysis::Advice>> advice_;
  bool predicts_ = false;
  std::optional<std::vector<analysis::AdvicePrediction>> predicted_;
  analysis::StepRanges step_ranges_;
  std::optional<analysis::TrainingSteps> steps_;
  std::optional<std::optional<analysis::SnapshotSums>> snapshot_;
  std::optional<std::shared_ptr<const analysis::RankReport>> ranks_;
  std::filesystem::path compiled_path_;  // empty: beside the trace
  std::optional<compiled::Compiled> compiled_;
  std::optional<analysis::WorkProfile> compared_;
  std::optional<analysis::TraceComparison> comparison_;
};

}  // namespace warpwalk::verbs
