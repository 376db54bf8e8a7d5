// The receipt of a run without times, which shows counters.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "app/scenes/map/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Style;

constexpr float head_height = 24;
constexpr float label_share = 0.6f;  // share of the width; the count and the ratio follow
constexpr float count_share = 0.17f;

void paint_line(Canvas& canvas, const Box& box, const story::CountedLine& line) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, static_cast<float>(line.shown)); };
  const float label = box.width * label_share, count = box.width * count_share;
  if (line.current) canvas.fill({box.x - 10, box.y + 3, 3, box.height - 6}, faded(theme.now), 1);
  if (box.height < 40) {
    const float name = canvas.text_in({box.x, box.y, label, box.height}, Style::heading, faded(theme.text), line.label);
    canvas.text_in({box.x + name + 14, box.y + 1, label - name - 14, box.height}, Style::label, faded(theme.second),
                   line.note);
  } else {
    const float middle = box.y + box.height / 2;
    canvas.text({box.x, middle - 21}, Style::heading, faded(theme.text), line.label, label);
    canvas.text({box.x, middle + 2}, Style::label, faded(theme.second), line.note, label);
  }
  canvas.text_in({box.x + label, box.y, count, box.height}, Style::figure, faded(theme.text), line.count.text(),
                 Align::right);
  if (line.each)
    canvas.text_in({box.x + label + count, box.y, box.width - label - count, box.height}, Style::mono,
                   faded(theme.second), line.each->text(), Align::right);
}

constexpr float number_share = 0.17f;  // share of the width for each of the three number columns
constexpr float dial_share = 0.15f;    // for the error as a bar
constexpr double dial_end = 0.25;      // the error at which the bar reaches its end

// Draws the error as a bar from the middle: to the left if too little was simulated. A longer error ends in an arrow.
void paint_error(Canvas& canvas, const Box& box, const story::ComparedLine& line) {
  const draw::Theme& theme = canvas.theme();
  const auto shown = static_cast<float>(line.shown);
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, shown); };
  const float middle = box.x + box.width / 2, y = box.y + box.height / 2, high = std::min(12.0f, box.height - 8);
  canvas.line({middle, box.y + 2}, {middle, box.bottom() - 2}, faded(theme.line), theme.hairline);
  if (!line.error) return;
  const double off = std::clamp(line.off / dial_end, -1.0, 1.0);
  const float length = box.width / 2 * static_cast<float>(off) * shown;
  const ImU32 colour = faded(std::abs(line.off) < 0.05 ? theme.done : theme.shared);
  if (std::abs(length) < 1.5f)
    canvas.dot({middle, y}, 3.5f, colour);
  else
    canvas.fill({std::min(middle, middle + length), y - high / 2, std::abs(length), high}, colour, 2);
  if (std::abs(line.off) <= dial_end) return;
  const float tip = middle + length, towards = off < 0 ? -7.0f : 7.0f;
  canvas.triangle({tip, y - high / 2 - 1}, {tip, y + high / 2 + 1}, {tip + towards, y}, colour);
}

void paint_line(Canvas& canvas, const Box& box, const story::ComparedLine& line) {
  const draw::Theme& theme = canvas.theme();
  const auto faded = [&](ImU32 colour) { return draw::mixed(colour, theme.ground, static_cast<float>(line.shown)); };
  const float number = box.width * number_share, dial = box.width * dial_share, label = box.width - 3 * number - dial;
  canvas.text_in({box.x, box.y, label - 12, box.height}, Style::heading, faded(theme.text), line.label);
  const auto column = [&](int i) {
    return Box{box.x + label + number * static_cast<float>(i), box.y, number, box.height};
  };
  canvas.text_in(column(0), Style::figure, faded(theme.text), line.measured.text(), Align::right);
  canvas.text_in(column(1), Style::figure, faded(theme.text), line.simulated.text(), Align::right);
  paint_error(canvas, {box.right() - number - dial + 24, box.y, dial - 32, box.height}, line);
  canvas.text_in({box.right() - number, box.y, number, box.height}, Style::mono, faded(theme.second),
                 line.error ? line.error->text() : "–", Align::right);
}

}  // namespace

void paint_compared(Canvas& canvas, draw::Ui* ui, const Box& box, const story::ReceiptPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const float number = box.width * number_share;
  canvas.text({box.x, box.y}, Style::small_caps, theme.second, picture.head_receipt);
  const float dial = box.width * dial_share;
  canvas.text({box.right(), box.y}, Style::small_caps, theme.second, picture.head_error, number, Align::right);
  canvas.text({box.right() - number - dial, box.y}, Style::small_caps, theme.second, picture.head_simulated, number,
              Align::right);
  canvas.text({box.right() - 2 * number - dial, box.y}, Style::small_caps, theme.second, picture.head_measured, number,
              Align::right);
  canvas.line({box.x, box.y + 20}, {box.right(), box.y + 20}, theme.line, theme.hairline);
  const auto count = static_cast<float>(picture.compared.size());
  const float height = std::clamp((box.height - head_height) / count, 24.0f, 44.0f);
  const auto room = static_cast<std::size_t>(std::max(2.0f, (box.height - head_height) / height));
  float y = box.y + head_height;
  for (std::size_t i = 0; i < picture.compared.size(); ++i) {
    if (room < picture.compared.size() && i + 1 == room) {
      canvas.text_in({box.x, y, box.width, height}, Style::label, theme.second,
                     fmt::format("+ {}", picture.compared.size() - i));
      return;
    }
    const story::ComparedLine& line = picture.compared[i];
    const Box row = {box.x, y, box.width, height};
    y += height;
    paint_line(canvas, row, line);
    if (ui == nullptr) continue;
    const std::string words = line.label + ": " + line.note;
    ui->point(row, words);
    if (ui->hovered(row)) ui->tooltip(line.error ? words + ". " + line.error->formula() : words);
  }
}

void paint_counted(Canvas& canvas, draw::Ui* ui, const Box& box, const story::ReceiptPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  canvas.text({box.x, box.y}, Style::small_caps, theme.second, picture.head_receipt);
  canvas.text({box.x + box.width * (label_share + count_share), box.y}, Style::small_caps, theme.second,
              picture.head_time, 200, Align::right);
  canvas.text({box.right(), box.y}, Style::small_caps, theme.second, picture.head_share, 260, Align::right);
  canvas.line({box.x, box.y + 20}, {box.right(), box.y + 20}, theme.line, theme.hairline);
  const auto count = static_cast<float>(picture.counted.size());
  const float height = std::clamp((box.height - head_height) / count, 24.0f, 58.0f);
  float y = box.y + head_height;
  for (const story::CountedLine& line : picture.counted) {
    const Box row = {box.x, y, box.width, height};
    y += height;
    if (line.shown <= 0) continue;
    paint_line(canvas, row, line);
    if (ui == nullptr) continue;
    const std::string words = line.label + ": " + line.note;
    ui->point(row, words);
    if (ui->hovered(row)) ui->tooltip(line.each ? words + ". " + line.each_label + ": " + line.each->formula() : words);
  }
}

}  // namespace warpwalk::scenes
