#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/story/elements/moment.h"
#include "core/story/elements/naming.h"
#include "core/story/elements/narration.h"
#include "core/story/stage/history_view.h"
#include "core/story/stage/question.h"
#include "core/story/stage/stage.h"

namespace warpwalk::analysis {

// Figures of a whole trace; described in core/analysis/time/overview.h and trace_summary.h.
struct Overview;
struct TraceSummary;
struct RankReport;  // core/analysis/ranks/rank_report.h

}  // namespace warpwalk::analysis

namespace warpwalk::story {

struct Hardware;  // core/story/records/hardware.h

/// The inputs of a stage, which is a pure function of them.
struct SceneInput {
  const Trace& trace;
  const Walk& walk;
  const Narration& narration;
  const Hardware& hardware;
  Moment moment;
  Controls controls = {};
  Naming naming = Naming::both;
  std::optional<std::int64_t> now = {};    ///< ns since the trace's start, if the moment was requested by time
  HistoryView history = {};                ///< of walk.kernel
  std::optional<std::int64_t> cycle = {};  ///< the cycle of the kernel, if the moment was requested by cycle
  Predictions predictions = {};            ///< whether scenes ask questions, and what the person said to them
  const analysis::Overview* overview =
      nullptr;  ///< of `trace`, if it was made beforehand: it takes long for a large trace
  const analysis::TraceSummary* compared = nullptr;  ///< of a second trace, to compare `trace` with
  const analysis::RankReport* ranks = nullptr;  ///< all ranks of the run that `trace` belongs to; null: it is alone
  std::size_t rank = 0;                         ///< index in RankReport::ranks of the one that `trace` is of

  /// The value that the person set for a control of a scene; none if it follows the trace.
  std::optional<double> set(std::string_view scene, std::string_view control) const {
    return controls.get(scene, control);
  }
};

/// One step of a scene: a sentence appears, and a motion follows.
struct Beat {
  std::string key;          ///< section of the narration after "scene."
  std::int64_t anchor = 0;  ///< ns since the trace's start: the time of this beat
  bool history = false;     ///< it shows SceneInput::history
};

/// A scene of the storyboard, or a lab.
struct Scene {
  int number;             ///< in the storyboard; 0 for a lab
  std::string_view name;  ///< as in `render --scene`: "sm", "lab/launch-anatomy"
  std::vector<Beat> (*beats)(const Trace&, const Walk&);
  Stage (*stage)(const SceneInput&);
  std::string_view opens_from = {};  ///< the scene that a lab belongs to
  /// The change of the GPU that a beat shows beside the GPU as it is; null if there is never one.
  run::WhatIf (*what_if)(std::string_view beat, const Controls&) = nullptr;
  /// The next or the previous cycle of interest; null for a scene that does not go through cycles.
  std::optional<std::int64_t> (*stop)(const SceneInput&, bool forward) = nullptr;
  std::vector<TextControl> texts = {};  ///< its controls that hold a text

  bool is_lab() const { return number == 0; }
};

/// Puts the anchors in order: a beat about an earlier time gets the anchor of the beat before it.
std::vector<Beat> in_order(std::vector<Beat> beats);

/// The last beat whose anchor is not after this time (ns since the trace's start), from 1.
std::int64_t beat_at(const std::vector<Beat>& beats, std::int64_t time);

/// "[[1024, 1024], []]" -> "1024 × 1024": the shapes of the inputs, without scalars.
std::string shapes_text(std::string_view input_dims);

}  // namespace warpwalk::story
