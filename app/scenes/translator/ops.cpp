// The calls, each inside the one that made it, and the work on the GPU that the innermost one launches.
#include <algorithm>
#include <string>

#include "app/scenes/translator/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float pane_head_room = 28;
constexpr float inset = 14;       // of a call in the one that made it
constexpr float low_header = 24;  // of a call: its name and its part of the work on one line
constexpr float high_header = 54;
constexpr float operand_room = 132;
constexpr float least_operand = 56;  // height of an input with its label
constexpr float gpu_share = 0.27f;   // of the width
constexpr float arrow_room = 56;     // from the launch to the GPU

// Draws the inputs of the outermost op as areas of one scale, one above the other.
void paint_operands(Canvas& canvas, const Box& box, const story::OpsPane& pane, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  constexpr float label = 22, least = 6;
  double longest = 1;
  for (const auto& operand : pane.operands) longest = std::max({longest, operand.rows, operand.columns});
  const float each = box.height / static_cast<float>(pane.operands.size());
  const float side = std::min(box.width - 24, each - label - 12);
  if (side < 16) return;
  float y = box.y;
  for (const auto& operand : pane.operands) {
    const float wide = std::max(least, side * static_cast<float>(operand.columns / longest));
    const float high = std::max(least, side * static_cast<float>(operand.rows / longest));
    const Box area = {box.x, y, wide, high};
    canvas.fill(area, faded(draw::mixed(theme.memory, theme.ground, 0.3f)), 2);
    canvas.outline(area, faded(theme.memory), 2, theme.hairline);
    canvas.text({box.x, y + high + 2}, Style::mono_small, faded(theme.second), operand.label, box.width - 6);
    y += high + label + 12;
  }
}

void paint_arrow(Canvas& canvas, draw::Point from, draw::Point to, ImU32 colour) {
  canvas.line(from, to, colour, 2);
  canvas.line({to.x - 7, to.y - 5}, to, colour, 2);
  canvas.line({to.x - 7, to.y + 5}, to, colour, 2);
}

// Draws a call's name, inputs and part of the work at the top of its box.
void paint_header(Canvas& canvas, draw::Ui* ui, const Box& box, const story::OpsPane::Row& row, ImU32 own, float amount,
                  bool inputs) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.panel, amount); };
  const float line = 22;
  const bool high = box.height >= 2 * line;
  canvas.dot({box.x + 6, box.y + 4 + line / 2}, 4, faded(own));
  const float left = box.x + 20, room = box.right() - left;
  const float wanted = canvas.text_width(Style::mono_small, row.name) + 4;
  // The inputs are left out where they do not fit beside the name.
  const float listed = canvas.text_width(Style::mono_small, row.inputs) + 16;
  const float beside = inputs && high && wanted + listed <= room ? listed : 0;
  const float name = std::min(wanted, high ? room - beside : room * 0.55f);
  pictures::paint_cut(canvas, ui, {left, box.y + 4, name, line}, Style::mono_small, faded(theme.text), row.name);
  if (beside > 0)
    canvas.text_in({box.right() - beside, box.y + 4, beside, line}, Style::mono_small, faded(theme.second), row.inputs,
                   Align::right);
  const Box meaning =
      high ? Box{left, box.y + 2 + line, room, line} : Box{left + name + 14, box.y + 4, room - name - 14, line};
  // Left out where there is no room for all of it: the pointer has it.
  if (canvas.text_width(Style::label, row.meaning) <= meaning.width)
    canvas.text_in(meaning, Style::label, faded(theme.second), row.meaning);
  else if (ui != nullptr && ui->hovered(meaning))
    ui->tooltip(row.meaning);
  if (ui != nullptr) ui->point(box, std::string(row.name).append(" ").append(row.meaning));
}

}  // namespace

void paint_ops_pane(Canvas& canvas, draw::Ui* ui, const Box& box, const story::OpsPane& pane, float shown) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour, float amount) { return draw::mixed(colour, theme.ground, amount); };
  std::vector<const story::OpsPane::Row*> calls;
  const story::OpsPane::Row* work = nullptr;
  for (const auto& row : pane.rows) {
    if (row.role == 'g')
      work = &row;
    else
      calls.push_back(&row);
  }
  const bool operands = !pane.operands.empty() && box.width > 620 &&
                        box.height - pane_head_room > least_operand * static_cast<float>(pane.operands.size());
  const float left = box.x + (operands ? operand_room : 0);
  const float gpu_width = work == nullptr ? 0 : box.width * gpu_share;
  const float right = box.right() - (work == nullptr ? 0 : gpu_width + arrow_room);
  const float top = box.y + pane_head_room;
  const auto count = static_cast<float>(std::max<std::size_t>(calls.size(), 1));
  const float room = box.bottom() - 4 - top;
  // All boxes end one below the other, so each costs its header and the inset under it.
  const float below = std::min(inset, std::max(3.0f, (room / count - low_header) / 2));
  const float header = std::clamp(room / count - below, 18.0f, high_header);

  const ImU32 second = faded(theme.second, shown);
  if (operands) {
    canvas.text({box.x, box.y + 4}, Style::small_caps, second, pane.head_inputs, operand_room - 12);
    paint_operands(canvas, {box.x, top, operand_room - 28, std::min(room, 220.0f)}, pane, shown);
  }
  if (!calls.empty()) canvas.text({left, box.y + 4}, Style::small_caps, second, pane.head_cpu, right - left);
  if (work != nullptr)
    canvas.text({box.right() - gpu_width, box.y + 4}, Style::small_caps, second, pane.head_gpu, gpu_width);

  Box innermost = {left, top, right - left, 0};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const story::OpsPane::Row& row = *calls[i];
    const auto depth = static_cast<float>(i);
    const Box full = {left + inset * depth, top + header * depth, right - left - 2 * inset * depth,
                      (header + below) * (count - depth) - below + 2};
    innermost = full;
    const float amount = shown * static_cast<float>(row.shown);
    if (amount <= 0) break;
    const ImU32 own = row.role == 'l' ? theme.launch : theme.host;
    // A call grows out of the one around it.
    const float grown = 0.6f + 0.4f * static_cast<float>(row.shown);
    const Box call = {full.x, full.y, full.width, full.height * grown};
    canvas.fill(call, faded(draw::mixed(own, theme.panel, row.role == 'l' ? 0.16f : 0.05f), amount), 6);
    canvas.outline(call, faded(row.role == 'l' ? own : theme.line, amount), 6, row.role == 'l' ? 1.5f : 1);
    paint_header(canvas, ui, {call.x + 10, call.y, call.width - 20, header}, row, own, amount, i > 0 || !operands);
  }
  if (work == nullptr || work->shown <= 0) return;
  const float amount = shown * static_cast<float>(work->shown);
  const float middle = std::min(innermost.y + innermost.height / 2, box.bottom() - 50);
  const Box gpu = {box.right() - gpu_width, std::max(top, middle - 62), gpu_width,
                   std::min(124.0f, box.bottom() - 4 - std::max(top, middle - 62))};
  const float reach = innermost.right() + (gpu.x - 6 - innermost.right()) * static_cast<float>(work->shown);
  if (!calls.empty())
    paint_arrow(canvas, {innermost.right() + 2, middle}, {reach, middle}, faded(theme.launch, amount));
  canvas.fill(gpu, faded(draw::mixed(theme.done, theme.panel, 0.16f), amount), 6);
  canvas.outline(gpu, faded(theme.done, amount), 6, 1.5f);
  const float pad = 14, width = gpu.width - 2 * pad;
  float y = gpu.y + 12;
  y += canvas.paragraph({gpu.x + pad, y}, Style::mono_small, faded(theme.text, amount), work->name, width,
                        gpu.height > 90 ? 2 : 1);
  canvas.paragraph({gpu.x + pad, y + 8}, Style::label, faded(theme.second, amount), work->meaning, width, 2);
  if (ui != nullptr) {
    ui->point(gpu, std::string(work->name).append(" ").append(work->meaning));
    if (ui->hovered(gpu)) ui->tooltip(work->name);
  }
}

}  // namespace warpwalk::scenes
