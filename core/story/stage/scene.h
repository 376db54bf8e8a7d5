#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/story/stage/hardware.h"
#include "core/story/stage/history_view.h"
#include "core/story/stage/moment.h"
#include "core/story/stage/naming.h"
#include "core/story/stage/narration.h"
#include "core/story/stage/stage.h"

namespace warpwalk::story {

/// All that a stage is a function of.
struct SceneInput {
  const Trace& trace;
  const Walk& walk;
  const Narration& narration;
  const Hardware& hardware;
  Moment moment;
  Controls controls = {};
  Naming naming = Naming::both;
  std::optional<std::int64_t> now = {};  ///< the moment was asked for as this time, ns since the trace's start
  HistoryView history = {};              ///< of walk.kernel

  /// What the person set for this control of a scene; none where it follows the trace.
  std::optional<double> set(std::string_view scene, std::string_view control) const {
    return controls.get(scene, control);
  }
};

/// One step of a scene: a sentence appears, and once a key is pressed the motion answers it.
struct Beat {
  std::string key;          ///< section of the narration after "scene."
  std::int64_t anchor = 0;  ///< ns since the trace's start: where this beat stands in trace time
  bool history = false;     ///< it shows what SceneInput::history has
};

/// A scene of the storyboard, or a lab.
struct Scene {
  int number;             ///< in the storyboard; 0 for a lab
  std::string_view name;  ///< as in `render --scene`: "sm", "lab/launch-anatomy"
  std::vector<Beat> (*beats)(const Trace&, const Walk&);
  Stage (*stage)(const SceneInput&);
  std::string_view opens_from = {};  ///< of a lab: the scene that it belongs to

  bool is_lab() const { return number == 0; }
};

/// Makes anchors follow one another: a beat that tells of an earlier moment stands with the one before it.
std::vector<Beat> in_order(std::vector<Beat> beats);

/// The last beat whose anchor is not after this time (ns since the trace's start), from 1.
std::int64_t beat_at(const std::vector<Beat>& beats, std::int64_t time);

/// The stage's parts that all scenes share, for one beat: titles from the narration, place in the scene, and the route,
/// on which `here` names the stop that the beat is about.
Stage common_stage(const SceneInput& input, std::string_view scene, const std::vector<Beat>& beats,
                   const Narration::Values& values, std::string_view here);

/// What every scene's sentences may name: {op}, {root}, {kernel}, {call}, {stream}, {device} ..., and things by the
/// names that were chosen: {n.sm}, {n.warps} ...
Narration::Values common_values(const SceneInput& input);

/// "1 block" or "3 blocks": the words [count] `thing` and `thing`s of the narration.
std::string count_text(const Narration& narration, std::string_view thing, std::int64_t count);

/// {stand_in}: what it is, {gpu}: simulated on what, and {percent}: how far that is.
void add_history_values(const SceneInput& input, Narration::Values& values);
/// Adds that a kernel simulated again left something else than its record says, where it did.
void add_announced_difference(const SceneInput& input, Stage& stage);

/// The ten stops from Python to the registers; the one whose key is `here` is marked.
std::vector<Stop> route_of(const SceneInput& input, std::string_view here);

/// "[[1024, 1024], []]" -> "1024 × 1024": the shapes of the inputs, scalars left out.
std::string shapes_text(std::string_view input_dims);

/// The kernel followed, or null where it is a copy or a fill (or nothing).
const trace::KernelDetail* kernel_detail(const Trace& trace, const Walk& walk);
/// The record of its launch; null where the trace has none.
const trace::KernelRecord* kernel_record(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::story
