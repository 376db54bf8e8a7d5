#pragma once

// This folder has the generic pictures as plain data. A picture that one scene has is in its folder; app/pictures draws
// them.

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/story/pictures/bars.h"
#include "core/story/pictures/cards.h"
#include "core/story/pictures/cast.h"
#include "core/story/pictures/cells.h"
#include "core/story/pictures/chart.h"
#include "core/story/pictures/code.h"
#include "core/story/pictures/graph.h"
#include "core/story/pictures/heat.h"
#include "core/story/pictures/links.h"
#include "core/story/pictures/opening.h"
#include "core/story/pictures/raster.h"
#include "core/story/pictures/scatter.h"
#include "core/story/pictures/table.h"
#include "core/story/pictures/tile.h"
#include "core/story/pictures/warp.h"

namespace warpwalk::story {

/// Any of the generic pictures. It is copied, moved and destroyed in panels.cpp: otherwise each of the fifty files that
/// compose panels would instantiate these functions for all of the pictures, which takes seconds per file.
class PanelPicture : public std::variant<TimelinePicture, ChartPicture, CellGrid, TablePicture, CodePicture,
                                         ScatterPicture, RasterPicture, HeatPicture, OpeningPicture, CastPicture,
                                         TilePicture, CardPicture, GraphPicture, WarpPicture, LinkPicture> {
 public:
  using variant::variant;
  PanelPicture();
  PanelPicture(const PanelPicture& other);
  PanelPicture(PanelPicture&& other) noexcept;
  PanelPicture& operator=(const PanelPicture& other);
  PanelPicture& operator=(PanelPicture&& other) noexcept;
  ~PanelPicture();
};

/// One generic picture under a heading.
struct Panel {
  std::string heading;
  double share = 1;  ///< of the row's width, relative to the other panels
  PanelPicture picture;

  template <class V>
  void visit(V& v) const {
    v.data(heading, share);
    if (!heading.empty()) v.line("[", heading, "]");
    std::visit([&](const auto& one) { one.visit(v); }, picture);
  }
};

/// Panels side by side.
struct PanelRow {
  double share = 1;  ///< of the height, relative to the other rows
  std::vector<Panel> panels;
  bool whole = false;  ///< its tables show all of their rows; other rows of panels give way
  bool spare = false;  ///< left out where the others, or the controls, need its room

  template <class V>
  void visit(V& v) const {
    v.data(share, whole, spare);
    v.each(panels);
  }
};

/// Generic pictures composed in rows: what a lab shows.
struct Panels {
  std::vector<PanelRow> rows;

  template <class V>
  void visit(V& v) const {
    v.each(rows);
  }
};

/// One generic picture that fills the stage.
template <class Picture>
std::shared_ptr<const Panels> only(Picture picture) {
  auto panels = std::make_shared<Panels>();
  panels->rows.emplace_back().panels.push_back({"", 1, std::move(picture)});
  return panels;
}

}  // namespace warpwalk::story
