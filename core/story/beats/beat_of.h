#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/story/beats/here.h"
#include "core/story/facts/words/ask.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/pictures/panels.h"
#include "core/story/stage/control_set.h"
#include "core/story/stage/stage.h"

namespace warpwalk::story {

using PanelRows = std::vector<PanelRow>;
using ControlNames = std::vector<std::string_view>;

/// The texts that replace a beat whose data is missing.
struct MissingData {
  std::string_view fact;              ///< why: a key of [SCENE.missing]
  std::string_view section = "none";  ///< of its texts, after "SCENE."
};

/// One step of a scene or lab, as a value. `Subject` holds the data of the scene's pictures and words; it is made once
/// for each stage. `More` holds fields that only the beats of this scene have. A function that is null adds nothing.
template <class Subject, class More = std::monostate>
struct BeatOf {
  /// Names the beat in links and lessons, and its texts in the narration: [SCENE.KEY].
  std::string_view key;
  /// The beat's time in ns since the trace's start, or none if this walk does not have the beat. If the function is
  /// null, every walk has the beat, at time 0.
  std::optional<std::int64_t> (*anchor)(const WalkTimes&) = nullptr;
  Needs needs = Needs::nothing;
  bool first_route = false;                      ///< it belongs to the first route; others go deeper
  bool any_cycle = false;                        ///< it shows any cycle that is asked for
  std::string_view stop = {};                    ///< of the route that it is about; empty: that of its frame
  double motion_seconds = usual_motion_seconds;  ///< length of its motion at normal speed
  /// Returns the replacing texts if the beat's data is missing; the beat then has no facts, picture or question.
  std::optional<MissingData> (*missing)(const Subject&) = nullptr;
  /// The section of its texts, after "SCENE.", if that depends on the subject. If it is null, the section is the key.
  std::string (*section)(const Subject&) = nullptr;
  /// Values for its texts, besides those of its frame.
  void (*values)(const Subject&, Narration::Values&) = nullptr;
  void (*facts)(const Subject&, FactWriter&) = nullptr;
  /// The rows of its picture, if that is composed of panels. Without rows there is no picture.
  PanelRows (*panels)(const Subject&) = nullptr;
  /// Puts any other picture on the stage, and controls that only this beat has.
  void (*picture)(const Subject&, Stage&) = nullptr;
  /// The names of the frame's controls that it shows. If the function is null, it shows all of them.
  ControlNames (*controls)(const Subject&) = nullptr;
  /// The question that it asks before it shows the answer. It is called only if questions are on.
  std::optional<Ask> (*question)(const Subject&) = nullptr;
  /// The change of the GPU that it shows beside the GPU as it is.
  run::WhatIf (*what_if)(const Controls&) = nullptr;
  /// The next or the previous cycle of interest, for a beat that goes through cycles.
  std::optional<std::int64_t> (*next_cycle)(const Subject&, bool forward) = nullptr;
  More more = {};
};

/// The properties that all beats of one subject share.
template <class Subject, class More = std::monostate>
struct Frame {
  Subject (*subject)(const Here&) = nullptr;
  std::string_view stop = {};  ///< of the route
  /// Returns the section of the texts that replace the beat while its subject cannot be made, for example while its
  /// cycles are simulated, and adds the values of those texts. Returns an empty text if the subject can be made.
  std::string (*instead)(const Here&, Narration::Values&) = nullptr;
  /// Returns the stage that replaces every beat if the subject has nothing to show, for example because a typed
  /// expression has an error.
  std::optional<Stage> (*otherwise)(Subject&, const Here&) = nullptr;
  /// Values for the texts of all its beats. If it is null, they are common_values().
  Narration::Values (*values)(const Subject&) = nullptr;
  void (*facts)(const Subject&, FactWriter&) = nullptr;  ///< before those of the beat
  /// Completes the stage before the beat's picture: controls, cycle, what comes after the beat's facts.
  void (*complete)(Subject&, const Narration::Values&, Stage&) = nullptr;
};

/// A stage with the texts and the number of the shown beat, without facts and picture.
Stage worded_stage(const Here& here, std::string_view section, const Narration::Values& values, std::string_view stop);

/// A beat of a table: its value, in a frame that outlives it.
template <class Subject, class More>
class FramedBeat final : public HeldBeat<BeatOf<Subject, More>> {
 public:
  using Row = BeatOf<Subject, More>;
  FramedBeat(const Frame<Subject, More>& frame, Row row) : HeldBeat<Row>(std::move(row)), frame_(frame) {}

  std::optional<Beat> in(const WalkTimes& times) const override {
    const Row& row = this->row;
    const std::optional<std::int64_t> anchor = row.anchor == nullptr ? 0 : row.anchor(times);
    if (!anchor) return {};
    return Beat{std::string(row.key), *anchor,       row.needs != Needs::nothing,
                row.first_route,      row.any_cycle, row.what_if};
  }

  std::string_view key() const override { return this->row.key; }

  Stage stage(const Here& here) const override {
    const Row& row = this->row;
    const std::string_view stop = row.stop.empty() ? frame_.stop : row.stop;
    if (frame_.instead != nullptr) {
      Narration::Values values = common_values(here.input);
      if (const std::string section = frame_.instead(here, values); !section.empty())
        return worded_stage(here, section, values, stop);
    }
    Subject subject = frame_.subject(here);
    if (frame_.otherwise != nullptr)
      if (std::optional<Stage> stage = frame_.otherwise(subject, here)) return std::move(*stage);
    Narration::Values values = frame_.values == nullptr ? common_values(here.input) : frame_.values(subject);
    const std::optional<MissingData> missing = row.missing == nullptr ? std::nullopt : row.missing(subject);
    if (row.values != nullptr && !missing) row.values(subject, values);
    const std::string section = missing                  ? std::string(missing->section)
                                : row.section == nullptr ? std::string(row.key)
                                                         : row.section(subject);
    Stage stage = worded_stage(here, section, values, stop);
    stage.motion_seconds = row.motion_seconds;
    FactWriter facts(here.input, values, stage);
    if (missing) facts.missing(missing->fact);
    if (frame_.facts != nullptr && !missing) frame_.facts(subject, facts);
    if (row.facts != nullptr && !missing) row.facts(subject, facts);
    if (frame_.complete != nullptr) frame_.complete(subject, values, stage);
    if (row.controls != nullptr) keep_controls(stage, row.controls(subject));
    if (missing) return stage;
    if (row.panels != nullptr)
      if (PanelRows rows = row.panels(subject); !rows.empty())
        stage.picture = std::make_shared<const Panels>(Panels{std::move(rows)});
    if (row.picture != nullptr) row.picture(subject, stage);
    if (row.question != nullptr && here.input.predictions.asking)
      if (const std::optional<Ask> asked = row.question(subject)) ask(here.input, values, *asked, stage);
    return stage;
  }

  std::optional<std::int64_t> next_cycle(const Here& here, bool forward) const override {
    if (this->row.next_cycle == nullptr) return {};
    Narration::Values values;
    if (frame_.instead != nullptr && !frame_.instead(here, values).empty()) return {};
    return this->row.next_cycle(frame_.subject(here), forward);
  }
  bool has_cycles() const override { return this->row.next_cycle != nullptr; }
  Needs needs() const override { return this->row.needs; }

 private:
  const Frame<Subject, More>& frame_;
};

/// The beats of a scene or lab in their order.
class BeatTable final : public Contents {
 public:
  BeatTable(std::string_view scene, std::vector<std::shared_ptr<const AnyBeat>> beats)
      : scene_(scene), beats_(std::move(beats)) {}
  /// Beats of one subject. `frame` outlives the table.
  template <class Subject, class More>
  BeatTable(std::string_view scene, const Frame<Subject, More>& frame,
            std::type_identity_t<std::span<const BeatOf<Subject, More>>> beats)
      : scene_(scene) {
    for (const BeatOf<Subject, More>& beat : beats)
      beats_.push_back(std::make_shared<const FramedBeat<Subject, More>>(frame, beat));
  }

  std::vector<Beat> beats(const Trace& trace, const Walk& walk) const override;
  std::vector<std::string_view> keys() const override;
  Stage stage(const SceneInput& input) const override;
  std::optional<std::int64_t> next_cycle(const SceneInput& input, bool forward) const override;
  bool has_cycles() const override;
  bool needs_cycles() const override;

 private:
  Here here(const SceneInput& input) const;

  std::string_view scene_;
  std::vector<std::shared_ptr<const AnyBeat>> beats_;
};

/// A beat for a table of several subjects. `frame` outlives the table.
template <class Subject, class More>
std::shared_ptr<const AnyBeat> framed(const Frame<Subject, More>& frame,
                                      std::type_identity_t<BeatOf<Subject, More>> row) {
  return std::make_shared<const FramedBeat<Subject, More>>(frame, std::move(row));
}

}  // namespace warpwalk::story
