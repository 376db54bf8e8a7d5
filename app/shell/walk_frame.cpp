#include "app/shell/walk_frame.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/document/recorded.h"
#include "app/panels/facts.h"
#include "app/panels/key_bar.h"
#include "app/panels/route.h"
#include "app/panels/stage_view.h"
#include "app/shell/lesson_place.h"
#include "app/shell/rank_steps.h"
#include "core/story/elements/figure.h"
#include "core/story/scene_list.h"

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

// As high as the note needs; the stage has the rest.
float note_height(const draw::Canvas& canvas, const std::string& note, float width) {
  const std::size_t lines = canvas.wrapped(Style::body, note, width - 2 * note_pad, max_note_lines).size();
  return note_head + 1.2f * canvas.line_height(Style::body) * static_cast<float>(std::max<std::size_t>(lines, 1)) +
         note_foot;
}

story::Narration::Values lesson_values(const pages::Opened& opened) {
  return {{"title", opened.lesson->title},
          {"step", std::to_string(opened.lesson_step + 1)},
          {"steps", std::to_string(opened.lesson->steps.size())}};
}

// Returns true if the person wants to go on where the lesson was left last.
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

bool is_overview(const pages::Opened& opened) { return opened.stage->scene == document::overview_scene; }

std::optional<pages::Action> overview_keys(draw::Ui& ui, const Box& box, const Parts& parts) {
  std::vector<panels::KeyHint> hints;
  for (const WayOn& way : ways_on)
    hints.push_back({pages::key_of(way.action, parts.words), parts.words.text("overview_keys", way.word)});
  const std::optional<std::size_t> pressed = panels::key_bar(ui, box, hints);
  return pressed ? std::optional(ways_on[*pressed].action) : std::nullopt;
}

// The strip stays at what is chosen: an op, or the work that a launch started, and the moment of the beat. Labs have no
// moment of the trace.
void keep_choice_in_strip(Parts& parts) {
  const pages::Opened& opened = parts.opened();
  const document::View& view = opened.view;
  const bool by_work = view.follow.starts_with("kernel:") || view.follow.starts_with("launch:");
  const story::SliceId chosen = opened.walk.op == story::no_slice || by_work ? opened.walk.kernel : opened.walk.op;
  const story::Scene* const scene = story::find_scene(view.scene);
  std::optional<std::int64_t> now;
  if (view.moment.kind == story::Moment::Kind::time || (scene != nullptr && !scene->is_lab()))
    now = parts.navigation.moment();
  panels::follow_choice(parts.panels.strip, parts.panels.strip_focus, opened.document->trace(), chosen, now);
}

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

// The line in the transport bar: the progress of background work, the step of the lesson, or a hint.
std::string hint(const Parts& parts, const std::string& work) {
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
    if (!away_from_step(parts.opened())) return words("lesson", lesson_values(parts.opened()));
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

}  // namespace

void paint_waiting(draw::Canvas& canvas, const Parts& parts) {
  const draw::Theme& theme = canvas.theme();
  const float y = canvas.height() / 2 - 60;
  const Box row = {40, y, canvas.width() - 80, 40};
  const auto words = [&](std::string_view key, const story::Narration::Values& values = {}) {
    return parts.words.text("waiting", key, values);
  };
  if (const std::filesystem::path* const file = parts.session.reading()) {
    const trace::ReadProgress progress = parts.session.read_progress();
    const auto ranks = parts.session.ranks_progress();
    const std::uint64_t read = ranks ? ranks->bytes : progress.bytes_read;
    const std::uint64_t total = ranks ? ranks->total : progress.bytes_total;
    const double share = total == 0 ? 0 : static_cast<double>(read) / static_cast<double>(total);
    const std::string percent = fmt::format("{:.0f} %", 100 * share);
    canvas.text_in(row, Style::sentence, theme.text, words("reading", {{"file", file->filename().string()}}),
                   draw::Align::centre);
    const Box bar = {canvas.width() / 2 - 200, y + 52, 400, 8};
    canvas.fill(bar, theme.line, 4);
    canvas.fill({bar.x, bar.y, bar.width * static_cast<float>(share), bar.height}, theme.done, 4);
    canvas.text_in({40, y + 68, canvas.width() - 80, 30}, Style::label, theme.second,
                   ranks ? words("progress_ranks", {{"done", std::to_string(ranks->done)},
                                                    {"files", std::to_string(ranks->files)},
                                                    {"share", percent}})
                         : words("progress", {{"n", story::with_thousands(static_cast<std::int64_t>(progress.events))},
                                              {"share", percent}}),
                   draw::Align::centre);
    return;
  }
  canvas.text_in(row, Style::sentence, theme.text, words("invite"), draw::Align::centre);
  canvas.text_in({40, y + 40, canvas.width() - 80, 30}, Style::label, theme.second, words("formats"),
                 draw::Align::centre);
  panels::paint_note(canvas, {0, 0, canvas.width(), canvas.height()}, parts.messages.note());
}

void paint_walk(draw::Ui& ui, Parts& parts, Actions& actions, const std::string& work) {
  draw::Canvas& canvas = ui.canvas();
  FramePanels& panels = parts.panels;
  const pages::Opened& opened = parts.opened();
  const document::Document& document = *opened.document;
  const trace::Trace& trace = document.trace();
  const float width = canvas.width(), height = canvas.height();
  constexpr float top = 56, transport_height = 56, margin = 32;
  const float facts_width = std::clamp(width * 0.2f, 264.0f, 340.0f);
  const float outline_width = std::clamp(width * 0.18f, 220.0f, 320.0f);
  const float strip_high = panels::strip_height(document.tracks);
  const float bottom = transport_height + strip_high;
  const float middle = height - top - bottom;
  const float note_high =
      panels.notes ? note_height(canvas, shown_note(opened, parts.words), width - facts_width - outline_width) : 0;
  const float keys_high = is_overview(opened) ? panels::key_bar_height : 0;
  const Box stage_box = {outline_width, top, width - facts_width - outline_width, middle - note_high - keys_high};
  keep_choice_in_strip(parts);

  const int stop = panels::route(canvas, &ui, {0, 0, width, top}, opened.stage->route);
  const story::SliceId chosen =
      panels::outline(ui, {0, top, outline_width, middle}, trace, document.outline, opened.walk, panels.outline);
  const bool asks_idle = std::exchange(panels.outline.asks_idle, false);
  canvas.clip(stage_box);
  const pictures::Touch touched = panels::stage_view(
      canvas, &ui, {stage_box.x + margin, top + 24, stage_box.width - 2 * margin, stage_box.height - 24 - 12},
      *opened.stage);
  canvas.unclip();
  std::optional<pages::Action> way_on;
  if (keys_high > 0)
    way_on =
        overview_keys(ui, {stage_box.x + margin, stage_box.bottom(), stage_box.width - 2 * margin, keys_high}, parts);
  const bool goes_on =
      panels.notes &&
      paint_speaker_note(ui, {stage_box.x, stage_box.bottom() + keys_high, stage_box.width, note_high}, parts);
  const panels::TransportAnswer answered = panels::transport(
      ui, {0, height - bottom, width, transport_height}, *opened.stage, parts.session.transport(), hint(parts, work));
  const panels::StripChoice went = panels::strip(ui, {0, height - strip_high, width, strip_high}, trace,
                                                 document.tracks, opened.walk, parts.navigation.moment(), panels.strip);
  // The facts come last, because they explain what the pointer points at anywhere.
  panels::facts(canvas, &ui, {width - facts_width, top, facts_width, middle}, *opened.stage, &parts.glossary,
                &panels.fact);
  panels::paint_note(canvas, stage_box, parts.messages.note());

  // Actions come after everything is drawn, so that one frame shows one state.
  if (way_on) actions.act(*way_on);
  if (goes_on) actions.act(pages::Action::last);
  if (asks_idle) actions.act(pages::Action::idle);
  if (chosen != story::no_slice) actions.follow(chosen);
  if (went.timeline) actions.act(pages::Action::timeline);
  if (went.slice != story::no_slice) actions.follow(went.slice);
  actions.touch(touched);
  if (went.time) parts.navigation.go_to_time(*went.time);
  if (stop >= 0) parts.navigation.go_to_stop(static_cast<std::size_t>(stop));
  actions.answer(answered);
}

}  // namespace warpwalk::shell
