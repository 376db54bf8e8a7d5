#pragma once

// This folder derives how a trace spends its time: costs, idle time, critical path, steps. One launch is in
// core/story/facts/launch.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/time/advice.h"
#include "core/analysis/time/gpu_breakdown.h"
#include "core/analysis/time/idle.h"
#include "core/analysis/time/idle_lines.h"
#include "core/analysis/time/launch_rate.h"
#include "core/analysis/time/path_rows.h"
#include "core/analysis/time/trace_summary.h"
#include "core/analysis/time/training_steps.h"
#include "core/analysis/time/work_costs.h"

namespace warpwalk::analysis {

/// How a whole trace spends its time: the data of the lab "overview". Figures of a GPU are of the one on
/// which kernels ran longest. Its size does not grow with the trace.
struct Overview {
  std::size_t gpus = 0;  ///< with timed work
  std::optional<IdleReport>
      gpu;           ///< of its gaps, those with the longest part of each cause, without parts; none: no timed GPU work
  IdleLine culprit;  ///< of its verdict
  std::size_t doubtful = 0;          ///< pieces of GPU work whose recorded times cannot be right
  std::vector<IdleLine> idle_lines;  ///< what the CPU did in its idle times, by line, the longest first
  GpuBreakdown breakdown;            ///< of the same GPU
  std::vector<WorkCost> work;        ///< of the same GPU
  std::int64_t work_time = 0;        ///< ns, all of them added
  std::size_t work_names = 0;        ///< names, also those that are left out of `work`
  std::vector<OpCost> ops;
  std::int64_t op_gpu_time = 0;  ///< ns of all ops and of work outside of ops
  LaunchRate launches;
  CriticalPath path;                  ///< of the whole trace, without its segments
  std::vector<PathRow> path_list;     ///< its segments, as a list by time
  std::vector<PathRow> path_longest;  ///< its longest stretches, by time
  std::vector<PathRow> path_names;    ///< the names that take the most of it
  TrainingSteps steps;
  std::vector<Advice> advice;               ///< what to change first
  std::vector<AdvicePrediction> predicted;  ///< of `advice`; empty: it was not asked for
  TraceSummary summary;

  /// The longest gap of a cause; null if there is none.
  const IdleGap* longest_gap(IdleCause cause) const;
};

/// Reads the whole trace, on several threads: half a second for a million events on two cores. `file`: its name.
/// `parts`: what compiled kernels are divided into.
Overview overview_of(const Trace& trace, std::string file = {}, const KernelParts& parts = {});

}  // namespace warpwalk::analysis
