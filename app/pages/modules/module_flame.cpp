#include "app/pages/modules/module_flame.h"

#include <algorithm>
#include <string>

#include "core/analysis/time/idle.h"
#include "core/story/elements/figure.h"

namespace warpwalk::pages {
namespace {

using analysis::ModuleCost;
using analysis::ModuleTime;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float flame_label = 30, flame_finest = 2;  // units: the widths from which a box has its name, and is drawn

// Places the modules that are inside one side by side.
class FlameLayout {
 public:
  FlameLayout(const analysis::ModuleTimes& times, std::size_t module, analysis::ModuleMeasure measure, double finest)
      : times_(times), measure_(measure), finest_(finest), whole_(static_cast<double>(time_of(module, false))) {}

  bool empty() const { return whole_ <= 0; }

  void add_inside(const FlameBox& outer, std::vector<FlameBox>& boxes) const {
    double at = outer.from, narrow = outer.from;  // narrow boxes since this place
    const auto flush = [&] {
      if (at > narrow) boxes.push_back({outer.module, outer.level + 1, narrow, at, FlameBox::Kind::several});
    };
    for (const std::size_t child : times_.modules[outer.module].children) {
      const double width = share_of(child, false);
      if (width < finest_) {
        at += width;
        if (at - narrow >= finest_) {
          flush();
          narrow = at;
        }
        continue;
      }
      flush();
      boxes.push_back({child, outer.level + 1, at, at + width, FlameBox::Kind::module});
      at += width;
      narrow = at;
    }
    flush();
    if (const double own = share_of(0, true); outer.module == 0 && own > 0)
      boxes.push_back({0, outer.level + 1, at, at + own, FlameBox::Kind::outside});
  }

 private:
  std::int64_t time_of(std::size_t module, bool own) const {
    const ModuleTime& one = times_.modules[module];
    return measured(own ? one.self : one.total, measure_);
  }
  double share_of(std::size_t module, bool own) const { return static_cast<double>(time_of(module, own)) / whole_; }

  const analysis::ModuleTimes& times_;
  analysis::ModuleMeasure measure_;
  double finest_, whole_;
};

std::string flame_name(const draw::Ui& ui, const ModulesState& state, const FlameBox& box) {
  if (box.kind == FlameBox::Kind::outside) return outside_name(ui, state);
  if (box.module == 0) return ui.word("modules", "whole");
  return state.times->modules[box.module].name;
}

std::string flame_tip(const draw::Ui& ui, const ModulesState& state, const FlameBox& box) {
  if (box.kind == FlameBox::Kind::several) return ui.word("modules", "several.tip");
  const ModuleTime& one = state.times->modules[box.module];
  const ModuleCost& cost = box.kind == FlameBox::Kind::outside ? one.self : one.total;
  const std::int64_t time = measured(cost, state.measure);
  const auto text = [](std::int64_t ns) { return story::time_text(static_cast<double>(ns)); };
  const std::string path = box.module == 0 ? flame_name(ui, state, box) : state.times->path_text(box.module);
  const std::int64_t all = measured(state.times->whole().total, state.measure);
  const story::Narration::Values values = {{"module", path},
                                           {"time", text(time)},
                                           {"share", story::share_text(time, all)},
                                           {"calls", story::with_thousands(static_cast<std::int64_t>(one.calls))},
                                           {"backward", text(measured_backward(cost, state.measure))}};
  std::string tip = ui.word("modules", box.module == 0 ? "box.tip.whole" : "box.tip", values);
  if (state.measure != analysis::ModuleMeasure::idle) tip += "\n" + ui.word("modules", "box.backward", values);
  return tip;
}

void paint_flame_box(draw::Ui& ui, const Box& place, const ModulesState& state, const FlameBox& box) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  if (box.kind == FlameBox::Kind::several) {
    canvas.fill(place, draw::mixed(theme.second, theme.ground, 0.3f), 1);
    return;
  }
  const ModuleTime& one = state.times->modules[box.module];
  const ModuleCost& cost = box.kind == FlameBox::Kind::outside ? one.self : one.total;
  const ModuleTones tones = module_tones(state.measure, theme);
  const auto part = static_cast<float>(static_cast<double>(measured_backward(cost, state.measure)) /
                                       static_cast<double>(measured(cost, state.measure)));
  const bool faint = box.kind == FlameBox::Kind::outside;
  const auto toned = [&](ImU32 colour) { return faint ? draw::mixed(colour, theme.ground, 0.45f) : colour; };
  const float forward = place.width * (1 - part);
  canvas.fill(place, toned(tones.backward), 2);
  if (forward > 0) canvas.fill({place.x, place.y, forward, place.height}, toned(tones.forward), 2);
  float name_room = 0;
  if (place.width >= flame_label)
    name_room = 12 + canvas.text_in({place.x + 6, place.y, place.width - 8, place.height}, Style::label, theme.text,
                                    flame_name(ui, state, box));
  if (faint && place.width > name_room)  // beside the name, which stays legible
    canvas.hatch({place.x + name_room, place.y, place.width - name_room, place.height}, theme.ground);
}

}  // namespace

std::vector<FlameBox> flame_boxes(const analysis::ModuleTimes& times, std::size_t module,
                                  analysis::ModuleMeasure measure, std::size_t levels, double finest) {
  std::vector<FlameBox> boxes;
  const FlameLayout layout(times, module, measure, finest);
  if (layout.empty() || levels == 0) return boxes;
  boxes.push_back({module, 0, 0, 1, FlameBox::Kind::module});
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const FlameBox outer = boxes[i];  // a copy: boxes are added
    if (outer.kind == FlameBox::Kind::module && outer.level + 1 < levels) layout.add_inside(outer, boxes);
  }
  return boxes;
}

std::optional<std::size_t> module_flame(draw::Ui& ui, const Box& box, const ModulesState& state) {
  Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const auto levels = static_cast<std::size_t>(std::max(1.0f, box.height / flame_row_height));
  const std::vector<FlameBox> boxes =
      flame_boxes(*state.times, state.zoom, state.measure, levels, static_cast<double>(flame_finest / box.width));
  if (boxes.empty()) {
    canvas.text_in({box.x, box.y, box.width, flame_row_height}, Style::body, theme.second,
                   ui.word("modules", "nothing"));
    return {};
  }
  const analysis::ModuleRow* const chosen = state.cursor < state.rows.size() ? &state.rows[state.cursor] : nullptr;
  std::optional<std::size_t> clicked;
  canvas.clip(box);
  for (const FlameBox& one : boxes) {
    const auto x = [&](double part) { return box.x + static_cast<float>(part) * box.width; };
    const float left = x(one.from), right = x(one.to);
    const Box place = {left, box.y + flame_row_height * static_cast<float>(one.level),
                       std::max(1.0f, right - left - (right - left > 4 ? 1.0f : 0.0f)), flame_row_height - 1};
    paint_flame_box(ui, place, state, one);
    const bool outside = one.kind == FlameBox::Kind::outside;
    if (chosen != nullptr && one.kind != FlameBox::Kind::several && one.module == chosen->module &&
        (one.module != 0 || outside == chosen->own))
      canvas.outline(place, theme.text, 2, 2);
    if (!ui.hovered(place)) continue;
    ui.tooltip(flame_tip(ui, state, one));
    if (ui.input().mouse_pressed && !outside) clicked = one.module;
  }
  canvas.unclip();
  return clicked;
}

}  // namespace warpwalk::pages
