#include "app/pages/kernel_lab/kernel_lab.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/pages/kernel_lab/kernel_lab_costs.h"
#include "app/pages/kernel_lab/kernel_lab_results.h"
#include "core/run/kernel_lab/carried_lines.h"
#include "core/run/kernel_lab/launch_statement.h"
#include "core/run/launch/cycles.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Key;
using draw::Style;
using LabAction = LabChoice::Kind;

constexpr float lab_margin = 24, lab_gap = 16, lab_head_height = 56, lab_label_height = 26, lab_button_height = 34;

void show_list(KernelLabState& state, LabList list) {
  const bool closes = state.list == list;
  state.list = closes ? LabList::none : list;
  state.listed = 0;
  state.memory.focus = closes ? fmt::format("lab.source.{}", state.active) : "lab.list";
}

/// Shows the stages of a Triton kernel, or the editors again.
void show_stages(KernelLabState& state) {
  if (state.stages.texts == nullptr) return;
  state.stages.shown = !state.stages.shown;
  state.list = LabList::none;
  state.memory.focus = state.stages.shown ? fmt::format("lab.stage.{}", state.stages.followed)
                                          : fmt::format("lab.source.{}", state.active);
}

/// The caches start warm instead of cold, or cold. The focus is on the launch then, so that Ctrl+Z undoes it.
void change_caches(KernelLabState& state) {
  LabVersion& version = state.version();
  const bool warm = run::statement_value(version.launch.text(), "caches") == run::name_of(gpu::CacheStart::warm);
  version.set_statement("caches", run::name_of(warm ? gpu::CacheStart::cold : gpu::CacheStart::warm));
  state.memory.focus = fmt::format("lab.launch.{}", state.active);
}

/// The keys that work wherever the focus is.
LabChoice shortcuts(draw::Ui& ui, KernelLabState& state, bool running) {
  LabChoice choice;
  for (const draw::KeyPress& press : ui.input().keys) {
    if (!press.control) continue;
    if (press.key == Key::enter && !running) choice.kind = LabAction::run;
    if (press.key != Key::character) continue;
    switch (press.character) {
      case U'o': show_list(state, LabList::drafts); break;
      case U'u': show_list(state, LabList::gpus); break;
      case U'e': change_caches(state); break;
      case U'j':
        if (!running) choice.kind = LabAction::launches;
        break;
      case U'b': state.compare = !state.compare; break;
      case U'g': choice.kind = LabAction::walk; break;
      case U's': choice.kind = LabAction::save; break;
      case U'p': choice.kind = LabAction::as_ptx; break;
      case U'l': go_to_next_hottest(state); break;
      case U'k': next_metric(state); break;
      case U't': show_stages(state); break;
      case U'm': state.all_figures = !state.all_figures; break;
      default: break;
    }
  }
  return choice;
}

/// A caption over an editor. Returns the right end of the words at its left.
float caption(draw::Canvas& canvas, const Box& box, std::string_view words, std::string_view beside) {
  const float width = canvas.text({box.x, box.y + 4}, Style::label, canvas.theme().text, words, box.width);
  canvas.text({box.right(), box.y + 4}, Style::label, canvas.theme().second, beside,
              std::max(0.0f, box.width - width - 16), Align::right);
  return box.x + width;
}

/// Small buttons over an editor, from `x` on; one that does not fit is left out.
class CaptionButtons {
 public:
  CaptionButtons(draw::Ui& ui, float x, float right, float y) : ui_(ui), x_(x), right_(right), y_(y) {}

  bool add(std::string_view id, const std::string& text, const std::string& tip = {}) {
    draw::Canvas& canvas = ui_.canvas();
    const Box box = {x_, y_, canvas.text_width(Style::label, text) + 20, lab_label_height - 4};
    if (box.right() > right_) return false;
    x_ = box.right() + 8;
    canvas.outline(box, canvas.theme().line, 6, canvas.theme().hairline);
    if (!tip.empty() && ui_.hovered(box)) ui_.tooltip(tip);
    return ui_.button(id, box, text);
  }

 private:
  draw::Ui& ui_;
  float x_, right_, y_;
};

/// The buttons over a source with figures beside its lines: the metric, and the way to the next hottest line.
void cost_buttons(draw::Ui& ui, KernelLabState& state, float x, float right, float y) {
  CaptionButtons buttons(ui, x, right, y);
  if (buttons.add("lab.metric", ui.word("kernel_lab", "ranked", {{"metric", metric_word(ui, state.metric)}})))
    next_metric(state);
  if (buttons.add("lab.hottest", ui.word("kernel_lab", "next_hottest"))) go_to_next_hottest(state);
}

/// The buttons over a launch: its GPU, its caches, and the launches of the program.
LabChoice launch_buttons(draw::Ui& ui, KernelLabState& state, std::size_t number, const LabGpu& standard, float x,
                         const Box& box) {
  LabVersion& version = state.versions[number];
  CaptionButtons buttons(ui, x, box.right(), box.y);
  LabChoice choice;
  const std::string named = run::statement_value(version.launch.text(), "gpu");
  if (buttons.add(fmt::format("lab.gpu.{}", number),
                  ui.word("kernel_lab", "gpu", {{"gpu", named.empty() ? standard.standard : named}}),
                  ui.word("kernel_lab", "gpu.tip"))) {
    state.active = number;
    show_list(state, LabList::gpus);
  }
  const bool warm = run::statement_value(version.launch.text(), "caches") == run::name_of(gpu::CacheStart::warm);
  if (buttons.add(fmt::format("lab.caches.{}", number), ui.word("kernel_lab", warm ? "caches.warm" : "caches.cold"),
                  ui.word("kernel_lab", "caches.tip"))) {
    state.active = number;
    change_caches(state);
  }
  if (version.program && buttons.add(fmt::format("lab.launches.{}", number), ui.word("kernel_lab", "launches"),
                                     ui.word("kernel_lab", "launches.tip"))) {
    state.active = number;
    choice.kind = LabAction::launches;
  }
  return choice;
}

/// The source and the launch of one version; the launch only if there is room for it.
LabChoice version_editors(draw::Ui& ui, KernelLabState& state, std::size_t number, const Box& source,
                          const std::optional<Box>& launch, const LabGpu& gpu) {
  LabChoice choice;
  LabVersion& version = state.versions[number];
  const auto below = [](const Box& box) {
    return Box{box.x, box.y + lab_label_height, box.width, box.height - lab_label_height};
  };
  const std::string name = state.compare ? ui.word("kernel_lab", number == 0 ? "version_a" : "version_b",
                                                   {{"file", version.opened.file_name()}})
                                         : version.opened.file_name();
  const bool cuda = version.opened.language == run::DraftLanguage::cuda;
  const bool precompiled = version.draft().uses_precompiled();
  const std::string made = ui.word("kernel_lab", precompiled ? "precompiled" : cuda ? "cuda" : "ptx");
  const float name_right = caption(ui.canvas(), source, name, made);
  constexpr float room_for_all_columns = 840;
  const EditorCosts costs = version_costs(ui, state, version, source.width >= room_for_all_columns);
  if (!costs.columns.empty() && number == state.active)
    cost_buttons(ui, state, name_right + 18, source.right() - ui.canvas().text_width(Style::label, made) - 16,
                 source.y);
  const float launch_right = launch ? caption(ui.canvas(), *launch, ui.word("kernel_lab", "launch"), "") : 0;
  auto source_marks = version.marks(run::Diagnostic::Text::source);
  auto launch_marks = version.marks(run::Diagnostic::Text::launch);
  if (state.compare) {
    const LabVersion& other = state.versions[1 - number];
    const auto mark = [&](std::vector<EditorMark>& marks, const draw::TextEditor& from, const draw::TextEditor& to) {
      for (const std::uint32_t line : run::differing_lines(from.text(), to.text()))
        marks.push_back({line, EditorMark::Kind::changed, ui.word("kernel_lab", "differs")});
    };
    mark(source_marks, other.source, version.source);
    mark(launch_marks, other.launch, version.launch);
  }
  bool changed = editor_view(ui, state.memory, fmt::format("lab.source.{}", number), below(source), version.source,
                             source_marks, "//", costs);
  if (launch && editor_view(ui, state.memory, fmt::format("lab.launch.{}", number), below(*launch), version.launch,
                            launch_marks, "#"))
    changed = true;
  if (launch) choice = launch_buttons(ui, state, number, gpu, launch_right + 18, *launch);
  // A message about a text that has changed since may be at the wrong line.
  if (changed) version.messages.clear();
  for (const char* const part : {"source", "launch"})
    if (ui.focused(fmt::format("lab.{}.{}", part, number))) state.active = number;
  return choice;
}

/// A list, in place of the results. A click or Enter chooses.
LabChoice entry_list(draw::Ui& ui, KernelLabState& state, const std::vector<LabEntry>& entries, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.ground, 6);
  canvas.outline(box, theme.second, 6, theme.hairline);
  const Box inner = box.inset(10);
  constexpr int look_lines = 2;
  const float line = canvas.line_height(Style::label) * 1.15f, row = 22 + line * look_lines + 10;
  const auto fits = static_cast<std::size_t>(std::max(1.0f, inner.height / row));
  if (entries.empty()) return {};
  state.listed = std::min(state.listed, entries.size() - 1);
  state.listed = ui.list("lab.list", box, state.listed, entries.size(), fits, ui.focused("lab.list"));
  if (const float notches = ui.wheel(box); notches != 0)
    state.listed = notches < 0 ? std::min(state.listed + 1, entries.size() - 1)
                               : state.listed - std::min<std::size_t>(state.listed, 1);
  LabChoice choice;
  if (ui.focused("lab.list"))
    for (const draw::KeyPress& press : ui.input().keys)
      if (press.key == Key::enter && !press.control) choice = {LabAction::entry, state.listed};
  const std::size_t first = state.listed >= fits ? state.listed + 1 - fits : 0;
  for (std::size_t i = 0; i < fits && first + i < entries.size(); ++i) {
    const LabEntry& entry = entries[first + i];
    const Box place = {inner.x, inner.y + row * static_cast<float>(i), inner.width, row - 4};
    const bool here = first + i == state.listed, over = ui.hovered(place);
    if (here || over) canvas.fill(place, draw::mixed(theme.second, theme.ground, here ? 0.28f : 0.16f), 6);
    canvas.text({place.x + 10, place.y + 3}, Style::label, theme.text, entry.title, place.width - 20);
    canvas.paragraph({place.x + 10, place.y + 23}, Style::label, theme.second, entry.look, place.width - 20,
                     look_lines);
    if (over && ui.input().mouse_pressed) choice = {LabAction::entry, first + i};
  }
  return choice;
}

std::string progress_text(draw::Ui& ui, const LabProgress& progress) {
  const std::string what =
      ui.word("kernel_lab", fmt::format("doing.{}", progress.what.empty() ? "run" : progress.what));
  return progress.share ? fmt::format("{}: {:.0f} %", what, 100 * *progress.share)
                        : fmt::format("{} … {:.0f} s", what, std::floor(progress.seconds));
}

/// The buttons over the results, and the progress of a run.
LabChoice buttons(draw::Ui& ui, KernelLabState& state, const LabProgress& progress, const Box& row) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  LabChoice choice;
  float x = row.x;
  const auto button = [&](std::string_view id, std::string_view word, bool on) {
    const std::string text = ui.word("kernel_lab", word);
    const Box box = {x, row.y, canvas.text_width(Style::label, text) + 26, lab_button_height};
    x = box.right() + 8;
    canvas.outline(box, theme.line, 6, theme.hairline);
    return ui.button(id, box, text, on);
  };
  if (progress.running) {
    if (button("lab.cancel", "cancel", true)) choice.kind = LabAction::cancel;
    const Box beside = {x + 6, row.y, row.right() - x - 6, lab_button_height};
    canvas.text({beside.x, beside.y}, Style::label, theme.second, progress_text(ui, progress), beside.width);
    const Box bar = {beside.x, beside.y + 23, beside.width, 6};
    canvas.fill(bar, theme.line, 3);
    if (progress.share)
      canvas.fill({bar.x, bar.y, bar.width * static_cast<float>(std::clamp(*progress.share, 0.0, 1.0)), bar.height},
                  theme.done, 3);
    return choice;
  }
  if (button("lab.run", "run", true)) choice.kind = LabAction::run;
  if (button("lab.sanitize", state.sanitize ? "sanitize.on" : "sanitize.off", state.sanitize))
    state.sanitize = !state.sanitize;
  if (button("lab.compare", state.compare ? "compare.off" : "compare.on", state.compare))
    state.compare = !state.compare;
  if (state.version().ptx_draft() && button("lab.ptx", "as_ptx", false)) choice.kind = LabAction::as_ptx;
  if (state.stages.texts != nullptr && button("lab.stages", "stages", false)) show_stages(state);
  if (state.version().run != nullptr && button("lab.walk", "walk", false)) choice.kind = LabAction::walk;
  if (state.version().can_trust() && state.version().checks.empty() && button("lab.trust", "trust", false))
    choice.kind = LabAction::trust;
  return choice;
}

}  // namespace

LabChoice kernel_lab(draw::Ui& ui, KernelLabState& state, const std::vector<LabEntry>& entries,
                     const LabProgress& progress, const LabGpu& gpu) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  if (state.memory.focus.empty()) state.memory.focus = "lab.source.0";
  LabChoice choice = shortcuts(ui, state, progress.running);
  canvas.fill({0, 0, canvas.width(), canvas.height()}, theme.panel);

  const float heading = canvas.text({lab_margin, 14}, Style::heading, theme.text, ui.word("kernel_lab", "heading"));
  const std::string beside = state.note.empty() ? ui.word("kernel_lab", "on", {{"gpu", gpu.name}}) : state.note;
  const float said =
      canvas.text({lab_margin + heading + 18, 20}, Style::label, theme.second, beside, lab_note_width(canvas));
  const float open_x = lab_margin + heading + said + 36;
  const std::string open = ui.word("kernel_lab", "open");
  const Box open_box = {open_x, 11, canvas.text_width(Style::label, open) + 26, lab_button_height};
  canvas.outline(open_box, theme.line, 6, theme.hairline);
  if (ui.button("lab.open", open_box, open, state.list == LabList::drafts)) show_list(state, LabList::drafts);
  canvas.text({canvas.width() - lab_margin, 20}, Style::label, theme.second,
              ui.word("kernel_lab", state.stages.shown ? "stages.closing" : "closing"),
              canvas.width() - lab_margin - open_box.right() - 20, Align::right);

  const Box page = {lab_margin, lab_head_height, canvas.width() - 2 * lab_margin,
                    canvas.height() - lab_head_height - lab_margin};
  const bool listing = state.list != LabList::none;
  if (state.stages.shown && !listing) {
    kernel_lab_stages(ui, state.stages, state.version(), page);
    return choice;
  }
  const auto take = [&](const LabChoice& made) {
    if (made.kind != LabAction::none) choice = made;
  };
  Box side;  // of the results
  if (state.compare) {
    const float side_width = std::clamp(page.width * 0.36f, 440.0f, 640.0f);
    const float width = (page.width - side_width - 2 * lab_gap) / 2;
    const float launch_height = std::clamp(page.height * 0.3f, 160.0f, 280.0f);
    for (std::size_t v = 0; v < 2; ++v) {
      const float x = page.x + static_cast<float>(v) * (width + lab_gap);
      take(version_editors(ui, state, v, {x, page.y, width, page.height - launch_height - 8},
                           Box{x, page.bottom() - launch_height, width, launch_height}, gpu));
    }
    side = {page.right() - side_width, page.y, side_width, page.height};
  } else {
    const float side_width = std::clamp(page.width * 0.36f, 400.0f, 640.0f);
    const float launch_height = std::clamp(page.height * 0.34f, 190.0f, 320.0f);
    side = {page.right() - side_width, page.y, side_width, page.height};
    std::optional<Box> launch;
    if (!listing) launch = Box{side.x, side.y, side_width, launch_height};
    take(version_editors(ui, state, state.active, {page.x, page.y, page.width - side_width - lab_gap, page.height},
                         launch, gpu));
    side.y += launch_height + 12;
    side.height -= launch_height + 12;
  }
  if (listing) {  // over the whole side, so that its sentences have room
    const LabChoice listed = entry_list(ui, state, entries, {side.x, page.y, side.width, page.height});
    return listed.kind != LabAction::none ? listed : choice;
  }
  const LabChoice pressed = buttons(ui, state, progress, {side.x, side.y, side.width, lab_button_height});
  kernel_lab_results(ui, state,
                     {side.x, side.y + lab_button_height + 10, side.width, side.height - lab_button_height - 10});
  if (state.asked) choice.kind = LabAction::walk;
  return pressed.kind != LabAction::none ? pressed : choice;
}

}  // namespace warpwalk::pages
