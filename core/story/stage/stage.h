#pragma once

// This folder has the types that a scene gets and returns: input, controls, questions, the stage. Words and figures are
// in core/story/facts.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/story/elements/figure.h"
#include "core/story/elements/walk.h"
#include "core/story/pictures/bars.h"
#include "core/story/pictures/cards.h"
#include "core/story/stage/controls.h"
#include "core/story/stage/question.h"

namespace warpwalk::story {

/// A figure with its name.
struct Fact {
  std::string label;
  Figure figure;
};

/// One stop of the route from Python to the registers, as the breadcrumb shows it.
struct Stop {
  std::string key;    ///< the part of the way, independent of its name: "sm"
  std::string name;   ///< the hardware's name, the company's, or both
  std::string value;  ///< its value in this trace; empty if the trace does not say
  bool here = false;  ///< the stage is about this stop
};

/// Where the followed number is: the line under the sentence of every scene.
struct NumberLine {
  std::string name;  ///< "c[1, 2]"
  std::string text;
  std::optional<Origin> origin;  ///< of the figures in the text; nullopt: it has none
};

/// The cycle of a kernel that a stage shows.
struct CyclePlace {
  std::int64_t at = 0;
  std::int64_t end = 0;   ///< the cycle after the last one
  bool by_stops = false;  ///< cycles between two stops show the same: a single step goes to the next stop
};

// Pictures of single scenes; each is described in its scene's folder.
struct Panels;
struct ReceiptPicture;
struct TranslatorPicture;
struct WarehousePicture;
struct LaunchPicture;
struct PlanePicture;
struct SlidePicture;  // core/story/pictures/slide.h
struct SmPicture;
struct GatesPicture;

/// The place of a step in the tour, and where it leads on.
struct StepPlace {
  std::string chapter;  ///< "Inside an SM"
  CardLink deeper;      ///< the beat of a scene that has the rest of it
  CardLink lab;         ///< where a reader can change what the step shows; may be empty
};

/// The length of a beat's motion in seconds, unless its idea needs another one.
constexpr double usual_motion_seconds = 2;

/// Everything on screen at one moment: a pure function of SceneInput.
struct Stage {
  // Out of line: otherwise each scene and each panel compiles the copies of all members anew.
  Stage();
  Stage(const Stage&);
  Stage(Stage&&) noexcept;
  Stage& operator=(const Stage&);
  Stage& operator=(Stage&&) noexcept;
  ~Stage();

  std::string scene;        ///< "boardroom"
  int scene_number = 0;     ///< in the storyboard
  std::string scene_label;  ///< "Boardroom: the CPU submits"
  std::string key;          ///< of the beat: "launch"
  int beat = 1;
  int beats = 1;
  std::vector<int> first_route;  ///< the beats of the first route; the others go deeper
  double phase = 1;
  double motion_seconds = usual_motion_seconds;  ///< of the whole motion, at normal speed
  std::string title;
  std::string sentence;
  std::string own_words;  ///< what the lesson says at this step, for the class; may be empty
  std::optional<NumberLine> number;
  std::string head_facts;         ///< over the facts
  std::string head_missing;       ///< over what the trace lacks
  std::string place;              ///< "beat 3 of 5"
  std::optional<StepPlace> step;  ///< of a step of the tour
  std::vector<Stop> route;
  std::vector<Fact> facts;
  std::vector<std::string> missing;         ///< descriptions of the data that the trace lacks
  std::optional<CyclePlace> cycle;          ///< of a scene that goes through cycles
  std::optional<std::int64_t> now;          ///< the moment on the time axis, if it was requested by time
  std::vector<Control> controls;            ///< the settings that the user can change here
  std::string word_set;                     ///< shown beside a control that the user set
  base::NumberMarks marks;                  ///< of the numbers in the narration's language
  std::array<std::string, 4> origin_words;  ///< "measured", "simulated" ... in the narration's language, by Origin
  std::string note;                         ///< a note for the presenter; may be empty
  std::optional<Question> question;         ///< asked of the person, or answered
  std::string score;                        ///< of all questions, at the end of a walk or lesson; usually empty
  std::variant<std::monostate, TimelinePicture, std::shared_ptr<const Panels>, std::shared_ptr<const ReceiptPicture>,
               std::shared_ptr<const TranslatorPicture>, std::shared_ptr<const WarehousePicture>,
               std::shared_ptr<const LaunchPicture>, std::shared_ptr<const SmPicture>,
               std::shared_ptr<const GatesPicture>, std::shared_ptr<const PlanePicture>,
               std::shared_ptr<const SlidePicture>>
      picture;

  const std::string& word_of(Origin origin) const { return origin_words[static_cast<std::size_t>(origin)]; }
  /// The word for the origin of the followed number's line; empty if the line has no figure.
  std::string number_origin() const { return number && number->origin ? word_of(*number->origin) : std::string(); }
};

}  // namespace warpwalk::story
