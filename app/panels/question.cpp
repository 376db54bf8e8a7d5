#include "app/panels/question.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace warpwalk::panels {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;
using story::Question;

constexpr float option_height = 46, option_gap = 10, key_width = 40, option_pad = 18;
constexpr float question_foot_height = 44;  // the button and the hint
constexpr float verdict_text_left = 54;     // beside the sign of a verdict
constexpr float verdict_gap = 16, one_line_height = 46;
constexpr int why_lines = 2, reason_lines = 2;

// Whether the verdict and its reason fit side by side, which leaves more room for the picture.
bool fits_one_line(const Canvas& canvas, const Question& question, float width) {
  return canvas.text_width(Style::heading, question.verdict) + verdict_gap +
             canvas.text_width(Style::body, question.why) <=
         width;
}

// The height of the last wrong answer's reason, over the options.
float reason_height(const Canvas& canvas, const Question& question, float width) {
  if (question.tried.empty()) return 0;
  if (fits_one_line(canvas, question, width)) return 1.2f * canvas.line_height(Style::heading) + option_gap;
  const auto lines = static_cast<float>(canvas.wrapped(Style::body, question.why, width, reason_lines).size());
  return 1.2f * (canvas.line_height(Style::heading) + lines * canvas.line_height(Style::body)) + option_gap;
}

void paint_reason(Canvas& canvas, const Box& box, const Question& question) {
  const draw::Theme& theme = canvas.theme();
  const float said = canvas.text({box.x, box.y}, Style::heading, theme.text, question.verdict, box.width);
  if (fits_one_line(canvas, question, box.width)) {
    canvas.text({box.x + said + verdict_gap, box.y + 2}, Style::body, theme.text, question.why, box.width);
    return;
  }
  canvas.paragraph({box.x, box.y + 1.2f * canvas.line_height(Style::heading)}, Style::body, theme.text, question.why,
                   box.width, reason_lines);
}

struct PlacedOption {
  std::size_t option = 0;
  float x = 0, width = 0;
  int row = 0;
};

// Side by side; an option that does not fit begins the next row.
std::vector<PlacedOption> placed_options(const Canvas& canvas, const Question& question, float width) {
  std::vector<PlacedOption> all;
  float x = 0;
  int row = 0;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const float own = std::min(width, key_width + canvas.text_width(Style::body, question.options[i]) + option_pad);
    if (x > 0 && x + own > width) {
      x = 0;
      ++row;
    }
    all.push_back({i, x, own, row});
    x += own + option_gap;
  }
  return all;
}

float options_height(const std::vector<PlacedOption>& placed) {
  return (option_height + option_gap) * static_cast<float>(placed.back().row + 1);
}

float answer_width(const Canvas& canvas, const Question& question) {
  return canvas.text_width(Style::body, question.word_answer) + 2 * option_pad;
}

// Where the button begins in the last row of options; nullopt if it has no room there.
std::optional<float> beside_options(const Canvas& canvas, const Question& question,
                                    const std::vector<PlacedOption>& placed, float width) {
  const float x = placed.back().x + placed.back().width + 2 * option_gap;
  if (x + answer_width(canvas, question) > width) return {};
  return x;
}

void paint_option(Canvas& canvas, const Box& box, const Question& question, std::size_t i, bool hovered) {
  const draw::Theme& theme = canvas.theme();
  const bool on = question.chosen == i, tried = question.was_tried(i);
  canvas.fill(box,
              on        ? draw::mixed(theme.now, theme.ground, 0.22f)
              : hovered ? draw::mixed(theme.second, theme.ground, 0.2f)
                        : theme.panel,
              8);
  canvas.outline(box, on ? theme.now : tried ? theme.line : theme.second, 8, on ? 2.0f : theme.hairline);
  if (tried) {  // a cross in place of its key
    const draw::Point at = {box.x + 20, box.y + box.height / 2};
    canvas.line({at.x - 5, at.y - 5}, {at.x + 5, at.y + 5}, theme.second, 2);
    canvas.line({at.x - 5, at.y + 5}, {at.x + 5, at.y - 5}, theme.second, 2);
  } else {
    canvas.text_in({box.x + 14, box.y, key_width - 14, box.height}, Style::mono, on ? theme.now : theme.second,
                   fmt::format("{}", i + 1));
  }
  canvas.text_in({box.x + key_width, box.y, box.width - key_width - option_pad + 6, box.height}, Style::body,
                 tried ? theme.second : theme.text, question.options[i]);
}

pictures::Touch paint_asked(Canvas& canvas, draw::Ui* ui, const Box& whole, const Question& question,
                            QuestionFoot foot) {
  pictures::Touch touch;
  const draw::Theme& theme = canvas.theme();
  const float reason_high = reason_height(canvas, question, whole.width);
  if (reason_high > 0) {
    paint_reason(canvas, whole, question);
    if (ui != nullptr) ui->point({whole.x, whole.y, whole.width, reason_high}, question.verdict + " " + question.why);
  }
  const Box box = {whole.x, whole.y + reason_high, whole.width, whole.height - reason_high};
  const std::vector<PlacedOption> placed = placed_options(canvas, question, box.width);
  const auto set = [&](std::string_view control, std::size_t option) {
    touch.set.emplace_back(control, static_cast<double>(option));
  };
  for (const PlacedOption& one : placed) {
    const Box at = {box.x + one.x, box.y + (option_height + option_gap) * static_cast<float>(one.row), one.width,
                    option_height};
    const bool open = !question.was_tried(one.option);
    paint_option(canvas, at, question, one.option, open && ui != nullptr && ui->hovered(at));
    if (ui != nullptr) ui->point(at, question.options[one.option]);
    if (open && ui != nullptr && ui->activated(fmt::format("question.{}", one.option), at))
      set(question.chosen == one.option ? story::answer_control : story::choose_control, one.option);
  }
  const std::optional<float> beside =
      foot == QuestionFoot::beside ? beside_options(canvas, question, placed, box.width) : std::nullopt;
  const float y = box.y + options_height(placed) + (beside ? 5 - option_height - option_gap : 4);
  const Box button = {box.x + beside.value_or(0), y, answer_width(canvas, question), question_foot_height - 8};
  // Filled once it does something.
  if (question.chosen) canvas.fill(button, theme.now, 8);
  canvas.outline(button, question.chosen ? theme.now : theme.line, 8, theme.hairline);
  canvas.text_in(button, Style::body, question.chosen ? theme.ground : draw::mixed(theme.second, theme.ground, 0.7f),
                 question.word_answer, draw::Align::centre);
  if (question.chosen && ui != nullptr && ui->activated("question.answer", button))
    set(story::answer_control, *question.chosen);
  const float hint_room = box.right() - button.right() - 16;
  if (!beside || canvas.text_width(Style::label, question.hint) <= hint_room)
    canvas.text_in({button.right() + 16, y, hint_room, button.height}, Style::label, theme.second, question.hint);
  return touch;
}

void paint_revealed(Canvas& canvas, draw::Ui* ui, const Box& box, const Question& question) {
  const draw::Theme& theme = canvas.theme();
  const ImU32 colour = question.correct() ? theme.done : theme.second;
  canvas.fill(box, theme.panel, 8);
  canvas.outline(box, colour, 8, question.correct() ? 1.5f : theme.hairline);
  const draw::Point centre = {box.x + option_pad + 8, box.y + box.height / 2};
  canvas.dot(centre, 12, colour);
  if (question.correct()) {
    canvas.line({centre.x - 5, centre.y}, {centre.x - 1, centre.y + 5}, theme.panel, 2.5f);
    canvas.line({centre.x - 1, centre.y + 5}, {centre.x + 6, centre.y - 5}, theme.panel, 2.5f);
  } else {  // an arrow: to the right answer
    canvas.line({centre.x - 6, centre.y}, {centre.x + 5, centre.y}, theme.panel, 2.5f);
    canvas.triangle({centre.x + 1, centre.y - 6}, {centre.x + 1, centre.y + 6}, {centre.x + 8, centre.y}, theme.panel);
  }
  const float x = box.x + verdict_text_left, width = box.width - verdict_text_left - option_pad;
  if (fits_one_line(canvas, question, width)) {
    const float said = canvas.text_in({x, box.y, width, box.height}, Style::heading, theme.text, question.verdict);
    canvas.text_in({x + said + verdict_gap, box.y, width, box.height}, Style::body, theme.second, question.why);
  } else {
    canvas.text({x, box.y + 10}, Style::heading, theme.text, question.verdict, width);
    canvas.paragraph({x, box.y + 12 + 1.2f * canvas.line_height(Style::heading)}, Style::body, theme.second,
                     question.why, width, why_lines);
  }
  if (ui != nullptr) ui->point(box, question.verdict + " " + question.why);
}

void paint_score(Canvas& canvas, draw::Ui* ui, const Box& box, const std::string& score) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel, 8);
  canvas.outline(box, theme.line, 8, theme.hairline);
  canvas.text_in({box.x + option_pad, box.y, box.width - 2 * option_pad, box.height}, Style::body, theme.text, score);
  if (ui != nullptr) ui->point(box, score);
}

}  // namespace

float question_height(const Canvas& canvas, const story::Stage& stage, float width, QuestionFoot foot) {
  if (!stage.question) return stage.score.empty() ? 0 : one_line_height;
  if (stage.question->asked()) {
    const std::vector<PlacedOption> placed = placed_options(canvas, *stage.question, width);
    const bool beside = foot == QuestionFoot::beside && beside_options(canvas, *stage.question, placed, width);
    return reason_height(canvas, *stage.question, width) + options_height(placed) + (beside ? 0 : question_foot_height);
  }
  const float room = width - verdict_text_left - option_pad;
  if (fits_one_line(canvas, *stage.question, room)) return one_line_height;
  const auto lines = static_cast<float>(canvas.wrapped(Style::body, stage.question->why, room, why_lines).size());
  return 24 + 1.2f * (canvas.line_height(Style::heading) + lines * canvas.line_height(Style::body));
}

pictures::Touch question(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage, QuestionFoot foot) {
  if (!stage.question) {
    if (!stage.score.empty()) paint_score(canvas, ui, box, stage.score);
    return {};
  }
  if (stage.question->asked()) return paint_asked(canvas, ui, box, *stage.question, foot);
  paint_revealed(canvas, ui, box, *stage.question);
  return {};
}

}  // namespace warpwalk::panels
