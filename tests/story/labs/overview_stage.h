#pragma once

#include <string_view>

#include <fmt/format.h>

#include "core/analysis/compare/trace_comparison.h"
#include "core/analysis/time/overview.h"
#include "core/records/hardware.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {

inline constexpr std::string_view overview_scene = "lab/overview";
inline constexpr std::string_view overview_walks[] = {
    "relu_matmul",     "two_streams",      "mlp_train",          "pytorch_relu_matmul",
    "h200_cuda_graph", "h200_two_streams", "h200_torch_compile", "h200_pytorch_training_step"};

/// What a stage of the lab "overview" is made with.
struct OverviewShown {
  const Narration& narration = english();
  const analysis::TraceSummary* compared = nullptr;
  Controls controls = {};
  bool asking = false;
  const analysis::TraceComparison* comparison = nullptr;
  const analysis::Overview* overview = nullptr;  ///< made beforehand
};

/// The stage of one of its beats.
inline Stage overview_stage(const Trace& trace, std::string_view beat, const OverviewShown& shown = {}) {
  const Walk walk = default_walk(trace);
  const Scene& scene = *find_scene(overview_scene);
  SceneInput input{
      trace, walk, shown.narration, hardware(), {Moment::Kind::beat, beat_named(scene, trace, walk, beat), 1}};
  input.controls = shown.controls;
  input.compared = shown.compared;
  input.comparison = shown.comparison;
  input.overview = shown.overview;
  input.predictions.asking = shown.asking;
  return scene.stage(input);
}

inline Controls overview_set_to(std::string_view control, double value) {
  Controls controls;
  controls.set(fmt::format("{}.{}", overview_scene, control), value);
  return controls;
}

/// A copy, so that the stage may be a temporary.
inline TablePicture table_at(const Stage& stage, std::size_t row, std::size_t panel) {
  return panel_picture<TablePicture>(stage, row, panel);
}

}  // namespace warpwalk::story::testing
