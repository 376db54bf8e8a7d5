// The waiting block, the amount of each resource that the blocks use, and the number of blocks that it allows.
#include <algorithm>
#include <vector>

#include "app/pictures/text.h"
#include "app/scenes/sm/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;
using story::Origin;
using story::SmBlock;
using story::SmLimit;
using story::SmPicture;

constexpr float limits_head_height = 26;
constexpr float bar_part = 0.86f;  // share of a row's width; the rest shows a block that exceeds the limit

double SmBlock::*part_of(const SmLimit& limit) {
  if (limit.key == "warps") return &SmBlock::warps;
  if (limit.key == "registers") return &SmBlock::registers;
  if (limit.key == "shared") return &SmBlock::shared;
  return &SmBlock::place;
}

ImU32 hue_of(const SmLimit& limit, const draw::Theme& theme) {
  if (limit.key == "shared") return theme.shared;
  return limit.key == "barriers" ? theme.barrier : theme.done;
}

void paint_bar(Canvas& canvas, const Box& row, const Box& bar, const SmLimit& limit, const SmPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(picture.limits_shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  canvas.fill(bar, faded(theme.panel), 2);
  const float each = static_cast<float>(limit.share) * bar.width;
  const ImU32 hue = hue_of(limit, theme);
  for (std::size_t b = 0; b < picture.blocks.size(); ++b) {
    const SmBlock& block = picture.blocks[b];
    const double amount = block.*part_of(limit);
    if (amount <= 0) continue;
    const float x = bar.x + each * static_cast<float>(b);
    const Box piece = {x, bar.y, each * static_cast<float>(amount), bar.height};
    canvas.fill(piece, faded(sm_shade(theme, hue, static_cast<std::int64_t>(b), block.now)));
    if (each >= 4)
      canvas.line({piece.right(), bar.y}, {piece.right(), bar.bottom()}, faded(theme.ground), theme.hairline);
  }
  if (limit.usable < 1) {
    const float from = bar.x + bar.width * static_cast<float>(limit.usable);
    if (bar.right() - from >= 2)
      canvas.hatch({from, bar.y, bar.right() - from, bar.height}, draw::with_alpha(theme.second, 0.6f * shown));
  }
  canvas.outline(bar, faded(theme.second), 2, theme.hairline);
  // The next block would exceed the limit.
  const double ghost = limit.limits ? picture.refused * picture.limits_shown : 0;
  if (ghost <= 0) return;
  const float x = bar.x + each * static_cast<float>(picture.blocks.size());
  const float end = std::min(x + each, row.right());
  const ImU32 colour = draw::mixed(theme.now, theme.ground, static_cast<float>(ghost));
  for (const float y : {bar.y - 1, bar.bottom() + 1}) canvas.dashed({x, y}, {end, y}, colour, 1.5f);
  canvas.dashed({x, bar.y - 1}, {x, bar.bottom() + 2}, colour, 1.5f);
  if (x + each <= row.right()) canvas.dashed({end, bar.y - 1}, {end, bar.bottom() + 2}, colour, 1.5f);
}

void paint_row(Canvas& canvas, draw::Ui* ui, const Box& row, const SmLimit& limit, const SmPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const double shown = picture.limits_shown;
  const auto faded = [&](ImU32 colour, double amount) {
    return draw::mixed(colour, theme.ground, static_cast<float>(amount * shown));
  };
  const double glow = limit.limits ? picture.glow : 0;
  const float pad = row.height > 44 ? 7 : 3;
  const Box in = {row.x + 8, row.y + pad, row.width - 16, row.height - 2 * pad};
  if (glow > 0) {
    canvas.fill(row, faded(theme.panel, glow), 6);
    canvas.outline(row, faded(theme.text, glow), 6, 2);
  }
  // The text changes from the used amount to the number of blocks that the resource allows.
  const double turned = picture.glow;
  const bool allows = turned > 0.5;
  std::string text = allows ? limit.allows : limit.taken;
  const double there = allows ? turned * 2 - 1 : 1 - turned * 2;
  const float label = canvas.text_width(Style::label, limit.label);
  const float line = canvas.line_height(Style::label);
  // If the text does not fit, show only the number of blocks, and no amount: one that is cut would be another amount.
  // The tooltip shows the full text.
  if (label + canvas.text_width(Style::mono_small, text) + 12 > in.width)
    text = allows && limit.blocks ? std::to_string(*limit.blocks) : std::string();
  const float right = std::min(canvas.text_width(Style::mono_small, text), in.width * 0.6f);
  canvas.text({in.x, in.y}, Style::label, faded(glow > 0.5 || turned < 0.5 ? theme.text : theme.second, 1), limit.label,
              in.width - right - 8);
  canvas.text({in.right(), in.y + 1}, Style::mono_small, faded(theme.text, there), text, right + 1, Align::right);
  if (glow > 0.5) {
    const float tag = canvas.text_width(Style::small_caps, picture.word_limits) + 18;
    if (label + tag + right + 24 <= in.width)
      draw::paint_tag(canvas, in.x + label + 10 + tag, in.y + line / 2, faded(theme.text, glow), picture.word_limits);
  }
  const float height = std::clamp(in.bottom() - in.y - line - 6, 4.0f, 14.0f);
  paint_bar(canvas, in, {in.x, in.y + line + 5, in.width * bar_part, height}, limit, picture);
  if (ui == nullptr || shown < 1 || !ui->hovered(row)) return;
  ui->point(row, limit.label);
  ui->tooltip(limit.label + ": " + limit.taken + ", " + limit.allows + " (" + limit.formula + ")\n" + limit.source);
}

}  // namespace

Box SmToken::warp(std::int64_t number, std::int64_t count) const {
  const float pad = 10, room = box.width - 2 * pad;
  const float height = std::clamp(box.height - 32, 8.0f, 16.0f);
  const float step = std::min(room / static_cast<float>(count), height + 6);
  return {box.x + pad + step * static_cast<float>(number), box.bottom() - height - 6, std::max(2.0f, step - 3), height};
}

void paint_sm_token(Canvas& canvas, const SmToken& token, const SmPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const auto there = static_cast<float>(picture.waiting);
  const auto refused = static_cast<float>(picture.refused);
  const Box& box = token.box;
  canvas.outline(box, draw::mixed(theme.now, theme.ground, there * (0.6f + 0.4f * refused)), 6, refused > 0 ? 2 : 1);
  const std::string& label = refused > 0 ? picture.refused_label : picture.waiting_label;
  canvas.text({box.x + 10, box.y + 6}, Style::label, draw::mixed(theme.text, theme.ground, there), label,
              box.width - 20);
  if (refused <= 0) return;
  for (std::int64_t w = 0; w < std::min<std::int64_t>(picture.waiting_warps, 64); ++w) {
    const Box cell = token.warp(w, picture.waiting_warps);
    canvas.outline(cell, draw::mixed(theme.now, theme.ground, there * refused), 2, 1.5f);
  }
}

void paint_sm_limits(Canvas& canvas, draw::Ui* ui, const Box& box, const SmPicture& picture) {
  if (picture.limits_shown <= 0) return;
  const draw::Theme& theme = canvas.theme();
  const bool headed = box.height > 200;
  if (headed)
    canvas.text({box.x + 8, box.y}, Style::small_caps,
                draw::mixed(theme.second, theme.ground, static_cast<float>(picture.limits_shown)), picture.word_panel,
                box.width - 8);
  if (headed && picture.refused > 0) {
    const float word = canvas.text_width(Style::label, picture.word_next), dash = 22;
    const float x = box.right() - 8 - word;
    const ImU32 now = draw::mixed(theme.now, theme.ground, static_cast<float>(picture.refused * picture.limits_shown));
    if (x - dash - 18 > box.x + 8 + canvas.text_width(Style::small_caps, picture.word_panel)) {
      const float left = x - dash - 6, right = x - 6;
      for (const float y : {box.y + 2, box.y + 13}) canvas.dashed({left, y}, {right, y}, now, 1.5f);
      for (const float at : {left, right}) canvas.dashed({at, box.y + 2}, {at, box.y + 13}, now, 1.5f);
      canvas.text({x, box.y - 1}, Style::label,
                  draw::mixed(theme.second, theme.ground, static_cast<float>(picture.refused * picture.limits_shown)),
                  picture.word_next);
    }
  }
  const float top = box.y + (headed ? limits_head_height : 0);
  // If the rows do not all fit, keep the limiting ones.
  const float least = canvas.line_height(Style::label) + 14;
  std::vector<const SmLimit*> shown;
  for (const SmLimit& limit : picture.limits) shown.push_back(&limit);
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.bottom() - top) / least));
  for (std::size_t i = shown.size(); i-- > 0 && shown.size() > room;)
    if (!shown[i]->limits) shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(i));
  const float step = std::min((box.bottom() - top) / static_cast<float>(shown.size()), 62.0f);
  float y = top;
  for (const SmLimit* limit : shown) {
    paint_row(canvas, ui, {box.x, y, box.width, std::min(step - 2, 52.0f)}, *limit, picture);
    y += step;
  }
}

void paint_sm_meters(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage,
                     const SmPicture& picture) {
  if (picture.meters_shown <= 0) return;
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(picture.meters_shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  canvas.text({box.x, box.y}, Style::small_caps, faded(theme.second), picture.word_meters, box.width);
  const float top = box.y + 34;
  const float step = std::min((box.bottom() - top - (box.height > 220 ? 40 : 0)) / 3, 96.0f);
  if (step < 22) return;
  float y = top;
  for (const story::SmMeter& meter : picture.meters) {
    const Box row = {box.x, y, box.width, step - 8};
    y += step;
    float line = row.y;
    if (row.height > 56) {
      canvas.text({row.x, line}, Style::label, faded(theme.second), meter.label, row.width);
      line += 22;
      canvas.text({row.x, line}, Style::figure, faded(theme.text), meter.figure.text(), row.width);
      const Origin origin = meter.figure.origin();
      draw::paint_tag(canvas, row.right(), line + 13, faded(theme.second), stage.word_of(origin));
      line += 30;
    } else {
      const float right = canvas.text({row.right(), line}, Style::mono_small, faded(theme.text), meter.figure.text(),
                                      row.width * 0.5f, Align::right);
      canvas.text({row.x, line}, Style::label, faded(theme.second), meter.label, row.width - right - 8);
      line += 20;
    }
    const Box bar = {row.x, line, row.width, std::clamp(row.bottom() - line, 6.0f, 14.0f)};
    canvas.fill(bar, faded(theme.panel), 2);
    canvas.fill({bar.x, bar.y, std::max(1.0f, bar.width * static_cast<float>(meter.share)), bar.height},
                faded(draw::mixed(theme.done, theme.ground, 0.82f)), 2);
    canvas.outline(bar, faded(theme.second), 2, theme.hairline);
    if (ui == nullptr || !ui->hovered(row)) continue;
    ui->point(row, meter.label);
    ui->tooltip(pictures::figure_tip(*ui, meter.label, meter.figure));
  }
  const bool any_idle =
      std::any_of(picture.blocks.begin(), picture.blocks.end(), [](const SmBlock& block) { return block.idle > 0; });
  if (any_idle && box.bottom() - y > 18)
    canvas.paragraph({box.x, y}, Style::label, faded(theme.second), picture.word_idle, box.width, 2);
}

}  // namespace warpwalk::scenes
