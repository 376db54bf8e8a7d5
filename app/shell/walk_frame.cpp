#include "app/shell/walk_frame.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/panels/facts.h"
#include "app/panels/key_bar.h"
#include "app/panels/route.h"
#include "app/panels/stage_view.h"
#include "app/shell/below_stage.h"
#include "core/story/elements/figure.h"
#include "core/story/scene_list.h"

namespace warpwalk::shell {
namespace {

using draw::Box;
using draw::Style;

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
  const float note_high = speaker_note_height(canvas, parts, width - facts_width - outline_width);
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
      *opened.stage, panels::StageHead::usual, &parts.glossary);
  canvas.unclip();
  std::optional<pages::Action> way_on;
  if (keys_high > 0)
    way_on =
        overview_keys(ui, {stage_box.x + margin, stage_box.bottom(), stage_box.width - 2 * margin, keys_high}, parts);
  const bool goes_on =
      panels.notes &&
      paint_speaker_note(ui, {stage_box.x, stage_box.bottom() + keys_high, stage_box.width, note_high}, parts);
  const panels::TransportAnswer answered =
      panels::transport(ui, {0, height - bottom, width, transport_height}, *opened.stage, parts.session.transport(),
                        frame_hint(parts, work));
  const panels::StripChoice went = panels::strip(ui, {0, height - strip_high, width, strip_high}, trace,
                                                 document.tracks, opened.walk, parts.navigation.moment(), panels.strip);
  // The facts come last, because they explain what the pointer points at anywhere.
  panels::facts(canvas, &ui, {width - facts_width, top, facts_width, middle}, *opened.stage, &parts.glossary,
                &panels.fact);
  // Under the words of the stage: below the picture are its question and the score.
  constexpr float words_high = 150;
  panels::paint_note(canvas, {stage_box.x, top + words_high, stage_box.width, stage_box.height - words_high},
                     parts.messages.note(), panels::NoteEdge::top);

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
