#pragma once

// This folder paints the generic pictures of core/story/pictures. A picture that one scene has is painted in
// app/scenes.

#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

#include "app/draw/ui.h"
#include "app/pictures/touch.h"
#include "core/story/pictures/panels.h"
#include "core/story/pictures/plane.h"
#include "core/story/pictures/slide.h"

namespace warpwalk::pictures {

// Functions that draw the generic pictures. Without `ui`, the picture looks the same but ignores mouse and keyboard.
// `shown` fades a picture in: 0 is invisible, 1 is fully visible.

/// `now`: the current moment on the time axis, in ns since the start of the trace.
Touch paint_bars(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::TimelinePicture& picture,
                 const std::optional<std::int64_t>& now = {});
/// The height from which on all rows, the axis and the legend have room.
float whole_bars_height(const story::TimelinePicture& picture);
/// The line from the current setting's value down to the axis; its width is 0.
draw::Box chart_here(const draw::Box& box, const story::ChartPicture& picture);
/// A click or a drag sets the value on the chart's axis.
Touch paint_chart(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::ChartPicture& picture,
                  float shown = 1);
Touch paint_cells(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::CellGrid& picture);
/// The height from which on the numbers of a grid of fitted cells can be read; 0 for other grids.
float least_cells_height(const draw::Canvas& canvas, const story::CellGrid& picture);
/// The height from which on cells, legend and note have room.
float whole_cells_height(const draw::Canvas& canvas, float width, const story::CellGrid& picture);
Touch paint_table(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::TablePicture& picture);
/// The height from which on none of the first `rows` rows is left out, if no text takes several lines.
float least_table_height(const draw::Canvas& canvas, const story::TablePicture& picture,
                         std::size_t rows = std::numeric_limits<std::size_t>::max());
/// The height from which on no row is left out and no text is cut for want of lines.
float whole_table_height(const draw::Canvas& canvas, float width, const story::TablePicture& picture);
Touch paint_code(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::CodePicture& picture,
                 float shown = 1);
Touch paint_scatter(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::ScatterPicture& picture);
Touch paint_raster(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::RasterPicture& picture);
/// The smallest height at which the picture's rows can be distinguished and, if they have notes, read.
float least_raster_height(const draw::Canvas& canvas, float width, const story::RasterPicture& picture);
/// The height from which on the rows are not squeezed.
float whole_raster_height(const draw::Canvas& canvas, float width, const story::RasterPicture& picture);
Touch paint_heat(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::HeatPicture& picture);
Touch paint_opening(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::OpeningPicture& picture);
Touch paint_cast(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::CastPicture& picture);
/// A click on a tile follows its block.
Touch paint_tile(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::TilePicture& picture);
/// A click on a card goes where it leads.
Touch paint_cards(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::CardPicture& picture);
/// A click on a node sets what it says.
Touch paint_graph(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::GraphPicture& picture);
/// The height from which on the names of all nodes can be read.
float least_graph_height(const draw::Canvas& canvas, const story::GraphPicture& picture);
/// The part of the plane that the camera sees, as large as the box allows. A click on a thing goes where it leads.
Touch paint_plane(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::PlanePicture& picture);
/// The texts of the picture that do not fit into their boxes when it is painted into a box of this size.
std::vector<std::string> cut_texts(const draw::Canvas& canvas, const draw::Box& box,
                                   const story::PlanePicture& picture);
/// The part of the box that the picture's things cover, without its empty margins.
draw::Box covered_box(const draw::Box& box, const story::PlanePicture& picture);
/// A lecturer's own words, with their picture beside them.
Touch paint_slide(draw::Canvas& canvas, const draw::Box& box, const story::SlidePicture& picture);
Touch paint_warp(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::WarpPicture& picture);
/// The height from which on the values of all lanes and the memory between them can be read.
float whole_warp_height(const draw::Canvas& canvas, float width, const story::WarpPicture& picture);
/// A click on a cell of the upper row sets what the picture says.
Touch paint_links(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::LinkPicture& picture);
/// The height from which on the arrows can be distinguished, and the one that they have room with.
float least_links_height(const draw::Canvas& canvas, float width, const story::LinkPicture& picture);
float whole_links_height(const draw::Canvas& canvas, float width, const story::LinkPicture& picture);
/// With less height than least_panels_height, the last rows without a raster are left out.
Touch paint_panels(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Panels& picture);
/// The height that all rows need; beside a row that is whole, those that can be left out do not count.
float least_panels_height(const draw::Canvas& canvas, float width, const story::Panels& picture);
/// The height from which on nothing is left out or squeezed.
float whole_panels_height(const draw::Canvas& canvas, float width, const story::Panels& picture);

}  // namespace warpwalk::pictures
