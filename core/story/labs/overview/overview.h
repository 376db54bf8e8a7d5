#pragma once

// The pictures of the lab "overview", each a panel.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/trace_comparison.h"
#include "core/analysis/predict/made_change.h"
#include "core/analysis/predict/prediction.h"
#include "core/analysis/time/overview.h"
#include "core/story/beats/beat_of.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

/// A change that was really made after the trace was recorded, and what is predicted of it.
struct MadePrediction {
  analysis::MadeChange change;
  analysis::Prediction prediction;  ///< without its graph and times
};
/// None if no change was made, or nothing can be said of it.
std::optional<MadePrediction> made_prediction(const SceneInput& input);

/// The settings of the lab, and what is shown of the trace.
struct OverviewLab {
  static constexpr std::string_view name = "lab/overview";

  const SceneInput& input;
  std::optional<analysis::Overview> own;  ///< if it was not made beforehand
  const analysis::Overview& overview;
  ControlSet controls{input, name};
  std::size_t step = 0;  ///< whose critical path is shown, from 1; 0: that of the whole trace
  bool by_name = false;  ///< the critical path: by name in place of by time
  std::size_t sort = 0;  ///< of kernels: 0 total, 1 mean, 2 count, 3 by category in place of by name
  /// By what changes are listed; none: by what takes the GPU's time.
  std::optional<analysis::WorkGrouping> changes_by;
  std::optional<MadePrediction> made;  ///< of the beat "made" alone

  /// `with_made`: also `made`, if the trace has it.
  explicit OverviewLab(const SceneInput& in, bool with_made = false);

  const Trace& trace() const { return input.trace; }
  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  /// A cell with a derived figure; `formula` is a key of [lab/overview.formula].
  TableCell derived(std::string text, std::string_view formula) const;
  TableCell count(std::size_t n, std::string_view formula) const;
  std::string word_of(analysis::PathKind kind) const;
  std::string label(SliceId slice) const;  ///< "–" for none

  /// The critical path that is shown.
  std::int64_t path_span() const;
  const std::array<std::int64_t, analysis::path_kinds>& path_time() const;
  const std::vector<analysis::PathRow>& path_list() const;
  const std::vector<analysis::PathRow>& path_longest() const;
  const std::vector<analysis::PathRow>& path_names() const;
};

/// A part of the time of a GPU.
struct TimePart {
  std::string label;
  Role role = Role::kernel;
  std::int64_t time = 0;
  std::size_t gaps = 0;
  std::optional<analysis::IdleCause> cause;
};
/// A GPU's time, ns.
struct GpuSums {
  std::int64_t computing = 0, communicating = 0, copying = 0;
  const std::array<std::int64_t, analysis::idle_causes>& idle;
  const std::array<std::size_t, analysis::idle_causes>& gaps;
};
/// Kernels, copies, then the causes of idle time, the longest first; parts without time are left out.
std::vector<TimePart> time_parts(const Narration& narration, const GpuSums& sums);
/// The parts end to end in one row, each with its label if it is long enough to read.
Row stacked(std::string name, const std::vector<TimePart>& parts, std::int64_t longest);

/// The op or GPU work that a click on this slice follows; no_slice if there is none.
SliceId followable(const Trace& trace, SliceId slice);

/// The GPU's span and the critical path by what takes them, as two bars over one axis.
Panel time_panel(const OverviewLab& lab);
Panel parts_panel(const OverviewLab& lab);
Panel work_panel(const OverviewLab& lab, std::size_t rows, bool short_form);
/// The GPU's work by what it is for.
Panel categories_panel(const OverviewLab& lab);
/// The short form has no figures of the GPU.
Panel ops_panel(const OverviewLab& lab, std::size_t rows, bool short_form);
Panel launches_panel(const OverviewLab& lab);
Panel queue_panel(const OverviewLab& lab);
/// The path over time, with a row for the CPU and one for the GPU.
Panel path_bars_panel(const OverviewLab& lab);
/// By time: the longest stretches, in their order. The short form is by name.
Panel path_panel(const OverviewLab& lab, std::size_t rows, bool short_form);
Panel steps_chart_panel(const OverviewLab& lab);
Panel steps_panel(const OverviewLab& lab);
/// The figures of this trace that a second one is compared with.
Panel figures_panel(const OverviewLab& lab);
/// This trace and the second one, as they are compared: with different numbers of steps, by the step.
/// SceneInput::compared is set.
struct ComparedSummaries {
  analysis::TraceSummary before, after;
};
ComparedSummaries compared_summaries(const OverviewLab& lab);
/// Both GPUs' spans by what takes them. SceneInput::compared is set.
Panel compare_bars_panel(const OverviewLab& lab);
/// The parts of the difference, with a row that sums up the rest and one of the total.
Panel changes_panel(const OverviewLab& lab, std::size_t rows);
/// What differs in the GPU's work by OverviewLab::changes_by, per step if both traces have steps, with a row for the
/// rest and one for all. SceneInput::comparison is set.
Panel work_changes_panel(const OverviewLab& lab, std::size_t rows);
/// What to change first, with what it can save at most.
Panel advice_panel(const OverviewLab& lab, std::size_t rows);
/// The beat about a change that was really made: its words, facts, panels and question. OverviewLab::made is
/// set.
void made_values(const OverviewLab& lab, Narration::Values& values);
void made_facts(const OverviewLab& lab, FactWriter& facts);
PanelRows made_panels(const OverviewLab& lab);
std::optional<Ask> made_question(const OverviewLab& lab);
/// Cards that lead to other pages, and advice for the verdict.
Panel next_panel(const OverviewLab& lab);
/// The verdict on the ranks of the run, which leads to the scene "ranks". SceneInput::ranks has several ranks.
Panel ranks_panel(const OverviewLab& lab);

/// The step by which its duration differs most from that of the median step: its key in [lab/overview.word] or a cause
/// of idle time as words, and the difference in ns.
std::pair<std::string, std::int64_t> main_difference(const OverviewLab& lab, const analysis::TrainingStep& step,
                                                     const analysis::TrainingStep& median);

}  // namespace warpwalk::story
