#include "app/panels/controls.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/panels/text_field.h"

namespace warpwalk::panels {
namespace {

using draw::Box;
using draw::Style;
using story::Control;

constexpr float height = 62;
constexpr float gap = 28;
constexpr float word_height = 26;
constexpr float reset_width = 80;
constexpr float text_width = 300;

// A thin line with a knob. The knob is yellow if the user moved it.
std::optional<double> slider(draw::Canvas& canvas, draw::Ui* ui, const std::string& id, const Box& box,
                             const Control& control) {
  const draw::Theme& theme = canvas.theme();
  const std::size_t at = story::step_at(control.steps, control.value);
  const std::size_t last = control.steps.size() - 1;
  const float middle = box.y + box.height / 2;
  const float x = box.x + (last == 0 ? 0 : static_cast<float>(at) / static_cast<float>(last)) * box.width;
  canvas.fill({box.x, middle - 2, box.width, 4}, theme.line, 2);
  canvas.fill({box.x, middle - 2, x - box.x, 4}, theme.second, 2);
  canvas.dot({x, middle}, 8, theme.ground);
  canvas.dot({x, middle}, 7, control.set ? theme.now : theme.text);
  if (ui == nullptr) return {};
  const std::optional<std::size_t> step = ui->slider(id, {box.x - 8, box.y, box.width + 16, box.height}, at, last);
  if (!step) return {};
  return control.steps[*step];
}

std::optional<double> choice(draw::Canvas& canvas, draw::Ui* ui, const std::string& id, const Box& box,
                             const Control& control) {
  const draw::Theme& theme = canvas.theme();
  std::optional<double> chosen;
  float x = box.x;
  for (std::size_t i = 0; i < control.words.size(); ++i) {
    const float width = canvas.text_width(Style::label, control.words[i]) + 20;
    const Box place = {x, box.y, width, word_height};
    const bool on = i == static_cast<std::size_t>(control.value);
    if (on) canvas.fill(place, draw::mixed(control.set ? theme.now : theme.second, theme.ground, 0.22f), 6);
    canvas.outline(place, on ? (control.set ? theme.now : theme.second) : theme.line, 6, theme.hairline);
    canvas.text_in(place, Style::label, on ? theme.text : theme.second, control.words[i], draw::Align::centre);
    if (ui != nullptr && ui->activated(fmt::format("{}.{}", id, i), place)) chosen = static_cast<double>(i);
    x += width + 6;
  }
  return chosen;
}

// Returns what the text was changed to. The caret is kept in the Ui's memory while the field has the focus.
std::optional<std::string> text(draw::Canvas& canvas, draw::Ui* ui, const std::string& id, const Box& box,
                                const Control& control) {
  const draw::Theme& theme = canvas.theme();
  TextField field{control.shown};
  field.max_bytes = control.max_bytes;
  const bool typing = ui != nullptr && ui->focused(id);
  if (typing) {
    draw::UiMemory& memory = ui->memory();
    if (memory.typed != id) memory.caret = memory.anchor = std::string::npos;
    memory.typed = id;
    field.caret = memory.caret;
    field.anchor = memory.anchor;
    for (const draw::KeyPress& press : ui->input().keys) field.type(press, &memory.copied);
  }
  if (ui != nullptr) {
    point_field(*ui, id, box, field);
    ui->text_place(id, box);
    if (ui->focused(id)) {
      ui->memory().typed = id;
      ui->memory().caret = field.caret;
      ui->memory().anchor = field.anchor;
    } else if (ui->memory().typed == id) {
      ui->memory().typed.clear();
    }
  }
  paint_field(canvas, box, field, typing, "");
  if (!typing && control.set) canvas.outline(box, theme.now, 6, theme.hairline);
  if (control.fault_bytes > 0 && field.text == control.shown) {
    const std::string_view shown = field.text;
    const std::size_t from = std::min(control.fault, shown.size());
    const float left = text_left(canvas, box, field) + canvas.text_width(Style::label, shown.substr(0, from));
    const float wide = canvas.text_width(Style::label, shown.substr(from, control.fault_bytes));
    const float x = std::clamp(left, box.x + 8, box.right() - 16);
    canvas.fill({x, box.bottom() - 4, std::clamp(wide, 8.0f, box.right() - 8 - x), 3}, theme.launch, 1);
  }
  if (field.text == control.shown) return {};
  return field.text;
}

// The least width the control needs; a slider or a text field may become longer.
float least_width(const draw::Canvas& canvas, const Control& control) {
  if (control.kind == Control::Kind::text) return std::max(text_width, canvas.text_width(Style::label, control.label));
  float width = 150;
  if (control.kind == Control::Kind::choice) {
    width = -6;
    for (const std::string& word : control.words) width += canvas.text_width(Style::label, word) + 26;
  }
  const float words =
      canvas.text_width(Style::label, control.label) + canvas.text_width(Style::mono_small, control.shown);
  return std::max(width, words + 16);
}

struct Placed {
  const Control* control = nullptr;
  float x = 0;  ///< from the left edge of all
  float width = 0;
  int row = 0;
};

// Side by side; a control that does not fit begins the next row. The end of every row is kept free for the reset
// button.
std::vector<Placed> placed_in(const draw::Canvas& canvas, const story::Stage& stage, float width) {
  std::vector<Placed> all;
  const float room = width - reset_width;
  float x = 0;
  for (const Control& control : stage.controls) {
    if (control.kind == Control::Kind::hidden) continue;
    const float least = least_width(canvas, control);
    int row = all.empty() ? 0 : all.back().row;
    if (x > 0 && x + least > room) {
      x = 0;
      ++row;
    }
    all.push_back({&control, x, least, row});
    x += least + gap;
  }
  // The room left over in a row makes its sliders longer, up to a limit.
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    float sliders = 0;
    for (end = first; end < all.size() && all[end].row == all[first].row; ++end)
      sliders += all[end].control->kind != Control::Kind::choice;
    if (sliders == 0) continue;
    const float left_over = room - all[end - 1].x - all[end - 1].width;
    const float more = std::clamp(left_over / sliders, 0.0f, 110.0f);
    float moved = 0;
    for (std::size_t i = first; i < end; ++i) {
      all[i].x += moved;
      if (all[i].control->kind == Control::Kind::choice) continue;
      all[i].width += more;
      moved += more;
    }
  }
  return all;
}

}  // namespace

float controls_height(const draw::Canvas& canvas, const story::Stage& stage, float width) {
  const std::vector<Placed> all = placed_in(canvas, stage, width);
  return all.empty() ? 0 : height * static_cast<float>(all.back().row + 1);
}

scenes::Touch controls(draw::Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage) {
  const draw::Theme& theme = canvas.theme();
  scenes::Touch touch;
  const bool any_set = std::any_of(stage.controls.begin(), stage.controls.end(), [](const auto& c) { return c.set; });
  for (const Placed& placed : placed_in(canvas, stage, box.width)) {
    const Control& control = *placed.control;
    const std::string name = fmt::format("{}.{}", stage.scene, control.name);
    const std::string id = "control." + name;
    const float x = box.x + placed.x, y = box.y + height * static_cast<float>(placed.row);
    const float width = placed.width;
    const float label = canvas.text({x, y + 4}, Style::label, theme.second, control.label, width);
    if (control.kind == Control::Kind::slider)
      canvas.text({x + width, y + 5}, Style::mono_small, control.set ? theme.now : theme.text, control.shown,
                  width - label - 8, draw::Align::right);
    const Box hand = {x, y + 28, width, word_height};
    bool changed = false;
    if (control.kind == Control::Kind::text) {
      if (std::optional<std::string> typed = text(canvas, ui, id, hand, control)) {
        touch.texts.emplace_back(name, std::move(*typed));
        changed = true;
      }
    } else {
      const std::optional<double> value = control.kind == Control::Kind::slider ? slider(canvas, ui, id, hand, control)
                                                                                : choice(canvas, ui, id, hand, control);
      changed = value && *value != control.value;
      if (changed) touch.set.emplace_back(name, *value);
    }
    if (changed)
      for (const std::string& other : control.resets)
        touch.set.emplace_back(fmt::format("{}.{}", stage.scene, other), std::nullopt);
    if (ui != nullptr) {
      const Box all = {x, y, width, height};
      ui->point(all, control.label);
      if (ui->hovered(all))
        ui->tooltip(
            fmt::format("{}: {} ({})", control.label, control.shown, control.set ? stage.word_set : control.source));
    }
  }
  if (any_set && ui != nullptr &&
      ui->button("control.reset", {box.right() - reset_width, box.bottom() - height + 28, reset_width, word_height},
                 ui->word("controls", "reset")))
    for (const Control& control : stage.controls)
      touch.set.emplace_back(fmt::format("{}.{}", stage.scene, control.name), std::nullopt);
  return touch;
}

}  // namespace warpwalk::panels
