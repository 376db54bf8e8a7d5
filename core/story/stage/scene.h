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
struct TraceComparison;
struct TraceSummary;
struct WorkProfile;
struct RankReport;  // core/analysis/ranks/rank_report.h

}  // namespace warpwalk::analysis

namespace warpwalk::records {
struct Hardware;
}  // namespace warpwalk::records

namespace warpwalk::words {
struct OpenDump;  // core/words/crash/open_dump.h
}  // namespace warpwalk::words

namespace warpwalk::story {

using records::Hardware;

/// The narration of a SceneInput: a reference, so that an input can be copied whole and then get other texts.
class InputNarration {
 public:
  InputNarration(const Narration& narration) : narration_(&narration) {}
  operator const Narration&() const { return *narration_; }
  std::string text(std::string_view section, std::string_view key, const Narration::Values& values = {}) const {
    return narration_->text(section, key, values);
  }
  bool has(std::string_view section, std::string_view key) const { return narration_->has(section, key); }
  std::vector<std::string> keys(std::string_view section) const { return narration_->keys(section); }

 private:
  const Narration* narration_;
};

/// The inputs of a stage, which is a pure function of them.
struct SceneInput {
  const Trace& trace;
  const Walk& walk;
  InputNarration narration;
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
  const analysis::TraceSummary* compared = nullptr;       ///< of a second trace, to compare `trace` with
  const analysis::WorkProfile* work = nullptr;            ///< of `trace`, if it was made beforehand
  const analysis::TraceComparison* comparison = nullptr;  ///< of its GPU work by the step; null: not made
  const analysis::RankReport* ranks = nullptr;  ///< all ranks of the run that `trace` belongs to; null: it is alone
  std::size_t rank = 0;                         ///< index in RankReport::ranks of the one that `trace` is of
  words::OpenDump* dump = nullptr;              ///< a GPU core dump, which is open in place of a trace; null: none

  /// The value that the person set for a control of a scene; none if it follows the trace.
  std::optional<double> set(std::string_view scene, std::string_view control) const {
    return controls.get(scene, control);
  }
};

/// What a beat needs of the followed kernel beyond the trace.
enum class Needs : std::uint8_t {
  nothing,
  history,  ///< SceneInput::history, which takes seconds to build
  cycles,   ///< also its cycles: HistoryView::travel
};

/// One step of a scene, as one walk has it: a sentence appears, and a motion follows. Its other parts are in
/// core/story/beats.
struct Beat {
  std::string key;          ///< names it within its scene: "wait"
  std::int64_t anchor = 0;  ///< ns since the trace's start: the time of this beat
  bool history = false;     ///< it shows SceneInput::history
  /// It belongs to the first route: one idea each, enough to retell what happens. The others go deeper.
  bool first_route = false;
  bool any_cycle = false;  ///< it shows any cycle that is asked for; without one in a scene, the last beat does
  run::WhatIf (*what_if)(const Controls&) = nullptr;  ///< the change of the GPU that it shows; null: none
};

/// The beats of a scene and the stages that they make. core/story/beats has the one implementation.
class Contents {
 public:
  virtual ~Contents() = default;
  /// The beats of this walk, one at least, by time.
  virtual std::vector<Beat> beats(const Trace& trace, const Walk& walk) const = 0;
  /// The keys of all beats that a walk can have.
  virtual std::vector<std::string_view> keys() const = 0;
  /// The stage of the beat at `input.moment`, which the walk has.
  virtual Stage stage(const SceneInput& input) const = 0;
  /// The next or the previous cycle of interest in the beat at `input.moment`; none if there is none near.
  virtual std::optional<std::int64_t> next_cycle(const SceneInput& input, bool forward) const = 0;
  /// Whether any of its beats goes through cycles.
  virtual bool has_cycles() const = 0;
  /// Whether any of its beats needs the kernel's cycles.
  virtual bool needs_cycles() const = 0;
};

/// A scene of the storyboard, or a lab.
struct Scene {
  int number;             ///< in the storyboard; 0 for a lab and for the tour
  std::string_view name;  ///< as in `render --scene`: "sm", "lab/launch-anatomy"
  const Contents& contents;
  std::string_view opens_from = {};     ///< the scene that a lab belongs to
  std::vector<TextControl> texts = {};  ///< its controls that hold a text

  bool is_lab() const { return !opens_from.empty(); }
  std::vector<Beat> beats(const Trace& trace, const Walk& walk) const { return contents.beats(trace, walk); }
  Stage stage(const SceneInput& input) const { return contents.stage(input); }
};

/// Puts the anchors in order: a beat about an earlier time gets the anchor of the beat before it.
std::vector<Beat> in_order(std::vector<Beat> beats);

/// The last beat whose anchor is not after this time (ns since the trace's start), from 1.
std::int64_t beat_at(const std::vector<Beat>& beats, std::int64_t time);

/// "[[1024, 1024], []]" -> "1024 × 1024": the shapes of the inputs, without scalars.
std::string shapes_text(std::string_view input_dims);

}  // namespace warpwalk::story
