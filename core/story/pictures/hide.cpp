// What a question leaves of a picture: the frame without the values.
#include "core/story/pictures/hide.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace warpwalk::story {
namespace {

void hide(TimelinePicture& picture) {
  for (RowGroup& group : picture.groups)
    for (Row& row : group.rows) row.bars.clear();
  picture.measures.clear();
  picture.arrows.clear();
}

void hide(ChartPicture& chart) {
  chart.steps.clear();
  chart.tip.clear();
  chart.here.value.reset();
  chart.here.text = hidden_value;
  chart.better.reset();
  chart.reference.reset();
  chart.control.clear();
}

void hide(CellGrid& grid) { hide_cells(grid); }

void hide(TablePicture& table) { hide_columns(table, 1); }

void hide(ScatterPicture& picture) {
  picture.points.clear();
  picture.lines.clear();
  picture.band.clear();
}

void hide(RasterPicture& raster) { hide_spans(raster, std::numeric_limits<std::int64_t>::min()); }

void hide(HeatPicture& picture) {
  std::ranges::fill(picture.whole.shares, HeatRow::nothing);
  for (HeatGroup& group : picture.groups)
    for (HeatRow& row : group.rows) std::ranges::fill(row.shares, HeatRow::nothing);
}

void hide(GraphPicture& graph) {
  for (GraphNode& node : graph.nodes) {
    node.below.clear();
    node.tip.clear();
    node.tone = Tone::plain;
    node.followed = false;
  }
}

// What the lanes begin with stays.
void hide(WarpPicture& picture) {
  picture.strips.clear();
  for (WarpLane& lane : picture.lanes) lane.words.clear();
  std::erase_if(picture.values, [](const WarpValue& value) { return value.result; });
  picture.legend.clear();
  picture.note.clear();
}

// The upper row stays.
void hide(LinkPicture& picture) {
  picture.to.clear();
  picture.groups.clear();
  picture.links.clear();
  picture.legend.clear();
  picture.note.clear();
  for (LinkCell& cell : picture.from) cell.tip.clear();
}

// Text of a program stays.
void hide(CodePicture&) {}
// These have no frame without their values.
void hide(OpeningPicture& picture) { picture = {}; }
void hide(CastPicture& picture) { picture = {}; }
void hide(TilePicture& picture) { picture = {}; }
void hide(CardPicture& picture) { picture = {}; }

template <class... Kinds>
bool is_one_of(const PanelPicture& picture) {
  return (std::holds_alternative<Kinds>(static_cast<const PanelPicture::variant&>(picture)) || ...);
}

}  // namespace

void hide_values(PanelPicture& picture) {
  std::visit([](auto& one) { hide(one); }, static_cast<PanelPicture::variant&>(picture));
}

void hide_values(Panels& panels) {
  for (PanelRow& row : panels.rows) {
    std::erase_if(row.panels, [](const Panel& panel) {
      return is_one_of<OpeningPicture, CastPicture, TilePicture, CardPicture>(panel.picture);
    });
    for (Panel& panel : row.panels) hide_values(panel.picture);
  }
  std::erase_if(panels.rows, [](const PanelRow& row) { return row.panels.empty(); });
}

void hide_columns(TablePicture& table, std::size_t column, std::size_t row) {
  for (std::size_t r = row; r < table.rows.size(); ++r) {
    table.rows[r].followed = false;
    for (std::size_t c = column; c < table.rows[r].cells.size(); ++c)
      if (TableCell& cell = table.rows[r].cells[c]; !cell.shown().empty()) cell = word_cell(hidden_value, Tone::quiet);
  }
}

void hide_tones(CellGrid& grid) {
  for (Cell& cell : grid.cells) {
    cell.tone = Tone::plain;
    cell.tip.clear();
    cell.sets.clear();
  }
  grid.legend.clear();
  grid.summary.clear();
  grid.note.clear();
  grid.control.clear();
}

void hide_cells(CellGrid& grid) {
  hide_tones(grid);
  for (Cell& cell : grid.cells)
    if (!cell.label.empty()) cell.label = hidden_value;
}

void hide_group(ScatterPicture& picture, std::size_t group) {
  std::erase_if(picture.points, [&](const ScatterPoint& point) { return point.group == group; });
}

void hide_spans(RasterPicture& raster, std::int64_t end) {
  raster.control.clear();
  raster.span_control.clear();
  raster.picks_cycle = false;
  for (RasterGroup& group : raster.groups) {
    group.note.clear();
    for (RasterRow& row : group.rows) {
      row.note.clear();
      row.cycle.reset();
      std::erase_if(row.spans, [&](const RasterSpan& span) { return span.from >= end; });
      for (RasterSpan& span : row.spans) {
        span.to = std::min(span.to, end);
        span.tip.clear();
      }
    }
  }
}

}  // namespace warpwalk::story
