// Generic pictures arranged in rows.
#include <algorithm>
#include <cmath>

#include "app/pictures/pictures.h"

namespace warpwalk::pictures {
namespace {

using draw::Box;
using draw::Canvas;

constexpr float panel_gap = 32;
constexpr float panel_row_gap = 20;
constexpr float heading_height = 28;
constexpr float least_panel_row = 62;  // of a code picture: its head and one line

// One overload per generic picture.
struct Painter {
  Canvas& canvas;
  draw::Ui* ui;
  Box box;

  Touch operator()(const story::TimelinePicture& picture) const { return paint_bars(canvas, ui, box, picture); }
  Touch operator()(const story::ChartPicture& picture) const { return paint_chart(canvas, ui, box, picture); }
  Touch operator()(const story::CellGrid& picture) const { return paint_cells(canvas, ui, box, picture); }
  Touch operator()(const story::TablePicture& picture) const { return paint_table(canvas, ui, box, picture); }
  Touch operator()(const story::CodePicture& picture) const { return paint_code(canvas, ui, box, picture); }
  Touch operator()(const story::RasterPicture& picture) const { return paint_raster(canvas, ui, box, picture); }
  Touch operator()(const story::HeatPicture& picture) const { return paint_heat(canvas, ui, box, picture); }
  Touch operator()(const story::ScatterPicture& picture) const { return paint_scatter(canvas, ui, box, picture); }
  Touch operator()(const story::OpeningPicture& picture) const { return paint_opening(canvas, ui, box, picture); }
  Touch operator()(const story::CastPicture& picture) const { return paint_cast(canvas, ui, box, picture); }
  Touch operator()(const story::TilePicture& picture) const { return paint_tile(canvas, ui, box, picture); }
  Touch operator()(const story::CardPicture& picture) const { return paint_cards(canvas, ui, box, picture); }
  Touch operator()(const story::GraphPicture& picture) const { return paint_graph(canvas, ui, box, picture); }
  Touch operator()(const story::WarpPicture& picture) const { return paint_warp(canvas, ui, box, picture); }
  Touch operator()(const story::LinkPicture& picture) const { return paint_links(canvas, ui, box, picture); }
};

// The height from which on a picture is shown whole. For pictures of variable height: the smallest readable height.
struct WholeHeight {
  const Canvas& canvas;
  float width;

  float operator()(const story::TimelinePicture& picture) const { return whole_bars_height(picture); }
  float operator()(const story::CellGrid& picture) const { return whole_cells_height(canvas, width, picture); }
  float operator()(const story::TablePicture& picture) const { return whole_table_height(canvas, width, picture); }
  float operator()(const story::RasterPicture& picture) const { return whole_raster_height(canvas, width, picture); }
  float operator()(const story::GraphPicture& picture) const { return least_graph_height(canvas, picture); }
  float operator()(const story::WarpPicture& picture) const { return whole_warp_height(canvas, width, picture); }
  float operator()(const story::LinkPicture& picture) const { return whole_links_height(canvas, width, picture); }
  float operator()(const story::CodePicture&) const { return 120; }
  float operator()(const story::ScatterPicture&) const { return 140; }
  float operator()(const story::ChartPicture&) const { return 90; }
  float operator()(const story::CardPicture&) const { return 80; }
  float operator()(const auto&) const { return least_panel_row; }
};

Touch paint_panel(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Panel& panel) {
  const float head = panel.heading.empty() ? 0 : heading_height;
  if (head > 0) canvas.text({box.x, box.y}, draw::Style::heading, canvas.theme().text, panel.heading, box.width);
  const Box inner = {box.x, box.y + head, box.width, box.height - head};
  if (inner.height < 20 || inner.width < 40) return {};
  canvas.clip({inner.x - 6, inner.y - 4, inner.width + 12, inner.height + 8});
  Touch touch = std::visit(Painter{canvas, ui, inner}, panel.picture);
  canvas.unclip();
  return touch;
}

template <class Parts>
float total_share(const Parts& parts) {
  double total = 0;
  for (const auto& part : parts) total += part.share;
  return static_cast<float>(total);
}

// The height that a row needs: that of its raster; one line of its tables, or all.
float least_height(const Canvas& canvas, float width, const story::PanelRow& row) {
  float least = least_panel_row;
  for (const story::Panel& panel : row.panels) {
    if (const auto* const raster = std::get_if<story::RasterPicture>(&panel.picture))
      least = std::max(least, least_raster_height(canvas, width, *raster));
    if (const auto* const cells = std::get_if<story::CellGrid>(&panel.picture))
      least = std::max(least, least_cells_height(canvas, *cells) + (panel.heading.empty() ? 0 : heading_height));
    if (const auto* const graph = std::get_if<story::GraphPicture>(&panel.picture))
      least = std::max(least, least_graph_height(canvas, *graph) + (panel.heading.empty() ? 0 : heading_height));
    if (const auto* const links = std::get_if<story::LinkPicture>(&panel.picture))
      least = std::max(least, least_links_height(canvas, width, *links) + (panel.heading.empty() ? 0 : heading_height));
    if (const auto* const table = std::get_if<story::TablePicture>(&panel.picture); table != nullptr && row.whole)
      least = std::max(least, least_table_height(canvas, *table) + (panel.heading.empty() ? 0 : heading_height));
  }
  return least;
}

// The height from which on nothing in a row is left out or squeezed.
float whole_height(const Canvas& canvas, float width, const story::PanelRow& row) {
  const float wide = width - panel_gap * (static_cast<float>(row.panels.size()) - 1);
  float high = least_height(canvas, width, row);
  for (const story::Panel& panel : row.panels) {
    const float share = static_cast<float>(panel.share) / total_share(row.panels);
    high = std::max(high, std::visit(WholeHeight{canvas, wide * share}, panel.picture) +
                              (panel.heading.empty() ? 0 : heading_height));
  }
  return high;
}

// Whether a row may be left out if not all rows fit: true unless it contains a raster or a similar picture.
bool can_go(const Canvas& canvas, float width, const story::PanelRow& row) {
  return row.spare || least_height(canvas, width, row) <= least_panel_row;
}

// The smallest useful height of a row: some lines of a table, and the points of a diagram.
float useful_height(const Canvas& canvas, float width, const story::PanelRow& row) {
  constexpr std::size_t some_lines = 4;
  constexpr float low_diagram = 100, low_card = 48;
  float useful = least_height(canvas, width, row);
  for (const story::Panel& panel : row.panels) {
    const float head = panel.heading.empty() ? 0 : heading_height;
    if (const auto* const table = std::get_if<story::TablePicture>(&panel.picture))
      useful = std::max(useful, least_table_height(canvas, *table, some_lines) + head);
    if (std::holds_alternative<story::ScatterPicture>(panel.picture)) useful = std::max(useful, low_diagram + head);
    if (std::holds_alternative<story::CardPicture>(panel.picture)) useful = std::max(useful, low_card + head);
  }
  return useful;
}

// The rows that are drawn. Spare rows are left out if another one would be squeezed; then, if not all rows fit, the
// last ones without a raster.
std::vector<const story::PanelRow*> rows_with_room(const Canvas& canvas, const Box& box, const story::Panels& picture) {
  std::vector<const story::PanelRow*> rows;
  const bool roomy = whole_panels_height(canvas, box.width, picture) <= box.height;
  for (const story::PanelRow& row : picture.rows)
    if (roomy || !row.spare) rows.push_back(&row);
  float needed = -panel_row_gap;
  for (const story::PanelRow* const row : rows) needed += useful_height(canvas, box.width, *row) + panel_row_gap;
  for (std::size_t i = rows.size(); i-- > 0 && needed > box.height && rows.size() > 1;) {
    if (!can_go(canvas, box.width, *rows[i])) continue;
    needed -= useful_height(canvas, box.width, *rows[i]) + panel_row_gap;
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return rows;
}

// Rows that have more height than they need give it to those that have less.
void even_out(const Canvas& canvas, float width, const std::vector<const story::PanelRow*>& rows,
              std::vector<float>& heights) {
  std::vector<float> over;
  float lacking = 0, spared = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    over.push_back(heights[i] - whole_height(canvas, width, *rows[i]));
    (over[i] < 0 ? lacking : spared) += std::abs(over[i]);
  }
  const float moved = std::min(lacking, spared);
  if (moved <= 0) return;
  for (std::size_t i = 0; i < rows.size(); ++i) heights[i] -= over[i] * moved / (over[i] < 0 ? lacking : spared);
}

// The heights of the rows: by their shares, but a raster gets the height that it needs, and other rows give way.
std::vector<float> heights_of(const Canvas& canvas, const Box& box, const std::vector<const story::PanelRow*>& rows) {
  const float high = box.height - panel_row_gap * (static_cast<float>(rows.size()) - 1);
  double shares = 0;
  for (const story::PanelRow* const row : rows) shares += row->share;
  std::vector<float> heights, spare;
  float lacking = 0, spared = 0;
  for (const story::PanelRow* const row : rows) {
    float height = high * static_cast<float>(row->share / shares);
    const float least = least_height(canvas, box.width, *row);
    const bool raster = least > least_panel_row;
    if (raster && least > height) {
      lacking += least - height;
      height = least;
    }
    heights.push_back(height);
    spare.push_back(std::max(0.0f, height - (raster ? least : least_panel_row)));
    spared += spare.back();
  }
  const float taken = spared > 0 ? std::min(1.0f, lacking / spared) : 0;
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] -= spare[i] * taken;
  even_out(canvas, box.width, rows, heights);
  return heights;
}

}  // namespace

float least_panels_height(const Canvas& canvas, float width, const story::Panels& picture) {
  const bool some_whole = std::ranges::any_of(picture.rows, &story::PanelRow::whole);
  float needed = -panel_row_gap;
  for (const story::PanelRow& row : picture.rows) {
    if (row.spare) continue;
    const float least = least_height(canvas, width, row);
    if (!some_whole || least > least_panel_row) needed += least + panel_row_gap;
  }
  return std::max(0.0f, needed);
}

float whole_panels_height(const Canvas& canvas, float width, const story::Panels& picture) {
  float sum = -panel_row_gap;
  for (const story::PanelRow& row : picture.rows) sum += whole_height(canvas, width, row) + panel_row_gap;
  return std::max(0.0f, sum);
}

Touch paint_panels(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Panels& picture) {
  Touch touch;
  const std::vector<const story::PanelRow*> rows = rows_with_room(canvas, box, picture);
  const std::vector<float> heights = heights_of(canvas, box, rows);
  float y = box.y;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const story::PanelRow& row = *rows[r];
    const float height = heights[r];
    const float wide = box.width - panel_gap * (static_cast<float>(row.panels.size()) - 1);
    float x = box.x;
    for (const story::Panel& panel : row.panels) {
      const float width = wide * static_cast<float>(panel.share) / total_share(row.panels);
      touch.add(paint_panel(canvas, ui, {x, y, width, height}, panel));
      x += width + panel_gap;
    }
    y += height + panel_row_gap;
  }
  return touch;
}

}  // namespace warpwalk::pictures
