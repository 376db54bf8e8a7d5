// What keys do about presenting.
#include <algorithm>
#include <array>

#include "app/shell/actions.h"
#include "app/shell/session/lesson_place.h"

namespace warpwalk::shell {
namespace {

using pages::Action;

// What shows recent files, folders, names, or words of the lecturer's own: never on the projected picture.
constexpr std::array<Action, 6> private_actions = {Action::start,  Action::files,   Action::compare,
                                                   Action::search, Action::compose, Action::hand_in};

// Whether the texts below the stage are all for the class. Where a lesson has none, its notes stand there.
bool texts_are_for_class(const pages::Opened& opened) {
  return opened.lesson &&
         std::ranges::none_of(opened.lesson->steps, [](const lessons::LessonStep& step) { return step.text.empty(); });
}

}  // namespace

void Actions::present(bool on) {
  Presentation& presentation = parts_.presentation;
  const bool ends = presentation.on() && !on;
  presentation.set_on(on);
  if (on) pages_.close();  // it may show what is not for the class
  // Notes do not appear by themselves where the stage was projected; N shows them.
  if (ends && !texts_are_for_class(parts_.opened())) parts_.panels.notes = false;
}

bool Actions::act_while_presenting(Action action) {
  if (!parts_.presentation.on() || std::ranges::find(private_actions, action) == private_actions.end()) return false;
  if (action == Action::compose)
    show_steps();
  else
    parts_.messages.fail("private", {{"key", pages::key_of(Action::present, parts_.words)}});
  return true;
}

bool Actions::act_on_presentation(Action action) {
  Presentation& presentation = parts_.presentation;
  constexpr float larger = 1.15f;
  switch (action) {
    case Action::present: present(!presentation.on()); return true;
    case Action::blank: presentation.set_blank(!presentation.blank()); return true;
    case Action::notes:  // never on the projected picture
      if (parts_.host.for_class && (presentation.on() || !parts_.opened().lesson))
        parts_.messages.fail("for_class");
      else if (presentation.on())
        presentation.set_lecturer(!presentation.lecturer());
      else
        parts_.panels.notes = !parts_.panels.notes;
      return true;
    case Action::clock_zero: presentation.restart_clock(); return true;
    case Action::pen:
    case Action::pointer:
    case Action::wipe:
    case Action::larger_type:
    case Action::smaller_type: break;
    default: return false;
  }
  if (!presentation.on()) {
    parts_.messages.fail("only_presenting", {{"key", pages::key_of(Action::present, parts_.words)}});
    return true;
  }
  StagePen& pen = presentation.pen();
  if (action == Action::pen) pen.choose(StagePen::Tool::pen);
  if (action == Action::pointer) pen.choose(StagePen::Tool::pointer);
  if (action == Action::wipe) pen.wipe();
  if (action == Action::larger_type) presentation.zoom_lecturer(larger);
  if (action == Action::smaller_type) presentation.zoom_lecturer(1 / larger);
  return true;
}

void Actions::show_steps() {
  Presentation& presentation = parts_.presentation;
  if (parts_.host.for_class) return parts_.messages.fail("for_class");
  if (presentation.steps().shown()) return presentation.steps().hide();
  if (!presentation.lecturer()) presentation.set_lecturer(true);
  presentation.show_steps(parts_.stages, parts_.opened());
}

bool Actions::choose_step(const draw::KeyPress& press) {
  Presentation& presentation = parts_.presentation;
  if (!presentation.lecturer_visible() || !presentation.steps().key(press)) return false;
  take_step();
  return true;
}

void Actions::take_step() {
  const std::optional<std::size_t> step = parts_.presentation.steps().take_choice();
  const pages::Opened& opened = parts_.opened();
  if (!step || !opened.document) return;
  if (opened.lesson) {
    if (*step < opened.lesson->steps.size()) parts_.session.go_to_step(*step, true);
    return;
  }
  const std::vector<document::Place> places =
      document::places_around(opened.view, opened.document->trace(), opened.walk);
  if (*step >= places.size()) return;
  View view = opened.view;
  view.scene = places[*step].scene->name;
  view.moment = {story::Moment::Kind::beat, places[*step].beat, 0};
  parts_.session.go(view);
}

}  // namespace warpwalk::shell
