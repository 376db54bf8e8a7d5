// One SM and the resources that its blocks use: the layout of its parts.
#include <algorithm>

#include "app/scenes/sm/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float gpu_name_height = 32;

// Draws the GPU's name between two arrows that select another GPU.
pictures::Touch paint_gpu(Canvas& canvas, draw::Ui* ui, const Box& box, const story::SmPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  pictures::Touch touch;
  const float middle = box.y + box.height / 2;
  const ImU32 colour = picture.gpu_set ? theme.now : theme.second;
  float x = box.right();
  const bool has_room = box.width > 320;
  if (has_room) {
    x -= canvas.text({x, middle - canvas.line_height(Style::label) / 2}, Style::label, colour, picture.gpu_source, 160,
                     Align::right);
    x -= 12;
  }
  const float arrow = 24;
  const auto step = [&](std::string_view id, const Box& place, float way, std::size_t by) {
    const bool over = ui != nullptr && ui->hovered(place);
    if (over) canvas.fill(place, draw::mixed(theme.second, theme.ground, 0.2f), 6);
    const float mid = place.x + place.width / 2;
    canvas.triangle({mid - 4 * way, middle - 6}, {mid - 4 * way, middle + 6}, {mid + 5 * way, middle},
                    over ? theme.text : theme.second);
    if (ui == nullptr || !ui->activated(id, place)) return;
    const std::size_t next = (picture.gpu_choice + by) % picture.gpu_choices;
    touch.set.emplace_back("sm.gpu", next == 0 ? std::nullopt : std::optional<double>(static_cast<double>(next)));
  };
  const Box right = {x - arrow, box.y + 3, arrow, box.height - 6};
  const float name_width =
      std::min(canvas.text_width(Style::mono_small, picture.gpu) + 1, std::max(60.0f, right.x - box.x - arrow - 12));
  const Box name = {right.x - 6 - name_width, box.y, name_width, box.height};
  const Box left = {name.x - 6 - arrow, box.y + 3, arrow, box.height - 6};
  canvas.text_in(name, Style::mono_small, picture.gpu_set ? theme.now : theme.text, picture.gpu);
  if (picture.gpu_choices > 1) {
    step("sm.gpu.before", left, -1, picture.gpu_choices - 1);
    step("sm.gpu.next", right, 1, 1);
  }
  const Box all = {left.x, box.y, box.right() - left.x, box.height};
  if (ui != nullptr && ui->hovered(all)) {
    ui->point(all, picture.gpu + " " + picture.gpu_source);
    ui->tooltip(picture.gpu_set ? picture.gpu_tip_other : picture.gpu_tip);
  }
  return touch;
}

void paint_head(Canvas& canvas, const Box& box, const story::SmPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  float x = box.x;
  x += canvas.text({x, box.y + 5}, Style::heading, theme.text, picture.word_sm, box.width) + 14;
  if (picture.what_if) {
    const float width = canvas.text_width(Style::label, picture.word_what_if) + 18;
    if (x + width < box.right()) {
      const Box tag = {x, box.y + 5, width, 22};
      canvas.fill(tag, draw::mixed(theme.now, theme.ground, 0.16f), 11);
      canvas.text_in(tag, Style::label, theme.now, picture.word_what_if, Align::centre);
      x = tag.right() + 14;
    }
  }
  const float left = box.right() - x;
  if (canvas.text_width(Style::label, picture.word_slots) <= left)
    canvas.text({x, box.y + 8}, Style::label,
                draw::mixed(theme.second, theme.ground, static_cast<float>(picture.sm_shown)), picture.word_slots,
                left);
}

}  // namespace

ImU32 sm_shade(const draw::Theme& theme, ImU32 hue, std::int64_t block, double now, double amount) {
  const ImU32 resident = draw::mixed(hue, theme.ground, block % 2 == 0 ? 0.82f : 0.5f);
  return draw::mixed(draw::mixed(theme.now, resident, static_cast<float>(now)), theme.ground,
                     static_cast<float>(amount));
}

pictures::Touch paint_sm(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage,
                         const story::SmPicture& picture) {
  pictures::Touch touch =
      paint_gpu(canvas, ui, {box.x + box.width * 0.42f, box.y, box.width * 0.58f, gpu_name_height}, picture);
  if (picture.sub_partitions == 0) return touch;
  paint_head(canvas, {box.x, box.y, box.width * 0.5f, gpu_name_height}, picture);

  const float gap = box.width > 620 ? 28 : 14;
  const float panel_width = std::clamp(box.width * 0.31f, box.width > 620 ? 210.0f : 130.0f, 340.0f);
  const Box main = {box.x, box.y + gpu_name_height + 8, box.width - panel_width - gap,
                    box.height - gpu_name_height - 8};
  const Box panel = {main.right() + gap, main.y, panel_width, main.height};
  if (main.height < 48) return touch;  // too low to draw anything readable
  const bool has_token = panel.height >= 190;
  const float token_height = has_token ? std::clamp(panel.height * 0.15f, 40.0f, 56.0f) : 8;
  const SmToken token = {{panel.x, panel.y, panel.width, token_height}};
  const float under = has_token ? token_height + 12 : 0;
  const Box bars = {panel.x, panel.y + under, panel.width, panel.height - under};

  canvas.clip({box.x - 4, box.y - 4, box.width + 8, box.height + 8});
  paint_sm_limits(canvas, ui, bars, picture);
  paint_sm_meters(canvas, ui, panel, stage, picture);
  if (picture.waiting > 0 && has_token) paint_sm_token(canvas, token, picture);
  paint_sm_chip(canvas, ui, main, picture, token);
  touch.add(paint_sm_curves(canvas, ui, main, picture));
  paint_sm_gathering(canvas, main, picture);
  canvas.unclip();
  return touch;
}

}  // namespace warpwalk::scenes
