#include "app/shell/lecturer_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace warpwalk::shell {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float lecturer_pad = 24, lecturer_gap = 16, lecturer_head_height = 76, lecturer_foot_height = 40,
                clock_width = 300;
constexpr float leading = 1.2f;

// The place on the left, the clock on the right.
void paint_lecturer_head(Canvas& canvas, const LecturerPage& page, const story::Narration& words) {
  const draw::Theme& theme = canvas.theme();
  const Box box = {0, 0, canvas.width(), lecturer_head_height};
  canvas.fill(box, theme.panel);
  canvas.line({0, box.bottom()}, {box.right(), box.bottom()}, theme.line, theme.hairline);
  const bool clock = !page.time_of_day.empty();
  const float width = box.width - 2 * lecturer_pad - (clock ? clock_width + lecturer_gap : 0);
  canvas.text({lecturer_pad, 14}, Style::heading, theme.text, page.place, width);
  canvas.text({lecturer_pad, 44}, Style::label, theme.second, page.lesson.empty() ? page.page : page.lesson, width);
  if (!clock) return;
  const float half = clock_width / 2;
  const auto one = [&](float x, std::string_view head, const std::string& time, ImU32 colour) {
    canvas.text({x + half, 10}, Style::small_caps, theme.second, words.text("lecturer", head), half,
                draw::Align::right);
    canvas.text({x + half, 32}, Style::figure, colour, time, half, draw::Align::right);
  };
  const float left = box.right() - lecturer_pad - clock_width;
  one(left, "elapsed", page.elapsed, theme.text);
  one(left + half, "time", page.time_of_day, theme.text);
}

// A heading and a paragraph in `style`; returns the height used.
float paint_text(Canvas& canvas, const Box& box, std::string_view head, Style style, ImU32 colour,
                 const std::string& text) {
  const draw::Theme& theme = canvas.theme();
  canvas.text({box.x, box.y}, Style::small_caps, theme.second, head, box.width);
  const float y = box.y + 24;
  const int lines = std::max(1, static_cast<int>((box.bottom() - y) / (leading * canvas.line_height(style))));
  return 24 + canvas.paragraph({box.x, y}, style, colour, text, box.width, lines);
}

float paint_question(Canvas& canvas, const Box& box, const story::Question& question, const story::Narration& words) {
  const draw::Theme& theme = canvas.theme();
  float y = box.y + paint_text(canvas, box, words.text("lecturer", "question"), Style::body, theme.text, question.text);
  y += 6;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const bool right = question.right == i;
    const float step = 1.4f * canvas.line_height(Style::body);
    if (right) {
      const draw::Point at = {box.x + 8, y + canvas.line_height(Style::body) / 2};
      canvas.line({at.x - 5, at.y}, {at.x - 1, at.y + 5}, theme.done, 2.5f);
      canvas.line({at.x - 1, at.y + 5}, {at.x + 6, at.y - 5}, theme.done, 2.5f);
    }
    canvas.text({box.x + 24, y}, Style::body, right ? theme.text : theme.second,
                fmt::format("{}  {}", i + 1, question.options[i]), box.width - 24);
    y += step;
  }
  if (!question.why.empty())
    y += 4 + canvas.paragraph({box.x, y + 4}, Style::label, theme.second, question.why, box.width, 3);
  return y - box.y;
}

void paint_beat(Canvas& canvas, const Box& box, std::string_view head, const std::string& title,
                const std::string& sentence, bool now) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel, 8);
  canvas.outline(box, now ? theme.now : theme.line, 8, now ? 2.0f : theme.hairline);
  const Box in = box.inset(16);
  canvas.text({in.x, in.y}, Style::small_caps, theme.second, head, in.width);
  float y = in.y + 24;
  y += canvas.paragraph({in.x, y}, Style::heading, theme.text, title, in.width, 2) + 6;
  const int lines = std::max(1, static_cast<int>((in.bottom() - y) / (leading * canvas.line_height(Style::body))));
  canvas.paragraph({in.x, y}, Style::body, theme.second, sentence, in.width, lines);
}

}  // namespace

void paint_lecturer(Canvas& canvas, const LecturerPage& page, const story::Narration& words) {
  const draw::Theme& theme = canvas.theme();
  paint_lecturer_head(canvas, page, words);
  const float top = lecturer_head_height + lecturer_pad, bottom = canvas.height() - lecturer_foot_height - lecturer_gap;
  const float left_width = std::floor((canvas.width() - 2 * lecturer_pad - lecturer_gap) * 0.58f);
  const Box left = {lecturer_pad, top, left_width, bottom - top};
  const Box right = {lecturer_pad + left_width + lecturer_gap + 8, top,
                     canvas.width() - 2 * lecturer_pad - left_width - lecturer_gap - 8, bottom - top};
  const bool none = page.note.empty();
  const float note_high = page.question ? left.height * 0.45f : left.height;
  const float used =
      paint_text(canvas, {left.x, left.y, left.width, note_high}, words.text("lecturer", "note"), Style::sentence,
                 none ? theme.second : theme.text, none ? words.text("speaker", "none") : page.note);
  if (page.question) {
    const float y = left.y + used + lecturer_gap;
    canvas.line({left.x, y}, {left.right(), y}, theme.line, theme.hairline);
    paint_question(canvas, {left.x, y + lecturer_gap, left.width, left.bottom() - y - lecturer_gap}, *page.question,
                   words);
  }
  const float half = (right.height - lecturer_gap) / 2;
  paint_beat(canvas, {right.x, right.y, right.width, half}, words.text("lecturer", "now"), page.title, page.sentence,
             true);
  const bool last = page.next_title.empty();
  paint_beat(canvas, {right.x, right.y + half + lecturer_gap, right.width, half}, words.text("lecturer", "next"),
             last ? words.text("lecturer", "last") : page.next_title, page.next_sentence, false);
  const float y = canvas.height() - lecturer_foot_height;
  canvas.line({0, y}, {canvas.width(), y}, theme.line, theme.hairline);
  canvas.text_in({lecturer_pad, y, canvas.width() - 2 * lecturer_pad, lecturer_foot_height}, Style::label, theme.second,
                 words.text("lecturer", "keys"));
}

}  // namespace warpwalk::shell
