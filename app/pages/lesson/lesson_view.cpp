#include "app/pages/lesson/lesson_view.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Key;
using draw::Style;
using LessonAction = LessonPageChoice::Kind;

constexpr float lesson_margin = 28, lesson_gap = 36, lesson_head_height = 60, lesson_label_height = 24,
                lesson_field_height = 34, lesson_button_height = 34;
constexpr float step_row_height = 52;
constexpr std::string_view list_id = "lesson.list";

std::string word(draw::Ui& ui, std::string_view key, const story::Narration::Values& values = {}) {
  return ui.word("lesson_page", key, values);
}

/// The keys that work wherever the focus is, and those of the list.
LessonPageChoice keys(draw::Ui& ui, const LessonPageContent& content) {
  LessonPageChoice choice;
  const bool in_list = ui.focused(list_id);
  const auto move_to = [&](std::size_t to) { choice = {LessonAction::move, content.at, to}; };
  for (const draw::KeyPress& press : ui.input().keys) {
    if (press.control && press.key == Key::character) {
      switch (press.character) {
        case U'd': choice.kind = LessonAction::add; break;
        case U's': choice.kind = LessonAction::save; break;
        case U'n': choice.kind = LessonAction::fresh; break;
        case U'e':
          if (!content.open_lesson.empty()) choice.kind = LessonAction::open;
          break;
        case U'z':
          if (content.can_undo) choice.kind = LessonAction::undo;
          break;
        default: break;
      }
    }
    if (!in_list || content.steps.empty()) continue;
    if (press.control && press.key == Key::up && content.at > 0) move_to(content.at - 1);
    if (press.control && press.key == Key::down && content.at + 1 < content.steps.size()) move_to(content.at + 1);
    if (press.key == Key::del || press.key == Key::backspace) choice.kind = LessonAction::remove;
    if (press.key == Key::enter) choice.kind = LessonAction::show;
  }
  return choice;
}

/// Draws the parts of the page and collects what the person does.
class LessonPainter {
 public:
  LessonPainter(draw::Ui& ui, LessonPageState& state, const LessonPageContent& content)
      : ui_(ui), canvas_(ui.canvas()), state_(state), content_(content), choice_(keys(ui, content)) {}

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

  void label(const Box& box, std::string_view key) {
    canvas_.text({box.x, box.y}, Style::label, ui_.theme().second, word(ui_, key), box.width);
  }

  /// A label with a text field below it; returns the bottom.
  float field(std::string_view id, float x, float y, float width, std::string_view key, draw::TextField& text,
              std::string_view hint) {
    label({x, y, width, lesson_label_height}, key);
    const Box box = {x, y + lesson_label_height, width, lesson_field_height};
    const bool typing = ui_.focused(id);
    if (typing)
      for (const draw::KeyPress& press : ui_.input().keys) text.type(press, &state_.memory.copied);
    draw::point_field(ui_, id, box, text);
    draw::paint_field(canvas_, box, text, typing, hint.empty() ? "" : word(ui_, hint));
    ui_.activated(id, box);
    return box.bottom();
  }

  /// Buttons in a row; those that do nothing now are left out.
  bool button(float& x, float y, std::string_view id, std::string_view key,
              const story::Narration::Values& values = {}) {
    const std::string text = word(ui_, key, values);
    const Box box = {x, y, canvas_.text_width(Style::label, text) + 24, lesson_button_height};
    x = box.right() + 8;
    canvas_.outline(box, ui_.theme().line, 6, ui_.theme().hairline);
    return ui_.button(id, box, text);
  }

  void steps(const Box& box) {
    float y = field("lesson.title", box.x, box.y, box.width, "title", state_.fields.title, "title.hint") + 18;
    label({box.x, y, box.width, lesson_label_height}, "steps");
    y += lesson_label_height;
    const float buttons = box.bottom() - 2 * lesson_button_height - 8;
    list({box.x, y, box.width, buttons - 14 - y});
    float x = box.x;
    if (button(x, buttons, "lesson.add", "add")) chosen(LessonAction::add);
    if (!content_.open_lesson.empty() && button(x, buttons, "lesson.open", "open")) chosen(LessonAction::open);
    if (button(x, buttons, "lesson.new", "new")) chosen(LessonAction::fresh);
    if (content_.steps.empty() && !content_.can_undo) return;
    x = box.x;
    const float row = buttons + lesson_button_height + 8;
    if (!content_.steps.empty()) {
      if (button(x, row, "lesson.up", "up") && content_.at > 0)
        choice_ = {LessonAction::move, content_.at, content_.at - 1};
      if (button(x, row, "lesson.down", "down") && content_.at + 1 < content_.steps.size())
        choice_ = {LessonAction::move, content_.at, content_.at + 1};
      if (button(x, row, "lesson.show", "show")) chosen(LessonAction::show);
      if (button(x, row, "lesson.remove", "remove")) chosen(LessonAction::remove);
    }
    if (content_.can_undo && button(x, row, "lesson.undo", "undo")) chosen(LessonAction::undo);
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

  void row(const Box& box, std::size_t i) {
    const draw::Theme& theme = ui_.theme();
    const LessonPageStep& step = content_.steps[i];
    const bool here = i == content_.at, over = ui_.hovered(box);
    if (here || over) canvas_.fill(box, draw::mixed(theme.second, theme.ground, here ? 0.28f : 0.14f), 6);
    canvas_.text({box.x + 10, box.y + 5}, Style::mono, theme.second, fmt::format("{}", i + 1), 34);
    const std::string marks = word(ui_, step.question ? (step.note ? "has_both" : "has_question")
                                        : step.note   ? "has_note"
                                                      : "has_none");
    const float marks_width = canvas_.text_width(Style::label, marks);
    canvas_.text({box.right() - 10, box.y + 4}, Style::label, theme.second, marks, marks_width + 4, Align::right);
    const std::string& title = step.title.empty() ? step.place : step.title;
    const float x = box.x + 46, width = box.width - 56;
    canvas_.text({x, box.y + 4}, Style::label, theme.text, title, width - marks_width - 14);
    canvas_.text({x, box.y + 25}, Style::label, theme.second,
                 step.title.empty() ? step.file : word(ui_, "place_in", {{"place", step.place}, {"file", step.file}}),
                 width);
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

  void details(const Box& box) {
    const draw::Theme& theme = ui_.theme();
    float y = box.y;
    LessonPageFields& fields = state_.fields;
    if (!content_.steps.empty()) {
      const LessonPageStep& step = content_.steps[content_.at];
      canvas_.text({box.x, y}, Style::label, theme.second,
                   word(ui_, "step_of",
                        {{"step", fmt::format("{}", content_.at + 1)},
                         {"steps", fmt::format("{}", content_.steps.size())},
                         {"place", step.place}}),
                   box.width);
      y += lesson_label_height;
      y += canvas_.paragraph({box.x, y}, Style::heading, theme.text, step.title.empty() ? step.place : step.title,
                             box.width, 2);
      y = field("lesson.note", box.x, y + 16, box.width, "note", fields.note, "note.hint");
      // The note as the lecturer reads it.
      if (!fields.note.text.empty())
        y +=
            6 + canvas_.paragraph({box.x + 10, y + 6}, Style::label, theme.second, fields.note.text, box.width - 20, 4);
      y = field("lesson.question", box.x, y + 16, box.width, "question", fields.question, "question.hint");
      y = field("lesson.options", box.x, y + 10, box.width, "options", fields.options, "options.hint");
      const float right = 150;
      field("lesson.right", box.x, y + 10, right, "right", fields.right, "");
      y = field("lesson.why", box.x + right + 16, y + 10, box.width - right - 16, "why", fields.why, "");
    }
    const float save_width = canvas_.text_width(Style::label, word(ui_, "save")) + 24;
    const float bottom = box.bottom() - lesson_field_height - lesson_label_height;
    field("lesson.file", box.x, bottom, box.width - save_width - 12, "file", fields.file, "");
    float x = box.right() - save_width;
    if (button(x, bottom + lesson_label_height, "lesson.save", "save")) chosen(LessonAction::save);
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
