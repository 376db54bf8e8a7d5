// Where everything stands on screen.
#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "app/panels/facts.h"
#include "app/panels/glossary.h"
#include "app/panels/help.h"
#include "app/panels/route.h"
#include "app/panels/stage_view.h"
#include "app/shell/shell.h"
#include "core/story/stage/figure.h"
#include "core/story/transcript.h"

namespace warpwalk::shell {
namespace {

using draw::Box;
using draw::Style;

void add_folder(const std::filesystem::path& folder, std::string_view group, std::string_view ending,
                std::vector<panels::FileChoice>& choices) {
  std::error_code error;
  const std::size_t first = choices.size();
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().filename().string().ends_with(ending))
      choices.push_back({entry.path(), entry.path().filename().string(), std::string(group)});
  std::sort(choices.begin() + static_cast<std::ptrdiff_t>(first), choices.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
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
    canvas.text_in(row, Style::sentence, t.text, fmt::format("Reading {}", loader_.file().filename().string()),
                   draw::Align::centre);
    const Box bar = {canvas.width() / 2 - 200, y + 52, 400, 8};
    canvas.fill(bar, t.line, 4);
    canvas.fill({bar.x, bar.y, bar.width * static_cast<float>(share), bar.height}, t.done, 4);
    canvas.text_in({40, y + 68, canvas.width() - 80, 30}, Style::label, t.second,
                   fmt::format("{} events, {:.0f} %. Esc cancels.",
                               story::with_thousands(static_cast<std::int64_t>(progress.events)), 100 * share),
                   draw::Align::centre);
    return;
  }
  canvas.text_in(row, Style::sentence, t.text, "Drop a trace on this window, or press O to open one",
                 draw::Align::centre);
  canvas.text_in({40, y + 40, canvas.width() - 80, 30}, Style::label, t.second,
                 note_.empty() ? std::string("a file of torch.profiler or of warpwalk, .json or .json.gz") : note_,
                 draw::Align::centre);
}

void Shell::paint_note(draw::Canvas& canvas, const Box& box) {
  const draw::Theme& t = theme();
  canvas.fill(box, t.panel);
  canvas.line({box.x, box.y}, {box.right(), box.y}, t.line, t.hairline);
  constexpr float pad = 24;
  std::string head = "SPEAKER NOTE";
  if (lesson_) head = fmt::format("STEP {} OF {} · {}", lesson_step_ + 1, lesson_->steps.size(), lesson_->title);
  canvas.text({box.x + pad, box.y + 12}, Style::small_caps, t.second, head, box.width - 2 * pad);
  const std::string& words = speaker_note();
  canvas.paragraph({box.x + pad, box.y + 34}, Style::body, words.empty() ? t.second : t.text,
                   words.empty() ? "There is no note to this beat." : words, box.width - 2 * pad, 3);
}

void Shell::paint_presenting(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  if (blank_) return;
  constexpr float margin = 56, note_height = 112;
  const float bottom = notes_ ? note_height : 0;
  const scenes::Touch touched = panels::stage_view(
      canvas, &ui, {margin, 40, canvas.width() - 2 * margin, canvas.height() - 72 - bottom}, *stage_);
  if (notes_) paint_note(canvas, {0, canvas.height() - bottom, canvas.width(), bottom});
  touch(touched);
}

std::string Shell::said() const {
  if (loader_.busy()) return fmt::format("reading {} … Esc cancels", loader_.file().filename().string());
  if (run_job_.busy()) return fmt::format("running {} … X shows it", run_form_.expression.text);
  if (filming_) return fmt::format("filming: {:.0f} % … Esc cancels", 100 * film_share_);
  if (lesson_ && note_.empty())
    return fmt::format("{} · step {} of {}", lesson_->title, lesson_step_ + 1, lesson_->steps.size());
  return note_;
}

void Shell::paint_walk(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const trace::Trace& trace = document_->trace();
  const float width = canvas.width(), height = canvas.height();
  constexpr float top = 56, transport_height = 56, margin = 32, note_height = 112;
  const float facts_width = std::clamp(width * 0.2f, 264.0f, 340.0f);
  const float outline_width = std::clamp(width * 0.18f, 220.0f, 320.0f);
  const float strip_high = panels::strip_height(document_->lanes);
  const float bottom = transport_height + strip_high;
  const float middle = height - top - bottom;
  const float note_high = notes_ ? note_height : 0;
  const Box stage_box = {outline_width, top, width - facts_width - outline_width, middle - note_high};

  const int stop = panels::route(canvas, &ui, {0, 0, width, top}, stage_->route);
  const story::SliceId chosen =
      panels::outline(ui, {0, top, outline_width, middle}, trace, document_->outline, walk_, outline_);
  canvas.clip(stage_box);
  const scenes::Touch touched = panels::stage_view(
      canvas, &ui, {stage_box.x + margin, top + 24, stage_box.width - 2 * margin, stage_box.height - 24 - 12}, *stage_);
  canvas.unclip();
  if (notes_) paint_note(canvas, {stage_box.x, stage_box.bottom(), stage_box.width, note_high});
  const panels::TransportAnswer answered =
      panels::transport(ui, {0, height - bottom, width, transport_height}, *stage_, transport_, said());
  const panels::StripChoice went = panels::strip(ui, {0, height - strip_high, width, strip_high}, trace,
                                                 document_->lanes, walk_, moment_in_trace(), strip_);
  // Last, since it explains what the pointer is at anywhere.
  panels::facts(canvas, &ui, {width - facts_width, top, facts_width, middle}, *stage_, &glossary_, &fact_);

  // Answers come after everything is drawn, so that one frame shows one state.
  if (chosen != story::no_slice) follow(story::follow_name(trace, chosen));
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

std::vector<panels::FileChoice> Shell::file_choices() const {
  std::vector<panels::FileChoice> choices;
  std::error_code error;
  for (const std::string& file : settings_.recent)
    if (std::filesystem::exists(file, error)) choices.push_back({file, file, "recent"});
  if (host_.assets.empty()) return choices;
  add_folder(host_.assets / "walks", "recorded walk", ".json.gz", choices);
  add_folder(host_.assets / "lessons", "lesson", ".json", choices);
  return choices;
}

void Shell::paint_sheet(draw::Ui& ui) {
  if (sheet_ == Sheet::help) {
    std::vector<std::pair<std::string_view, std::string_view>> rows;
    for (const Shortcut& shortcut : shortcuts()) rows.emplace_back(shortcut.keys, shortcut.what);
    panels::help(ui, rows);
  }
  if (sheet_ == Sheet::glossary) {
    panels::glossary(ui, glossary_.terms_in(story::words_on(*stage_)), glossary_scroll_);
  }
  if (sheet_ == Sheet::run) paint_run(ui);
  if (sheet_ == Sheet::observe) paint_observe(ui);
  if (sheet_ == Sheet::files) {
    const auto chosen = panels::files(ui, file_choices(), files_);
    if (!chosen) return;
    std::error_code error;
    if (!std::filesystem::exists(*chosen, error)) {
      note_ = fmt::format("{}: there is no such file", chosen->string());
      files_.path.text.clear();
      sheet_ = Sheet::none;
      return;
    }
    sheet_ = Sheet::none;
    View view;
    view.file = *chosen;
    view.naming = view_.naming;
    open(view);
  }
}

}  // namespace warpwalk::shell
