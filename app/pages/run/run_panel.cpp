#include "app/pages/run/run_panel.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/pages/run/run_result.h"
#include "app/panels/sheet.h"
#include "core/ops/tensor/geometry.h"

namespace warpwalk::pages {
namespace {

using draw::Box;
using draw::Key;
using draw::Style;

constexpr float run_field_height = 34;
constexpr float shape_row_height = 40;
constexpr float label_room = 110;
constexpr float error_room = 48;  // below the expression, for the message and the hint
constexpr float run_width = 960, button_width = 104;
constexpr int max_said_lines = 4, max_no_cuda_lines = 2;

/// The text fields of the form. Tab stops at each, and the one with the focus takes the keys.
class Fields {
 public:
  Fields(draw::Ui& ui, draw::UiMemory& memory) : ui_(ui), memory_(memory) {
    if (memory_.focus.empty()) memory_.focus = "run.expression";
  }

  void text(std::string_view id, const Box& box, draw::TextField& field, bool wrong) {
    const bool typing = ui_.focused(id);
    if (typing)
      for (const draw::KeyPress& press : ui_.input().keys) {
        field.type(press, &memory_.copied);
        entered_ = entered_ || press.key == Key::enter;
      }
    draw::point_field(ui_, id, box, field);
    draw::paint_field(ui_.canvas(), box, field, typing, "");
    if (wrong) ui_.canvas().outline(box, ui_.theme().launch, 6, 1.5f);
    ui_.activated(id, box);
  }
  /// Whether Enter was pressed in one of them.
  bool entered() const { return entered_; }

 private:
  draw::Ui& ui_;
  draw::UiMemory& memory_;
  bool entered_ = false;
};

/// Words side by side. The user chooses one with the pointer or, with the focus, with Left and Right.
std::size_t choice(draw::Ui& ui, std::string_view id, const Box& box, const std::vector<std::string>& words,
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
  // The slider handles the keys only; the pointer was handled above.
  const auto step = ui.slider(id, all, at, words.size() - 1);
  const bool pointer = ui.input().mouse_pressed || ui.input().mouse_down;
  return step && !pointer ? *step : chosen;
}

void label(draw::Ui& ui, const Box& row, std::string_view words) {
  ui.canvas().text_in({row.x, row.y, label_room - 10, row.height}, Style::label, ui.theme().second, words);
}

/// Below the expression: a mark below the place of the error, the message, and a hint.
void paint_error(draw::Ui& ui, const Box& field, const draw::TextField& expression, const ops::ExpressionError& error) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::string_view text = expression.text;
  const std::size_t from = std::min(error.position, text.size());
  const std::size_t to = std::min(text.size(), from + error.length);
  const float left = text_left(canvas, field, expression) + canvas.text_width(Style::label, text.substr(0, from));
  const float right = std::max(left + 8, left + canvas.text_width(Style::label, text.substr(from, to - from)));
  const float x = std::clamp(left, field.x + 10, field.right() - 18);
  const float end = std::clamp(right, x + 8, field.right() - 6);
  canvas.fill({x, field.bottom() - 5, end - x, 3}, theme.launch, 1);
  canvas.text({field.x, field.bottom() + 8}, Style::label, theme.text, error.message, field.width);
  // The hint is written for the command line: remove the option's name before a shape.
  std::string hint = error.hint;
  for (std::size_t at = 0; (at = hint.find("--shape ")) != std::string::npos;) hint.erase(at, 8);
  canvas.text({field.x, field.bottom() + 29}, Style::label, theme.second, hint, field.width);
  const bool cut =
      std::max(canvas.text_width(Style::label, error.message), canvas.text_width(Style::label, hint)) > field.width;
  if (cut && ui.hovered({field.x, field.bottom(), field.width, error_room}))
    ui.tooltip(fmt::format("{}{}{}", error.message, hint.empty() ? "" : ": ", hint));
}

/// The text beside the button while nothing runs: the summary of the last run, or the shape of the result to come.
std::string words_beside(draw::Ui& ui, const RunJudgement& judgement, const RunProgress& progress) {
  if (!progress.summary.empty()) return progress.summary;
  if (!judgement.result) return {};
  return ui.word(
      "run_panel", "gives",
      {{"result", fmt::format("{} {}", ops::shape_text(judgement.result->sizes), name_of(judgement.result->dtype))}});
}

/// The width of that text in a sheet of this width.
float room_beside(float width) { return width - button_width - 16; }

void paint_progress(draw::Ui& ui, const Box& beside, const RunProgress& progress) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const std::string what = progress.what.empty() ? ui.word("run_panel", "running") : progress.what;
  const std::string words = progress.share ? fmt::format("{}: {:.0f} %", what, 100 * *progress.share)
                                           : fmt::format("{} … {:.0f} s", what, std::floor(progress.seconds));
  if (!progress.share) {
    canvas.text_in(beside, Style::label, theme.second, words);
    return;
  }
  canvas.text({beside.x, beside.y}, Style::label, theme.second, words, beside.width);
  const Box bar = {beside.x, beside.y + 22, beside.width, 6};
  canvas.fill(bar, theme.line, 3);
  canvas.fill({bar.x, bar.y, bar.width * static_cast<float>(std::clamp(*progress.share, 0.0, 1.0)), bar.height},
              theme.done, 3);
}

RunChoice paint_button(draw::Ui& ui, const Box& row, const RunJudgement& judgement, const RunProgress& progress) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const Box button = {row.x, row.y, button_width, run_field_height};
  const Box beside = {button.right() + 16, row.y, room_beside(row.width), run_field_height};
  if (progress.running) {
    const bool pressed = ui.button("run.cancel", button, ui.word("run_panel", "cancel"), true);
    paint_progress(ui, beside, progress);
    return pressed ? RunChoice::cancel : RunChoice::none;
  }
  // A disabled button keeps its frame.
  if (!judgement.good()) canvas.outline(button, theme.line, 6, theme.hairline);
  const bool pressed = ui.button("run.run", button, ui.word("run_panel", "run"), judgement.good());
  const std::string words = words_beside(ui, judgement, progress);
  if (canvas.text_width(Style::label, words) <= beside.width)
    canvas.text_in(beside, Style::label, theme.text, words);
  else
    canvas.paragraph({beside.x, beside.y}, Style::label, theme.text, words, beside.width, max_said_lines);
  return pressed && judgement.good() ? RunChoice::run : RunChoice::none;
}

/// A choice of three places to run. If cuda is not available, it is greyed out, with the reason beside it.
void paint_backends(draw::Ui& ui, const Box& row, RunForm& form, const runs::NoCuda& no_cuda) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  constexpr float width = 124;
  std::vector<std::string> names;
  for (const RunPlace& place : run_places) names.push_back(ui.word("run_place", place.name));
  const auto on = static_cast<std::size_t>(std::ranges::find(run_places, form.on, &RunPlace::on) - run_places.begin());
  const Box where = {row.x + label_room, row.y + 3, static_cast<float>(names.size()) * width, run_field_height - 6};
  const std::size_t wanted = choice(ui, "run.on", where, names, on, width);
  if (no_cuda.why.empty()) {
    form.on = run_places[wanted].on;
    return;
  }
  if (run_places[wanted].on != run::Target::cuda) form.on = run_places[wanted].on;
  const Box cuda = {where.right() - width, where.y, width - 6, where.height};
  canvas.fill(cuda, draw::with_alpha(theme.panel, 0.6f), 6);  // greyed
  const float x = where.right() + 12, room = row.right() - x;
  const std::vector<std::string> lines =
      canvas.wrapped(Style::label, fmt::format("{}: {}", names.back(), no_cuda.why), room, max_no_cuda_lines);
  const float height = static_cast<float>(lines.size()) * canvas.line_height(Style::label);
  float y = row.y + (run_field_height - height) / 2;
  for (const std::string& line : lines) {
    canvas.text({x, y}, Style::label, theme.second, line, room);
    y += canvas.line_height(Style::label);
  }
  if (ui.hovered(cuda) || ui.hovered({x, row.y, room, run_field_height}))
    ui.tooltip(no_cuda.more.empty() ? no_cuda.why : fmt::format("{}: {}", no_cuda.why, no_cuda.more));
}

}  // namespace

RunChoice run_panel(draw::Ui& ui, RunPanelState& state, RunForm& form, const runs::NoCuda& no_cuda,
                    const RunProgress& progress) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const auto rows = static_cast<float>(form.used.size());
  const auto summary = canvas.wrapped(Style::label, progress.summary, room_beside(run_width), max_said_lines).size();
  const float beside = static_cast<float>(std::max<std::size_t>(summary, 2) - 2) * canvas.line_height(Style::label);
  const RunShown shown = {&progress.values, &progress.checks, progress.walk};
  const float form_height = run_field_height + error_room + shape_row_height * (rows + 4) + beside;
  const float height = form_height + result_height(ui, shown, run_width);
  const Box sheet_box =
      panels::sheet(ui, run_width, height, ui.word("run_panel", "heading"), ui.word("run_panel", "closing"));
  Box row = {sheet_box.x, sheet_box.y, sheet_box.width, run_field_height};
  const auto next = [&] { row.y += shape_row_height; };
  const auto beside_field = [&](float x, std::string_view words, ImU32 colour) {
    canvas.text_in({x, row.y, row.right() - x, row.height}, Style::label, colour, words);
  };
  Fields fields(ui, state.memory);

  const Box expression = row;
  fields.text("run.expression", expression, form.expression, false);
  RunJudgement judgement = judge(form, no_cuda.why);
  const std::optional<ops::ExpressionError>& error = judgement.error ? judgement.error : progress.place;
  if (error) paint_error(ui, expression, form.expression, *error);
  row.y += run_field_height + error_room;

  std::vector<std::string> dtypes;
  for (const ops::DType dtype : run_dtypes()) dtypes.emplace_back(name_of(dtype));
  constexpr float dtype_width = 62;
  for (std::size_t i = 0; i < form.used.size(); ++i) {
    RunInput& input = form.inputs[form.used[i]];
    const bool wrong = judgement.wrong_shapes[i];
    canvas.text_in({row.x, row.y, label_room - 10, row.height}, Style::mono_small, theme.text, input.name);
    const Box shape = {row.x + label_room, row.y, 200, run_field_height};
    fields.text("run.shape." + input.name, shape, input.shape, wrong);
    if (wrong && ui.hovered(shape)) ui.tooltip(ui.word("run_panel", "shape.tip"));
    const auto at = static_cast<std::size_t>(std::ranges::find(run_dtypes(), input.dtype) - run_dtypes().begin());
    const Box types = {shape.right() + 20, row.y + 3, row.right() - shape.right() - 20, run_field_height - 6};
    input.dtype = run_dtypes()[choice(ui, "run.dtype." + input.name, types, dtypes, at, dtype_width)];
    if (wrong)
      beside_field(types.x + dtype_width * static_cast<float>(dtypes.size()) + 4, ui.word("run_panel", "shape.wrong"),
                   theme.launch);
    next();
  }
  label(ui, row, ui.word("run_panel", "seed"));
  fields.text("run.seed", {row.x + label_room, row.y, 200, run_field_height}, form.seed, judgement.wrong_seed);
  beside_field(row.x + label_room + 220, ui.word("run_panel", judgement.wrong_seed ? "seed.wrong" : "seed.note"),
               judgement.wrong_seed ? theme.launch : theme.second);
  next();
  label(ui, row, ui.word("run_panel", "on"));
  paint_backends(ui, row, form, no_cuda);
  next();
  label(ui, row, ui.word("run_panel", "gradients"));
  const Box yes = {row.x + label_room, row.y + 3, 118, run_field_height - 6};
  if (ui.button("run.gradients", yes, ui.word("run_panel", form.gradients ? "yes" : "no"), form.gradients))
    form.gradients = !form.gradients;
  canvas.outline(yes, theme.line, 6, theme.hairline);
  beside_field(yes.right() + 20, ui.word("run_panel", "gradients.note"), theme.second);
  next();
  judgement = judge(form, no_cuda.why);
  RunChoice answer = paint_button(ui, row, judgement, progress);
  if (fields.entered() && judgement.good() && !progress.running) answer = RunChoice::run;
  const float y = sheet_box.y + form_height;
  if (paint_result(ui, {sheet_box.x, y, sheet_box.width, sheet_box.bottom() - y}, shown, state.first_line))
    answer = RunChoice::walk;
  return answer;
}

}  // namespace warpwalk::pages
