#include "app/pages/kernel_lab/kernel_lab_stages.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/draw/text/text_lines.h"
#include "app/pages/kernel_lab/kernel_lab_state.h"
#include "core/run/launch/python_costs.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Style;
using run::TextStage;

constexpr float stage_head = 30, stage_pad = 8, stage_foot = 52, stage_gap = 16, stage_costs = 92;
constexpr std::size_t wheel_step = 3, rows_above = 6;

std::size_t index_of(TextStage stage) { return static_cast<std::size_t>(stage); }

/// What stands beside the lines of Python.
struct PythonColumn {
  std::map<std::size_t, std::pair<std::string, std::string>> lines;  ///< by line, from 0: the cell and its tip
};

PythonColumn python_column(const draw::Ui& ui, const run::KernelStages& texts, const LabVersion& version) {
  PythonColumn column;
  const bool same_ptx = version.run != nullptr && version.up_to_date() &&
                        version.ran.language == run::DraftLanguage::ptx && version.ran.source == version.opened.source;
  if (!same_ptx) return column;
  const run::PythonCosts costs = run::python_costs(version.run->costs, texts.lines);
  const run::LineCosts total = costs.total();
  const run::LineMetric metric = total.stalled() > 0 ? run::LineMetric::stalls : run::LineMetric::instructions;
  const auto whole = static_cast<double>(std::max<std::uint64_t>(metric_value(total, metric), 1));
  for (const run::PythonLineCosts& line : costs.lines) {
    const auto value = static_cast<double>(metric_value(line.costs, metric));
    if (value <= 0) continue;
    std::string tip = ui.word("kernel_lab", metric == run::LineMetric::stalls ? "stages.stalls" : "stages.instructions",
                              {{"share", fmt::format("{:.1f}", 100 * value / whole)}});
    for (const auto& part : line.inlined)
      tip += "\n" +
             ui.word(
                 "kernel_lab", "stages.inlined",
                 {{"share", fmt::format("{:.0f}", 100 * static_cast<double>(metric_value(part.costs, metric)) / value)},
                  {"function", part.function}});
    column.lines[static_cast<std::size_t>(line.python.line) - 1] = {fmt::format("{:.1f} %", 100 * value / whole),
                                                                    std::move(tip)};
  }
  return column;
}

/// One side while it is drawn.
class SideView {
 public:
  SideView(draw::Ui& ui, LabStages& stages, std::size_t number, const Box& box)
      : ui_(ui), stages_(stages), number_(number), box_(box), id_(fmt::format("lab.stage.{}", number)) {}

  /// Takes keys, clicks and the wheel. Returns true if the cursor moved or the stage changed.
  bool take_input() {
    LabStages::Side& side = stages_.sides[number_];
    const LabStages::Side before = side;
    const bool focused = ui_.focused(id_);
    if (focused)
      for (const draw::KeyPress& press : ui_.input().keys) {
        if (press.key == draw::Key::left) choose(-1);
        if (press.key == draw::Key::right) choose(1);
      }
    const std::size_t count = std::max<std::size_t>(lines().size(), 1);
    side.line = ui_.list(id_, box_, std::min(side.line, count - 1), count, rows(), focused);
    if (ui_.hovered(box_) && ui_.input().mouse_pressed && !lines().empty()) {
      const float row = std::max(0.0f, (ui_.input().mouse.y - first_y()) / row_height());
      side.line = std::min(side.top + static_cast<std::size_t>(row), count - 1);
      stages_.followed = number_;
      ui_.memory().focus = id_;
    }
    const bool moved = side.line != before.line || side.stage != before.stage;
    if (moved || (focused && stages_.followed != number_)) stages_.followed = number_;
    if (moved) show(side.line);
    if (const float notches = ui_.wheel(box_); notches != 0)
      side.top = notches < 0 ? std::min(side.top + wheel_step, count - 1) : side.top - std::min(side.top, wheel_step);
    return moved;
  }

  /// The buttons that choose the stage.
  bool take_buttons(const Box& head) {
    draw::Canvas& canvas = ui_.canvas();
    bool changed = false;
    float x = head.x;
    for (std::size_t stage = 0; stage < run::text_stages; ++stage) {
      if (!stages_.texts->has(static_cast<TextStage>(stage))) continue;
      const std::string name(run::text_stage_names[stage]);
      const Box box = {x, head.y, canvas.text_width(Style::label, name) + 18, head.height - 6};
      x = box.right() + 6;
      if (ui_.button(fmt::format("{}.{}", id_, stage), box, name, index_of(stages_.sides[number_].stage) == stage)) {
        set(static_cast<TextStage>(stage));
        changed = true;
      }
    }
    return changed;
  }

  /// Scrolls to the first of the lines that are marked, unless one of them is in view.
  void show_marked(const std::vector<std::size_t>& marked) {
    LabStages::Side& side = stages_.sides[number_];
    const bool visible =
        std::ranges::any_of(marked, [&](std::size_t line) { return line >= side.top && line < side.top + rows(); });
    if (!marked.empty() && !visible) side.top = marked.front() - std::min(marked.front(), rows_above);
    if (!marked.empty()) side.line = marked.front();
  }

  void paint(const std::vector<std::size_t>& marked, const PythonColumn& costs) {
    draw::Canvas& canvas = ui_.canvas();
    const draw::Theme& theme = canvas.theme();
    const LabStages::Side& side = stages_.sides[number_];
    const std::vector<std::string>& text = lines();
    const bool focused = ui_.focused(id_), python = side.stage == TextStage::python;
    canvas.fill(box_, theme.ground, 6);
    canvas.clip(box_.inset(1));
    const float character = canvas.text_width(Style::mono_small, "0");
    const float number_right =
        box_.x + stage_pad + character * static_cast<float>(fmt::formatted_size("{}", text.size()));
    const float text_x = number_right + 12;
    const float text_right = box_.right() - (python && !costs.lines.empty() ? stage_costs : 8);
    const auto columns = static_cast<std::size_t>(std::max(1.0f, (text_right - text_x) / character));
    for (std::size_t row = 0; row < rows() && side.top + row < text.size(); ++row) {
      const std::size_t line = side.top + row;
      const Box whole = {box_.x + 1, first_y() + row_height() * static_cast<float>(row), box_.width - 2, row_height()};
      const bool here = line == side.line && stages_.followed == number_;
      if (std::ranges::binary_search(marked, line)) {
        canvas.fill(whole, draw::mixed(theme.now, theme.ground, 0.3f));
        canvas.fill({whole.x, whole.y, 4, whole.height}, theme.now);
      }
      if (here) canvas.outline(whole.inset(1), theme.second, 3, 1);
      canvas.text_in({box_.x, whole.y, number_right - box_.x, whole.height}, Style::mono_small, theme.second,
                     fmt::format("{}", line + 1), draw::Align::right);
      canvas.text_in({text_x, whole.y, text_right - text_x, whole.height}, Style::mono_small, theme.text,
                     draw::visible_part(text[line], 0, columns));
      if (!python) continue;
      const auto figure = costs.lines.find(line);
      if (figure == costs.lines.end()) continue;
      const Box cell = {text_right, whole.y, stage_costs - 10, whole.height};
      canvas.text_in(cell, Style::mono_small, theme.text, figure->second.first, draw::Align::right);
      if (ui_.hovered(cell)) ui_.tooltip(figure->second.second);
    }
    canvas.unclip();
    canvas.outline(box_, focused ? theme.text : theme.line, 6, focused ? 1.5f : theme.hairline);
  }

 private:
  const std::vector<std::string>& lines() const { return stages_.texts->texts[index_of(stages_.sides[number_].stage)]; }
  float row_height() const { return 20; }
  float first_y() const { return box_.y + stage_pad; }
  std::size_t rows() const {
    return static_cast<std::size_t>(std::max(1.0f, (box_.height - 2 * stage_pad) / row_height()));
  }

  void show(std::size_t line) {
    LabStages::Side& side = stages_.sides[number_];
    if (line < side.top) side.top = line;
    if (line >= side.top + rows()) side.top = line + 1 - rows();
  }

  /// The next stage in this direction that is there.
  void choose(int step) {
    auto stage = static_cast<int>(index_of(stages_.sides[number_].stage));
    do {
      stage += step;
      if (stage < 0 || stage >= static_cast<int>(run::text_stages)) return;
    } while (!stages_.texts->has(static_cast<TextStage>(stage)));
    set(static_cast<TextStage>(stage));
  }

  /// Shows a stage, at the first line that belongs to what was followed.
  void set(TextStage stage) {
    LabStages::Side& side = stages_.sides[number_];
    const auto& of_line = stages_.texts->linked[index_of(side.stage)];
    const std::vector<std::uint32_t> links =
        side.line < of_line.size() ? of_line[side.line] : std::vector<std::uint32_t>();
    side.stage = stage;
    const std::vector<std::size_t> same = stages_.texts->lines_of(stage, links);
    side.line = same.empty() ? 0 : same.front();
    side.top = side.line - std::min(side.line, rows_above);
  }

  draw::Ui& ui_;
  LabStages& stages_;
  std::size_t number_;
  Box box_;
  std::string id_;
};

/// "zoo.py:23, of it tl.sum (standard.py:293), inlined": where the followed line comes from.
std::string origin_text(const draw::Ui& ui, const run::KernelStages& texts, const std::vector<std::uint32_t>& links) {
  if (links.empty()) return ui.word("kernel_lab", "stages.no_line");
  const compiled::LinkedLine& line = texts.lines.lines[links.front()];
  std::string text = line.python.line == 0
                         ? ui.word("kernel_lab", "stages.unknown")
                         : fmt::format("{}:{}", compiled::file_name(line.python.file), line.python.line);
  std::vector<std::string> helpers;
  for (const std::uint32_t link : links) {
    const auto& inlined = texts.lines.lines[link].inlined;
    if (inlined.empty()) continue;
    std::string chain;
    for (auto frame = inlined.rbegin(); frame != inlined.rend(); ++frame)
      chain += fmt::format("{}{}{}:{}", chain.empty() ? "" : " > ",
                           frame->function.empty() ? "" : compiled::helper_name(frame->function) + " ",
                           compiled::file_name(frame->file), frame->line);
    helpers.push_back(std::move(chain));
  }
  if (!helpers.empty())
    text += "   " + ui.word("kernel_lab", links.size() == 1 ? "stages.in" : "stages.with",
                            {{"helpers", fmt::format("{}", fmt::join(helpers, ", "))}});
  return text;
}

/// "TTIR 1, TTGIR 1, LLVM IR 12, PTX 12, SASS 14": how much of each stage belongs to it.
std::string counts_text(const run::KernelStages& texts, const std::vector<std::uint32_t>& links) {
  std::string text;
  for (std::size_t stage = 1; stage < run::text_stages; ++stage)
    if (texts.has(static_cast<TextStage>(stage)))
      text += fmt::format("{}{} {}", text.empty() ? "" : ",  ", run::text_stage_names[stage],
                          texts.lines_of(static_cast<TextStage>(stage), links).size());
  return text;
}

}  // namespace

void LabStages::open(std::shared_ptr<const run::KernelStages> kernel) {
  *this = {};
  texts = std::move(kernel);
  if (texts == nullptr) return;
  sides[0].stage = texts->has(TextStage::python) ? TextStage::python : TextStage::ttir;
  sides[1].stage = texts->has(TextStage::sass) ? TextStage::sass : TextStage::ptx;
  const auto& linked = texts->linked[static_cast<std::size_t>(sides[0].stage)];
  const auto first = std::ranges::find_if(linked, [](const auto& links) { return !links.empty(); });
  sides[0].line = first == linked.end() ? 0 : static_cast<std::size_t>(first - linked.begin());
  sides[0].top = sides[0].line - std::min(sides[0].line, rows_above);
}

void kernel_lab_stages(draw::Ui& ui, LabStages& stages, const LabVersion& version, const Box& box) {
  draw::Canvas& canvas = ui.canvas();
  const run::KernelStages& texts = *stages.texts;
  if (!ui.memory().focus.starts_with("lab.stage.")) ui.memory().focus = fmt::format("lab.stage.{}", stages.followed);
  const float width = (box.width - stage_gap) / 2;
  std::vector<SideView> views;
  for (std::size_t number = 0; number < stages.sides.size(); ++number) {
    const float x = box.x + static_cast<float>(number) * (width + stage_gap);
    views.emplace_back(ui, stages, number, Box{x, box.y + stage_head, width, box.height - stage_head - stage_foot});
    stages.moved |= views.back().take_buttons({x, box.y, width, stage_head});
    stages.moved |= views.back().take_input();
  }
  const LabStages::Side& from = stages.sides[stages.followed];
  const auto& of_stage = texts.linked[index_of(from.stage)];
  const std::vector<std::uint32_t> links =
      from.line < of_stage.size() ? of_stage[from.line] : std::vector<std::uint32_t>();
  const PythonColumn costs = python_column(ui, texts, version);
  for (std::size_t number = 0; number < views.size(); ++number) {
    const std::vector<std::size_t> marked = texts.lines_of(stages.sides[number].stage, links);
    if (stages.moved && number != stages.followed) views[number].show_marked(marked);
    views[number].paint(marked, costs);
  }
  stages.moved = false;
  const float y = box.bottom() - stage_foot + 8;
  canvas.text({box.x, y}, Style::label, canvas.theme().text, origin_text(ui, texts, links), box.width);
  canvas.text({box.x, y + 21}, Style::label, canvas.theme().second, counts_text(texts, links), box.width);
}

}  // namespace warpwalk::pages
