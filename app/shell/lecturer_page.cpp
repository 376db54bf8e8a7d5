#include "app/shell/lecturer_page.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "app/shell/frame.h"

namespace warpwalk::shell {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float lecturer_pad = 24, lecturer_gap = 16, lecturer_head_height = 84, lecturer_foot_pad = 10,
                lecturer_band = 44, clock_gap = 28;
constexpr float leading = 1.2f;
// The canvas of a presented picture, in units, which a thumbnail shows smaller (presenting_type at 1280x720).
constexpr float thumbnail_wide = 1280 / 1.5f, thumbnail_high = 720 / 1.5f;

/// A clock of the head: its name, its time, and the time that was planned.
struct HeadClock {
  std::string name, time, planned;
  bool over = false;  ///< more time was used than planned
};

std::vector<HeadClock> head_clocks(const LecturerPage& page, const story::Narration& words) {
  const LecturerPage::Live& live = page.live;
  if (live.time_of_day.empty()) return {};
  const auto clock = [&](std::string_view name, double used, double minutes) {
    HeadClock made = {words.text("lecturer", name), minutes_text(used), {}, minutes > 0 && used > 60 * minutes};
    if (minutes > 0)
      made.planned = words.text("lecturer", "planned", {{"minutes", base::with_marks(fmt::format("{:g}", minutes))}});
    return made;
  };
  return {clock("step", live.step_seconds, page.step_minutes),
          clock("elapsed", live.total_seconds, page.total_minutes),
          {words.text("lecturer", "time"), live.time_of_day, {}}};
}

// The place on the left, the clocks on the right.
void paint_lecturer_head(Canvas& canvas, const LecturerPage& page, const story::Narration& words) {
  const draw::Theme& theme = canvas.theme();
  const Box box = {0, 0, canvas.width(), lecturer_head_height};
  canvas.fill(box, theme.panel);
  canvas.line({0, box.bottom()}, {box.right(), box.bottom()}, theme.line, theme.hairline);
  float right = box.right() - lecturer_pad;
  std::vector<HeadClock> clocks = head_clocks(page, words);
  for (auto clock = clocks.rbegin(); clock != clocks.rend(); ++clock) {
    const float width =
        std::max({canvas.text_width(Style::small_caps, clock->name), canvas.text_width(Style::figure, clock->time),
                  canvas.text_width(Style::label, clock->planned)});
    const ImU32 colour = clock->over ? theme.launch : theme.text;
    canvas.text({right, 9}, Style::small_caps, theme.second, clock->name, width, draw::Align::right);
    canvas.text({right, 28}, Style::figure, colour, clock->time, width, draw::Align::right);
    canvas.text({right, 58}, Style::label, clock->over ? theme.launch : theme.second, clock->planned, width,
                draw::Align::right);
    right -= width + clock_gap;
  }
  const float width = std::max(0.0f, right - lecturer_pad);
  canvas.text({lecturer_pad, 16}, Style::heading, theme.text, page.place, width);
  canvas.text({lecturer_pad, 48}, Style::label, theme.second, page.lesson.empty() ? page.page : page.lesson, width);
}

// A band under the head, for what the lecturer must not miss. Returns its height.
float paint_band(Canvas& canvas, float y, ImU32 ground, ImU32 colour, const std::string& text) {
  const Box box = {0, y, canvas.width(), lecturer_band};
  canvas.fill(box, ground);
  const Box in = {lecturer_pad, y, canvas.width() - 2 * lecturer_pad, lecturer_band};
  canvas.text_in(in, canvas.text_width(Style::heading, text) <= in.width ? Style::heading : Style::label, colour, text);
  return lecturer_band;
}

// Of the words: under a heading, over the options, over the reason, from one option to the next.
constexpr float head_high = 24, options_gap = 6, why_gap = 8, option_step = 1.4f;
constexpr int max_why_lines = 3, max_note_lines = 60;

// A heading and a paragraph in `style`; returns the height used.
float paint_text(Canvas& canvas, const Box& box, std::string_view head, Style style, ImU32 colour,
                 const std::string& text) {
  const draw::Theme& theme = canvas.theme();
  canvas.text({box.x, box.y}, Style::small_caps, theme.second, head, box.width);
  const float y = box.y + head_high;
  const int lines = std::max(1, static_cast<int>((box.bottom() - y) / (leading * canvas.line_height(style)) + 0.01f));
  return head_high + canvas.paragraph({box.x, y}, style, colour, text, box.width, lines);
}

void paint_question(Canvas& canvas, const Box& box, const story::Question& question, const story::Narration& words) {
  const draw::Theme& theme = canvas.theme();
  float y = box.y + paint_text(canvas, box, words.text("lecturer", "question"), Style::body, theme.text, question.text);
  y += options_gap;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const bool right = question.right == i;
    const float step = option_step * canvas.line_height(Style::body);
    if (y + step > box.bottom()) return;
    if (right) {
      const draw::Point at = {box.x + 8, y + canvas.line_height(Style::body) / 2};
      canvas.line({at.x - 5, at.y}, {at.x - 1, at.y + 5}, theme.done, 2.5f);
      canvas.line({at.x - 1, at.y + 5}, {at.x + 6, at.y - 5}, theme.done, 2.5f);
    }
    canvas.text({box.x + 24, y}, Style::body, right ? theme.text : theme.second,
                fmt::format("{}  {}", i + 1, question.options[i]), box.width - 24);
    y += step;
  }
  const float left = box.bottom() - y - why_gap;
  const int lines = std::min(max_why_lines, static_cast<int>(left / (leading * canvas.line_height(Style::label))));
  if (lines > 0) canvas.paragraph({box.x, y + why_gap}, Style::label, theme.second, question.why, box.width, lines);
}

float text_height(const Canvas& canvas, Style style, const std::string& text, float width, int max_lines) {
  return leading * canvas.line_height(style) * static_cast<float>(canvas.wrapped(style, text, width, max_lines).size());
}

float question_height(const Canvas& canvas, const story::Question& question, float width) {
  return head_high + text_height(canvas, Style::body, question.text, width, max_note_lines) + options_gap +
         option_step * canvas.line_height(Style::body) * static_cast<float>(question.options.size()) + why_gap +
         text_height(canvas, Style::label, question.why, width, max_why_lines);
}

// What is projected, small.
void paint_thumbnail(Canvas& canvas, const Box& box, const story::Stage& stage, const StagePen* pen) {
  canvas.fill(box, canvas.theme().ground);
  canvas.clip(box);
  Canvas small = canvas.inset(box, thumbnail_wide, thumbnail_high);
  paint_presented(small, nullptr, stage);
  if (pen != nullptr) pen->paint(small);
  canvas.unclip();
  canvas.outline(box, canvas.theme().line, 0, canvas.theme().hairline);
}

/// A card of the right column: this beat, or the next one.
struct BeatCard {
  std::string head, title, sentence;
  const story::Stage* stage = nullptr;  ///< null: there is no picture
  const StagePen* pen = nullptr;
  bool now = false;
  std::string blank = {};  ///< over the picture: the screen is blank
};

void paint_beat(Canvas& canvas, const Box& box, const BeatCard& card) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel, 8);
  canvas.outline(box, card.now ? theme.now : theme.line, 8, card.now ? 2.0f : theme.hairline);
  const Box in = box.inset(14);
  if (card.stage == nullptr) {
    canvas.text({in.x, in.y}, Style::small_caps, theme.second, card.head, in.width);
    float y = in.y + 22;
    y += canvas.paragraph({in.x, y}, Style::heading, theme.text, card.title, in.width, 2) + 6;
    const int lines = std::max(1, static_cast<int>((in.bottom() - y) / (leading * canvas.line_height(Style::body))));
    canvas.paragraph({in.x, y}, Style::body, theme.second, card.sentence, in.width, lines);
    return;
  }
  // The picture has the title too: it needs the room more than a title of two lines does.
  const Box line = {in.x, in.y - 4, in.width, canvas.line_height(Style::heading)};
  const float head = canvas.text_in(line, Style::small_caps, theme.second, card.head) + 12;
  const Box title = {line.x + head, line.y, line.width - head, line.height};
  const bool large = canvas.text_width(Style::heading, card.title) <= title.width;
  canvas.text_in(title, large ? Style::heading : Style::label, theme.text, card.title);
  const float y = line.bottom() + 8;
  const float wide = std::min(in.width, (in.bottom() - y) * thumbnail_wide / thumbnail_high);
  const Box picture = {in.x + (in.width - wide) / 2, y, wide, wide * thumbnail_high / thumbnail_wide};
  if (wide < 40) return;
  paint_thumbnail(canvas, picture, *card.stage, card.pen);
  if (card.blank.empty()) return;
  canvas.fill(picture, draw::with_alpha(theme.ground, 0.8f));
  canvas.text_in(picture, Style::heading, theme.text, card.blank, draw::Align::centre);
}

// The note, and the question with its right answer.
void paint_words(Canvas& canvas, const Box& left, const LecturerPage& page, const story::Narration& words) {
  const draw::Theme& theme = canvas.theme();
  const bool none = page.note.empty();
  const std::string note = none ? words.text("speaker", "none") : page.note;
  // The note is in large letters if all of it and the question have room so. The question cannot take all the room.
  constexpr float largest_share = 0.75f;
  const float gaps = 2 * lecturer_gap;
  const float question = page.question ? question_height(canvas, *page.question, left.width) + gaps : 0;
  const float room = std::max(left.height - question, (page.question ? largest_share : 1) * left.height - gaps);
  const auto high = [&](Style style) {
    return head_high + text_height(canvas, style, note, left.width, max_note_lines);
  };
  const Style style = high(Style::sentence) <= left.height - question ? Style::sentence : Style::body;
  const float used = paint_text(canvas, {left.x, left.y, left.width, std::min(high(style), room)},
                                words.text("lecturer", "note"), style, none ? theme.second : theme.text, note);
  if (!page.question) return;
  const float y = left.y + used + lecturer_gap;
  canvas.line({left.x, y}, {left.right(), y}, theme.line, theme.hairline);
  paint_question(canvas, {left.x, y + lecturer_gap, left.width, left.bottom() - y - lecturer_gap}, *page.question,
                 words);
}

}  // namespace

void paint_lecturer(Canvas& canvas, const LecturerPage& page, const story::Narration& words,
                    const LecturerTools& tools) {
  const base::WithNumberMarks numbers(words::number_marks(words));
  const draw::Theme& theme = canvas.theme();
  paint_lecturer_head(canvas, page, words);
  float top = lecturer_head_height;
  if (page.live.blank)
    top += paint_band(canvas, top, theme.launch, theme.on_colour, words.text("lecturer", "blank_band"));
  if (!page.live.message.empty()) top += paint_band(canvas, top, theme.panel, theme.launch, page.live.message);
  top += lecturer_pad;
  const float inner = canvas.width() - 2 * lecturer_pad;
  const float line = leading * canvas.line_height(Style::label);
  const std::string keys = words.text("lecturer", "keys");
  // With large letters in a small window, one line of keys has to do.
  const int max_key_lines = canvas.height() < 560 ? 1 : 2;
  const auto key_lines = static_cast<float>(canvas.wrapped(Style::label, keys, inner, max_key_lines).size());
  const float foot = canvas.height() - key_lines * line - 2 * lecturer_foot_pad;
  const float bottom = foot - lecturer_gap;
  const float left_width = std::floor((inner - lecturer_gap) * 0.56f);
  const Box left = {lecturer_pad, top, left_width, bottom - top};
  const Box right = {lecturer_pad + left_width + lecturer_gap + 8, top, inner - left_width - lecturer_gap - 8,
                     bottom - top};
  const draw::Input no_mouse;
  if (tools.steps != nullptr && tools.steps->shown())
    tools.steps->paint(canvas, tools.input != nullptr ? *tools.input : no_mouse, left, words);
  else
    paint_words(canvas, left, page, words);
  const float half = (right.height - lecturer_gap) / 2;
  paint_beat(canvas, {right.x, right.y, right.width, half},
             {words.text("lecturer", "now"), page.title, page.sentence, page.shown.get(), tools.pen, true,
              page.live.blank ? words.text("lecturer", "blank") : ""});
  const bool last = page.next_title.empty();
  paint_beat(canvas, {right.x, right.y + half + lecturer_gap, right.width, half},
             {words.text("lecturer", "next"), last ? words.text("lecturer", "last") : page.next_title,
              page.next_sentence, page.following.get()});
  canvas.line({0, foot}, {canvas.width(), foot}, theme.line, theme.hairline);
  canvas.paragraph({lecturer_pad, foot + lecturer_foot_pad}, Style::label, theme.second, keys, inner, max_key_lines);
}

}  // namespace warpwalk::shell
