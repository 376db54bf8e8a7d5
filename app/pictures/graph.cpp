// Boxes in columns with arrows between them.
#include <algorithm>
#include <cmath>

#include "app/pictures/pictures.h"
#include "app/pictures/tone.h"

namespace warpwalk::pictures {
namespace {

using draw::Box;
using draw::Canvas;
using draw::Point;
using draw::Style;

constexpr float graph_legend_height = 24, widest_node = 210, least_gap = 26, node_pad = 10;
constexpr float node_row_gap = 14;

struct Layout {
  Box box;
  float column = 0, width = 0, height = 0;
  std::vector<float> rows;  // by column: nodes

  Box node(const story::GraphNode& node) const {
    const float slot = box.height / rows[node.column];
    return {box.x + static_cast<float>(node.column) * column,
            box.y + (static_cast<float>(node.row) + 0.5f) * slot - height / 2, width, height};
  }
};

float node_lines(const story::GraphPicture& picture) {
  float lines = 1;
  for (const story::GraphNode& node : picture.nodes)
    lines = std::max(lines, 1.0f + (node.text.empty() ? 0.0f : 1.0f) + (node.below.empty() ? 0.0f : 1.0f));
  return lines;
}

Layout layout_of(const Canvas& canvas, const Box& box, const story::GraphPicture& picture) {
  Layout layout;
  layout.box = box;
  if (!picture.legend.empty()) layout.box.height -= graph_legend_height;
  std::size_t columns = 1;
  for (const story::GraphNode& node : picture.nodes) columns = std::max(columns, node.column + 1);
  layout.rows.assign(columns, 1);
  float most = 1;
  for (const story::GraphNode& node : picture.nodes) {
    float& rows = layout.rows[node.column];
    rows = std::max(rows, static_cast<float>(node.row + 1));
    most = std::max(most, rows);
  }
  const auto count = static_cast<float>(columns);
  layout.width = std::min(widest_node, (layout.box.width - least_gap * (count - 1)) / count);
  layout.column = columns == 1 ? 0 : (layout.box.width - layout.width) / (count - 1);
  layout.column = std::min(layout.column, layout.width + 90);
  layout.height = std::min(node_lines(picture) * 1.25f * canvas.line_height(Style::label) + 14,
                           layout.box.height / most - node_row_gap);
  return layout;
}

// The point at which the line from the middle of a box to `to` leaves the box.
Point edge_of(const Box& box, Point to) {
  const Point middle = {box.x + box.width / 2, box.y + box.height / 2};
  const float dx = to.x - middle.x, dy = to.y - middle.y;
  const float across = dx == 0 ? 1e6f : box.width / 2 / std::abs(dx);
  const float along = dy == 0 ? 1e6f : box.height / 2 / std::abs(dy);
  const float share = std::min({across, along, 1.0f});
  return {middle.x + dx * share, middle.y + dy * share};
}

// One part of an arrow, from box to box. `begins`, `ends`: it is the first or the last part.
void paint_part(Canvas& canvas, const Box& from, const Box& to, const story::GraphEdge& edge, bool begins, bool ends) {
  const draw::Theme& theme = canvas.theme();
  const Point start = edge_of(from, {to.x + to.width / 2, to.y + to.height / 2});
  const Point end = edge_of(to, {from.x + from.width / 2, from.y + from.height / 2});
  const float dx = end.x - start.x, dy = end.y - start.y;
  const float length = std::sqrt(dx * dx + dy * dy);
  if (length < 4) return;
  const ImU32 colour = edge.tone == story::Tone::quiet ? theme.second : colour_of(edge.tone, theme);
  const Point unit = {dx / length, dy / length};
  const float thick = edge.tone == story::Tone::quiet ? 1.25f : 2.0f;
  constexpr float head = 9, half = 4.5f;
  const Point neck = {end.x - unit.x * (ends ? head : 0), end.y - unit.y * (ends ? head : 0)};
  canvas.line(start, neck, colour, thick);
  if (ends)
    canvas.triangle(end, {neck.x - unit.y * half, neck.y + unit.x * half},
                    {neck.x + unit.y * half, neck.y - unit.x * half}, colour);
  if (!begins || edge.label.empty()) return;
  const float width = canvas.text_width(Style::mono_small, edge.label);
  if (width + 10 > std::abs(dx) && std::abs(dy) < 30) return;
  const float high = canvas.line_height(Style::mono_small);
  const Box place = {start.x + dx / 2 - width / 2 - 4, start.y + dy / 2 - high / 2 - 1, width + 8, high + 2};
  canvas.fill(place, theme.ground, 3);
  canvas.text_in(place, Style::mono_small, theme.second, edge.label, draw::Align::centre);
}

// In a column without a node, the arrow is horizontal.
void paint_edge(Canvas& canvas, const Layout& layout, const story::GraphPicture& picture,
                const story::GraphEdge& edge) {
  Box from = layout.node(picture.nodes[edge.from]);
  const float thick = edge.tone == story::Tone::quiet ? 1.25f : 2.0f;
  const ImU32 colour = edge.tone == story::Tone::quiet ? canvas.theme().second : colour_of(edge.tone, canvas.theme());
  bool begins = true;
  for (const std::size_t bend : edge.through) {
    const Box box = layout.node(picture.nodes[bend]);
    const float y = box.y + box.height / 2;
    const bool leftwards = box.x < from.x;
    const Point near = {leftwards ? box.right() : box.x, y}, far = {leftwards ? box.x : box.right(), y};
    paint_part(canvas, from, {near.x, y, 0, 0}, edge, begins, false);
    canvas.line(near, far, colour, thick);
    from = {far.x, y, 0, 0};
    begins = false;
  }
  paint_part(canvas, from, layout.node(picture.nodes[edge.to]), edge, begins, true);
}

void paint_node(Canvas& canvas, const Box& box, const story::GraphNode& node) {
  const draw::Theme& theme = canvas.theme();
  const bool coloured = node.tone != story::Tone::plain && node.tone != story::Tone::quiet;
  const ImU32 tone = colour_of(node.tone, theme);
  canvas.fill(box, coloured ? draw::mixed(tone, theme.ground, 0.22f) : theme.panel, 6);
  canvas.outline(box, coloured ? tone : theme.line, 6, coloured ? 1.5f : theme.hairline);
  if (node.followed) canvas.outline({box.x - 3, box.y - 3, box.width + 6, box.height + 6}, theme.now, 8, 2);
  const float line = 1.25f * canvas.line_height(Style::label);
  float lines = 1.0f + (node.text.empty() ? 0.0f : 1.0f) + (node.below.empty() ? 0.0f : 1.0f);
  lines = std::min(lines, std::floor((box.height + 1) / line));
  if (lines == 1 && !node.text.empty()) {  // beside the name, if there is room
    const float room = box.width - 2 * node_pad - canvas.text_width(Style::label, node.name) - 8;
    if (canvas.text_width(Style::mono_small, node.text) <= room)
      canvas.text_in({box.right() - node_pad - room, box.y, room, box.height}, Style::mono_small, theme.second,
                     node.text, draw::Align::right);
  }
  float y = box.y + (box.height - lines * line) / 2;
  const float width = box.width - 2 * node_pad;
  const auto put = [&](Style style, ImU32 colour, const std::string& words) {
    if (words.empty() || lines < 1) return;
    canvas.text_in({box.x + node_pad, y, width, line}, style, colour, canvas.fitted(style, words, width),
                   draw::Align::left);
    y += line;
    lines -= 1;
  };
  put(Style::label, node.tone == story::Tone::quiet ? theme.second : theme.text, node.name);
  put(Style::mono_small, node.tone == story::Tone::quiet ? theme.second : theme.text, node.text);
  put(Style::label, theme.second, node.below);
}

}  // namespace

float least_graph_height(const Canvas& canvas, const story::GraphPicture& picture) {
  float most = 1;
  for (const story::GraphNode& node : picture.nodes) most = std::max(most, static_cast<float>(node.row + 1));
  // Names must be readable; the other lines give way.
  return most * (1.25f * canvas.line_height(Style::label) + node_row_gap + 4) +
         (picture.legend.empty() ? 0 : graph_legend_height);
}

Touch paint_graph(Canvas& canvas, draw::Ui* ui, const Box& box, const story::GraphPicture& picture) {
  Touch touch;
  if (picture.nodes.empty()) return touch;
  const Layout layout = layout_of(canvas, box, picture);
  for (const story::GraphEdge& edge : picture.edges) paint_edge(canvas, layout, picture, edge);
  for (const story::GraphNode& node : picture.nodes) {
    if (node.name.empty()) continue;
    const Box place = layout.node(node);
    paint_node(canvas, place, node);
    if (ui == nullptr || !ui->hovered(place)) continue;
    ui->point(place, node.tip);
    if (!node.tip.empty()) ui->tooltip(node.tip);
    if (ui->input().mouse_pressed) touch.set.insert(touch.set.end(), node.sets.begin(), node.sets.end());
  }
  float x = box.x;
  const float y = box.bottom() - graph_legend_height + 6;
  for (const auto& [tone, word] : picture.legend) {
    const float width = 18 + canvas.text_width(Style::label, word);
    if (x > box.x && x + width > box.right()) break;
    paint_tone(canvas, {x, y + 3, 12, 12}, tone, 2);
    canvas.text_in({x + 18, y, box.right() - x - 18, 18}, Style::label, canvas.theme().second, word);
    x += width + 20;
  }
  return touch;
}

}  // namespace warpwalk::pictures
