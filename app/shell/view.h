#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::shell {

/// What is looked at. Together with the file it is the whole state of a picture: a link is nothing but this, written
/// out.
struct View {
  std::filesystem::path file;
  std::string follow;  ///< op:N, kernel:N or launch:N; empty: the op with the most GPU time
  std::string scene = "boardroom";
  story::Moment moment{story::Moment::Kind::beat, 1, 1};
  story::Controls controls;
  story::Naming naming = story::Naming::both;
  friend bool operator==(const View&, const View&) = default;
};

/// The command that opens exactly this view again, quoted for a shell.
std::string command_for(const View& view, std::string_view theme);

/// The view as one line of text, and back; none where the text is no link.
std::string link_of(const View& view);
std::optional<View> view_of_link(std::string_view link);

/// A place in the walk: a beat of a scene. All places in order are what the person steps through.
struct Place {
  const story::Scene* scene = nullptr;
  std::int64_t beat = 1;
  friend bool operator==(const Place&, const Place&) = default;
};
std::vector<Place> places_of(const trace::Trace& trace, const story::Walk& walk);
/// The place of a view; a moment given by time counts as the beat that it falls in.
std::size_t place_index(const std::vector<Place>& places, const View& view, const trace::Trace& trace,
                        const story::Walk& walk);
/// `steps` places on (negative: back), from any view; stops at both ends. Going on starts the motion, going back shows
/// it done, so that step(n) then back(n) is where one was.
View stepped(const View& view, std::int64_t steps, const trace::Trace& trace, const story::Walk& walk);
/// The first beat of the next scene (or with -1: of this one, then of the one before).
View scene_stepped(const View& view, int steps, const trace::Trace& trace, const story::Walk& walk);

}  // namespace warpwalk::shell
