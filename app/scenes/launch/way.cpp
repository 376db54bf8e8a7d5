// The launch in its stream over time, and below it the stations that the launch passes.
#include <algorithm>

#include "app/pictures/pictures.h"
#include "app/scenes/launch/panes.h"

namespace warpwalk::scenes {
namespace {

using draw::Align;
using draw::Box;
using draw::Canvas;
using draw::Point;
using draw::Style;
using story::LaunchWay;

constexpr float gap = 16;
constexpr float pad = 10;
constexpr float chip_height = 28;
constexpr float high_chip = 38;  // with two lines
constexpr float low_stations = 64;

struct Stations {
  Box driver, stream, link, front_end, engine;
};

Stations stations_in(const Box& box, bool engine) {
  const float room = box.width - (engine ? 4 : 3) * gap;
  const float link = std::max(56.0f, room * 0.09f);
  const float one = (room - link) / (engine ? 4.7f : 3.7f);
  Stations s;
  float x = box.x;
  const auto place = [&](float width) {
    const Box at = {x, box.y, width, box.height};
    x += width + gap;
    return at;
  };
  s.driver = place(one);
  s.stream = place(1.7f * one);
  s.link = place(link);
  s.front_end = place(one);
  if (engine) s.engine = place(one);
  return s;
}

// `chip`: height of the chip at the bottom of the box.
void paint_station(Canvas& canvas, draw::Ui* ui, const Box& box, const LaunchWay::Stop& stop, float chip) {
  const draw::Theme& theme = canvas.theme();
  canvas.fill(box, theme.panel, 6);
  canvas.outline(box, theme.line, 6, theme.hairline);
  const float width = box.width - 2 * pad;
  canvas.text({box.x + pad, box.y + 8}, Style::label, theme.text, stop.name, width);
  // Two lines, if they fit above the chip.
  const int lines = box.height >= 28 + 2 * canvas.line_height(Style::label) + 4 + chip + 9 ? 2 : 1;
  if (box.height > low_stations)
    canvas.paragraph({box.x + pad, box.y + 28}, Style::label, theme.second, stop.task, width, lines);
  if (ui == nullptr) return;
  const std::string text = stop.name + ": " + stop.task;
  ui->point(box, text);
  if (ui->hovered(box)) ui->tooltip(text);
}

// Draws the PCIe link: two lanes between the boxes.
void paint_link(Canvas& canvas, draw::Ui* ui, const Box& box, float chip_y, float chip, const LaunchWay::Stop& stop) {
  const draw::Theme& theme = canvas.theme();
  canvas.text({box.x + box.width / 2, box.y + 8}, Style::label, theme.text, stop.name, box.width + gap, Align::centre);
  for (const float y : {chip_y - 5, chip_y + chip + 5})
    canvas.line({box.x - gap, y}, {box.right() + gap, y}, theme.second, theme.hairline);
  const Point tip = {box.x + box.width / 2 + 5, chip_y + chip / 2};
  canvas.line({tip.x - 8, tip.y - 6}, tip, theme.second, 1.5f);
  canvas.line({tip.x - 8, tip.y + 6}, tip, theme.second, 1.5f);
  if (ui == nullptr) return;
  ui->point(box, stop.name);
  if (ui->hovered(box)) ui->tooltip(stop.name + ": " + stop.task);
}

void paint_chip(Canvas& canvas, draw::Ui* ui, const Box& box, ImU32 fill, ImU32 text, const std::string& word) {
  canvas.fill(box, fill, 6);
  const Box in = {box.x + 8, box.y, box.width - 14, box.height};
  const std::size_t comma = word.find(", ");
  if (box.height >= high_chip && comma != std::string::npos && canvas.text_width(Style::mono_small, word) > in.width) {
    const float line = canvas.line_height(Style::mono_small), top = box.y + box.height / 2 - line;
    canvas.text({in.x, top}, Style::mono_small, text, std::string_view(word).substr(0, comma + 1), in.width);
    canvas.text({in.x, top + line}, Style::mono_small, text, std::string_view(word).substr(comma + 2), in.width);
  } else if (box.width > 36) {
    canvas.text_in(in, Style::mono_small, text, word);
  }
  if (ui != nullptr && ui->hovered(box)) ui->tooltip(word);
}

// Draws the work that precedes the launch in the stream. The head of the queue is on the right.
void paint_ahead(Canvas& canvas, draw::Ui* ui, const Box& room, const LaunchWay& way) {
  const draw::Theme& theme = canvas.theme();
  std::vector<std::string> words = way.ahead;
  if (!way.more_ahead.empty()) words.insert(words.begin(), way.more_ahead);
  if (words.empty() || way.ahead_done >= 1) return;
  std::vector<float> widths;  // as wide as the text; the name gets what the number of the others leaves
  float left = room.width;
  for (const std::string& word : words) {
    widths.push_back(std::min(left, canvas.text_width(Style::mono_small, word) + 18));
    left = std::max(0.0f, left - widths.back() - 6);
  }
  float right = room.right();
  const ImU32 colour =
      draw::mixed(draw::mixed(theme.done, theme.ground, 0.35f), theme.panel, 1 - static_cast<float>(way.ahead_done));
  for (std::size_t i = 0; i < words.size(); ++i) {
    // The first item is nearest to the head.
    const Box box = {right - widths[i], room.y, widths[i], room.height};
    right = box.x - 6;
    paint_chip(canvas, ui, box, colour, draw::mixed(theme.text, theme.panel, 1 - static_cast<float>(way.ahead_done)),
               words[i]);
  }
}

}  // namespace

pictures::Touch paint_launch_way(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Stage& stage,
                                 const story::LaunchPicture& picture) {
  const draw::Theme& theme = canvas.theme();
  const LaunchWay& way = picture.way;
  // The more rows the timeline has, the lower the stations are.
  float rows = 0;
  for (const auto& group : way.time.groups) rows += static_cast<float>(group.rows.size());
  const float left_over = box.height - 172 - 40 * rows;
  // In a low box, the stations show only their names.
  const bool low = box.height < 112 + 146 + 26 * rows;
  const float high = !way.stations_shown ? 0
                     : low               ? low_stations + 4
                                         : std::clamp(std::min(box.height * 0.36f, left_over), 112.0f, 168.0f);
  pictures::Touch touch =
      pictures::paint_bars(canvas, ui, {box.x, box.y, box.width, box.height - high}, way.time, stage.now);
  if (!way.stations_shown) return touch;

  const float head = low ? 4 : 24;
  const Box all = {box.x, box.bottom() - high + head, box.width, high - head};
  if (!low) canvas.text({box.x, all.y - 22}, Style::label, theme.second, way.note, box.width);
  const Stations at = stations_in(all, way.engine.has_value());
  // The content of the launch takes two lines if it is too wide for one, and the stations are high enough.
  const float whole = canvas.text_width(Style::mono_small, way.order) + 18, most = at.driver.width - 2 * pad;
  const std::size_t comma = way.order.find(", ");
  const float least_high = 28 + canvas.line_height(Style::label) + high_chip + 9;
  const bool two_lines = whole > most && comma != std::string::npos && all.height >= least_high;
  const float chip = two_lines ? high_chip : chip_height;
  float width = std::min(most, whole);
  if (two_lines)
    width = std::min(most, 18 + std::max(canvas.text_width(Style::mono_small, way.order.substr(0, comma + 1)),
                                         canvas.text_width(Style::mono_small, way.order.substr(comma + 2))));
  const float y = all.bottom() - chip - (low ? 6 : 9);
  paint_link(canvas, ui, at.link, y, chip, way.link);
  paint_station(canvas, ui, at.driver, way.driver, chip);
  paint_station(canvas, ui, at.stream, way.stream, chip);
  paint_station(canvas, ui, at.front_end, way.front_end, chip);
  if (way.engine) paint_station(canvas, ui, at.engine, *way.engine, chip);

  paint_ahead(canvas, ui, {at.stream.x + pad + width + 8, y, at.stream.width - 2 * pad - width - 8, chip}, way);
  // The launch moves in a straight line, with one position per station.
  const float places[] = {at.driver.x + pad, at.stream.x + pad, at.front_end.x + pad,
                          (way.engine ? at.engine.x : at.front_end.x) + pad};
  const double travelled = std::clamp(way.travelled, 0.0, 3.0);
  const auto leg = std::min<std::size_t>(2, static_cast<std::size_t>(travelled));
  const auto within = static_cast<float>(travelled - static_cast<double>(leg));
  const float x = places[leg] + (places[leg + 1] - places[leg]) * within;
  for (float dash = places[0] + width; dash < x - 4; dash += 11)
    canvas.line({dash, y + chip / 2}, {std::min(dash + 6, x - 4), y + chip / 2},
                draw::mixed(theme.now, theme.ground, 0.45f), 1.5f);
  paint_chip(canvas, ui, {x, y, width, chip}, theme.now, theme.on_colour, way.order);
  return touch;
}

}  // namespace warpwalk::scenes
