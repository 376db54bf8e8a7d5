// The launch: its path through the stream to the GPU, its blocks on the SMs, and its waves.
#include <fmt/format.h>

#include "app/scenes/launch/panes.h"

namespace warpwalk::scenes {

using draw::Box;
using draw::Canvas;
using draw::Style;

std::string block_text(const story::LaunchPicture& picture, std::uint64_t block, const story::PlacedBlock* placed) {
  const auto x = static_cast<std::uint64_t>(picture.grid.shape[0]),
             y = static_cast<std::uint64_t>(picture.grid.shape[1]);
  std::string text =
      fmt::format("{} {} ({}, {}, {})", picture.word_block, story::with_thousands(static_cast<std::int64_t>(block)),
                  block % x, block / x % y, block / x / y);
  if (placed == nullptr) return text + ": " + picture.word_waits;
  text += fmt::format(": {} {}, {} {}", picture.word_sm, placed->sm, picture.word_slot, placed->slot);
  if (!picture.word_wave.empty()) text += fmt::format(", {} {}", picture.word_wave, placed->turn + 1);
  if (picture.tick_ns > 0 && placed->end > placed->start)
    text += fmt::format(", {} – {}", story::time_text(static_cast<double>(placed->start) * picture.tick_ns),
                        story::time_text(static_cast<double>(placed->end) * picture.tick_ns));
  return text + fmt::format(" [{}]", picture.origin_word);
}

void paint_placement_head(Canvas& canvas, draw::Ui* ui, const Box& box, const story::LaunchPicture& picture,
                          const std::string& more) {
  const draw::Theme& theme = canvas.theme();
  float tag = 0;
  if (!picture.origin_word.empty())
    tag = 12 + draw::paint_tag(canvas, box.right(), box.y + 8, theme.second, picture.origin_word);
  canvas.text(draw::Point{box.x, box.y}, Style::label, theme.second, picture.head_sms + more, box.width - tag);
  const Box head = {box.x, box.y, box.width - tag, 20};
  if (ui == nullptr || !ui->hovered(head)) return;
  ui->point(head, picture.head_sms);
  if (canvas.text_width(Style::label, picture.head_sms + more) > head.width) ui->tooltip(picture.head_sms + more);
}

void paint_block_number(Canvas& canvas, const Box& box, std::uint64_t block, std::uint64_t largest) {
  if (box.height < canvas.line_height(Style::mono_small)) return;
  if (canvas.text_width(Style::mono_small, std::to_string(largest)) + 4 > box.width) return;
  canvas.text_in(box, Style::mono_small, canvas.theme().on_colour, std::to_string(block), draw::Align::centre);
}

namespace {

// Draws the occupancy limits in one line. The limiting one is bright and marked.
void paint_limits(Canvas& canvas, const Box& box, const story::LaunchPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(picture.sms_shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  float x = box.x + canvas.text_in(box, Style::label, faded(theme.second), picture.word_limits) + 16;
  for (const story::RoomLimit& limit : picture.limits) {
    const std::string text = limit.word + " " + limit.blocks;
    const float width = canvas.text_width(Style::label, text) + 16;
    if (x + width > box.right()) return;
    if (limit.limits) canvas.outline({x, box.y, width, box.height}, faded(theme.shared), 6, 1.5f);
    canvas.text_in({x + 8, box.y, width, box.height}, Style::label, faded(limit.limits ? theme.text : theme.second),
                   text);
    x += width + 4;
  }
}

// The blocks on their way from the SMs to their columns over time.
void paint_regrouping(Canvas& canvas, const Box& box, const story::LaunchPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const std::vector<Box> from = launch_slots(canvas, box, picture), to = launch_columns(canvas, box, picture);
  const auto moved = static_cast<float>(picture.regrouped);
  std::size_t n = 0;
  for (const story::PlacedBlock& block : picture.placed) {
    if (block.turn != 0) continue;
    if (n >= from.size() || n >= to.size()) return;
    canvas.fill(draw::between(from[n], to[n], moved), block.block == picture.followed ? theme.now : theme.done, 1);
    ++n;
  }
}

}  // namespace

pictures::Touch paint_launch(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage,
                             const story::LaunchPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  constexpr float line = 22;
  float foot = picture.limits.empty() ? 0 : line;
  for (const std::string* text : {&picture.note, &picture.what_if}) foot += text->empty() ? 0 : line;
  const Box body = {box.x, box.y, box.width, box.height - foot - (foot > 0 ? 6 : 0)};
  pictures::Touch touch;
  // A part that is fading in or out is covered by the translucent background and ignores input.
  const auto part = [&](double shown, const auto& paint) {
    if (shown <= 0) return;
    touch.add(paint(shown >= 1 ? ui : nullptr));
    if (shown < 1)
      canvas.fill({box.x - 4, box.y - 4, box.width + 8, body.height + 8},
                  draw::with_alpha(theme.ground, 1 - static_cast<float>(shown)));
  };
  part(picture.way.shown, [&](draw::Ui* hand) { return paint_launch_way(canvas, hand, body, stage, picture); });
  part(picture.floor_shown, [&](draw::Ui* hand) { return paint_launch_floor(canvas, hand, body, picture); });
  part(picture.waves_shown, [&](draw::Ui* hand) { return paint_launch_waves(canvas, hand, body, picture); });

  if (picture.regrouped > 0 && picture.regrouped < 1) paint_regrouping(canvas, body, picture);

  float y = box.bottom() - foot + 2;
  const auto foot_line = [&](const std::string& text, ImU32 colour) {
    if (text.empty()) return;
    const Box place = {box.x, y, box.width, line};
    canvas.text_in(place, Style::label, colour, canvas.whole_sentences(Style::label, text, place.width, 1));
    if (ui != nullptr) {
      ui->point(place, text);
      if (ui->hovered(place) && canvas.text_width(Style::label, text) > place.width) ui->tooltip(text);
    }
    y += line;
  };
  foot_line(picture.what_if, theme.now);
  foot_line(picture.note, theme.second);
  if (!picture.limits.empty()) paint_limits(canvas, {box.x, y, box.width, line}, picture);
  return touch;
}

}  // namespace warpwalk::scenes
