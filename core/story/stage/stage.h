#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

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

/// What a bar stands for; its colour and pattern follow from it.
enum class Role : std::uint8_t { python, op, call, launch, wait, kernel, copy, overhead };
/// The word for it in legends and transcripts.
std::string_view name_of(Role role);
/// The same for several.
std::string_view names_of(Role role);

struct Bar {
  SliceId slice = no_slice;
  std::string label;
  std::int64_t start = 0;  ///< ns since the trace's start, like all times on a stage
  std::int64_t end = 0;
  Role role = Role::op;
  bool followed = false;
  std::uint32_t merged = 1;  ///< neighbours too short to be told apart are one bar
};

struct Row {
  std::string name;
  std::vector<Bar> bars;  ///< by start
  double shown = 1;       ///< 0 not yet, 1 fully there
};

struct RowGroup {
  std::string name;
  std::vector<Row> rows;
};

/// A stretch of time with its length written on it, between two rows of groups.
struct Measure {
  std::string label;
  std::int64_t start = 0;
  std::int64_t end = 0;
  double shown = 1;
  bool along_arrow = false;  ///< it says how long the arrow's way takes, and stands on the arrow
};

/// An arrow from a bar to what it caused; `travelled` is how far along its packet is.
struct Arrow {
  SliceId from = no_slice;
  SliceId to = no_slice;
  double travelled = 1;
};

/// Rows of bars over one axis of time; or, without times, in their order.
struct TimelinePicture {
  double from = 0;  ///< ns: what the axis shows
  double to = 1;
  bool untimed = false;  ///< there is no axis: a bar's start is its place in the order, from 0
  std::vector<RowGroup> groups;
  std::vector<Measure> measures;
  std::vector<Arrow> arrows;
  std::vector<std::pair<Role, std::string>> legend;  ///< words for the roles, shown for those that are there
  std::string scale_note;
};

/// One line of the receipt.
struct ReceiptLine {
  std::string key;  ///< cpu, launch, queue, kernel
  std::string label;
  std::string note;  ///< what the line stands for, in words
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t overhead_start = 0;  ///< the profiler's own work inside it; equal to overhead_end where none
  std::int64_t overhead_end = 0;
  Role role = Role::op;
  std::optional<Figure> time;
  std::optional<Figure> share;
  double shown = 1;
  bool current = false;
};

/// One thing that was counted while a kernel ran, in place of a time.
struct CountedLine {
  std::string key;  ///< name of the counter in the trace
  std::string label;
  std::string note;  ///< what is counted, in words
  Figure count;
  std::string each_label;      ///< name of the ratio
  std::optional<Figure> each;  ///< a ratio that says more than the count
  double shown = 1;
  bool current = false;
};

/// One counter of a real GPU beside the simulated one's.
struct ComparedLine {
  std::string key;  ///< name of the counter in the trace
  std::string label;
  std::string note;  ///< what is counted, in words
  Figure measured;
  Figure simulated;
  std::optional<Figure> error;  ///< none where the measured count is 0 and the simulated one is not
  double shown = 1;
};

/// A station of the company and the hardware that it stands for.
struct Station {
  std::string company;
  std::string hardware;
  std::string value;    ///< of this trace; empty where it does not say
  std::string missing;  ///< then: why, in words
  Origin origin = Origin::measured;
  std::string formula;  ///< of a derived value
  std::string task;     ///< what this desk, or this hardware, does, in words; empty where the scene has gone on
  double folded = 1;    ///< 0: the company's name stands, 1: the hardware's
};

struct ReceiptPicture {
  std::vector<Station> stations;
  std::vector<ReceiptLine> lines;
  std::int64_t from = 0;
  std::int64_t to = 1;
  std::optional<Figure> total;
  double total_shown = 0;
  std::string head_receipt, head_time, head_share, word_profiler, word_total;  ///< worded by the narration
  std::vector<CountedLine> counted;  ///< in place of lines, where the trace has no times
  std::string banner;                ///< over `counted` and `compared`: whose counts these are, where not the trace's
  std::vector<ComparedLine> compared;
  std::string head_measured, head_simulated, head_error;
};

// The pictures of the scenes that have one of their own; each is described in a header of its scene's name.
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
  std::vector<std::string> missing;         ///< what the trace lacks, in words, in place of what could have been shown
  std::optional<std::int64_t> now;          ///< the moment on the axis of time, where it was asked for by time
  std::vector<Control> controls;            ///< what the person can set here
  std::string word_set;                     ///< beside a control that the person set
  std::array<std::string, 4> origin_words;  ///< "measured", "simulated" ... in the narration's language, by Origin
  std::string note;                         ///< for who presents: what to say, in words; may be empty
  std::variant<std::monostate, TimelinePicture, ReceiptPicture, std::shared_ptr<const TranslatorPicture>,
               std::shared_ptr<const WarehousePicture>, std::shared_ptr<const LaunchPicture>,
               std::shared_ptr<const SmPicture>>
      picture;

  const std::string& word_of(Origin origin) const { return origin_words[static_cast<std::size_t>(origin)]; }
};

}  // namespace warpwalk::story
