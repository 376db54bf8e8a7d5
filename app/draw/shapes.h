#pragma once

#include <array>
#include <span>

#include <imgui.h>

namespace warpwalk::draw {

/// Antialiased shapes, as triangles, in pixels. Dear ImGui computes the normals of its lines and polygons with the
/// CPU's estimate of 1/sqrt, which differs between CPU vendors. These functions use only IEEE arithmetic and square
/// roots, so their corners are bit-identical on every machine. An antialiased edge is a fringe of one pixel, half of it
/// on either side of the true edge. Vertical and horizontal edges on whole pixels stay sharp.

/// Radii of a box's corners, clockwise from the upper left; 0 is square.
using Radii = std::array<float, 4>;

/// Returns `radius` for the selected corners, limited to the size of the box.
Radii radii_of(ImVec2 low, ImVec2 high, float radius, ImDrawFlags corners);

/// Adds a box whose edges are on whole pixels.
void add_box(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 colour, const Radii& radii = {});
/// Adds the frame of a box, `thickness` pixels wide and entirely inside the box. The radii are those of its outer edge.
void add_frame(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 colour, float thickness, const Radii& radii = {});
void add_disc(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour);
/// Adds a convex polygon. Its corners may be in clockwise or counterclockwise order.
void add_polygon(ImDrawList& list, std::span<const ImVec2> corners, ImU32 colour);
/// Adds a line through the points, with flat ends. Adjacent points must differ.
void add_stroke(ImDrawList& list, std::span<const ImVec2> points, ImU32 colour, float thickness);

/// Directions from (1, 0) to (0, 1) at equal angles, exact to the last bit of a float.
inline constexpr int arc_steps = 64;
const std::array<ImVec2, arc_steps + 1>& quarter_arc();
/// Returns the number of steps at which a quarter circle looks smooth: a power of two, at most arc_steps.
int steps_for(float radius);

}  // namespace warpwalk::draw
