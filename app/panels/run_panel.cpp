#include "app/panels/run_panel.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/panels/sheet.h"
#include "core/ops/tensor/geometry.h"
#include "core/run/check/check_text.h"

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
constexpr float sheet_width = 820, button_width = 100;
constexpr int most_said_lines = 4, most_reason_lines = 2;

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
        field.type(press, &memory_.copied);
        entered_ = entered_ || press.key == Key::enter;
      }
    point_field(ui_, id, box, field);
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
void paint_error(draw::Ui& ui, const Box& field, const TextField& expression, const ops::ExpressionError& error) {
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
  // The words of the command line, where --shape stands before a shape.
  std::string hint = error.hint;
  for (std::size_t at = 0; (at = hint.find("--shape ")) != std::string::npos;) hint.erase(at, 8);
  canvas.text({field.x, field.bottom() + 29}, Style::label, theme.second, hint, field.width);
  const bool cut =
      std::max(canvas.text_width(Style::label, error.message), canvas.text_width(Style::label, hint)) > field.width;
  if (cut && ui.hovered({field.x, field.bottom(), field.width, error_room}))
    ui.tooltip(fmt::format("{}{}{}", error.message, hint.empty() ? "" : ": ", hint));
}

void paint_checks(draw::Ui& ui, Box row, const std::vector<run::OpCheck>& checks) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.text({row.x, row.y}, Style::small_caps, theme.second, "CHECKED AGAINST THE CPU, OP BY OP", row.width);
  row.y += 22;
  row.height = 24;
  for (std::size_t i = 0; i < std::min(checks.size(), most_checks); ++i) {
    const run::OpCheck& check = checks[i];
    const std::string words = run::check_text(check);
    canvas.dot({row.x + 6, row.y + 12}, 4, check.mismatches == 0 ? theme.done : theme.launch);
    canvas.text_in({row.x + 20, row.y, 190, row.height}, Style::mono_small, theme.text, check.op);
    canvas.text_in({row.x + 216, row.y, row.width - 216, row.height}, Style::label,
                   check.mismatches == 0 ? theme.second : theme.text, words);
    const bool cut = canvas.text_width(Style::label, words) > row.width - 216;
    if (ui.hovered(row)) ui.tooltip(cut ? fmt::format("{}. {}", words, check.reason) : check.reason);
    row.y += row.height;
  }
  if (checks.size() > most_checks)
    canvas.text_in({row.x + 20, row.y, row.width, row.height}, Style::label, theme.second,
                   fmt::format("and {} more", checks.size() - most_checks));
}

/// What stands beside the button while nothing runs: what came of the last run, else what will come out.
std::string words_beside(const RunJudgement& judgement, const RunProgress& progress) {
  if (!progress.said.empty()) return progress.said;
  if (!judgement.result) return {};
  return fmt::format("gives {} {}", ops::shape_text(judgement.result->sizes), name_of(judgement.result->dtype));
}

/// Where that stands, in a sheet this wide.
float room_beside(float width) { return width - button_width - 16; }

void paint_progress(draw::Canvas& canvas, const Box& beside, const RunProgress& progress) {
  const draw::Theme& theme = canvas.theme();
  const std::string_view what = progress.what.empty() ? "running" : std::string_view(progress.what);
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
  const Box button = {row.x, row.y, button_width, field_height};
  const Box beside = {button.right() + 16, row.y, room_beside(row.width), field_height};
  if (progress.running) {
    const bool pressed = ui.button("run.cancel", button, "Cancel", true);
    paint_progress(canvas, beside, progress);
    return pressed ? RunChoice::cancel : RunChoice::none;
  }
  // What cannot be pressed has its frame all the same, or its word would stand alone.
  if (!judgement.good()) canvas.outline(button, theme.line, 6, theme.hairline);
  const bool pressed = ui.button("run.run", button, "Run", judgement.good());
  const std::string words = words_beside(judgement, progress);
  if (canvas.text_width(Style::label, words) <= beside.width)
    canvas.text_in(beside, Style::label, theme.text, words);
  else
    canvas.paragraph({beside.x, beside.y}, Style::label, theme.text, words, beside.width, most_said_lines);
  return pressed && judgement.good() ? RunChoice::run : RunChoice::none;
}

/// Where it is run: a choice of three, of which cuda is greyed with its reason where it is not to be had.
void paint_places(draw::Ui& ui, const Box& row, RunForm& form, const runs::NoCuda& no_cuda) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  constexpr float width = 124;
  std::vector<std::string_view> names;
  for (const RunPlace& place : run_places) names.push_back(place.name);
  const auto on = static_cast<std::size_t>(std::ranges::find(run_places, form.on, &RunPlace::on) - run_places.begin());
  const Box where = {row.x + label_room, row.y + 3, static_cast<float>(names.size()) * width, field_height - 6};
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
      canvas.wrapped(Style::label, fmt::format("cuda: {}", no_cuda.why), room, most_reason_lines);
  const float height = static_cast<float>(lines.size()) * canvas.line_height(Style::label);
  float y = row.y + (field_height - height) / 2;
  for (const std::string& line : lines) {
    canvas.text({x, y}, Style::label, theme.second, line, room);
    y += canvas.line_height(Style::label);
  }
  if (ui.hovered(cuda) || ui.hovered({x, row.y, room, field_height}))
    ui.tooltip(no_cuda.more.empty() ? no_cuda.why : fmt::format("{}: {}", no_cuda.why, no_cuda.more));
}

}  // namespace

RunChoice run_panel(draw::Ui& ui, draw::UiMemory& memory, RunForm& form, const runs::NoCuda& no_cuda,
                    const RunProgress& progress) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const auto rows = static_cast<float>(form.used.size());
  const float checks =
      progress.checks.empty() ? 0 : 56 + 24 * static_cast<float>(std::min(progress.checks.size(), most_checks + 1));
  const auto said = canvas.wrapped(Style::label, progress.said, room_beside(sheet_width), most_said_lines).size();
  const float beside = static_cast<float>(std::max<std::size_t>(said, 2) - 2) * canvas.line_height(Style::label);
  const float height = field_height + error_room + row_height * (rows + 4) + beside + checks;
  const Box sheet_box = sheet(ui, sheet_width, height, "Run an expression", "Enter runs, Esc closes");
  Box row = {sheet_box.x, sheet_box.y, sheet_box.width, field_height};
  const auto next = [&] { row.y += row_height; };
  Fields fields(ui, memory);

  const Box expression = row;
  fields.text("run.expression", expression, form.expression, false);
  RunJudgement judgement = judge(form, no_cuda.why);
  const std::optional<ops::ExpressionError>& error = judgement.error ? judgement.error : progress.place;
  if (error) paint_error(ui, expression, form.expression, *error);
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
  paint_places(ui, row, form, no_cuda);
  next();
  label(ui, row, "Gradients");
  const Box yes = {row.x + label_room, row.y + 3, 118, field_height - 6};
  if (ui.button("run.gradients", yes, form.gradients ? "on" : "off", form.gradients)) form.gradients = !form.gradients;
  canvas.outline(yes, theme.line, 6, theme.hairline);
  canvas.text_in({yes.right() + 20, row.y, row.right() - yes.right() - 20, row.height}, Style::label, theme.second,
                 "back from the sum of the result to each input");
  next();
  judgement = judge(form, no_cuda.why);
  RunChoice answer = paint_button(ui, row, judgement, progress);
  if (fields.entered() && judgement.good() && !progress.running) answer = RunChoice::run;
  row.y += row_height + 14 + beside;
  if (!progress.checks.empty()) paint_checks(ui, row, progress.checks);
  return answer;
}

}  // namespace warpwalk::panels
