#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/analysis/kernels/kernel_category.h"
#include "core/analysis/modules/code_place.h"
#include "core/analysis/kernels/communication.h"
#include "core/analysis/time/critical_path.h"
#include "core/analysis/time/idle.h"
#include "core/analysis/time/training_steps.h"
#include "core/trace/trace.h"

namespace warpwalk::query {

using trace::no_slice;
using trace::SliceId;

/// A trace, and what the tables derive from it. Everything is computed when a table first needs it, and kept.
class Source {
 public:
  /// The trace must outlive the source and must not change.
  explicit Source(const trace::Trace& trace) : trace_(trace) {}
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const trace::Trace& trace() const { return trace_; }

  /// The slices of these kinds, by start.
  const std::vector<SliceId>& python();
  const std::vector<SliceId>& annotations();
  const std::vector<SliceId>& copies();

  /// A call that started GPU work: its pieces are rows first .. first+count-1 of Trace::launched.
  struct Launch {
    SliceId call = no_slice;
    std::size_t first = 0, count = 0;
  };
  /// By start of the call.
  const std::vector<Launch>& launches();

  /// The innermost op at or around each slice of the CPU; no_slice: none.
  const std::vector<SliceId>& op_around();
  /// The time of an op without the ops and calls inside it, and the GPU work that is launched in it but in no op inside
  /// it, as in analysis::OpCost.
  struct OpWork {
    std::int64_t self_ns = 0, gpu_ns = 0;
    std::uint32_t kernels = 0, copies = 0;
  };
  /// By slice; only those of ops are filled.
  const std::vector<OpWork>& op_work();
  /// GPU time of each slice's calls, including nested ones, ns.
  const std::vector<std::int64_t>& gpu_time();

  struct Gap {
    std::int64_t device = trace::absent;
    analysis::IdleGap gap;
  };
  struct GapPart {
    std::size_t gap = 0;  ///< row of gaps()
    analysis::IdlePart part;
  };
  const std::vector<analysis::IdleReport>& idle();
  /// Of all GPUs, by GPU and time.
  const std::vector<Gap>& gaps();
  const std::vector<GapPart>& gap_parts();
  const analysis::CriticalPath& path();
  const analysis::TrainingSteps& steps();

  const analysis::Communication& communication();
  /// What GPU work is for, and how much it is.
  analysis::WorkCategories& categories();
  /// Lines and modules of the program.
  const analysis::CodePlaces& places();

  /// A kernel's name without namespaces and template arguments.
  std::string_view short_name(trace::StringId name);

 private:
  const analysis::PathFinder& paths();

  const trace::Trace& trace_;
  std::optional<std::vector<SliceId>> python_, annotations_, copies_, op_around_;
  std::optional<std::vector<Launch>> launches_;
  std::optional<std::vector<OpWork>> op_work_;
  std::optional<std::vector<std::int64_t>> gpu_time_;
  std::optional<std::vector<analysis::IdleReport>> idle_;
  std::optional<std::vector<Gap>> gaps_;
  std::optional<std::vector<GapPart>> gap_parts_;
  std::optional<analysis::Communication> communication_;
  std::optional<analysis::WorkCategories> categories_;
  std::optional<analysis::CodePlaces> places_;
  std::optional<analysis::PathFinder> paths_;
  std::optional<analysis::CriticalPath> path_;
  std::optional<analysis::TrainingSteps> steps_;
  std::unordered_map<trace::StringId, std::string> short_names_;
};

}  // namespace warpwalk::query
