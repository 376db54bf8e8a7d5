#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/panels/key_bar.h"
#include "app/panels/learner_bar.h"
#include "app/panels/note.h"
#include "app/panels/stage_view.h"
#include "app/shell/below_stage.h"
#include "app/shell/frame.h"
#include "app/shell/session/lesson_place.h"
#include "app/shell/walk_frame.h"
#include "core/story/scene_list.h"

namespace warpwalk::shell {
namespace {

using draw::Box;
using pages::Action;

// What the buttons of the bar do.
struct BarAction {
  std::string_view id;
  Action action;
};
constexpr std::array<BarAction, 13> bar_actions = {{{"back", Action::back},
                                                    {"next", Action::next},
                                                    {"words", Action::glossary},
                                                    {"deeper", Action::deeper},
                                                    {"main", Action::deeper},
                                                    {"return", Action::deeper},
                                                    {"out", Action::close},
                                                    {"lab", Action::lab},
                                                    {"run", Action::run},
                                                    {"kernel", Action::kernel_lab},
                                                    {"exercises", Action::exercises},
                                                    {"panels", Action::all_panels},
                                                    {"keys", Action::help}}};

// The beat's place among those that the arrow keys step through.
struct Position {
  std::size_t at = 0, of = 0;  // from 1
  std::size_t more = 0;        // beats that go deeper
};

// None in the tour, in labs and lessons, and where all beats are stepped through or this one goes deeper itself.
std::optional<Position> position_on_route(const pages::Opened& opened) {
  const story::Stage& stage = *opened.stage;
  if (stage.scene_number == 0 || !opened.view.first_route || opened.lesson) return {};
  const auto at = std::ranges::find(stage.first_route, stage.beat);
  if (at == stage.first_route.end()) return {};
  return Position{static_cast<std::size_t>(at - stage.first_route.begin()) + 1, stage.first_route.size(),
                  static_cast<std::size_t>(stage.beats) - stage.first_route.size()};
}

std::string short_place(const Parts& parts) {
  const pages::Opened& opened = parts.opened();
  if (opened.lesson && !away_from_step(opened)) return parts.words.text("learner", "lesson", lesson_values(opened));
  if (const auto on_route = position_on_route(opened))
    return parts.words.text("learner", "beat",
                            {{"beat", std::to_string(on_route->at)}, {"beats", std::to_string(on_route->of)}});
  return opened.stage->place;
}

// With the number of beats that go deeper, if it is known.
std::string whole_place(const Parts& parts, const std::string& place) {
  const pages::Opened& opened = parts.opened();
  std::size_t more = 0;
  if (opened.stage->step) {
    const story::Scene* const scene = story::find_scene(opened.stage->step->deeper.scene);
    if (scene != nullptr) more = scene->beats(opened.document->trace(), opened.walk).size();
  } else if (const auto on_route = position_on_route(opened)) {
    more = on_route->more;
  }
  if (more == 0) return place;
  return parts.words.text(
      "learner", "place",
      {{"place", place}, {"n", std::to_string(more)}, {"key", pages::key_of(Action::deeper, parts.words)}});
}

// Where a learner can try what the stage is about.
std::string_view trying(const story::Stage& stage) {
  constexpr std::array<std::string_view, 4> in_kernels = {"launch", "sm", "schedulers", "lanes"};
  if (stage.step) return std::ranges::find(in_kernels, stage.step->deeper.scene) != in_kernels.end() ? "kernel" : "run";
  if (stage.scene_number == 0) return "exercises";
  return std::ranges::find(in_kernels, stage.scene) != in_kernels.end() ? "kernel" : "run";
}

std::vector<panels::BarButton> tools_of(const Parts& parts) {
  const pages::Opened& opened = parts.opened();
  const story::Stage& stage = *opened.stage;
  const auto words = [&](std::string_view key, const story::Narration::Values& values = {}) {
    return parts.words.text("learner", key, values);
  };
  std::vector<panels::BarButton> tools;
  const auto add = [&](std::string_view id, std::string word, Action action) {
    tools.push_back({id, std::move(word), pages::key_of(action, parts.words)});
  };
  const story::Scene* const scene = story::find_scene(stage.scene);
  const bool in_lab = scene != nullptr && scene->is_lab();
  add("words", words("words"), Action::glossary);
  if (const document::View* const step = parts.navigation.way_back().step(opened))
    add("return", words("return", {{"step", std::to_string(step->moment.value)}}), Action::deeper);
  else if (in_lab && (parts.navigation.way_back().view(opened) || (!opened.lesson && scene_of_lab(opened))))
    add("out", words("out"), Action::close);
  else if (stage.step ? !stage.step->deeper.empty() : position_on_route(opened) && position_on_route(opened)->more > 0)
    add("deeper", words("deeper"), Action::deeper);
  else if (stage.scene_number > 0 && !opened.view.first_route && !opened.lesson)
    add("main", words("main"), Action::deeper);
  if (stage.step ? !stage.step->lab.empty() : parts.navigation.lab_from_here().has_value())
    add("lab", words(in_lab ? "next_lab" : "lab"), Action::lab);
  const std::string_view tried = trying(stage);
  const auto at = std::ranges::find(bar_actions, tried, &BarAction::id);
  add(tried, words("try"), at->action);
  add("panels", words("panels"), Action::all_panels);
  add("keys", words("keys"), Action::help);
  return tools;
}

std::optional<Action> action_of_button(std::string_view id) {
  const auto at = std::ranges::find(bar_actions, id, &BarAction::id);
  return at == bar_actions.end() ? std::nullopt : std::optional(at->action);
}

}  // namespace

void paint_learner(draw::Ui& ui, Parts& parts, Actions& actions, const std::string& work) {
  draw::Canvas& canvas = ui.canvas();
  const pages::Opened& opened = parts.opened();
  const float keys_high = is_overview(opened) ? panels::key_bar_height : 0;
  const float note_high = speaker_note_height(canvas, parts, canvas.width());
  const LearnerLayout at = learner_layout(canvas.width(), canvas.height(), keys_high + note_high);
  const std::string place = short_place(parts);
  const Box below_head = {0, at.stage.y, canvas.width(), at.stage.height};
  canvas.clip(below_head);
  const pictures::Touch touched =
      panels::stage_view(canvas, &ui, at.stage, *opened.stage, panels::StageHead::learner, &parts.glossary);
  canvas.unclip();
  std::optional<Action> way_on;
  if (keys_high > 0) way_on = overview_keys(ui, {at.stage.x, at.strip.y, at.stage.width, keys_high}, parts);
  const bool goes_on =
      note_high > 0 && paint_speaker_note(ui, {0, at.strip.y + keys_high, canvas.width(), note_high}, parts);
  panels::LearnerBar bar;
  bar.back = {"back", parts.words.text("learner", "back"), {}};
  bar.next = {"next", parts.words.text("learner", "next"), {}};
  bar.place = place;
  bar.tools = tools_of(parts);
  bar.hint = frame_hint(parts, work, note_high > 0);
  // A long hint stands over the title.
  std::string above;
  if (!panels::has_room_for_hint(canvas, at.bar, bar)) std::swap(above, bar.hint);
  paint_learner_head(canvas, at.head, *opened.stage, whole_place(parts, place), above);
  const auto pressed = panels::learner_bar(ui, at.bar, bar);
  // Below title and sentence, so that it covers neither these nor the question and the bar.
  const float words_high =
      1.1f * canvas.line_height(draw::Style::title) + 2.4f * canvas.line_height(draw::Style::sentence);
  panels::paint_note(canvas, {0, at.stage.y + words_high, canvas.width(), at.stage.height - words_high},
                     parts.messages.note(), panels::NoteEdge::top);

  // Actions come after everything is drawn, so that one frame shows one state.
  if (way_on) actions.act(*way_on);
  if (goes_on) actions.act(Action::last);
  actions.touch(touched);
  if (pressed)
    if (const auto action = action_of_button(*pressed)) actions.act(*action);
}

}  // namespace warpwalk::shell
