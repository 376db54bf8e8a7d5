#include "app/pages/lesson/lesson_view.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/pages/lesson/lesson_cards.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Key;
using draw::Style;
using LessonAction = LessonPageChoice::Kind;

constexpr float lesson_margin = 28, lesson_gap = 36, lesson_head_height = 60, card_top_gap = 14;
constexpr float step_row_height = 64, step_picture_width = 96, step_picture_height = 54;
constexpr std::string_view list_id = "lesson.list";

std::string word(draw::Ui& ui, std::string_view key, const story::Narration::Values& values = {}) {
  return ui.word("lesson_page", key, values);
}

/// The first field of a card, which gets the focus when a key turns to it.
std::string_view first_field(LessonCard card, bool slide) {
  switch (card) {
    case LessonCard::words: return "lesson.step_title";
    case LessonCard::question: return "lesson.question";
    case LessonCard::picture: return slide ? "lesson.slide_title" : "lesson.card.picture";
  }
  return {};
}

void turn_to(LessonCard card, LessonPageState& state, const LessonPageContent& content) {
  if (content.steps.empty()) return;
  state.card = card;
  state.memory.focus = first_field(card, content.steps[content.at].slide);
  state.memory.focus_shown = true;
}

/// The action of Ctrl and a character.
LessonAction action_of_key(const draw::KeyPress& press, const LessonPageContent& content) {
  switch (press.character) {
    case U'd': return LessonAction::add;
    case U'm': return LessonAction::add_slide;
    case U'u': return LessonAction::duplicate;
    case U's': return LessonAction::save;
    case U'n': return LessonAction::fresh;
    case U'e': return content.open_lesson.empty() ? LessonAction::none : LessonAction::open;
    case U'z': return press.shift ? LessonAction::redo : LessonAction::undo;
    case U'y': return LessonAction::redo;
    default: return LessonAction::none;
  }
}

/// The keys that work wherever the focus is, and those of the list.
LessonPageChoice keys(draw::Ui& ui, LessonPageState& state, const LessonPageContent& content) {
  LessonPageChoice choice;
  const bool in_list = ui.focused(list_id);
  const auto move_to = [&](std::size_t to) { choice = {LessonAction::move, content.at, to}; };
  for (const draw::KeyPress& press : ui.input().keys) {
    if (press.control && press.key == Key::character) {
      if (const LessonAction action = action_of_key(press, content); action != LessonAction::none) choice.kind = action;
      if (press.character >= U'1' && press.character <= U'3')
        turn_to(static_cast<LessonCard>(press.character - U'1'), state, content);
    }
    if (!in_list || content.steps.empty()) continue;
    if (press.control && press.key == Key::up && content.at > 0) move_to(content.at - 1);
    if (press.control && press.key == Key::down && content.at + 1 < content.steps.size()) move_to(content.at + 1);
    if (press.key == Key::del || press.key == Key::backspace) choice.kind = LessonAction::remove;
    if (press.key != Key::enter) continue;
    if (content.steps[content.at].slide)
      turn_to(LessonCard::picture, state, content);  // a slide is seen here and in its lesson alone
    else
      choice.kind = LessonAction::show;
  }
  return choice;
}

/// Draws the parts of the page and collects what the person does.
class LessonPainter {
 public:
  LessonPainter(draw::Ui& ui, LessonPageState& state, const LessonPageContent& content)
      : ui_(ui), canvas_(ui.canvas()), state_(state), content_(content), choice_(keys(ui, state, content)) {}

  LessonPageChoice draw() {
    const float width = canvas_.width(), height = canvas_.height();
    canvas_.fill({0, 0, width, height}, ui_.theme().panel);
    head(width);
    const float page = height - lesson_head_height - lesson_margin;
    const float left = (width - 2 * lesson_margin - lesson_gap) * 0.46f;
    steps({lesson_margin, lesson_head_height, left, page});
    details(
        {lesson_margin + left + lesson_gap, lesson_head_height, width - 2 * lesson_margin - lesson_gap - left, page});
    return choice_;
  }

 private:
  void chosen(LessonAction kind) {
    if (choice_.kind == LessonAction::none) choice_.kind = kind;
  }
  bool button(float& x, float y, std::string_view id, std::string_view key) {
    return lesson_button(ui_, x, y, id, word(ui_, key));
  }

  void head(float width) {
    const draw::Theme& theme = ui_.theme();
    const float heading = canvas_.text({lesson_margin, 16}, Style::heading, theme.text, word(ui_, "heading"));
    const std::string said = !state_.said.empty() ? state_.said
                             : content_.unsaved   ? word(ui_, "unsaved")
                                                  : word(ui_, "about");
    const std::string closing = word(ui_, "closing");
    const float end = width - lesson_margin - canvas_.text_width(Style::label, closing);
    canvas_.text({width - lesson_margin, 21}, Style::label, theme.second, closing, width / 2, Align::right);
    canvas_.text({lesson_margin + heading + 18, 21}, Style::label, state_.said.empty() ? theme.second : theme.text,
                 said, end - lesson_margin - heading - 36);
  }

  void steps(const Box& box) {
    const draw::Theme& theme = ui_.theme();
    float y = lesson_field(ui_, "lesson.title", {box.x, box.y}, box.width, "title", state_.fields.title, "title.hint");
    y += 14;
    float room = box.width;
    if (!content_.minutes_all.empty()) {
      const std::string minutes =
          word(ui_, "minutes_of", {{"until", content_.minutes_until}, {"all", content_.minutes_all}});
      canvas_.text({box.right(), y}, Style::label, theme.text, minutes, box.width, Align::right);
      room -= canvas_.text_width(Style::label, minutes) + 16;
    }
    canvas_.text({box.x, y}, Style::label, theme.second, word(ui_, "steps"), room);
    y += lesson_label_height;
    const float file = box.bottom() - lesson_field_height - lesson_label_height;
    const float buttons = file - 2 * lesson_button_height - 8 - 12;
    list({box.x, y, box.width, buttons - 12 - y});
    step_buttons(box.x, buttons);
    const float save_width = canvas_.text_width(Style::label, word(ui_, "save")) + 24;
    lesson_field(ui_, "lesson.file", {box.x, file}, box.width - save_width - 12, "file", state_.fields.target, "");
    float x = box.right() - save_width;
    if (button(x, file + lesson_label_height, "lesson.save", "save")) chosen(LessonAction::save);
  }

  /// Buttons that do nothing now are left out.
  void step_buttons(float left, float top) {
    float x = left;
    if (button(x, top, "lesson.add", "add")) chosen(LessonAction::add);
    if (button(x, top, "lesson.add_slide", "add_slide")) chosen(LessonAction::add_slide);
    if (!content_.open_lesson.empty() && button(x, top, "lesson.open", "open")) chosen(LessonAction::open);
    if (button(x, top, "lesson.new", "new")) chosen(LessonAction::fresh);
    x = left;
    const float row = top + lesson_button_height + 8;
    if (!content_.steps.empty()) {
      if (button(x, row, "lesson.up", "up") && content_.at > 0)
        choice_ = {LessonAction::move, content_.at, content_.at - 1};
      if (button(x, row, "lesson.down", "down") && content_.at + 1 < content_.steps.size())
        choice_ = {LessonAction::move, content_.at, content_.at + 1};
      if (!content_.steps[content_.at].slide && button(x, row, "lesson.show", "show")) chosen(LessonAction::show);
      if (button(x, row, "lesson.duplicate", "duplicate")) chosen(LessonAction::duplicate);
      if (button(x, row, "lesson.remove", "remove")) chosen(LessonAction::remove);
    }
    if (content_.can_undo && button(x, row, "lesson.undo", "undo")) chosen(LessonAction::undo);
    if (content_.can_redo && button(x, row, "lesson.redo", "redo")) chosen(LessonAction::redo);
  }

  void list(const Box& box) {
    const draw::Theme& theme = ui_.theme();
    canvas_.fill(box, theme.ground, 6);
    canvas_.outline(box, theme.line, 6, theme.hairline);
    const Box inner = box.inset(6);
    const std::size_t count = content_.steps.size();
    const auto fits = static_cast<std::size_t>(std::max(1.0f, inner.height / step_row_height));
    std::size_t at = content_.at;
    const bool moves = choice_.kind == LessonAction::move;
    const std::size_t to = ui_.list(list_id, box, at, count, fits, false);
    if (const float notches = ui_.wheel(box); notches != 0 && count > 0)
      at = notches < 0 ? std::min(at + 1, count - 1) : at - std::min<std::size_t>(at, 1);
    if (!moves && to != content_.at) at = to;
    if (at != content_.at && choice_.kind == LessonAction::none) choice_ = {LessonAction::select, at};
    if (count == 0) {
      canvas_.paragraph({inner.x + 8, inner.y + 8}, Style::label, theme.second, word(ui_, "no_steps_yet"),
                        inner.width - 16, 4);
      return;
    }
    const std::size_t first = content_.at >= fits ? content_.at + 1 - fits : 0;
    const auto place_of = [&](std::size_t i) {
      return Box{inner.x, inner.y + step_row_height * static_cast<float>(i - first), inner.width, step_row_height - 4};
    };
    for (std::size_t i = first; i < std::min(count, first + fits); ++i) row(place_of(i), i);
    drag(inner, first, std::min(count, first + fits));
  }

  // "question · 3 min"
  std::string marks(const LessonPageStep& step) {
    std::string marks = word(ui_, step.question ? (step.note ? "has_both" : "has_question")
                                  : step.note   ? "has_note"
                                                : "has_none");
    if (!step.minutes.empty()) marks += " · " + word(ui_, "minutes_short", {{"n", step.minutes}});
    return marks;
  }

  void row(const Box& box, std::size_t i) {
    const draw::Theme& theme = ui_.theme();
    const LessonPageStep& step = content_.steps[i];
    const bool here = i == content_.at, over = ui_.hovered(box);
    if (here || over) canvas_.fill(box, draw::mixed(theme.second, theme.ground, here ? 0.28f : 0.14f), 6);
    canvas_.text({box.x + 8, box.y + 8}, Style::mono, theme.second, fmt::format("{}", i + 1), 30);
    const Box picture = {box.x + 40, box.y + 3, step_picture_width, step_picture_height};
    if (step.picture != nullptr)
      canvas_.photo(picture, *step.picture);
    else if (step.stage != nullptr)
      paint_step(canvas_, picture, *step.stage);
    canvas_.outline(picture, theme.line, 0, theme.hairline);
    const float x = picture.right() + 12, width = box.right() - 10 - x;
    canvas_.text({x, box.y + 8}, Style::label, theme.text, step.title.empty() ? step.place : step.title, width);
    const std::string what = marks(step);
    const float marks_width = canvas_.text_width(Style::label, what);
    canvas_.text({box.right() - 10, box.y + 33}, Style::label, theme.second, what, marks_width + 4, Align::right);
    const std::string place = step.slide ? word(ui_, "slide")
                              : step.title.empty()
                                  ? step.file
                                  : word(ui_, "place_in", {{"place", step.place}, {"file", step.file}});
    canvas_.text({x, box.y + 33}, Style::label, theme.second, place, width - marks_width - 14);
    if (over && ui_.input().mouse_pressed) {
      state_.dragged = i;
      state_.memory.focus = list_id;
      if (i != content_.at) choice_ = {LessonAction::select, i};
    }
  }

  /// A line shows where a dragged step will be; it moves when the button is released.
  void drag(const Box& inner, std::size_t first, std::size_t end) {
    if (!state_.dragged) return;
    const float over = (ui_.input().mouse.y - inner.y) / step_row_height;
    const std::size_t to = std::min(end - 1, first + static_cast<std::size_t>(std::max(0.0f, over)));
    if (ui_.input().mouse_released) {
      if (*state_.dragged < content_.steps.size() && to != *state_.dragged)
        choice_ = {LessonAction::move, *state_.dragged, to};
      state_.dragged.reset();
    } else if (!ui_.input().mouse_down && !ui_.input().mouse_pressed) {
      state_.dragged.reset();
    } else if (to != *state_.dragged) {
      const float y = inner.y + step_row_height * static_cast<float>(to - first + (to > *state_.dragged ? 1 : 0)) - 2;
      canvas_.line({inner.x, y}, {inner.right(), y}, ui_.theme().now, 2);
    }
  }

  /// The current step: where it is, its title, and a card of its fields.
  void details(const Box& box) {
    if (content_.steps.empty()) return;
    const draw::Theme& theme = ui_.theme();
    const LessonPageStep& step = content_.steps[content_.at];
    float y = box.y;
    canvas_.text({box.x, y}, Style::label, theme.second,
                 word(ui_, "step_of",
                      {{"step", fmt::format("{}", content_.at + 1)},
                       {"steps", fmt::format("{}", content_.steps.size())},
                       {"place", step.slide ? word(ui_, "slide") : step.place}}),
                 box.width);
    y += lesson_label_height;
    y += canvas_.paragraph({box.x, y}, Style::heading, theme.text, step.title.empty() ? step.place : step.title,
                           box.width, 1) +
         8;
    float x = box.x;
    constexpr std::array<std::pair<LessonCard, std::string_view>, 3> cards = {{{LessonCard::words, "card.words"},
                                                                               {LessonCard::question, "card.question"},
                                                                               {LessonCard::picture, "card.picture"}}};
    for (const auto& [card, name] : cards)
      if (lesson_button(ui_, x, y, fmt::format("lesson.{}", name), word(ui_, name), state_.card == card))
        state_.card = card;
    y += lesson_button_height + card_top_gap;
    lesson_card(ui_, state_, content_, {box.x, y, box.width, box.bottom() - y});
  }

  draw::Ui& ui_;
  draw::Canvas& canvas_;
  LessonPageState& state_;
  const LessonPageContent& content_;
  LessonPageChoice choice_;
};

}  // namespace

LessonPageChoice lesson_view(draw::Ui& ui, LessonPageState& state, const LessonPageContent& content) {
  return LessonPainter(ui, state, content).draw();
}

}  // namespace warpwalk::pages
