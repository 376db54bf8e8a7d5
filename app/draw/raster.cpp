#include "app/draw/raster.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "app/draw/raster_photo.h"

namespace warpwalk::draw {
namespace {

// Positions are in 1/256 pixel. 16,384 pixels are 2^22 units, so products of two distances stay below 2^47.
constexpr int kUnit = 256;
constexpr int kHalf = kUnit / 2;
constexpr float kFarthest = 16384.0f;
constexpr std::int32_t kNotANumber = std::numeric_limits<std::int32_t>::min();

struct GridPoint {
  std::int32_t x, y;
};

std::int32_t to_units(float pixels) {
  if (pixels != pixels) return kNotANumber;
  const double clamped = std::clamp(pixels, -kFarthest, kFarthest);
  constexpr double kToPositive = static_cast<double>(kFarthest) * kUnit;  // casts truncate, so stay positive
  return static_cast<std::int32_t>(clamped * kUnit + (kToPositive + 0.5)) - static_cast<std::int32_t>(kToPositive);
}

/// Returns the first pixel (or row) whose centre is at or beyond a position.
constexpr int first_centre(std::int32_t units) { return (units + kHalf - 1) >> 8; }

constexpr std::uint32_t alpha_of(std::uint32_t colour) { return colour >> 24; }

/// Returns x / 255, rounded to nearest, for x up to 255 * 255.
constexpr std::uint32_t div255(std::uint32_t x) { return (x + 128 + ((x + 128) >> 8)) >> 8; }

/// Blends `colour` with `alpha` instead of its own over the opaque pixel `under`. Red and blue share a multiplication.
inline std::uint32_t over(std::uint32_t under, std::uint32_t colour, std::uint32_t alpha) {
  const std::uint32_t rest = 255 - alpha;
  std::uint32_t rb = (colour & 0xff00ff) * alpha + (under & 0xff00ff) * rest + 0x800080;
  std::uint32_t g = (colour >> 8 & 0xff) * alpha + (under >> 8 & 0xff) * rest + 0x80;
  rb = (rb + (rb >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
  g = (g + (g >> 8)) & 0xff00;
  return 0xff000000 | rb | g;
}

void fill_span(std::uint32_t* pixel, std::uint32_t* end, std::uint32_t colour, std::uint32_t alpha) {
  if (alpha == 255) {
    std::fill(pixel, end, colour | 0xff000000);
  } else {
    for (; pixel < end; ++pixel) *pixel = over(*pixel, colour, alpha);
  }
}

/// Samples the coverage by bilinear interpolation, clamped to the edge. Texel coordinates are in units of 1/65536.
std::uint32_t sample(const AtlasTexels& atlas, std::int64_t u, std::int64_t v) {
  u -= 32768;
  v -= 32768;
  const auto at = [&](std::int64_t x, std::int64_t y) -> std::uint32_t {
    x = std::clamp<std::int64_t>(x, 0, atlas.width - 1);
    y = std::clamp<std::int64_t>(y, 0, atlas.height - 1);
    return atlas.alpha[y * atlas.width + x];
  };
  const std::int64_t x = u >> 16, y = v >> 16;
  const std::uint32_t fx = u >> 8 & 255, fy = v >> 8 & 255;
  const std::uint32_t upper = at(x, y) * (256 - fx) + at(x + 1, y) * fx;
  const std::uint32_t lower = at(x, y + 1) * (256 - fx) + at(x + 1, y + 1) * fx;
  return (upper * (256 - fy) + lower * fy + 32768) >> 16;
}

double texels(float uv, int size) { return uv > 0 ? static_cast<double>(std::min(uv, 1.0f)) * size : 0; }

std::int64_t rounded(double value) { return static_cast<std::int64_t>(value + (value < 0 ? -0.5 : 0.5)); }

/// Walks an edge from top to bottom and computes its crossing with each row's centre. The result is exact (quotient and
/// remainder), so the two triangles of a shared edge agree on every pixel.
class Edge {
 public:
  Edge(GridPoint top, GridPoint bottom, int row) {
    const std::int64_t dx = bottom.x - top.x, dy = bottom.y - top.y;
    if (dy == 0) return;  // a horizontal edge crosses no row's centre, so it is never used
    whole_ = kUnit * dy;
    // Measure from the pixel that contains the top. This keeps the numbers of small triangles, which are the most
    // common, within 32 bits.
    const std::int64_t ahead =
        ((top.x & (kUnit - 1)) - kHalf) * dy + dx * (std::int64_t{row} * kUnit + kHalf - top.y) + whole_ - 1;
    pixel_ = floor_div(ahead, whole_);
    rest_ = ahead - pixel_ * whole_;
    pixel_ += top.x >> 8;
    step_ = floor_div(dx, dy);
    step_rest_ = (dx - step_ * dy) * kUnit;
  }
  /// The first pixel whose centre is on the edge or to its right.
  int pixel() const { return static_cast<int>(pixel_); }
  void next_row() {
    pixel_ += step_;
    rest_ += step_rest_;
    if (rest_ >= whole_) {
      rest_ -= whole_;
      ++pixel_;
    }
  }

 private:
  static std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    const auto divide = [](auto x, auto y) { return x / y - (x % y < 0 ? 1 : 0); };
    const auto a32 = static_cast<std::int32_t>(a), b32 = static_cast<std::int32_t>(b);
    return a32 == a && b32 == b ? divide(a32, b32) : divide(a, b);  // 32-bit division takes half the time
  }
  std::int64_t pixel_ = 0, rest_ = 0, step_ = 0, step_rest_ = 0, whole_ = 1;
};

/// Calls shade(row, begin, end) for every row of the triangle inside `box`; `end` is exclusive.
template <typename Shade>
void for_each_span(GridPoint a, GridPoint b, GridPoint c, const PixelBox& box, const Shade& shade) {
  if (b.y < a.y) std::swap(a, b);
  if (c.y < b.y) std::swap(b, c);
  if (b.y < a.y) std::swap(a, b);
  const std::int64_t side = std::int64_t{b.x - a.x} * (c.y - a.y) - std::int64_t{c.x - a.x} * (b.y - a.y);
  if (side == 0) return;
  int row = std::max(first_centre(a.y), box.y0);
  const int end = std::min(first_centre(c.y), box.y1);
  if (row >= end) return;
  Edge whole(a, c, row);  // top to bottom; the other side turns at b
  const auto walk = [&](Edge part, int until) {
    for (; row < until; ++row, part.next_row(), whole.next_row()) {
      const int x0 = std::max(side > 0 ? whole.pixel() : part.pixel(), box.x0);
      const int x1 = std::min(side > 0 ? part.pixel() : whole.pixel(), box.x1);
      if (x0 < x1) shade(row, x0, x1);
    }
  };
  const int turn = std::min(first_centre(b.y), end);
  if (row < turn) walk(Edge(a, b, row), turn);
  if (row < end) walk(Edge(b, c, row), end);
}

/// A value that varies linearly over a triangle, in units of 1/65536. Doubles are exact enough (53 of at most 58 bits).
/// The result is the same on every machine because no operation is fused.
class Plane {
 public:
  Plane(const std::array<GridPoint, 3>& p, double v0, double v1, double v2) : origin_(p[0]), value_(v0) {
    const double x1 = p[1].x - p[0].x, y1 = p[1].y - p[0].y, x2 = p[2].x - p[0].x, y2 = p[2].y - p[0].y;
    const double scale = 1 / (x1 * y2 - x2 * y1);
    dx_ = ((v1 - v0) * y2 - (v2 - v0) * y1) * scale;
    dy_ = ((v2 - v0) * x1 - (v1 - v0) * x2) * scale;
  }
  std::int64_t at(int x, int row) const {
    const double ux = x * kUnit + kHalf - origin_.x, uy = row * kUnit + kHalf - origin_.y;
    return rounded((value_ + dx_ * ux + dy_ * uy) * 65536.0);
  }
  std::int64_t step() const { return rounded(dx_ * (kUnit * 65536.0)); }

 private:
  GridPoint origin_;
  double value_, dx_, dy_;
};

constexpr std::uint32_t to_level(std::int64_t fixed) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>((fixed + 32768) >> 16, 0, 255));
}

/// A band of rows of the picture. Bands are painted in parallel.
class Band {
 public:
  Band(Image& target, const AtlasTexels& atlas, const ImDrawData& data, int y0, int y1)
      : target_(target), atlas_(atlas), data_(data), y0_(y0), y1_(y1) {}

  void draw(const ImDrawCmd& command, const ImDrawList& list, const std::vector<GridPoint>& points,
            const PixelBox& clip) {
    const PixelBox box = {clip.x0, std::max(clip.y0, y0_), clip.x1, std::min(clip.y1, y1_)};
    if (box.x0 >= box.x1 || box.y0 >= box.y1) return;
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    if (const story::Pixels* const photo = photo_of(command)) {
      for (unsigned i = 0; i + 6 <= command.ElemCount; i += 6)
        rasterise_photo(target_, *photo, to_target(vertices[index[i]].pos), to_target(vertices[index[i + 2]].pos),
                        {box.x0, box.y0, box.x1, box.y1});
      return;
    }
    const GridPoint* places = points.data() + command.VtxOffset;
    for (unsigned i = 0; i + 3 <= command.ElemCount; i += 3) {
      const std::array<GridPoint, 3> p = {places[index[i]], places[index[i + 1]], places[index[i + 2]]};
      const auto [left, right] = std::minmax({p[0].x, p[1].x, p[2].x});
      const auto [top, bottom] = std::minmax({p[0].y, p[1].y, p[2].y});
      if (left == kNotANumber || top == kNotANumber) continue;
      // Most border triangles of small shapes contain no pixel centre.
      if (std::max(first_centre(left), box.x0) >= std::min(first_centre(right), box.x1)) continue;
      if (std::max(first_centre(top), box.y0) >= std::min(first_centre(bottom), box.y1)) continue;
      const ImDrawVert &a = vertices[index[i]], &b = vertices[index[i + 1]], &c = vertices[index[i + 2]];
      const bool paired = i + 6 <= command.ElemCount && index[i + 3] == index[i] && index[i + 4] == index[i + 2];
      if (paired && rectangle(a, b, c, vertices[index[i + 5]], p, places[index[i + 5]], box)) {
        i += 3;
      } else {
        triangle(a, b, c, p, box);
      }
    }
  }

 private:
  ImVec2 to_target(ImVec2 at) const {
    return {(at.x - data_.DisplayPos.x) * data_.FramebufferScale.x,
            (at.y - data_.DisplayPos.y) * data_.FramebufferScale.y};
  }

  std::uint32_t* row_at(int y) { return target_.pixels.data() + static_cast<std::size_t>(y) * target_.width; }

  std::int64_t u_of(ImVec2 uv) const { return rounded(texels(uv.x, atlas_.width) * 65536.0); }
  std::int64_t v_of(ImVec2 uv) const { return rounded(texels(uv.y, atlas_.height) * 65536.0); }

  /// Coverage of a shape that uses a single texel. This is nearly always the white one, so the last result is cached.
  std::uint32_t cover_at(ImVec2 uv) {
    if (!(uv.x == plain_uv_.x && uv.y == plain_uv_.y)) {
      plain_uv_ = uv;
      plain_cover_ = sample(atlas_, u_of(uv), v_of(uv));
    }
    return plain_cover_;
  }

  void triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const std::array<GridPoint, 3>& p,
                const PixelBox& box) {
    if (std::int64_t{p[1].x - p[0].x} * (p[2].y - p[0].y) == std::int64_t{p[2].x - p[0].x} * (p[1].y - p[0].y))
      return;  // its corners are on one line: it has no area, and no slope of a colour
    const bool plain = a.uv.x == b.uv.x && a.uv.y == b.uv.y && a.uv.x == c.uv.x && a.uv.y == c.uv.y;
    if (!plain || ((a.col ^ b.col) | (a.col ^ c.col)) & 0xffffff) return mixed_triangle(a, b, c, p, box);
    const std::uint32_t cover = cover_at(a.uv);
    if (a.col == b.col && a.col == c.col) {
      const std::uint32_t alpha = div255(alpha_of(a.col) * cover);
      if (alpha == 0) return;
      for_each_span(p[0], p[1], p[2], box,
                    [&](int row, int x0, int x1) { fill_span(row_at(row) + x0, row_at(row) + x1, a.col, alpha); });
      return;
    }
    // The antialiased border of a shape: one colour that fades out.
    const Plane fade(p, alpha_of(a.col), alpha_of(b.col), alpha_of(c.col));
    const std::int64_t step = fade.step();
    for_each_span(p[0], p[1], p[2], box, [&](int row, int x0, int x1) {
      std::uint32_t* pixel = row_at(row) + x0;
      std::int64_t alpha = fade.at(x0, row);
      for (; x0 < x1; ++x0, ++pixel, alpha += step) *pixel = over(*pixel, a.col, div255(to_level(alpha) * cover));
    });
  }

  /// Draws a triangle with several colours or with a texture that is not axis-aligned.
  void mixed_triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const std::array<GridPoint, 3>& p,
                      const PixelBox& box) {
    const auto channel = [&](int shift) {
      return Plane(p, a.col >> shift & 255, b.col >> shift & 255, c.col >> shift & 255);
    };
    const auto u = [&](const ImDrawVert& v) { return texels(v.uv.x, atlas_.width); };
    const auto v = [&](const ImDrawVert& w) { return texels(w.uv.y, atlas_.height); };
    const std::array<Plane, 6> planes = {
        channel(0), channel(8), channel(16), channel(24), Plane(p, u(a), u(b), u(c)), Plane(p, v(a), v(b), v(c))};
    for_each_span(p[0], p[1], p[2], box, [&](int row, int x0, int x1) {
      std::array<std::int64_t, 6> now, step;
      for (std::size_t i = 0; i < planes.size(); ++i) now[i] = planes[i].at(x0, row), step[i] = planes[i].step();
      for (std::uint32_t *pixel = row_at(row) + x0, *end = row_at(row) + x1; pixel < end; ++pixel) {
        const std::uint32_t colour = to_level(now[0]) | to_level(now[1]) << 8 | to_level(now[2]) << 16;
        *pixel = over(*pixel, colour, div255(to_level(now[3]) * sample(atlas_, now[4], now[5])));
        for (std::size_t i = 0; i < now.size(); ++i) now[i] += step[i];
      }
    });
  }

  /// Draws two triangles (a b c, a c d) as an axis-aligned rectangle of one colour, such as a cell or a glyph. Returns
  /// false if they do not form one.
  bool rectangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImDrawVert& d,
                 const std::array<GridPoint, 3>& p, GridPoint pd, const PixelBox& box) {
    const GridPoint low = p[0], high = p[2];
    if (p[1].x != high.x || p[1].y != low.y || pd.x != low.x || pd.y != high.y) return false;
    if (low.x >= high.x || low.y >= high.y || a.col != b.col || a.col != c.col || a.col != d.col) return false;
    if (a.uv.x != d.uv.x || b.uv.x != c.uv.x || a.uv.y != b.uv.y || c.uv.y != d.uv.y) return false;
    const int x0 = std::max(first_centre(low.x), box.x0), x1 = std::min(first_centre(high.x), box.x1);
    const int y0 = std::max(first_centre(low.y), box.y0), y1 = std::min(first_centre(high.y), box.y1);
    if (x0 >= x1 || y0 >= y1) return true;
    if (a.uv.x == c.uv.x && a.uv.y == c.uv.y) {
      const std::uint32_t alpha = div255(alpha_of(a.col) * cover_at(a.uv));
      for (int y = y0; alpha > 0 && y < y1; ++y) fill_span(row_at(y) + x0, row_at(y) + x1, a.col, alpha);
      return true;
    }
    const std::int64_t width = high.x - low.x, height = high.y - low.y;
    const std::int64_t du = u_of(c.uv) - u_of(a.uv), dv = v_of(c.uv) - v_of(a.uv);
    const std::int64_t u_step = du * kUnit / width;
    const std::int64_t u0 = u_of(a.uv) + du * (std::int64_t{x0} * kUnit + kHalf - low.x) / width;
    // Compute each row from the rectangle's top instead of stepping from the band's top, so band borders are invisible.
    const auto v_at = [&](int y) { return v_of(a.uv) + dv * (std::int64_t{y} * kUnit + kHalf - low.y) / height; };
    const auto is_centre = [](std::int64_t fixed) { return (fixed & 65535) == 32768; };
    // One texel per pixel with aligned centres: text at its native size is copied without filtering.
    const bool exact = du == width * 256 && dv == height * 256 && is_centre(u0) && is_centre(v_at(y0)) &&
                       (u0 >> 16) + (x1 - x0) <= atlas_.width && (v_at(y1 - 1) >> 16) < atlas_.height;
    for (int y = y0; y < y1; ++y) {
      std::uint32_t* pixel = row_at(y) + x0;
      const std::int64_t v = v_at(y);
      const unsigned char* texel = exact ? atlas_.alpha + (v >> 16) * atlas_.width + (u0 >> 16) : nullptr;
      for (int i = 0; i < x1 - x0; ++i) {
        const std::uint32_t cover = exact ? texel[i] : sample(atlas_, u0 + i * u_step, v);
        if (cover > 0) pixel[i] = over(pixel[i], a.col, div255(alpha_of(a.col) * cover));
      }
    }
    return true;
  }

  Image& target_;
  const AtlasTexels& atlas_;
  const ImDrawData& data_;
  int y0_, y1_;
  ImVec2 plain_uv_ = ImVec2(-1, -1);  // initially a value that no shape has
  std::uint32_t plain_cover_ = 0;
};

/// Computes the scissor box as the OpenGL backends do: in whole pixels, truncated.
PixelBox clip_box(const ImVec4& rect, ImVec2 origin, ImVec2 scale, const Image& target) {
  const auto cut = [](float value, int limit) {
    return value > 0 ? static_cast<int>(std::min(value, static_cast<float>(limit))) : 0;  // NaN becomes 0
  };
  return {cut((rect.x - origin.x) * scale.x, target.width), cut((rect.y - origin.y) * scale.y, target.height),
          cut((rect.z - origin.x) * scale.x, target.width), cut((rect.w - origin.y) * scale.y, target.height)};
}

}  // namespace

void rasterise(const ImDrawData& data, const AtlasTexels& atlas, Image& target, int threads) {
  if (target.width <= 0 || target.height <= 0 || data.CmdListsCount <= 0 || atlas.alpha == nullptr) return;
  const ImVec2 origin = data.DisplayPos, scale = data.FramebufferScale;
  std::vector<std::vector<GridPoint>> points(static_cast<std::size_t>(data.CmdListsCount));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ImVector<ImDrawVert>& vertices = data.CmdLists[static_cast<int>(i)]->VtxBuffer;
    points[i].reserve(static_cast<std::size_t>(vertices.Size));
    for (const ImDrawVert& vertex : vertices) {
      points[i].push_back(
          {to_units((vertex.pos.x - origin.x) * scale.x), to_units((vertex.pos.y - origin.y) * scale.y)});
    }
  }

  // Using more bands than threads balances unevenly filled pictures. Every band reads every triangle, so use few bands.
  const int bands = threads <= 1 ? 1 : std::min(threads * 2, target.height);
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int i = next++; i < bands; i = next++) {
      const auto edge = [&](int band) { return static_cast<int>(std::int64_t{target.height} * band / bands); };
      Band band(target, atlas, data, edge(i), edge(i + 1));
      for (int n = 0; n < data.CmdListsCount; ++n) {
        const ImDrawList& list = *data.CmdLists[n];
        for (const ImDrawCmd& command : list.CmdBuffer) {
          if (command.UserCallback != nullptr) continue;
          band.draw(command, list, points[static_cast<std::size_t>(n)],
                    clip_box(command.ClipRect, origin, scale, target));
        }
      }
    }
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < std::min(threads, bands); ++i) helpers.emplace_back(work);
  work();
}

}  // namespace warpwalk::draw
