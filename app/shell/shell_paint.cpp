// The layout of the screen.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/pages/help.h"
#include "app/panels/facts.h"
#include "app/panels/glossary.h"
#include "app/panels/route.h"
#include "app/panels/stage_view.h"
#include "app/shell/frame.h"
#include "app/shell/shell.h"
#include "core/story/elements/figure.h"
#include "core/story/transcript.h"

namespace warpwalk::shell {
namespace {

using draw::Box;
using draw::Style;

constexpr float note_pad = 24, note_head = 34, note_foot = 12;
constexpr int most_note_lines = 3;

std::string shown_note(const std::string& note, const story::Narration& narration) {
  return note.empty() ? narration.text("speaker", "none") : note;
}

// As high as the note needs; the stage has the rest.
float note_height(const draw::Canvas& canvas, const std::string& note, float width) {
  const std::size_t lines = canvas.wrapped(Style::body, note, width - 2 * note_pad, most_note_lines).size();
  return note_head + 1.2f * canvas.line_height(Style::body) * static_cast<float>(std::max<std::size_t>(lines, 1)) +
         note_foot;
}

}  // namespace

void Shell::paint_waiting(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& t = theme();
  const float y = canvas.height() / 2 - 60;
  const Box row = {40, y, canvas.width() - 80, 40};
  if (loader_.busy()) {
    const trace::ReadProgress progress = loader_.progress();
    const double share = progress.bytes_total == 0
                             ? 0
                             : static_cast<double>(progress.bytes_read) / static_cast<double>(progress.bytes_total);
    canvas.text_in(row, Style::sentence, t.text,
                   narration_.text("waiting", "reading", {{"file", loader_.file().filename().string()}}),
                   draw::Align::centre);
    const Box bar = {canvas.width() / 2 - 200, y + 52, 400, 8};
    canvas.fill(bar, t.line, 4);
    canvas.fill({bar.x, bar.y, bar.width * static_cast<float>(share), bar.height}, t.done, 4);
    canvas.text_in({40, y + 68, canvas.width() - 80, 30}, Style::label, t.second,
                   narration_.text("waiting", "progress",
                                   {{"n", story::with_thousands(static_cast<std::int64_t>(progress.events))},
                                    {"share", fmt::format("{:.0f} %", 100 * share)}}),
                   draw::Align::centre);
    return;
  }
  canvas.text_in(row, Style::sentence, t.text, narration_.text("waiting", "invite"), draw::Align::centre);
  canvas.text_in({40, y + 40, canvas.width() - 80, 30}, Style::label, t.second, narration_.text("waiting", "formats"),
                 draw::Align::centre);
  panels::paint_note(canvas, {0, 0, canvas.width(), canvas.height()}, note_);
}

void Shell::paint_speaker_note(draw::Canvas& canvas, const Box& box) {
  const draw::Theme& t = theme();
  canvas.fill(box, t.panel);
  canvas.line({box.x, box.y}, {box.right(), box.y}, t.line, t.hairline);
  std::string head = narration_.text("speaker", "head");
  if (lesson_) head = narration_.text("speaker", "head.lesson", lesson_values());
  canvas.text({box.x + note_pad, box.y + 12}, Style::small_caps, t.second, head, box.width - 2 * note_pad);
  const std::string& words = speaker_note();
  canvas.paragraph({box.x + note_pad, box.y + note_head}, Style::body, words.empty() ? t.second : t.text,
                   shown_note(words, narration_), box.width - 2 * note_pad, most_note_lines);
}

void Shell::paint_presenting(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  if (blank_) return;
  touch(shell::paint_presented(canvas, &ui, *stage_));
}

story::Narration::Values Shell::lesson_values() const {
  return {{"title", lesson_->title},
          {"step", std::to_string(lesson_step_ + 1)},
          {"steps", std::to_string(lesson_->steps.size())}};
}

// The line in the transport bar: the progress of background work, the step of the lesson, or a hint.
std::string Shell::hint() const {
  const auto words = [&](std::string_view key, const story::Narration::Values& values) {
    return narration_.text("hint", key, values);
  };
  if (loader_.busy()) return words("reading", {{"file", loader_.file().filename().string()}});
  if (compare_loader_.busy()) return words("reading", {{"file", compare_loader_.file().filename().string()}});
  if (run_job_.busy()) return words("running", {{"expression", run_form_.expression.text}});
  if (lab_job_.busy() && !lab_job_.checking())
    return words("running", {{"expression", lab_.versions[lab_.active].opened.file_name()}});
  if (filming_) return words("filming", {{"share", fmt::format("{:.0f} %", 100 * film_share_)}});
  if (lesson_) return words("lesson", lesson_values());
  return note_.kind == panels::Note::Kind::hint ? note_.text : std::string();
}

void Shell::paint_walk(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const trace::Trace& trace = document_->trace();
  const float width = canvas.width(), height = canvas.height();
  constexpr float top = 56, transport_height = 56, margin = 32;
  const float facts_width = std::clamp(width * 0.2f, 264.0f, 340.0f);
  const float outline_width = std::clamp(width * 0.18f, 220.0f, 320.0f);
  const float strip_high = panels::strip_height(document_->tracks);
  const float bottom = transport_height + strip_high;
  const float middle = height - top - bottom;
  const float note_high =
      notes_ ? note_height(canvas, shown_note(speaker_note(), narration_), width - facts_width - outline_width) : 0;
  const Box stage_box = {outline_width, top, width - facts_width - outline_width, middle - note_high};

  const int stop = panels::route(canvas, &ui, {0, 0, width, top}, stage_->route);
  const story::SliceId chosen =
      panels::outline(ui, {0, top, outline_width, middle}, trace, document_->outline, walk_, outline_);
  if (std::exchange(outline_.asks_idle, false)) sheet_ = Sheet::idle;
  canvas.clip(stage_box);
  const scenes::Touch touched = panels::stage_view(
      canvas, &ui, {stage_box.x + margin, top + 24, stage_box.width - 2 * margin, stage_box.height - 24 - 12}, *stage_);
  canvas.unclip();
  if (notes_) paint_speaker_note(canvas, {stage_box.x, stage_box.bottom(), stage_box.width, note_high});
  const panels::TransportAnswer answered =
      panels::transport(ui, {0, height - bottom, width, transport_height}, *stage_, transport_, hint());
  const panels::StripChoice went = panels::strip(ui, {0, height - strip_high, width, strip_high}, trace,
                                                 document_->tracks, walk_, moment_in_trace(), strip_);
  // The facts come last, because they explain what the pointer points at anywhere.
  panels::facts(canvas, &ui, {width - facts_width, top, facts_width, middle}, *stage_, &glossary_, &fact_);
  panels::paint_note(canvas, stage_box, note_);

  // Actions come after everything is drawn, so that one frame shows one state.
  if (chosen != story::no_slice) follow(story::follow_name(trace, chosen));
  if (went.timeline) sheet_ = Sheet::timeline;
  if (went.slice != story::no_slice) follow(story::follow_name(trace, went.slice));
  touch(touched);
  if (went.time) {
    View view = view_;
    view.moment = {story::Moment::Kind::time, *went.time, 1};
    go(view);
  }
  if (stop >= 0) go_to_stop(static_cast<std::size_t>(stop));
  answer(answered);
}

void Shell::paint_sheet(draw::Ui& ui) {
  if (sheet_ == Sheet::help) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const pages::Shortcut& shortcut : pages::shortcuts())
      rows.emplace_back(pages::key_label(shortcut, narration_), narration_.text("keys", shortcut.what));
    pages::help(ui, rows);
  }
  if (sheet_ == Sheet::glossary) {
    panels::glossary(ui, glossary_.terms_in(story::words_on(*stage_)), glossary_scroll_);
  }
  if (sheet_ == Sheet::idle)
    if (const auto gap = pages::idle(ui, document_->trace(), document_->outline.idle, idle_)) go_to_gap(*gap);
  if (sheet_ == Sheet::timeline) {
    if (const auto slice = pages::timeline(ui, document_->trace(), walk_, strip_, timeline_)) {
      sheet_ = Sheet::none;
      follow(story::follow_name(document_->trace(), *slice));
    }
  }
  if (sheet_ == Sheet::run) paint_run(ui);
  if (sheet_ == Sheet::kernel) paint_lab(ui);
  if (sheet_ == Sheet::lesson) paint_lesson_page(ui);
  if (sheet_ == Sheet::observe) paint_observe(ui);
  if (sheet_ == Sheet::files) paint_files(ui);
  if (sheet_ == Sheet::start) paint_start(ui);
}

}  // namespace warpwalk::shell
