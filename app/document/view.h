#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/ranks/rank_source.h"
#include "core/story/stage/scene.h"

namespace warpwalk::document {

/// What is shown. It is the whole state of a picture; a link is a View as text.
struct View {
  std::filesystem::path file;  ///< with `ranks`, the trace of the rank that is open
  /// The traces of all ranks of a run, which are opened together: a folder, or several files. Empty: one trace.
  std::vector<std::filesystem::path> ranks = {};
  std::int64_t rank = analysis::any_rank;  ///< with `ranks`: the number of the rank whose trace is open
  std::filesystem::path compare;           ///< a second trace, to compare with; empty: none
  std::string follow;                      ///< as story::follow() takes it; empty: the op with the most GPU time
  std::string scene = "boardroom";
  story::Moment moment{story::Moment::Kind::beat, 1, 1};
  story::Controls controls;
  story::Naming naming = story::Naming::both;
  bool first_route = false;  ///< steps go through the first route only, not through every beat
  friend bool operator==(const View&, const View&) = default;
};

/// What a person left open when a file was opened. It is chosen once the file is read, by what the file is.
struct LeftOpen {
  bool place = false;                      ///< scene, moment, and what is followed
  bool names = false;                      ///< View::naming
  story::SliceId slice = story::no_slice;  ///< not left open, but clicked: a slice of another rank's trace
};

/// The lab that an own trace opens on.
inline constexpr std::string_view overview_scene = "lab/overview";
/// The scene and beat that compare a second trace with the open one.
inline constexpr std::string_view compare_scene = overview_scene;
inline story::Moment compare_moment() { return {story::Moment::Kind::named, 1, 1, "compare"}; }
/// The lab that ranks open on: who waits for whom.
inline constexpr std::string_view ranks_scene = "ranks";
/// The scene that a GPU core dump opens on.
inline constexpr std::string_view crash_scene = "crash";

/// The command that opens this view again, quoted for a shell. `own`: it is of an own trace, whose usual names are
/// others.
std::string command_for(const View& view, std::string_view theme, bool own = false);

/// A view as one line of text, and back; nullopt if the text is not a link.
std::string link_of(const View& view);
/// The same view with its beat by its key, as links and lessons name it: numbers change when a scene gets another beat.
/// `stage`: what it shows.
View named(View view, const story::Stage& stage);
std::optional<View> view_of_link(std::string_view link);

/// A place in the walk: a beat of a scene. Next and back step through all places in order.
struct Place {
  const story::Scene* scene = nullptr;
  std::int64_t beat = 1;
  friend bool operator==(const Place&, const Place&) = default;
};
/// Whether the walk has the tour, the first half hour on one plane.
bool has_tour(const trace::Trace& trace, const story::Walk& walk);
/// `first_route`: only those of the first route (story::first_route).
std::vector<Place> places_of(const trace::Trace& trace, const story::Walk& walk, bool first_route = false);
/// The places that the view steps through: those of the walk, or in a lab or the tour its own beats.
std::vector<Place> places_around(const View& view, const trace::Trace& trace, const story::Walk& walk);
/// The index of a view's place. A moment given by time counts as the beat that contains it.
std::size_t place_index(const std::vector<Place>& places, const View& view, const trace::Trace& trace,
                        const story::Walk& walk);
/// The view `steps` places further (negative: back); stops at both ends. Forward starts the beat's motion, backward
/// shows its end, so that n steps forward and n back lead to the same view.
View stepped(const View& view, std::int64_t steps, const trace::Trace& trace, const story::Walk& walk);
/// The first beat of the next scene; with -1 the first beat of this scene, then of the previous one.
View scene_stepped(const View& view, int steps, const trace::Trace& trace, const story::Walk& walk);

}  // namespace warpwalk::document
