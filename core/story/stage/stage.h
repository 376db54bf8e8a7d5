#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/story/pictures/bars.h"
#include "core/story/stage/controls.h"
#include "core/story/stage/figure.h"
#include "core/story/stage/walk.h"

namespace warpwalk::story {

/// A figure with its name.
struct Fact {
  std::string label;
  Figure figure;
};

/// One stop of the route from Python to the registers, as the breadcrumb shows it.
struct Stop {
  std::string key;    ///< what it stands for, whatever it is called: "sm"
  std::string name;   ///< what it is called: the hardware's name, the company's, or both
  std::string value;  ///< what it is in this trace; empty where the trace does not say
  bool here = false;  ///< what is on stage is about this stop
};

// The pictures of the scenes that have one of their own; each is described in a header of its scene's name.
struct Panels;
struct ReceiptPicture;
struct TranslatorPicture;
struct WarehousePicture;
struct LaunchPicture;
struct SmPicture;

/// Everything that is on screen at one moment. A pure function of SceneInput: nothing is remembered.
struct Stage {
  std::string scene;        ///< "boardroom"
  int scene_number = 0;     ///< in the storyboard
  std::string scene_label;  ///< "Boardroom: the CPU submits"
  int beat = 1;
  int beats = 1;
  double phase = 1;
  std::string title;
  std::string sentence;
  std::string head_facts;    ///< over the facts
  std::string head_missing;  ///< over what the trace lacks
  std::string place;         ///< "beat 3 of 5"
  std::vector<Stop> route;
  std::vector<Fact> facts;
  std::vector<std::string> missing;  ///< what the trace lacks, in words, in place of what could have been shown
  std::optional<std::int64_t> now;   ///< the moment on the axis of time, where it was asked for by time
  std::vector<Control> controls;     ///< what the person can set here
  std::string word_set;              ///< beside a control that the person set
  std::array<std::string, 4> origin_words;  ///< "measured", "simulated" ... in the narration's language, by Origin
  std::string note;                  ///< for who presents: what to say, in words; may be empty
  std::variant<std::monostate, TimelinePicture, std::shared_ptr<const Panels>, std::shared_ptr<const ReceiptPicture>,
               std::shared_ptr<const TranslatorPicture>, std::shared_ptr<const WarehousePicture>,
               std::shared_ptr<const LaunchPicture>, std::shared_ptr<const SmPicture>>
      picture;

  const std::string& word_of(Origin origin) const { return origin_words[static_cast<std::size_t>(origin)]; }
};

}  // namespace warpwalk::story
