#include "app/pages/run/run_result.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/story/elements/figure.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Style;

constexpr float above = 16, result_head_height = 24, value_height = 24, result_button_height = 40, result_gap = 16,
                line_step = 22;
constexpr float op_room = 176, dot_room = 20;

// The check of the tensors that one op left for another; the others are of one op's result.
bool is_of_tensors(const run::OpCheck& check) { return check.kernel.empty() && check.op == "between ops"; }

// How an op's result compares with the cpu's.
std::string check_words(const draw::Ui& ui, const run::OpCheck& check) {
  const bool tensors = is_of_tensors(check);
  const char* const key = check.mismatches != 0        ? "mismatch"
                          : check.max_abs_error == 0   ? "equal"
                          : check.max_error_share == 0 ? "close"
                                                       : "within";
  return ui.word("check", key,
                 {{"n", story::with_thousands(static_cast<std::int64_t>(check.elements))},
                  {"things", ui.word("check", tensors ? "tensors" : "elements")},
                  {"wrong", story::with_thousands(static_cast<std::int64_t>(check.mismatches))},
                  {"allowed", check.allowed},
                  {"error", base::with_marks(fmt::format("{:.3g}", check.max_abs_error))},
                  {"share", base::with_marks(fmt::format("{:.1f} %", 100 * check.max_error_share))}});
}

// A line of the list of checks; the first line of a check has its op and its dot.
struct Line {
  const run::OpCheck* check = nullptr;
  bool first = false;
  std::string words;
};

std::vector<Line> lines_of(draw::Ui& ui, const std::vector<run::OpCheck>& checks, float width) {
  constexpr int max_lines = 8;
  std::vector<Line> lines;
  for (const run::OpCheck& check : checks) {
    bool first = true;
    for (std::string& words :
         ui.canvas().wrapped(Style::label, check_words(ui, check), width - op_room - dot_room, max_lines)) {
      lines.push_back({&check, first, std::move(words)});
      first = false;
    }
  }
  return lines;
}

float values_height(const runs::RunValues& values) {
  if (values.rows.empty()) return 0;
  return result_head_height + value_height * static_cast<float>(values.rows.size() + (values.more_rows ? 1 : 0)) +
         result_gap;
}

void paint_values(draw::Ui& ui, const Box& box, const runs::RunValues& values) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.text({box.x, box.y}, Style::small_caps, theme.second, ui.word("run_panel", "values"), box.width);
  float column = 0;
  for (const auto& row : values.rows)
    for (const std::string& value : row) column = std::max(column, canvas.text_width(Style::mono_small, value));
  column = std::min(column + 24, box.width / (static_cast<float>(values.rows.front().size()) + 0.5f));
  float y = box.y + result_head_height;
  for (const auto& row : values.rows) {
    float right = box.x + column - 16;
    for (const std::string& value : row) {
      canvas.text_in({right - column + 8, y, column - 8, value_height}, Style::mono_small, theme.text, value,
                     draw::Align::right);
      right += column;
    }
    if (values.more_columns)
      canvas.text_in({right - column + 16, y, 24, value_height}, Style::mono_small, theme.second, "…");
    y += value_height;
  }
  if (values.more_rows)
    canvas.text_in({box.x, y, column - 16, value_height}, Style::mono_small, theme.second, "…", draw::Align::right);
}

void paint_checks(draw::Ui& ui, const Box& box, const std::vector<run::OpCheck>& checks, std::size_t& first_line) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::vector<Line> lines = lines_of(ui, checks, box.width);
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.height - result_head_height) / line_step));
  const std::size_t last = lines.size() > room ? lines.size() - room : 0;
  const auto move = [&](std::ptrdiff_t by) {
    const auto wanted = static_cast<std::ptrdiff_t>(first_line) + by;
    first_line = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(wanted, 0, static_cast<std::ptrdiff_t>(last)));
  };
  for (const draw::KeyPress& press : ui.input().keys) {
    if (press.key == draw::Key::page_down) move(static_cast<std::ptrdiff_t>(room));
    if (press.key == draw::Key::page_up) move(-static_cast<std::ptrdiff_t>(room));
  }
  const float wheel = ui.wheel(box);
  move(wheel < 0 ? 1 : wheel > 0 ? -1 : 0);

  canvas.text({box.x, box.y}, Style::small_caps, theme.second, ui.word("run_panel", "checks"), box.width);
  if (last > 0)
    canvas.text({box.right(), box.y}, Style::label, theme.second,
                ui.word("run_panel", "scroll",
                        {{"from", fmt::format("{}", first_line + 1)},
                         {"to", fmt::format("{}", std::min(first_line + room, lines.size()))},
                         {"of", fmt::format("{}", lines.size())}}),
                box.width / 2, draw::Align::right);
  Box row = {box.x, box.y + result_head_height, box.width, line_step};
  for (std::size_t i = first_line; i < std::min(first_line + room, lines.size()); ++i) {
    const Line& line = lines[i];
    const bool good = line.check->mismatches == 0;
    if (line.first) {
      canvas.dot({row.x + 6, row.y + line_step / 2}, 4, good ? theme.done : theme.launch);
      canvas.text_in({row.x + dot_room, row.y, op_room - 8, row.height}, Style::mono_small, theme.text,
                     is_of_tensors(*line.check) ? ui.word("check", "between") : line.check->op);
    }
    canvas.text_in({row.x + dot_room + op_room, row.y, row.width - dot_room - op_room, row.height}, Style::label,
                   good ? theme.second : theme.text, line.words);
    if (ui.hovered(row))
      ui.tooltip(ui.word("check", "tip", {{"allowed", line.check->allowed}, {"reason", line.check->reason}}));
    row.y += line_step;
  }
}

}  // namespace

float result_height(draw::Ui& ui, const RunShown& shown, float width) {
  float height = values_height(*shown.values) + (shown.walk ? result_button_height + result_gap : 0);
  if (!shown.checks->empty())
    height += result_head_height + line_step * static_cast<float>(lines_of(ui, *shown.checks, width).size());
  return height > 0 ? above + height : 0;
}

bool paint_result(draw::Ui& ui, const Box& box, const RunShown& shown, std::size_t& first_line) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  if (result_height(ui, shown, box.width) <= 0) return false;
  canvas.line({box.x, box.y}, {box.right(), box.y}, theme.line, theme.hairline);
  float y = box.y + above;
  bool walk = false;
  if (shown.walk) {
    const Box button = {box.x, y, std::max(160.0f, canvas.text_width(Style::label, ui.word("run_panel", "walk")) + 48),
                        result_button_height};
    canvas.fill(button, draw::mixed(theme.done, theme.panel, ui.hovered(button) ? 0.45f : 0.3f), 6);
    canvas.outline(button, theme.done, 6, theme.hairline);
    canvas.text_in(button, Style::label, theme.text, ui.word("run_panel", "walk"), draw::Align::centre);
    walk = ui.activated("run.walk", button);
    canvas.text_in({button.right() + 16, y, box.right() - button.right() - 16, result_button_height}, Style::label,
                   theme.second, ui.word("run_panel", "walk.note"));
    y += result_button_height + result_gap;
  }
  const float high = values_height(*shown.values);
  if (high > 0) paint_values(ui, {box.x, y, box.width, high}, *shown.values);
  y += high;
  if (!shown.checks->empty()) paint_checks(ui, {box.x, y, box.width, box.bottom() - y}, *shown.checks, first_line);
  return walk;
}

}  // namespace warpwalk::pages
