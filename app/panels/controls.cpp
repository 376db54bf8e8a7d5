#include "app/panels/controls.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/draw/text/text_field.h"

namespace warpwalk::panels {
namespace {

using draw::Box;
using draw::Style;
using story::Control;

constexpr float control_gap = 28, close_gap = 22;
constexpr float word_height = 26;
constexpr float control_line_height = 31;
constexpr float name_gap = 12;  // between a name, or a value, and what stands beside it

// The height of a row, and how far below its top the hand is.
constexpr float control_row_height(ControlNames names) { return names == ControlNames::above ? 62.0f : 36.0f; }
constexpr float hand_top(ControlNames names) { return names == ControlNames::above ? 28.0f : 6.0f; }
constexpr float reset_width = 80;
constexpr float text_width = 300;
constexpr float shortest_text = 220, shortest_slider = 70;  // beside their names

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

// The space in and between the words of a choice.
struct WordSpace {
  float pad = 20, gap = 6;
};

float words_width(const draw::Canvas& canvas, const Control& control, const WordSpace& space) {
  float width = -space.gap;
  for (const std::string& word : control.words) width += canvas.text_width(Style::label, word) + space.pad + space.gap;
  return width;
}

// Closer together where they would not fit in one line.
WordSpace space_in(const draw::Canvas& canvas, const Control& control, float width) {
  return words_width(canvas, control, {}) <= width + 0.5f ? WordSpace() : WordSpace{10, 4};
}

// The places of a choice's words from the corner of its hand, below one another where a line is full.
std::vector<Box> word_places(const draw::Canvas& canvas, const Control& control, float width) {
  std::vector<Box> places;
  const WordSpace space = space_in(canvas, control, width);
  float x = 0, y = 0;
  for (const std::string& word : control.words) {
    const float wide = canvas.text_width(Style::label, word) + space.pad;
    if (x > 0 && x + wide > width + 0.5f) {
      x = 0;
      y += control_line_height;
    }
    places.push_back({x, y, wide, word_height});
    x += wide + space.gap;
  }
  return places;
}

std::optional<double> choice(draw::Canvas& canvas, draw::Ui* ui, const std::string& id, const Box& box,
                             const Control& control) {
  const draw::Theme& theme = canvas.theme();
  std::optional<double> chosen;
  const std::vector<Box> places = word_places(canvas, control, box.width);
  for (std::size_t i = 0; i < control.words.size(); ++i) {
    const Box place = {box.x + places[i].x, box.y + places[i].y, places[i].width, places[i].height};
    const bool on = i == static_cast<std::size_t>(control.value);
    if (on) canvas.fill(place, draw::mixed(control.set ? theme.now : theme.second, theme.ground, 0.22f), 6);
    canvas.outline(place, on ? (control.set ? theme.now : theme.second) : theme.line, 6, theme.hairline);
    canvas.text_in(place, Style::label, on ? theme.text : theme.second, control.words[i], draw::Align::centre);
    if (ui != nullptr && ui->activated(fmt::format("{}.{}", id, i), place)) chosen = static_cast<double>(i);
  }
  return chosen;
}

// Returns what the text was changed to. The caret is kept in the Ui's memory while the field has the focus.
std::optional<std::string> text(draw::Canvas& canvas, draw::Ui* ui, const std::string& id, const Box& box,
                                const Control& control) {
  const draw::Theme& theme = canvas.theme();
  draw::TextField field{control.shown};
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
    draw::point_field(*ui, id, box, field);
    ui->text_place(id, box);
    if (ui->focused(id)) {
      ui->memory().typed = id;
      ui->memory().caret = field.caret;
      ui->memory().anchor = field.anchor;
    } else if (ui->memory().typed == id) {
      ui->memory().typed.clear();
    }
  }
  draw::paint_field(canvas, box, field, typing, "");
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

// The widths of what stands left and right of the hand, with their gaps.
std::pair<float, float> beside(const draw::Canvas& canvas, const Control& control, ControlNames names) {
  if (names == ControlNames::above) return {0.0f, 0.0f};
  const bool value = control.kind == Control::Kind::slider;
  return {canvas.text_width(Style::label, control.label) + name_gap,
          value ? canvas.text_width(Style::mono_small, control.shown) + name_gap : 0.0f};
}

// The least width the control needs, at most `room`; a slider or a text field may become longer.
float least_width(const draw::Canvas& canvas, const Control& control, ControlNames names, float room) {
  const bool choice = control.kind == Control::Kind::choice;
  if (names == ControlNames::beside) {
    const auto [left, right] = beside(canvas, control, names);
    const float hand = choice ? words_width(canvas, control, space_in(canvas, control, room - left))
                       : control.kind == Control::Kind::text ? shortest_text
                                                             : shortest_slider;
    return std::min(left + hand + right, room);
  }
  if (control.kind == Control::Kind::text) return std::max(text_width, canvas.text_width(Style::label, control.label));
  const float words =
      canvas.text_width(Style::label, control.label) + canvas.text_width(Style::mono_small, control.shown);
  return std::min(std::max(choice ? words_width(canvas, control, space_in(canvas, control, room)) : 150.0f, words + 16),
                  room);
}

// The height that the words of a choice need beyond that of one line.
float more_lines(const draw::Canvas& canvas, const Control& control, float width, ControlNames names) {
  if (control.kind != Control::Kind::choice || control.words.empty()) return 0;
  const auto [left, right] = beside(canvas, control, names);
  return word_places(canvas, control, width - left - right).back().y;
}

struct PlacedControl {
  const Control* control = nullptr;
  float x = 0;  ///< from the left edge of all
  float width = 0;
  int row = 0;
  float y = 0;  ///< of the row, from the top of all
};

// Side by side; a control that does not fit begins the next row. The end of every row is kept free for the reset
// button.
std::vector<PlacedControl> placed_controls(const draw::Canvas& canvas, const story::Stage& stage, float width,
                                           ControlNames names) {
  std::vector<PlacedControl> all;
  const float room = width - reset_width;
  float x = 0;
  for (const Control& control : stage.controls) {
    if (control.kind == Control::Kind::hidden) continue;
    const float least = least_width(canvas, control, names, room);
    int row = all.empty() ? 0 : all.back().row;
    if (x > 0 && x + least > room) {
      x = 0;
      ++row;
    }
    all.push_back({&control, x, least, row});
    x += least + (names == ControlNames::above ? control_gap : close_gap);
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
  // A choice with several lines of words makes its row higher.
  float y = 0;
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    float high = control_row_height(names);
    for (end = first; end < all.size() && all[end].row == all[first].row; ++end) {
      all[end].y = y;
      high = std::max(high, control_row_height(names) + more_lines(canvas, *all[end].control, all[end].width, names));
    }
    y += high;
  }
  return all;
}

// The height of all rows.
float height_of_controls(const draw::Canvas& canvas, const std::vector<PlacedControl>& all, ControlNames names) {
  float bottom = 0;
  for (const PlacedControl& one : all)
    bottom = std::max(bottom, one.y + control_row_height(names) + more_lines(canvas, *one.control, one.width, names));
  return bottom;
}

}  // namespace

float controls_height(const draw::Canvas& canvas, const story::Stage& stage, float width, ControlNames names) {
  return height_of_controls(canvas, placed_controls(canvas, stage, width, names), names);
}

pictures::Touch controls(draw::Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage,
                         ControlNames names) {
  const draw::Theme& theme = canvas.theme();
  pictures::Touch touch;
  const bool any_set = std::any_of(stage.controls.begin(), stage.controls.end(), [](const auto& c) { return c.set; });
  const std::vector<PlacedControl> all = placed_controls(canvas, stage, box.width, names);
  for (const PlacedControl& placed : all) {
    const Control& control = *placed.control;
    const std::string name = fmt::format("{}.{}", stage.scene, control.name);
    const std::string id = "control." + name;
    const float x = box.x + placed.x, y = box.y + placed.y;
    const float width = placed.width;
    const auto [left, right] = beside(canvas, control, names);
    const Box hand = {x + left, y + hand_top(names), width - left - right, word_height};
    const ImU32 value_colour = control.set ? theme.now : theme.text;
    if (names == ControlNames::above) {
      const float label = canvas.text({x, y + 4}, Style::label, theme.second, control.label, width);
      if (control.kind == Control::Kind::slider)
        canvas.text({x + width, y + 5}, Style::mono_small, value_colour, control.shown, width - label - 8,
                    draw::Align::right);
    } else {
      canvas.text_in({x, hand.y, left, hand.height}, Style::label, theme.second, control.label);
      if (control.kind == Control::Kind::slider)
        canvas.text_in({hand.right(), hand.y, right, hand.height}, Style::mono_small, value_colour, control.shown,
                       draw::Align::right);
    }
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
      const Box whole = {x, y, width, control_row_height(names) + more_lines(canvas, control, width, names)};
      ui->point(whole, control.label);
      if (ui->hovered(whole))
        ui->tooltip(
            fmt::format("{}: {} ({})", control.label, control.shown, control.set ? stage.word_set : control.source));
    }
  }
  if (any_set && ui != nullptr &&
      ui->button("control.reset",
                 {box.right() - reset_width, box.y + all.back().y + hand_top(names), reset_width, word_height},
                 ui->word("controls", "reset")))
    for (const Control& control : stage.controls)
      touch.set.emplace_back(fmt::format("{}.{}", stage.scene, control.name), std::nullopt);
  return touch;
}

}  // namespace warpwalk::panels
