#include "app/panels/stage_view.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/panels/controls.h"
#include "app/panels/facts.h"
#include "app/panels/question.h"
#include "app/pictures/text.h"
#include "core/story/pictures/plane.h"

namespace warpwalk::panels {

using draw::Box;
using draw::Style;

namespace {

// Of the followed number's line, in units: its mark, and the gap behind that.
constexpr float mark = 10, mark_gap = 8;
constexpr int max_number_lines = 3, max_own_lines = 5;
constexpr std::size_t max_sentence_lines = 3;
constexpr float least_share_of_picture = 0.5f;  // of the height, before facts get room

/// The lines of the followed number: one, unless its text is wider. The word of its origin stands behind the last one.
std::vector<std::string> number_lines(const draw::Canvas& canvas, float width, const story::Stage& stage) {
  const std::string origin = stage.number_origin();
  const float tag = origin.empty() ? 0 : canvas.text_width(Style::small_caps, origin) + 30;
  return canvas.wrapped(Style::label, stage.number->text, width - mark - mark_gap - tag, max_number_lines);
}

/// From one of its lines to the next, in heights of a line. Large type needs the room for the picture.
float number_leading(bool presented) { return presented ? 1.1f : 1.2f; }

float number_height(const draw::Canvas& canvas, float width, const story::Stage& stage, bool presented) {
  if (!stage.number) return 0;
  const auto lines = static_cast<float>(number_lines(canvas, width, stage).size());
  return (number_leading(presented) * lines + 0.1f) * canvas.line_height(Style::label);
}

/// The line of the followed number: a mark in its colour, its name, where it is.
void paint_number(draw::Canvas& canvas, draw::Point at, float width, const story::Stage& stage, bool presented) {
  const draw::Theme& theme = canvas.theme();
  const float line_high = canvas.line_height(Style::label), step = number_leading(presented) * line_high;
  float y = at.y + 0.15f * line_high;
  canvas.fill({at.x, y + (line_high - mark) / 2, mark, mark}, theme.now, 2);
  float end = 0;
  for (const std::string& line : number_lines(canvas, width, stage)) {
    end = at.x + mark + mark_gap + canvas.text({at.x + mark + mark_gap, y}, Style::label, theme.text, line);
    y += step;
  }
  if (!stage.number->origin) return;
  const std::string word = stage.number_origin();
  const float tag = canvas.text_width(Style::small_caps, word) + 18;
  draw::paint_tag(canvas, end + 12 + tag, y - step + line_high / 2, theme.second, word);
}

// What the marks on a plane mean, beside the title: where the picture's figures come from.
void paint_plane_origins(draw::Canvas& canvas, const Box& box, const story::Stage& stage) {
  const auto* const plane = std::get_if<std::shared_ptr<const story::PlanePicture>>(&stage.picture);
  if (plane == nullptr) return;
  pictures::OriginWords words;
  for (const story::Origin origin : (*plane)->origins()) words.emplace_back(origin, stage.word_of(origin));
  constexpr float apart = 24;
  if (canvas.text_width(Style::title, stage.title) + apart + pictures::origins_width(canvas, words) <= box.width)
    pictures::paint_origins(canvas, box.right(), box.y + box.height / 2, words);
}

bool has_slide(const story::Stage& stage) {
  return std::holds_alternative<std::shared_ptr<const story::SlidePicture>>(stage.picture);
}

// Underlines the glossary's terms in a text's lines, each once, and explains the one under the pointer.
class Terms {
 public:
  Terms(draw::Canvas& canvas, draw::Ui* ui, const story::Glossary* glossary)
      : canvas_(canvas), ui_(ui), glossary_(glossary) {}

  void line(draw::Point at, Style style, std::string_view text) {
    if (ui_ == nullptr || glossary_ == nullptr) return;
    const float high = canvas_.line_height(style);
    for (const story::GlossaryPlace& place : glossary_->places_in(text)) {
      if (std::ranges::find(seen_, place.entry) != seen_.end()) continue;
      seen_.push_back(place.entry);
      const float left = at.x + canvas_.text_width(style, text.substr(0, place.from));
      const float wide = canvas_.text_width(style, text.substr(place.from, place.length));
      constexpr float dot = 2, gap = 2;
      for (float x = left; x + dot <= left + wide; x += dot + gap)
        canvas_.fill({x, at.y + 0.98f * high, dot, 1}, canvas_.theme().faint);
      constexpr std::size_t most_used = 3;
      if (ui_->hovered({left, at.y, wide, high})) ui_->tooltip(glossary_->explained(*place.entry, most_used));
    }
  }

 private:
  draw::Canvas& canvas_;
  draw::Ui* ui_;
  const story::Glossary* glossary_;
  std::vector<const story::GlossaryEntry*> seen_;
};

}  // namespace

pictures::Touch stage_view(draw::Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage,
                           StageHead head, const story::Glossary* glossary) {
  if (head == StageHead::none) return scenes::paint_picture(canvas, ui, box, stage);
  const draw::Theme& theme = canvas.theme();
  const bool presented = head == StageHead::presented;  // the title says where we are
  const bool learner = head == StageHead::learner;
  float y = box.y;
  if (head == StageHead::usual) {
    canvas.text(
        {box.x, y}, Style::small_caps, theme.second,
        stage.scene_number == 0 ? stage.scene_label : fmt::format("{} · {}", stage.scene_number, stage.scene_label),
        box.width);
    y += 22;
  }
  const bool slide = has_slide(stage);
  const float title_high = slide && stage.title.empty() ? 0
                           : presented || learner       ? 1.1f * canvas.line_height(Style::title)
                                                        : 46;
  // A sentence has two lines, and a third instead of an end that is cut. The lecturer's own words come before it.
  const float sentence_line = 1.2f * canvas.line_height(Style::sentence);
  const std::vector<std::string> own =
      canvas.wrapped(Style::sentence, presented ? std::string_view(stage.own_words) : "", box.width, max_own_lines);
  std::vector<std::string> sentence =
      canvas.wrapped(Style::sentence, stage.sentence, box.width, int{max_sentence_lines});
  // The picture starts at the same height in every beat, however short the sentence is, unless it lacks room.
  const auto lines_height = [&] {
    return static_cast<float>(std::max<std::size_t>(own.size() + sentence.size(), slide ? 0 : 2)) * sentence_line;
  };
  float sentence_high = lines_height();
  if (ui != nullptr) ui->point({box.x, y, box.width, title_high}, stage.title);
  // A title that does not fit is drawn in a smaller style, not cut.
  const bool large = canvas.text_width(Style::title, stage.title) <= box.width;
  paint_plane_origins(canvas, {box.x, y, box.width, title_high}, stage);
  const draw::Point title_at = {box.x, large ? y : y + title_high - 34};
  const Style title_style = large ? Style::title : Style::heading;
  canvas.text(title_at, title_style, theme.text, stage.title, box.width);
  y += title_high;
  Terms terms(canvas, ui, glossary);
  terms.line(title_at, title_style, stage.title);
  const float number_high = number_height(canvas, box.width, stage, presented);
  const float closer =
      presented && number_high > 0 ? 0.2f * canvas.line_height(Style::sentence) : 0;  // to the last line
  sentence_high -= closer;
  float gap = presented || learner ? 8 : 18;
  float facts_high = 0;
  const auto top = [&] { return y + sentence_high + number_high + gap; };
  QuestionFoot foot = QuestionFoot::below;
  float question_high = question_height(canvas, stage, box.width, foot);
  // What question and controls take below the picture, and what controls of this height leave for it.
  const auto below = [&](float high) {
    return (high > 0 ? high + 12 : 0) + (question_high > 0 ? question_high + 16 : 0);
  };
  const auto room = [&](float high) { return box.bottom() - facts_high - top() - below(high); };
  ControlNames names = ControlNames::above;
  float controls_high = controls_height(canvas, stage, box.width, names);
  const float whole = scenes::whole_picture_height(canvas, box.width, stage);
  constexpr float spare = 16;  // a picture that just fits looks squeezed
  const bool wordy = own.size() + sentence.size() > max_sentence_lines;
  if (!own.empty() && (wordy || room(controls_high) < std::max(whole + spare, least_share_of_picture * box.height))) {
    sentence.clear();  // the lecturer can say it
    sentence_high = lines_height() - closer;
  }
  if (room(controls_high) < whole + spare) {
    names = ControlNames::beside;
    controls_high = controls_height(canvas, stage, box.width, names);
  }
  if (presented && room(controls_high) < whole && own.size() + sentence.size() < 2) sentence_high = sentence_line;
  // Large type may leave no room for everything: the picture and its followed number are what the audience came for,
  // and keys still step through it.
  const float needed = stage.number ? whole : scenes::least_picture_height(canvas, box.width, stage);
  if (presented && room(controls_high) < needed) controls_high = 0;
  if (presented && room(controls_high) < whole) {
    if (stage.number) gap = 3;
    foot = QuestionFoot::beside;
    question_high = question_height(canvas, stage, box.width, foot);
  }
  // A step of the tour has its figures in its picture.
  if ((learner || presented) && !stage.step && !stage.facts.empty() && !(stage.question && stage.question->asked())) {
    const float line = 1.6f * canvas.line_height(Style::label);
    if (room(controls_high) - line >= std::max(whole + spare, least_share_of_picture * box.height)) facts_high = line;
  }
  if (ui != nullptr) ui->point({box.x, y, box.width, sentence_high}, stage.own_words + " " + stage.sentence);
  draw::Point text_at = {box.x, y};
  const auto line = [&](const std::string& text, ImU32 colour) {
    canvas.text(text_at, Style::sentence, colour, text);
    terms.line(text_at, Style::sentence, text);
    text_at.y += sentence_line;
  };
  for (const std::string& text : own) line(text, theme.text);
  for (const std::string& text : sentence) line(text, theme.second);
  if (number_high > 0) paint_number(canvas, {box.x, y + sentence_high + 2}, box.width, stage, presented);
  pictures::Touch touch = scenes::paint_picture(canvas, ui, {box.x, top(), box.width, room(controls_high)}, stage);
  if (question_high > 0)
    touch.add(question(canvas, ui,
                       {box.x, box.bottom() - facts_high - below(controls_high) + 16, box.width, question_high}, stage,
                       foot));
  if (controls_high > 0)
    touch.add(controls(canvas, ui, {box.x, box.bottom() - facts_high - controls_high, box.width, controls_high}, stage,
                       names));
  if (facts_high > 0) fact_line(canvas, ui, {box.x, box.bottom() - facts_high, box.width, facts_high}, stage);
  return touch;
}

}  // namespace warpwalk::panels
