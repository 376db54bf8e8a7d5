// Generic pictures arranged in rows.
#include <algorithm>

#include "app/pictures/pictures.h"

namespace warpwalk::scenes {
namespace {

using draw::Box;
using draw::Canvas;

constexpr float panel_gap = 32;
constexpr float row_gap = 20;
constexpr float heading_height = 28;

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

}  // namespace

Touch paint_panels(Canvas& canvas, draw::Ui* ui, const Box& box, const story::Panels& picture) {
  Touch touch;
  const float high = box.height - row_gap * (static_cast<float>(picture.rows.size()) - 1);
  float y = box.y;
  for (const story::PanelRow& row : picture.rows) {
    const float height = high * static_cast<float>(row.share) / total_share(picture.rows);
    const float wide = box.width - panel_gap * (static_cast<float>(row.panels.size()) - 1);
    float x = box.x;
    for (const story::Panel& panel : row.panels) {
      const float width = wide * static_cast<float>(panel.share) / total_share(row.panels);
      touch.add(paint_panel(canvas, ui, {x, y, width, height}, panel));
      x += width + panel_gap;
    }
    y += height + row_gap;
  }
  return touch;
}

}  // namespace warpwalk::scenes
