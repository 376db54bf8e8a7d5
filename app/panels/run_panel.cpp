#include "app/panels/run_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/panels/sheet.h"
#include "core/ops/geometry.h"
#include "core/run/check_text.h"

namespace warpwalk::panels {
namespace {

using draw::Box;
using draw::Key;
using draw::Style;

constexpr float field_height = 34;
constexpr float row_height = 42;
constexpr float label_room = 110;
constexpr float error_room = 52;  // under the expression: the message and the hint
constexpr std::size_t most_checks = 6;

/// A text in the form: Tab stops at it, and it takes the keys while it has the focus. Whether Enter was pressed there.
class Fields {
 public:
  Fields(draw::Ui& ui, draw::UiMemory& memory) : ui_(ui), memory_(memory) {
    if (memory_.focus.empty()) memory_.focus = "run.expression";
  }

  void text(std::string_view id, const Box& box, TextField& field, bool wrong) {
    const bool typing = ui_.focused(id);
    if (typing)
      for (const draw::KeyPress& press : ui_.input().keys) {
        field.type(press);
        entered_ = entered_ || press.key == Key::enter;
      }
    paint_field(ui_.canvas(), box, field, typing, "");
    if (wrong) ui_.canvas().outline(box, ui_.theme().launch, 6, 1.5f);
    ui_.activated(id, box);
  }
  bool entered() const { return entered_; }

 private:
  draw::Ui& ui_;
  draw::UiMemory& memory_;
  bool entered_ = false;
};

/// Words side by side, of which one is chosen: by the pointer or, with the focus, by Left and Right.
std::size_t choice(draw::Ui& ui, std::string_view id, const Box& box, const std::vector<std::string_view>& words,
                   std::size_t at, float width) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  std::size_t chosen = at;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Box place = {box.x + width * static_cast<float>(i), box.y, width - 6, box.height};
    const bool over = ui.hovered(place);
    if (i == at || over) canvas.fill(place, draw::mixed(theme.second, theme.panel, i == at ? 0.28f : 0.16f), 6);
    canvas.outline(place, i == at ? theme.second : theme.line, 6, theme.hairline);
    canvas.text_in(place, Style::label, i == at || over ? theme.text : theme.second, words[i], draw::Align::centre);
    if (over && ui.input().mouse_pressed) chosen = i;
  }
  const Box all = {box.x, box.y, width * static_cast<float>(words.size()) - 6, box.height};
  // The slider is for the keys: what was pressed with the pointer is known better above.
  const auto step = ui.slider(id, all, at, words.size() - 1);
  const bool pointer = ui.input().mouse_pressed || ui.input().mouse_down;
  return step && !pointer ? *step : chosen;
}

void label(draw::Ui& ui, const Box& row, std::string_view words) {
  ui.canvas().text_in({row.x, row.y, label_room - 10, row.height}, Style::label, ui.theme().second, words);
}

/// Under the expression: a line below the place, the message, and what would fit.
void paint_error(draw::Canvas& canvas, const Box& field, const TextField& expression,
                 const ops::ExpressionError& error) {
  const draw::Theme& theme = canvas.theme();
  const std::string_view text = expression.text;
  const std::size_t from = std::min(error.position, text.size());
  const std::size_t to = std::min(text.size(), from + error.length);
  const float room = field.width - 20;
  const float shift = std::min(0.0f, room - canvas.text_width(Style::label, text) - 2);  // as paint_field has it
  const float left = field.x + 10 + shift + canvas.text_width(Style::label, text.substr(0, from));
  const float right = std::max(left + 8, left + canvas.text_width(Style::label, text.substr(from, to - from)));
  const float x = std::clamp(left, field.x + 10, field.right() - 18);
  const float end = std::clamp(right, x + 8, field.right() - 6);
  canvas.fill({x, field.bottom() - 5, end - x, 3}, theme.launch, 1);
  canvas.text({field.x, field.bottom() + 8}, Style::label, theme.text, error.message, field.width);
  // The words of the command line, where --shape stands before a shape.
  std::string hint = error.hint;
  for (std::size_t at = 0; (at = hint.find("--shape ")) != std::string::npos;) hint.erase(at, 8);
  canvas.text({field.x, field.bottom() + 29}, Style::label, theme.second, hint, field.width);
}

void paint_checks(draw::Ui& ui, Box row, const std::vector<run::OpCheck>& checks) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.text({row.x, row.y}, Style::small_caps, theme.second, "CHECKED AGAINST THE CPU, OP BY OP", row.width);
  row.y += 22;
  row.height = 24;
  for (std::size_t i = 0; i < std::min(checks.size(), most_checks); ++i) {
    const run::OpCheck& check = checks[i];
    canvas.dot({row.x + 6, row.y + 12}, 4, check.mismatches == 0 ? theme.done : theme.launch);
    canvas.text_in({row.x + 20, row.y, 190, row.height}, Style::mono_small, theme.text, check.op);
    canvas.text_in({row.x + 216, row.y, row.width - 216, row.height}, Style::label,
                   check.mismatches == 0 ? theme.second : theme.text, run::check_text(check));
    if (ui.hovered(row)) ui.tooltip(check.reason);
    row.y += row.height;
  }
  if (checks.size() > most_checks)
    canvas.text_in({row.x + 20, row.y, row.width, row.height}, Style::label, theme.second,
                   fmt::format("and {} more", checks.size() - most_checks));
}

RunChoice paint_button(draw::Ui& ui, const Box& row, const RunJudgement& judgement, const RunProgress& progress) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const Box button = {row.x, row.y, 100, field_height};
  const Box beside = {button.right() + 16, row.y, row.width - 116, field_height};
  if (progress.running) {
    const bool pressed = ui.button("run.cancel", button, "Cancel", true);
    const Box bar = {beside.x, beside.y + 22, beside.width, 6};
    canvas.text({beside.x, beside.y}, Style::label, theme.second,
                progress.what.empty() ? std::string("running")
                                      : fmt::format("{}: {:.0f} %", progress.what, 100 * progress.share),
                beside.width);
    canvas.fill(bar, theme.line, 3);
    canvas.fill({bar.x, bar.y, bar.width * static_cast<float>(std::clamp(progress.share, 0.0, 1.0)), bar.height},
                theme.done, 3);
    return pressed ? RunChoice::cancel : RunChoice::none;
  }
  const bool pressed = ui.button("run.run", button, "Run", judgement.good());
  std::string words = progress.said;
  if (words.empty() && judgement.result)
    words = fmt::format("gives {} {}", ops::shape_text(judgement.result->sizes), name_of(judgement.result->dtype));
  canvas.text_in(beside, Style::label, theme.text, words);
  return pressed && judgement.good() ? RunChoice::run : RunChoice::none;
}

}  // namespace

RunChoice run_panel(draw::Ui& ui, draw::UiMemory& memory, RunForm& form, const std::string& no_cuda,
                    const RunProgress& progress) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const auto rows = static_cast<float>(form.used.size());
  const float checks =
      progress.checks.empty() ? 0 : 56 + 24 * static_cast<float>(std::min(progress.checks.size(), most_checks + 1));
  const float height = field_height + error_room + row_height * (rows + 4) + checks;
  const Box sheet_box = sheet(ui, 820, height, "Run an expression", "Enter runs, Esc closes");
  Box row = {sheet_box.x, sheet_box.y, sheet_box.width, field_height};
  const auto next = [&] { row.y += row_height; };
  Fields fields(ui, memory);

  const Box expression = row;
  fields.text("run.expression", expression, form.expression, false);
  RunJudgement judgement = judge(form, no_cuda);
  if (judgement.error) paint_error(canvas, expression, form.expression, *judgement.error);
  row.y += field_height + error_room;

  std::vector<std::string_view> dtypes;
  for (const ops::DType dtype : run_dtypes()) dtypes.push_back(name_of(dtype));
  for (std::size_t i = 0; i < form.used.size(); ++i) {
    RunInput& input = form.inputs[form.used[i]];
    const bool wrong = !judgement.inputs[i].empty();
    canvas.text_in({row.x, row.y, label_room - 10, row.height}, Style::mono_small, theme.text, input.name);
    const Box shape = {row.x + label_room, row.y, 200, field_height};
    fields.text("run.shape." + input.name, shape, input.shape, wrong);
    if (wrong && ui.hovered(shape)) ui.tooltip(judgement.inputs[i]);
    const auto at = static_cast<std::size_t>(std::ranges::find(run_dtypes(), input.dtype) - run_dtypes().begin());
    const Box types = {shape.right() + 20, row.y + 3, row.right() - shape.right() - 20, field_height - 6};
    input.dtype = run_dtypes()[choice(ui, "run.dtype." + input.name, types, dtypes, at, 62)];
    if (wrong)
      canvas.text_in({types.x + 62 * 6 + 4, row.y, row.right() - types.x - 62 * 6, row.height}, Style::label,
                     theme.launch, "no shape");
    next();
  }
  label(ui, row, "Seed");
  fields.text("run.seed", {row.x + label_room, row.y, 200, field_height}, form.seed, !judgement.seed.empty());
  canvas.text_in({row.x + label_room + 220, row.y, row.width - label_room - 220, row.height}, Style::label,
                 theme.second, judgement.seed.empty() ? "of the first input; the next has one more" : judgement.seed);
  next();
  label(ui, row, "On");
  const std::vector<std::string_view> places = {"simulated GPU", "cpu", "cuda"};
  constexpr std::array targets = {run::Target::sim, run::Target::cpu, run::Target::cuda};
  const auto on = static_cast<std::size_t>(std::ranges::find(targets, form.on) - targets.begin());
  const Box where = {row.x + label_room, row.y + 3, 3 * 124, field_height - 6};
  std::size_t wanted = choice(ui, "run.on", where, places, on, 124);
  const Box cuda = {where.x + 2 * 124, where.y, 118, where.height};
  if (!no_cuda.empty()) {
    canvas.fill(cuda, draw::with_alpha(theme.panel, 0.6f), 6);  // greyed
    if (ui.hovered(cuda)) ui.tooltip(no_cuda);
    if (targets[wanted] == run::Target::cuda) wanted = on;
    canvas.text({where.right() + 12, row.y + 9}, Style::label, theme.second, fmt::format("cuda: {}", no_cuda),
                row.right() - where.right() - 12);
  }
  form.on = targets[wanted];
  next();
  label(ui, row, "Gradients");
  const Box yes = {row.x + label_room, row.y + 3, 118, field_height - 6};
  if (ui.button("run.gradients", yes, form.gradients ? "on" : "off", form.gradients)) form.gradients = !form.gradients;
  canvas.outline(yes, theme.line, 6, theme.hairline);
  canvas.text_in({yes.right() + 20, row.y, row.right() - yes.right() - 20, row.height}, Style::label, theme.second,
                 "back from the sum of the result to each input");
  next();
  judgement = judge(form, no_cuda);
  RunChoice answer = paint_button(ui, row, judgement, progress);
  if (fields.entered() && judgement.good() && !progress.running) answer = RunChoice::run;
  row.y += row_height + 14;
  if (!progress.checks.empty()) paint_checks(ui, row, progress.checks);
  return answer;
}

}  // namespace warpwalk::panels
