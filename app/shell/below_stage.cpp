#include "app/shell/below_stage.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/panels/key_bar.h"
#include "app/shell/session/lesson_place.h"
#include "app/shell/session/rank_steps.h"

namespace warpwalk::shell {
namespace {

using draw::Box;
using draw::Style;

constexpr float note_pad = 24, note_head = 34, note_foot = 12;
constexpr int max_strip_lines = 3;

// In a lesson what its step says to the learner; the lecturer's window has the note. Outside of the lesson, the way
// back to it.
std::string speaker_note(const Parts& parts) {
  const pages::Opened& opened = parts.opened();
  const story::Narration& words = parts.words;
  if (away_from_step(opened)) return words.text("speaker", "away", {{"step", std::to_string(opened.lesson_step + 1)}});
  if (opened.lesson) {
    const lessons::LessonStep& step = opened.lesson->steps[opened.lesson_step];
    if (!step.text.empty()) return step.text;
    if (!step.note.empty() && !parts.host.for_class) return step.note;
  }
  return parts.host.for_class ? std::string() : opened.stage->note;
}

std::string shown_note(const Parts& parts) {
  const std::string note = speaker_note(parts);
  return note.empty() ? parts.words.text("speaker", "none") : note;
}

float note_height(const draw::Canvas& canvas, const std::string& note, float width) {
  const std::size_t lines = canvas.wrapped(Style::body, note, width - 2 * note_pad, max_strip_lines).size();
  return note_head + 1.2f * canvas.line_height(Style::body) * static_cast<float>(std::max<std::size_t>(lines, 1)) +
         note_foot;
}

// The keys that lead on from the overview of a trace, the most important ones first.
struct WayOn {
  pages::Action action;
  std::string_view word;  // in [overview_keys]
};
constexpr std::array<WayOn, 8> ways_on = {{{pages::Action::walk, "walk"},
                                           {pages::Action::kernels, "kernels"},
                                           {pages::Action::modules, "modules"},
                                           {pages::Action::timeline, "timeline"},
                                           {pages::Action::idle, "idle"},
                                           {pages::Action::what_if, "what_if"},
                                           {pages::Action::compare, "compare"},
                                           {pages::Action::help, "help"}}};

// The launch to go to from one that cannot be shown itself; empty: none is needed.
std::string recorded_hint(const Parts& parts) {
  const pages::Opened& opened = parts.opened();
  if (opened.document->recorded.empty() || !parts.stages.shows_history()) return {};
  const story::HistoryView history = parts.stages.histories().view();
  const bool itself = history.state != story::HistoryView::State::impossible && !history.stand_in();
  return itself ? std::string() : recorded_instead(opened, parts.words);
}

// Whose trace is open, and the key that leads to all ranks; empty: it is of one rank.
std::string ranks_hint(const pages::Opened& opened, const story::Narration& words) {
  const document::Document& document = *opened.document;
  if (document.ranks == nullptr || opened.view.scene == document::ranks_scene || opened.view.ranks.empty()) return {};
  return words.text("hint", "of_ranks",
                    {{"rank", std::to_string(opened.view.rank)},
                     {"count", std::to_string(document.ranks->ranks.size())},
                     {"key", pages::key_of(pages::Action::ranks, words)}});
}

}  // namespace

float speaker_note_height(const draw::Canvas& canvas, const Parts& parts, float width) {
  return parts.panels.notes ? note_height(canvas, shown_note(parts), width) : 0;
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
                   speaker_note(parts).empty() ? theme.second : theme.text, shown_note(parts), box.width - 2 * note_pad,
                   max_strip_lines);
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

std::string frame_hint(const Parts& parts, const std::string& work, bool lesson_said) {
  const auto words = [&](std::string_view key, const story::Narration::Values& values) {
    return parts.words.text("hint", key, values);
  };
  if (const auto ranks = parts.session.ranks_progress())
    return words("reading_ranks", {{"done", std::to_string(ranks->done)}, {"files", std::to_string(ranks->files)}});
  for (const std::filesystem::path* const file : {parts.session.reading(), parts.compared.reading()})
    if (file != nullptr) return words("reading", {{"file", file->filename().string()}});
  if (!work.empty()) return words("running", {{"expression", work}});
  if (parts.film.busy()) return words("filming", {{"share", fmt::format("{:.0f} %", 100 * parts.film.share())}});
  if (parts.opened().lesson) {
    if (!away_from_step(parts.opened()))
      return lesson_said ? std::string() : words("lesson", lesson_values(parts.opened()));
    return words("lesson_away", lesson_values(parts.opened()));
  }
  if (parts.opened().view.scene == document::ranks_scene && first_late(parts.opened()))
    return words("ranks", {{"key", pages::key_of(pages::Action::ranks, parts.words)}});
  const panels::Note& note = parts.messages.note();
  if (note.kind == panels::Note::Kind::hint && !note.text.empty()) return note.text;
  if (const auto& aside = parts.opened().lesson_aside)
    return words("lesson_aside", {{"title", aside->lesson.title}, {"step", std::to_string(aside->step + 1)}});
  if (std::string recorded = recorded_hint(parts); !recorded.empty()) return recorded;
  return ranks_hint(parts.opened(), parts.words);
}

}  // namespace warpwalk::shell
