#include "app/shell/below_stage.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "app/panels/key_bar.h"
#include "app/shell/frame_hint.h"
#include "app/shell/session/lesson_place.h"

namespace warpwalk::shell {
namespace {

using draw::Box;
using draw::Style;

constexpr float note_pad = 24, note_head = 34, note_foot = 12;
constexpr int max_note_lines = 3;

// In a lesson what its step says to the learner; the lecturer's window has the note. Outside of the lesson, the way
// back to it.
std::string speaker_note(const pages::Opened& opened, const story::Narration& words) {
  if (away_from_step(opened)) return words.text("speaker", "away", {{"step", std::to_string(opened.lesson_step + 1)}});
  if (opened.lesson) {
    const lessons::LessonStep& step = opened.lesson->steps[opened.lesson_step];
    if (!step.text.empty()) return step.text;
    if (!step.note.empty()) return step.note;
  }
  return opened.stage->note;
}

std::string shown_note(const pages::Opened& opened, const story::Narration& words) {
  const std::string note = speaker_note(opened, words);
  return note.empty() ? words.text("speaker", "none") : note;
}

float note_height(const draw::Canvas& canvas, const std::string& note, float width) {
  const std::size_t lines = canvas.wrapped(Style::body, note, width - 2 * note_pad, max_note_lines).size();
  return note_head + 1.2f * canvas.line_height(Style::body) * static_cast<float>(std::max<std::size_t>(lines, 1)) +
         note_foot;
}

// The keys that lead on from the overview of a trace, the most important ones first.
struct WayOn {
  pages::Action action;
  std::string_view word;  // in [overview_keys]
};
constexpr std::array<WayOn, 7> ways_on = {{{pages::Action::walk, "walk"},
                                           {pages::Action::kernels, "kernels"},
                                           {pages::Action::modules, "modules"},
                                           {pages::Action::timeline, "timeline"},
                                           {pages::Action::idle, "idle"},
                                           {pages::Action::compare, "compare"},
                                           {pages::Action::help, "help"}}};

}  // namespace

float speaker_note_height(const draw::Canvas& canvas, const Parts& parts, float width) {
  return parts.panels.notes ? note_height(canvas, shown_note(parts.opened(), parts.words), width) : 0;
}

bool paint_speaker_note(draw::Ui& ui, const Box& box, const Parts& parts) {
  draw::Canvas& canvas = ui.canvas();
  const pages::Opened& opened = parts.opened();
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel);
  canvas.line({box.x, box.y}, {box.right(), box.y}, theme.line, theme.hairline);
  const std::string head = opened.lesson ? parts.words.text("speaker", "head.lesson", lesson_values(opened))
                                         : parts.words.text("speaker", "head");
  float width = box.width - 2 * note_pad;
  bool goes_on = false;
  if (opened.lesson && opened.lesson_place) {
    const std::string word = parts.words.text(
        "speaker", "go_on",
        {{"step", std::to_string(*opened.lesson_place + 1)}, {"key", pages::key_of(pages::Action::last, parts.words)}});
    const float button = canvas.text_width(Style::label, word) + 24;
    const Box at = {box.right() - note_pad - button, box.y + 5, button, note_head - 8};
    canvas.outline(at, theme.line, 6, theme.hairline);
    goes_on = ui.button("lesson.go_on", at, word);
    width -= button + 16;
  }
  canvas.text({box.x + note_pad, box.y + 12}, Style::small_caps, theme.second, head, width);
  canvas.paragraph({box.x + note_pad, box.y + note_head}, Style::body,
                   speaker_note(opened, parts.words).empty() ? theme.second : theme.text,
                   shown_note(opened, parts.words), box.width - 2 * note_pad, max_note_lines);
  return goes_on;
}

bool is_overview(const pages::Opened& opened) { return opened.stage->scene == document::overview_scene; }

std::optional<pages::Action> overview_keys(draw::Ui& ui, const Box& box, const Parts& parts) {
  std::vector<panels::KeyHint> hints;
  for (const WayOn& way : ways_on)
    hints.push_back({pages::key_of(way.action, parts.words), parts.words.text("overview_keys", way.word)});
  const std::optional<std::size_t> pressed = panels::key_bar(ui, box, hints);
  return pressed ? std::optional(ways_on[*pressed].action) : std::nullopt;
}

}  // namespace warpwalk::shell
