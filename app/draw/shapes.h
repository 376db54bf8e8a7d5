#pragma once

#include <array>
#include <span>

#include <imgui.h>

namespace warpwalk::draw {

/// Shapes with soft edges, as triangles, in pixels. Dear ImGui's own lines and polygons take their normals from the
/// processor's estimate of 1/sqrt, which differs between makers; these use IEEE arithmetic and square roots alone, so
/// their corners are the same to the last bit everywhere. A soft edge is a fringe of one pixel, half of it on either
/// side of the true edge; upright and level edges on whole pixels stay sharp.

/// Radii of a box's corners, clockwise from the upper left; 0 is square.
using Radii = std::array<float, 4>;

/// The same radius at the corners that are named; no larger than what the box has room for.
Radii radii_of(ImVec2 low, ImVec2 high, float radius, ImDrawFlags corners);

/// A box whose edges lie on whole pixels.
void add_box(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 colour, const Radii& radii = {});
/// Its frame, `thickness` pixels wide and wholly inside it; the radii are those of its outer edge.
void add_frame(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 colour, float thickness, const Radii& radii = {});
void add_disc(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour);
/// A convex polygon, its corners in either direction of turning.
void add_polygon(ImDrawList& list, std::span<const ImVec2> corners, ImU32 colour);
/// A line through the points, with flat ends; no two neighbours may be the same point.
void add_stroke(ImDrawList& list, std::span<const ImVec2> points, ImU32 colour, float thickness);

/// Directions from (1, 0) to (0, 1), the same angle between all neighbours, exact to the last bit of a float.
inline constexpr int arc_steps = 64;
const std::array<ImVec2, arc_steps + 1>& quarter_arc();
/// How many steps a quarter of a circle takes so that no corner shows: a power of two, at most arc_steps.
int steps_for(float radius);

}  // namespace warpwalk::draw
