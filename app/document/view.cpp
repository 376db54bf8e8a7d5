#include "app/document/view.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "app/document/view_options.h"
#include "core/story/scene_list.h"

namespace warpwalk::document {
namespace {

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out.push_back(c);
  }
  return out += "'";
}

// '%' and '&' as %25 and %26, so that a file's name or a typed text can stand before other parts of a link.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '&')
      out += c == '%' ? "%25" : "%26";
    else
      out.push_back(c);
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view code = text.substr(i, 3);
    if (code != "%25" && code != "%26") {
      out.push_back(text[i]);
      continue;
    }
    out.push_back(code == "%25" ? '%' : '&');
    i += 2;
  }
  return out;
}

View at_place(const View& view, const Place& place, bool moving) {
  View next = view;
  next.scene = place.scene->name;
  next.moment = {story::Moment::Kind::beat, place.beat, moving ? 0.0 : 1.0};
  return next;
}

}  // namespace

std::string command_for(const View& view, std::string_view theme, bool own) {
  std::string command = "warpwalk";
  for (const std::filesystem::path& path : view.ranks) command += " " + shell_quoted(path.string());
  if (view.ranks.empty()) command += " " + shell_quoted(view.file.string());
  if (!view.ranks.empty() && view.rank != analysis::any_rank) command += fmt::format(" --rank {}", view.rank);
  command += " --scene " + view.scene + " --at " + story::text_of(view.moment);
  if (!view.compare.empty()) command += " --compare " + shell_quoted(view.compare.string());
  if (!view.follow.empty()) command += " --follow " + view.follow;
  for (const auto& [name, setting] : view.controls.all())
    command += " --set " + shell_quoted(story::setting_text(name, setting));
  if (own || view.naming != story::Naming::both) command.append(" --names ").append(story::name_of(view.naming));
  if (theme != "dark") command.append(" --theme ").append(theme);
  return command;
}

std::string link_of(const View& view) {
  std::string link = fmt::format("scene={}&at={}&follow={}&names={}", view.scene, story::text_of(view.moment),
                                 view.follow, story::name_of(view.naming));
  for (const auto& [name, setting] : view.controls.all()) link += "&set=" + escaped(story::setting_text(name, setting));
  if (!view.compare.empty()) link += "&compare=" + escaped(view.compare.string());
  for (const std::filesystem::path& path : view.ranks) link += "&ranks=" + escaped(path.string());
  if (!view.ranks.empty() && view.rank != analysis::any_rank) link += fmt::format("&rank={}", view.rank);
  return link + "&file=" + view.file.string();  // last, because a file's name may contain anything
}

View named(View view, const story::Stage& stage) {
  if (view.moment.kind == story::Moment::Kind::beat && view.scene == stage.scene && view.moment.value == stage.beat)
    view.moment = {story::Moment::Kind::named, view.moment.value, view.moment.phase, stage.key};
  return view;
}

std::optional<View> view_of_link(std::string_view link) {
  View view;
  while (!link.empty()) {
    const std::size_t equals = link.find('=');
    if (equals == std::string_view::npos) return {};
    const std::string_view key = link.substr(0, equals);
    if (key == "file") {
      view.file = link.substr(equals + 1);
      if (view.file.empty() || story::unknown_beat(*story::find_scene(view.scene), view.moment)) return {};
      return view;
    }
    const std::size_t end = link.find('&');
    if (end == std::string_view::npos || end < equals) return {};
    const std::string_view value = link.substr(equals + 1, end - equals - 1);
    link.remove_prefix(end + 1);
    if (is_view_option(key)) {
      if (!set_view_option(view, key, unescaped(value))) return {};
    } else if (key == "compare") {
      view.compare = unescaped(value);
    } else if (key == "ranks") {
      view.ranks.emplace_back(unescaped(value));
    } else if (key == "rank") {
      const auto [end_of_number, error] = std::from_chars(value.data(), value.data() + value.size(), view.rank);
      if (error != std::errc{} || end_of_number != value.data() + value.size() || view.rank < 0) return {};
    } else {
      return {};
    }
  }
  return {};
}

bool has_tour(const trace::Trace& trace, const story::Walk& walk) { return !story::tour().beats(trace, walk).empty(); }

std::vector<Place> places_of(const trace::Trace& trace, const story::Walk& walk, bool first_route) {
  std::vector<Place> places;
  for (const story::Scene& scene : story::scenes())
    for (const int beat : story::beats_of(scene, trace, walk, first_route)) places.push_back({&scene, beat});
  return places;
}

std::size_t place_index(const std::vector<Place>& places, const View& view, const trace::Trace& trace,
                        const story::Walk& walk) {
  const story::Scene* scene = story::find_scene(view.scene);
  if (scene == nullptr) return 0;
  const std::int64_t beat = story::beat_of(*scene, trace, walk, view.moment);
  std::size_t index = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i].scene == scene && places[i].beat <= beat) index = i;
  return index;
}

std::vector<Place> places_around(const View& view, const trace::Trace& trace, const story::Walk& walk) {
  const story::Scene* const scene = story::find_scene(view.scene);
  if (scene == nullptr || scene->number > 0) return places_of(trace, walk, view.first_route);
  std::vector<Place> places;
  for (const int beat : story::beats_of(*scene, trace, walk, false)) places.push_back({scene, beat});
  return places;
}

namespace {

/// Whether the view shows a later beat of the place's scene.
bool is_behind(const View& view, const Place& place) {
  return view.moment.kind == story::Moment::Kind::beat && place.scene->name == view.scene &&
         place.beat < view.moment.value;
}

}  // namespace

View stepped(const View& view, std::int64_t steps, const trace::Trace& trace, const story::Walk& walk) {
  const std::vector<Place> places = places_around(view, trace, walk);
  auto from = static_cast<std::int64_t>(place_index(places, view, trace, walk));
  // From a beat that goes deeper, one step back leads to the place before it.
  if (steps < 0 && is_behind(view, places[static_cast<std::size_t>(from)])) ++from;
  const std::int64_t to = std::clamp<std::int64_t>(from + steps, 0, static_cast<std::int64_t>(places.size()) - 1);
  return at_place(view, places[static_cast<std::size_t>(to)], to > from);
}

View scene_stepped(const View& view, int steps, const trace::Trace& trace, const story::Walk& walk) {
  if (const story::Scene* lab = story::find_scene(view.scene); lab != nullptr && lab->is_lab())
    return at_place(view, {story::find_scene(lab->opens_from), 1}, false);
  const std::vector<Place> places = places_of(trace, walk, view.first_route);
  const std::size_t from = place_index(places, view, trace, walk);
  std::size_t to = from;
  if (steps > 0) {
    while (to + 1 < places.size() && places[to].scene == places[from].scene) ++to;
    if (places[to].scene == places[from].scene) to = from;  // the last scene
  } else {
    const auto is_first = [&](std::size_t at) { return at == 0 || places[at - 1].scene != places[at].scene; };
    if (is_first(from) && to > 0 && !is_behind(view, places[from])) --to;
    while (!is_first(to)) --to;
  }
  return at_place(view, places[to], to > from);
}

}  // namespace warpwalk::document
