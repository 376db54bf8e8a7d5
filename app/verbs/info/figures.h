#pragma once

// This folder has what `info` prints: figures of a trace as text, as JSON and as conditions.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/verbs/common/load.h"
#include "core/analysis/ranks/rank_source.h"
#include "core/analysis/time/overview.h"
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

  std::uint64_t of(trace::SliceKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
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
  const std::vector<analysis::GpuBreakdown>& breakdowns();
  const analysis::Overview& overview();
  /// Of a file into which several ranks were merged; null for any other.
  const analysis::RankReport* ranks();

 private:
  const LoadedTrace& loaded_;
  std::optional<InfoSummary> summary_;
  std::optional<std::vector<analysis::IdleReport>> idle_;
  std::optional<std::vector<analysis::GpuBreakdown>> breakdowns_;
  std::optional<analysis::Overview> overview_;
  std::optional<std::shared_ptr<const analysis::RankReport>> ranks_;
};

}  // namespace warpwalk::verbs
