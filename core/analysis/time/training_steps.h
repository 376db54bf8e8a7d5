#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/intervals.h"
#include "core/analysis/time/idle.h"
#include "core/analysis/time/path_rows.h"

namespace warpwalk::analysis {

/// How the steps of a program were found.
enum class StepsFrom : std::uint8_t {
  none,
  profiler,    ///< ranges named ProfilerStep#N
  annotation,  ///< a range of one name, or of names that differ in their number, that occurs several times; or the
               ///< steps of SGLang and vLLM
  optimizer,  ///< from the end of one Optimizer.step to the end of the next
};

/// One step on the CPU, and what one GPU did meanwhile. All times are ns; computing + communicating + copying + idle by
/// cause + outside add up to the duration.
struct TrainingStep {
  std::string name;
  SliceId range = no_slice;  ///< the annotation
  trace::TrackId thread = 0;
  std::int64_t from = 0, to = 0;
  std::int64_t computing = 0, communicating = 0, copying = 0;
  std::array<std::int64_t, idle_causes> idle = {};  ///< by cause
  std::int64_t outside = 0;                         ///< before the GPU's first work or after its last one
  std::size_t kernels = 0;                          ///< launched in the step; without a launch, started in it
  std::array<std::int64_t, path_kinds> path_time = {};
  std::vector<PathRow> path;          ///< the critical path from the step's end back to its start
  std::vector<PathRow> path_longest;  ///< its longest stretches, by time
  std::vector<PathRow> path_names;    ///< the names that take the most of it

  std::int64_t duration() const { return to - from; }
  std::int64_t idle_time() const;
  std::int64_t of_cause(IdleCause cause) const { return idle[static_cast<std::size_t>(cause)]; }
};

struct TrainingSteps {
  StepsFrom from = StepsFrom::none;
  std::string name;  ///< of the ranges, without their numbers
  std::vector<TrainingStep> steps;
  std::size_t left_out = 0;  ///< steps after the first `most_steps`

  bool empty() const { return steps.empty(); }
  /// Numbers of steps; there is at least one.
  std::size_t slowest() const;
  std::size_t fastest() const;
  /// The step of median duration (of two, the faster one).
  std::size_t median() const;
};

/// Where the steps of a trace are, and the idle times of one GPU in them.
struct StepRanges {
  /// Start and end of a step, ns.
  struct Range {
    SliceId slice = no_slice;  ///< TrainingStep::range
    std::int64_t from = 0, to = 0;
  };

  StepsFrom from = StepsFrom::none;
  std::string name;  ///< TrainingSteps::name
  trace::TrackId thread = 0;
  std::vector<Range> ranges;                                     ///< by start, without overlap; at most `most_steps`
  std::size_t left_out = 0;                                      ///< steps after these
  std::vector<std::array<std::int64_t, idle_causes>> idle = {};  ///< of each step by cause, ns

  /// Adds the parts of gaps to `idle`. They come by time, over all calls.
  void add_idle(std::span<const IdlePart> parts);

 private:
  std::size_t next_ = 0;  // steps before this one end before all further parts
};
/// The steps of the thread with the most of them.
StepRanges step_ranges(const Trace& trace);

/// Start and end of each step, ns.
std::vector<Interval> step_times(const Trace& trace);

constexpr std::size_t most_steps = 4096;

/// The steps of the thread with the most of them. `gpu`: the report of the GPU to look at, with all of its gaps; null:
/// no GPU. `rows`: of each critical path; 0: its times alone.
TrainingSteps training_steps(const Trace& trace, const IdleReport* gpu, const PathFinder& paths, std::size_t rows);
/// The same with steps to which the idle times of `gpu` were added, so that it needs no gaps.
TrainingSteps training_steps(const Trace& trace, const IdleReport* gpu, const StepRanges& ranges,
                             const PathFinder& paths, std::size_t rows);

}  // namespace warpwalk::analysis
