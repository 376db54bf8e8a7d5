#include "app/draw/shapes.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::draw {
namespace {

constexpr float half_fringe = 0.5f;
constexpr float smallest_radius = 0.5f;  // smaller rounding is invisible

ImVec2 plus(ImVec2 a, ImVec2 b) { return {a.x + b.x, a.y + b.y}; }
ImVec2 minus(ImVec2 a, ImVec2 b) { return {a.x - b.x, a.y - b.y}; }
ImVec2 times(ImVec2 a, float by) { return {a.x * by, a.y * by}; }
float length_of(ImVec2 a) { return std::sqrt(a.x * a.x + a.y * a.y); }
ImVec2 left_of(ImVec2 direction) { return {direction.y, -direction.x}; }

ImVec2 unit(ImVec2 a) {
  const float length = length_of(a);
  return length > 0 ? ImVec2(a.x / length, a.y / length) : ImVec2(0, 0);
}

// Returns the mitre offset of two edges with these unit normals, at a distance of 1 from both. Limits sharp mitres.
ImVec2 mitre(ImVec2 a, ImVec2 b) {
  const ImVec2 middle = times(plus(a, b), 0.5f);
  const float square = middle.x * middle.x + middle.y * middle.y;
  constexpr float sharpest = 1.0f / 64;
  return times(middle, 1 / std::max(square, sharpest));
}

ImU32 clear(ImU32 colour) { return colour & ~IM_COL32_A_MASK; }
ImU32 faded(ImU32 colour, float by) {
  const auto alpha = static_cast<ImU32>(std::lround(static_cast<float>(colour >> IM_COL32_A_SHIFT) * by));
  return clear(colour) | alpha << IM_COL32_A_SHIFT;
}

// Writes the corners and triangles of one shape directly into the draw list.
class Mesh {
 public:
  Mesh(ImDrawList& list, std::size_t corners, std::size_t triangles)
      : list_(list), uv_(ImGui::GetFontTexUvWhitePixel()) {
    list_.PrimReserve(static_cast<int>(3 * triangles), static_cast<int>(corners));
    first_ = list_._VtxCurrentIdx;  // read after PrimReserve, which starts a new range when the indices run out
  }
  void corner(ImVec2 at, ImU32 colour) { list_.PrimWriteVtx(at, uv_, colour); }
  void triangle(std::size_t a, std::size_t b, std::size_t c) {
    for (const std::size_t i : {a, b, c}) list_.PrimWriteIdx(static_cast<ImDrawIdx>(first_ + i));
  }
  void quad(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }

 private:
  ImDrawList& list_;
  ImVec2 uv_;
  unsigned first_ = 0;
};

void plain_box(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 colour) {
  if (low.x < high.x && low.y < high.y) list.AddRectFilled(low, high, colour);
}

// A quarter circle around `centre`, in the direction of `side` (each component is -1 or 1).
struct Corner {
  ImVec2 centre;
  ImVec2 side;
  ImVec2 at(int step, float radius) const {
    const ImVec2 direction = quarter_arc()[static_cast<std::size_t>(step)];
    return {centre.x + side.x * direction.x * radius, centre.y + side.y * direction.y * radius};
  }
};

void add_pie(ImDrawList& list, const Corner& corner, float radius, ImU32 colour) {
  const int steps = steps_for(radius), stride = arc_steps / steps;
  const auto n = static_cast<std::size_t>(steps);
  const float inner = std::max(radius - half_fringe, 0.0f), outer = radius + half_fringe;
  Mesh mesh(list, 2 * n + 3, 3 * n);
  mesh.corner(corner.centre, colour);
  for (int i = 0; i <= steps; ++i) {
    mesh.corner(corner.at(i * stride, inner), colour);
    mesh.corner(corner.at(i * stride, outer), clear(colour));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t a = 1 + 2 * i;
    mesh.triangle(0, a, a + 2);
    mesh.quad(a, a + 1, a + 3, a + 2);
  }
}

// Adds the area between two concentric arcs. The inner arc may shrink to a point.
void add_bend(ImDrawList& list, const Corner& corner, float outer, float thickness, ImU32 colour) {
  const int steps = steps_for(outer), stride = arc_steps / steps;
  const auto n = static_cast<std::size_t>(steps);
  const std::array<float, 4> rings = {outer + half_fringe, outer - half_fringe,
                                      std::max(outer - thickness + half_fringe, 0.0f),
                                      std::max(outer - thickness - half_fringe, 0.0f)};
  Mesh mesh(list, 4 * (n + 1), 6 * n);
  for (int i = 0; i <= steps; ++i)
    for (std::size_t ring = 0; ring < rings.size(); ++ring)
      mesh.corner(corner.at(i * stride, rings[ring]), ring == 0 || ring == 3 ? clear(colour) : colour);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t ring = 0; ring < 3; ++ring) {
      const std::size_t a = 4 * i + ring;
      mesh.quad(a, a + 1, a + 5, a + 4);
    }
}

std::array<Corner, 4> corners_of(ImVec2 low, ImVec2 high, const Radii& r) {
  return {{{{low.x + r[0], low.y + r[0]}, {-1, -1}},
           {{high.x - r[1], low.y + r[1]}, {1, -1}},
           {{high.x - r[2], high.y - r[2]}, {1, 1}},
           {{low.x + r[3], high.y - r[3]}, {-1, 1}}}};
}

}  // namespace

const std::array<ImVec2, arc_steps + 1>& quarter_arc() {
  // Halving angles needs only square roots, which IEEE rounds identically everywhere. Sines and cosines may differ.
  static const std::array<ImVec2, arc_steps + 1> arc = [] {
    struct Direction {
      double x, y;
    };
    std::array<Direction, arc_steps + 1> exact{};
    exact.front() = {1, 0};
    exact.back() = {0, 1};
    for (std::size_t step = arc_steps; step > 1; step /= 2)
      for (std::size_t i = 0; i < arc_steps; i += step) {
        const double x = exact[i].x + exact[i + step].x, y = exact[i].y + exact[i + step].y;
        const double length = std::sqrt(x * x + y * y);
        exact[i + step / 2] = {x / length, y / length};
      }
    std::array<ImVec2, arc_steps + 1> out;
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = {static_cast<float>(exact[i].x), static_cast<float>(exact[i].y)};
    return out;
  }();
  return arc;
}

int steps_for(float radius) {
  // A chord over an angle w is radius * (1 - cos(w / 2)) inside its arc, or about radius * 0.308 / n^2 for n steps.
  constexpr float largest_error = 0.05f;  // pixels
  int steps = 2;
  while (steps < arc_steps && radius * 0.308f > largest_error * static_cast<float>(steps * steps)) steps *= 2;
  return steps;
}

Radii radii_of(ImVec2 low, ImVec2 high, float radius, ImDrawFlags corners) {
  radius = std::min(radius, std::min(high.x - low.x, high.y - low.y) / 2);
  if (radius < smallest_radius) return {};
  if ((corners & ImDrawFlags_RoundCornersMask_) == 0)
    corners |= ImDrawFlags_RoundCornersAll;  // 0 means all, as in ImGui
  const auto at = [&](ImDrawFlags corner) { return (corners & corner) != 0 ? radius : 0; };
  return {at(ImDrawFlags_RoundCornersTopLeft), at(ImDrawFlags_RoundCornersTopRight),
          at(ImDrawFlags_RoundCornersBottomRight), at(ImDrawFlags_RoundCornersBottomLeft)};
}

void add_box(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 colour, const Radii& radii) {
  if ((colour & IM_COL32_A_MASK) == 0) return;
  if (radii == Radii{}) return plain_box(list, low, high, colour);
  const float top = std::max(radii[0], radii[1]), bottom = std::max(radii[2], radii[3]);
  plain_box(list, {low.x, low.y + top}, {high.x, high.y - bottom}, colour);
  plain_box(list, {low.x + radii[0], low.y}, {high.x - radii[1], low.y + top}, colour);
  plain_box(list, {low.x + radii[3], high.y - bottom}, {high.x - radii[2], high.y}, colour);
  const std::array<Corner, 4> corners = corners_of(low, high, radii);
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (radii[i] > 0) add_pie(list, corners[i], radii[i], colour);
}

void add_frame(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 colour, float thickness, const Radii& radii) {
  if ((colour & IM_COL32_A_MASK) == 0) return;
  thickness = std::min(thickness, std::min(high.x - low.x, high.y - low.y));
  if (2 * thickness >= std::min(high.x - low.x, high.y - low.y)) return add_box(list, low, high, colour, radii);
  // The frame bends inside a square at each corner; the sides connect these squares.
  Radii square{};
  for (std::size_t i = 0; i < square.size(); ++i) square[i] = std::max(radii[i], thickness);
  plain_box(list, {low.x + square[0], low.y}, {high.x - square[1], low.y + thickness}, colour);
  plain_box(list, {low.x + square[3], high.y - thickness}, {high.x - square[2], high.y}, colour);
  plain_box(list, {low.x, low.y + square[0]}, {low.x + thickness, high.y - square[3]}, colour);
  plain_box(list, {high.x - thickness, low.y + square[1]}, {high.x, high.y - square[2]}, colour);
  const std::array<Corner, 4> corners = corners_of(low, high, radii);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Corner& corner = corners[i];
    if (radii[i] > thickness) {
      add_bend(list, corner, radii[i], thickness, colour);
      continue;
    }
    // The inner edge of the bend is square, so the bend is a box of the frame's width with a rounded outer corner.
    const ImVec2 outer = {corner.side.x < 0 ? low.x : high.x, corner.side.y < 0 ? low.y : high.y};
    const ImVec2 inner = {outer.x - corner.side.x * thickness, outer.y - corner.side.y * thickness};
    Radii one{};
    one[i] = radii[i];
    add_box(list, {std::min(outer.x, inner.x), std::min(outer.y, inner.y)},
            {std::max(outer.x, inner.x), std::max(outer.y, inner.y)}, colour, one);
  }
}

void add_disc(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  if (!(radius > 0) || (colour & IM_COL32_A_MASK) == 0) return;
  const int steps = steps_for(radius), stride = arc_steps / steps;
  const std::size_t n = 4 * static_cast<std::size_t>(steps);
  const float inner = std::max(radius - half_fringe, 0.0f), outer = radius + half_fringe;
  // A disc smaller than the fringe becomes a cone, faded so that it covers the area of the disc.
  if (radius < half_fringe) colour = faded(colour, std::min(1.0f, 3 * radius * radius / (outer * outer)));
  Mesh mesh(list, 2 * n, 3 * n - 2);
  for (int quarter = 0; quarter < 4; ++quarter)
    for (int i = 0; i < steps; ++i) {
      ImVec2 direction = quarter_arc()[static_cast<std::size_t>(i) * static_cast<std::size_t>(stride)];
      for (int turn = 0; turn < quarter; ++turn) direction = {-direction.y, direction.x};
      mesh.corner(plus(centre, times(direction, inner)), colour);
      mesh.corner(plus(centre, times(direction, outer)), clear(colour));
    }
  for (std::size_t i = 2; i < n; ++i) mesh.triangle(0, 2 * (i - 1), 2 * i);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t a = 2 * i, b = 2 * ((i + 1) % n);
    mesh.quad(a, a + 1, b + 1, b);
  }
}

void add_polygon(ImDrawList& list, std::span<const ImVec2> corners, ImU32 colour) {
  const std::size_t n = corners.size();
  if (n < 3 || (colour & IM_COL32_A_MASK) == 0) return;
  float area = 0;
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const ImVec2 a = minus(corners[i], corners[0]), b = minus(corners[i + 1], corners[0]);
    area += a.x * b.y - a.y * b.x;
  }
  if (!(area > 0) && !(area < 0)) return;
  const float outwards = area > 0 ? 1.0f : -1.0f;
  const auto normal = [&](std::size_t i) {  // of the edge from corner i to the next
    return times(left_of(unit(minus(corners[(i + 1) % n], corners[i]))), outwards);
  };
  Mesh mesh(list, 2 * n, 3 * n - 2);
  ImVec2 before = normal(n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    const ImVec2 after = normal(i), out = times(mitre(before, after), half_fringe);
    mesh.corner(minus(corners[i], out), colour);
    mesh.corner(plus(corners[i], out), clear(colour));
    before = after;
  }
  for (std::size_t i = 2; i < n; ++i) mesh.triangle(0, 2 * (i - 1), 2 * i);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t a = 2 * i, b = 2 * ((i + 1) % n);
    mesh.quad(a, a + 1, b + 1, b);
  }
}

void add_stroke(ImDrawList& list, std::span<const ImVec2> points, ImU32 colour, float thickness) {
  const std::size_t n = points.size();
  if (n < 2 || !(thickness > 0) || (colour & IM_COL32_A_MASK) == 0) return;
  if (thickness < 1) colour = faded(colour, thickness), thickness = 1;
  // Write a column of four corners across the line at every point, and two columns at either end, which fades out too.
  const std::array<float, 4> across = {-thickness / 2 - half_fringe, -thickness / 2 + half_fringe,
                                       thickness / 2 - half_fringe, thickness / 2 + half_fringe};
  Mesh mesh(list, 4 * (n + 2), 6 * (n + 1));
  const auto column = [&](ImVec2 at, ImVec2 normal, ImU32 middle) {
    for (std::size_t i = 0; i < across.size(); ++i)
      mesh.corner(plus(at, times(normal, across[i])), i == 0 || i == 3 ? clear(colour) : middle);
  };
  const auto end = [&](ImVec2 at, ImVec2 along, float length, bool first) {
    const ImVec2 normal = left_of(along);
    const float inside = std::min(half_fringe, length / 2);  // the two ends of a line shorter than the fringe meet
    const ImU32 middle = n == 2 && length < 1 ? faded(colour, length) : colour;
    if (first) column(minus(at, times(along, half_fringe)), normal, clear(colour));
    column(plus(at, times(along, first ? inside : -inside)), normal, middle);
    if (!first) column(plus(at, times(along, half_fringe)), normal, clear(colour));
  };
  ImVec2 step = minus(points[1], points[0]), along = unit(step);
  end(points[0], along, length_of(step), true);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    step = minus(points[i + 1], points[i]);
    const ImVec2 next = unit(step);
    column(points[i], mitre(left_of(along), left_of(next)), colour);
    along = next;
  }
  end(points[n - 1], along, length_of(step), false);
  for (std::size_t i = 0; i + 1 < n + 2; ++i)
    for (std::size_t part = 0; part < 3; ++part) {
      const std::size_t a = 4 * i + part;
      mesh.quad(a, a + 1, a + 5, a + 4);
    }
}

}  // namespace warpwalk::draw
