#include "app/pages/lesson/lesson_cards.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/panels/stage_view.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Style;

constexpr float card_gap = 12, minutes_width = 130;
constexpr float option_row_height = 34, option_row_gap = 6, mark_width = 40;

std::string card_word(draw::Ui& ui, std::string_view key, const story::Narration::Values& values = {}) {
  return ui.word("lesson_page", key, values);
}

void card_label(draw::Ui& ui, draw::Point at, float width, std::string_view key) {
  ui.canvas().text(at, Style::label, ui.theme().second, card_word(ui, key), width);
}

void words_card(draw::Ui& ui, LessonPageFields& fields, const Box& box) {
  lesson_field(ui, "lesson.step_title", {box.x, box.y}, box.width - minutes_width - card_gap, "step_title",
               fields.step_title, "step_title.hint");
  float y = lesson_field(ui, "lesson.minutes", {box.right() - minutes_width, box.y}, minutes_width, "minutes",
                         fields.minutes, "");
  y += card_gap;
  const float half = (box.bottom() - y - card_gap) * 0.45f;
  lesson_area(ui, "lesson.text", {box.x, y, box.width, half}, "text", fields.text, "text.hint");
  y += half + card_gap;
  lesson_area(ui, "lesson.note", {box.x, y, box.width, box.bottom() - y}, "note", fields.note, "note.hint");
}

// The options that are typed, and an empty one to add another.
std::size_t option_rows(const LessonPageFields& fields) {
  std::size_t rows = 2;
  for (std::size_t i = 0; i < fields.options.size(); ++i)
    if (!fields.options[i].text.empty() || !fields.wrong[i].text.empty() || fields.right == i) rows = i + 2;
  return std::min(rows, fields.options.size());
}

void option_row(draw::Ui& ui, LessonPageFields& fields, const Box& box, std::size_t i) {
  const bool right = fields.right == i;
  const Box mark = {box.x, box.y, mark_width, box.height};
  ui.canvas().outline(mark, right ? ui.theme().done : ui.theme().line, 6, right ? 2.0f : ui.theme().hairline);
  if (ui.button(fmt::format("lesson.right.{}", i + 1), mark, fmt::format("{}", i + 1), right))
    fields.right = right ? std::nullopt : std::optional(i);
  const float left = box.x + mark_width + option_row_gap, width = (box.right() - left - card_gap) * 0.46f;
  const auto field = [&](const std::string& id, const Box& at, draw::TextField& text, std::string_view hint) {
    const bool typing = ui.focused(id);
    if (typing)
      for (const draw::KeyPress& press : ui.input().keys) text.type(press, &ui.memory().copied);
    draw::point_field(ui, id, at, text);
    draw::paint_field(ui.canvas(), at, text, typing, card_word(ui, hint));
    ui.activated(id, at);
  };
  field(fmt::format("lesson.option.{}", i + 1), {left, box.y, width, box.height}, fields.options[i], "option.hint");
  const Box reason = {left + width + card_gap, box.y, box.right() - left - width - card_gap, box.height};
  if (right)
    field("lesson.why", reason, fields.why, "why.hint");
  else
    field(fmt::format("lesson.wrong.{}", i + 1), reason, fields.wrong[i], "wrong.hint");
}

void question_card(draw::Ui& ui, LessonPageFields& fields, const LessonPageContent& content, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  float y = box.y;
  if (!content.scene_question.empty()) {
    const bool own = !fields.question.text().empty();
    y += canvas.paragraph(
             {box.x, y}, Style::label, own ? ui.theme().text : ui.theme().second,
             card_word(ui, own ? "replaces_question" : "scene_asks", {{"question", content.scene_question}}), box.width,
             3) +
         card_gap;
  }
  constexpr float question_height = 66;
  lesson_area(ui, "lesson.question", {box.x, y, box.width, lesson_label_height + question_height}, "question",
              fields.question, "question.hint");
  y += lesson_label_height + question_height + card_gap;
  const float reasons =
      box.x + mark_width + option_row_gap + (box.width - mark_width - option_row_gap - card_gap) * 0.46f;
  card_label(ui, {box.x, y}, reasons - box.x, "options");
  card_label(ui, {reasons + card_gap, y}, box.right() - reasons - card_gap, "reasons");
  y += lesson_label_height;
  for (std::size_t i = 0; i < option_rows(fields); ++i) {
    option_row(ui, fields, {box.x, y, box.width, option_row_height}, i);
    y += option_row_height + option_row_gap;
  }
  float x = box.x;
  if (lesson_button(ui, x, y + option_row_gap, "lesson.shows", card_word(ui, "shows"), fields.shows))
    fields.shows = !fields.shows;
  canvas.text_in({x + 4, y + option_row_gap, box.right() - x - 4, lesson_button_height}, Style::label,
                 ui.theme().second, card_word(ui, fields.shows ? "shows.yes" : "shows.no"));
}

void picture_card(draw::Ui& ui, LessonPageFields& fields, const LessonPageContent& content, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const LessonPageStep& step = content.steps[content.at];
  float y = box.y;
  if (step.slide) {
    y = lesson_field(ui, "lesson.slide_title", {box.x, y}, box.width, "slide_title", fields.slide_title, "") + card_gap;
    constexpr float text_height = 120;
    lesson_area(ui, "lesson.slide_text", {box.x, y, box.width, lesson_label_height + text_height}, "slide_text",
                fields.slide_text, "slide_text.hint");
    y += lesson_label_height + text_height + card_gap;
    y = lesson_field(ui, "lesson.picture", {box.x, y}, box.width, "picture", fields.picture, "picture.hint") + 4;
    if (!content.picture_problem.empty())
      y += canvas.paragraph({box.x, y}, Style::label, ui.theme().launch, content.picture_problem, box.width, 2);
    y += card_gap;
  } else {
    y += canvas.paragraph({box.x, y}, Style::label, ui.theme().second, card_word(ui, "shows_scene"), box.width, 2) +
         card_gap;
  }
  if (step.stage == nullptr) return;
  const float width = std::min(box.width, (box.bottom() - y) / step_shape);
  if (width > 0) paint_step(canvas, {box.x, y, width, width * step_shape}, *step.stage);
}

}  // namespace

float lesson_field(draw::Ui& ui, std::string_view id, const draw::Point& at, float width, std::string_view label,
                   draw::TextField& field, std::string_view hint) {
  card_label(ui, at, width, label);
  const Box box = {at.x, at.y + lesson_label_height, width, lesson_field_height};
  const bool typing = ui.focused(id);
  if (typing)
    for (const draw::KeyPress& press : ui.input().keys) field.type(press, &ui.memory().copied);
  draw::point_field(ui, id, box, field);
  draw::paint_field(ui.canvas(), box, field, typing, hint.empty() ? "" : card_word(ui, hint));
  ui.activated(id, box);
  return box.bottom();
}

void lesson_area(draw::Ui& ui, std::string_view id, const Box& box, std::string_view label, draw::TextEditor& editor,
                 std::string_view hint) {
  card_label(ui, {box.x, box.y}, box.width, label);
  draw::text_area(ui, id, {box.x, box.y + lesson_label_height, box.width, box.height - lesson_label_height}, editor,
                  card_word(ui, hint));
}

bool lesson_button(draw::Ui& ui, float& x, float y, std::string_view id, std::string_view label, bool on) {
  const Box box = {x, y, ui.canvas().text_width(Style::label, label) + 24, lesson_button_height};
  x = box.right() + 8;
  ui.canvas().outline(box, ui.theme().line, 6, ui.theme().hairline);
  return ui.button(id, box, label, on);
}

void paint_whole_step(draw::Canvas& canvas, const story::Stage& stage) {
  constexpr float margin = 18;
  panels::stage_view(canvas, nullptr, {margin, 6, canvas.width() - 2 * margin, canvas.height() - 14}, stage,
                     panels::StageHead::presented);
}

void paint_step(draw::Canvas& canvas, const Box& box, const story::Stage& stage) {
  canvas.fill(box, canvas.theme().ground, 4);
  canvas.clip(box);
  draw::Canvas small = canvas.inset(box, step_canvas_width, step_canvas_width * step_shape);
  paint_whole_step(small, stage);
  canvas.unclip();
  canvas.outline(box, canvas.theme().line, 4, canvas.theme().hairline);
}

void lesson_card(draw::Ui& ui, LessonPageState& state, const LessonPageContent& content, const Box& box) {
  switch (state.card) {
    case LessonCard::words: return words_card(ui, state.fields, box);
    case LessonCard::question: return question_card(ui, state.fields, content, box);
    case LessonCard::picture: return picture_card(ui, state.fields, content, box);
  }
}

}  // namespace warpwalk::pages
