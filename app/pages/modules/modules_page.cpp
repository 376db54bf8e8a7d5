#include "app/pages/modules/modules_page.h"

#include <algorithm>
#include <string>
#include <utility>

#include "app/document/compiled_parts.h"
#include "app/pages/modules/module_flame.h"
#include "app/pages/modules/module_list.h"
#include "core/analysis/slices.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/words/rows.h"

namespace warpwalk::pages {
namespace {

using analysis::ModuleGrouping;
using analysis::ModuleMeasure;
using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Key;
using draw::Style;

constexpr float modules_margin = 24, modules_head = 52, modules_line = 30;

constexpr std::pair<ModuleMeasure, const char*> module_measure_words[] = {
    {ModuleMeasure::gpu, "gpu"}, {ModuleMeasure::cpu, "cpu"}, {ModuleMeasure::idle, "idle"}};

// One frame of the page.
class ModulesFrame {
 public:
  ModulesFrame(draw::Ui& ui, const trace::Trace& trace, std::size_t gpus, ModulesState& state)
      : ui_(ui), canvas_(ui.canvas()), theme_(ui.theme()), trace_(trace), gpus_(gpus), state_(state) {}

  std::optional<story::SliceId> paint() {
    const float width = canvas_.width(), height = canvas_.height();
    canvas_.fill({0, 0, width, height}, theme_.ground);
    paint_head({modules_margin, 0, width - 2 * modules_margin, modules_head});
    const Box page = {modules_margin, modules_head, width - 2 * modules_margin, height - modules_head - 12};
    if (state_.times->grouping == ModuleGrouping::none) {
      canvas_.paragraph({page.x, page.y + 8}, Style::body, theme_.text, ui_.word("modules", "none"), page.width, 4);
      return {};
    }
    take_keys();
    float y = page.y;
    paint_choices({page.x, y, page.width, modules_line});
    y += modules_line + 4;
    const float flame_height = std::min(std::clamp(0.36f * height, 120.0f, 312.0f),
                                        flame_row_height * static_cast<float>(std::max<std::size_t>(3, state_.levels)));
    if (const auto clicked = module_flame(ui_, {page.x, y, page.width, flame_height}, state_)) zoom_by_click(*clicked);
    y += flame_height + 4;
    y += paint_legend({page.x, y, page.width, 20}) + 8;
    constexpr float facts_height = 26;
    const Box list = {page.x, y, page.width, page.bottom() - y - facts_height};
    if (const auto clicked = module_list(ui_, list, state_)) {
      if (*clicked == state_.cursor)
        open_row(true);
      else
        state_.cursor = *clicked;
    }
    paint_facts({page.x, page.bottom() - facts_height + 4, page.width, facts_height - 4});
    return followed_;
  }

 private:
  const analysis::ModuleTimes& times() const { return *state_.times; }
  const analysis::ModuleRow& row() const { return state_.rows[std::min(state_.cursor, state_.rows.size() - 1)]; }

  void zoom_to(std::size_t module) {
    const std::size_t before = state_.zoom;
    state_.zoom = module;
    renew_rows(state_, before);
  }
  void go_up() {
    if (state_.zoom != 0) zoom_to(times().modules[state_.zoom].parent);
  }
  // A click on the module that fills the graph goes up.
  void zoom_by_click(std::size_t module) {
    if (module == state_.zoom)
      go_up();
    else
      zoom_to(module);
  }
  bool opens(const analysis::ModuleRow& one) const { return !one.own && !times().modules[one.module].children.empty(); }
  // Shows the inside of the row's module. `follow`: if there is none, follows its longest work.
  void open_row(bool follow) {
    const analysis::ModuleRow chosen = row();
    if (opens(chosen))
      zoom_to(chosen.module);
    else if (follow && chosen.longest != story::no_slice)
      followed_ = chosen.longest;
  }

  void take_keys() {
    const bool on_button = ui_.memory().focus_shown && !ui_.focused("modules.rows") && !ui_.memory().focus.empty();
    for (const draw::KeyPress& press : ui_.input().keys) {
      if (press.control) continue;
      if (press.key == Key::enter && !on_button) open_row(true);
      if (press.key == Key::right) open_row(false);
      if (press.key == Key::backspace || press.key == Key::left) go_up();
      if (press.key == Key::character) take_letter(press.character);
    }
  }
  void take_letter(char32_t letter) {
    switch (letter) {
      case U'v':
        set_measure(
            static_cast<ModuleMeasure>((static_cast<std::size_t>(state_.measure) + 1) % analysis::module_measures));
        break;
      case U's':
        sort_by(static_cast<analysis::ModuleColumn>((static_cast<std::size_t>(state_.sorted_by) + 1) %
                                                    analysis::module_columns));
        break;
      case U'r':
        state_.descending = !state_.descending;
        renew_rows(state_, row().module);
        break;
      case U'a': show_all(!state_.all); break;
      case U'g': next_gpu(); break;
      case U'c': state_.memory.copied = analysis::module_table_csv(times()); break;
      default: break;
    }
  }
  void set_measure(ModuleMeasure measure) {
    state_.measure = measure;
    renew_rows(state_, row().module);
  }
  void sort_by(analysis::ModuleColumn column) {
    state_.sorted_by = column;
    state_.descending = column != analysis::ModuleColumn::module;
    renew_rows(state_, row().module);
  }
  void show_all(bool all) {
    state_.all = all;
    renew_rows(state_, row().module);
  }
  void next_gpu() {
    if (gpus_ > 1) state_.gpu = (state_.gpu + 1) % gpus_;  // measured before the next frame
  }

  void paint_head(const Box& box) {
    const std::string heading = ui_.word("modules", "heading");
    canvas_.text_in({box.x, box.y, 200, box.height}, Style::heading, theme_.text, heading);
    const char* const keys = times().grouping == ModuleGrouping::none ? "keys.none" : gpus_ > 1 ? "keys.gpus" : "keys";
    canvas_.text_in({box.x + 130, box.y, box.width - 130, box.height}, Style::label, theme_.second,
                    ui_.word("modules", keys), Align::right);
  }

  // The path to the module that fills the graph at the left, what is shown at the right.
  void paint_choices(const Box& box) {
    float right = box.right();
    const auto button = [&](std::string_view id, const std::string& word, bool on) {
      const float wide = canvas_.text_width(Style::label, word) + 20;
      right -= wide;
      const bool pressed = ui_.button(id, {right, box.y + 2, wide, box.height - 4}, word, on);
      right -= 4;
      return pressed;
    };
    if (button("modules.copy", ui_.word("modules", "copy"), false))
      state_.memory.copied = analysis::module_table_csv(times());
    if (button("modules.all", ui_.word("modules", "all"), state_.all)) show_all(!state_.all);
    right -= 12;
    for (std::size_t i = analysis::module_measures; i-- > 0;) {
      const auto& [measure, key] = module_measure_words[i];
      if (button(std::string("modules.") + key, ui_.word("modules", key), state_.measure == measure))
        set_measure(measure);
    }
    std::string path = ui_.word("modules", "whole");
    if (times().device != trace::absent) path += ", " + story::device_label(ui_.words(), trace_, times().device);
    if (state_.zoom != 0) path = times().path_text(state_.zoom);
    canvas_.text_in({box.x, box.y, right - box.x - 16, box.height}, Style::body, theme_.text, path);
  }

  // What the colours mean, and what the rows are if they are not modules. Returns the height used.
  float paint_legend(const Box& box) {
    const ModuleTones tones = module_tones(state_.measure, theme_);
    float x = box.x;
    const auto entry = [&](ImU32 colour, const std::string& word) {
      canvas_.fill({x, box.y + 5, 12, 12}, colour, 2);
      canvas_.text_in({x + 18, box.y, box.right() - x - 18, 20}, Style::label, theme_.second, word);
      x += 18 + canvas_.text_width(Style::label, word) + 20;
    };
    const bool idle = state_.measure == ModuleMeasure::idle;
    entry(tones.forward, ui_.word("modules", idle ? "tone.idle" : "tone.forward"));
    if (!idle) entry(tones.backward, ui_.word("modules", "tone.backward"));
    if (idle && times().grouping == ModuleGrouping::modules) return 20;
    const char* const note = times().grouping == ModuleGrouping::modules     ? "note.modules"
                             : times().grouping == ModuleGrouping::functions ? "note.functions"
                                                                             : "note.ranges";
    canvas_.text_in({x, box.y, box.right() - x, 20}, Style::label, theme_.second, ui_.word("modules", note),
                    Align::right);
    return 20;
  }

  // The longest work of the chosen row, which Enter follows.
  void paint_facts(const Box& box) {
    const analysis::ModuleRow& chosen = row();
    const std::string text =
        chosen.longest == story::no_slice
            ? ui_.word("modules", gpus_ == 0 ? "no_gpu" : "no_work")
            : ui_.word("modules", opens(chosen) ? "longest" : "longest.enter",
                       {{"work", analysis::label_of(trace_, chosen.longest)},
                        {"time", story::time_text(static_cast<double>(trace_.slices.duration[chosen.longest]))}});
    canvas_.text_in(box, Style::label, theme_.second, text);
  }

  draw::Ui& ui_;
  Canvas& canvas_;
  const draw::Theme& theme_;
  const trace::Trace& trace_;
  std::size_t gpus_;
  ModulesState& state_;
  std::optional<story::SliceId> followed_;
};

}  // namespace

std::optional<story::SliceId> modules(draw::Ui& ui, const trace::Trace& trace, std::size_t gpus, ModulesState& state) {
  return ModulesFrame(ui, trace, gpus, state).paint();
}

// Reads the whole trace once for each GPU that is shown.
void ModulesPage::measure() {
  const document::Document& document = *opened().document;
  const std::vector<analysis::IdleReport>& gpus = document.outline.idle;
  const analysis::CodePlaces places(document.trace());
  const analysis::KernelParts parts = document::parts_of_compiled(document.compiled);
  const bool first = !state_.times;
  if (gpus.empty()) {
    state_.times =
        analysis::module_times(document.trace(), places, trace::absent, std::vector<analysis::IdleGap>{}, parts);
    state_.measure = ModuleMeasure::cpu;
  } else {
    const analysis::IdleReport& gpu = gpus[state_.gpu];
    state_.times = analysis::module_times(document.trace(), places, gpu.device, gpu.gaps, parts);
  }
  // The modules are the same for each GPU, and so are their numbers.
  renew_rows(state_, first || state_.rows.empty() ? no_module : state_.rows[state_.cursor].module);
}

void ModulesPage::paint(draw::Ui& ui) {
  const document::Document& document = *opened().document;
  const std::vector<analysis::IdleReport>& gpus = document.outline.idle;
  if (!state_.times || (!gpus.empty() && state_.times->device != gpus[state_.gpu].device)) measure();
  const auto slice = modules(ui, document.trace(), gpus.size(), state_);
  if (!slice) return;
  program().close_page();
  program().follow(*slice);
}

}  // namespace warpwalk::pages
