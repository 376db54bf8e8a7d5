#include "app/draw/raster_photo.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace warpwalk::draw {
namespace {

/// The two pixels that a place between centres lies between, and the share of the second, of 256.
struct Neighbours {
  int first = 0, second = 0;
  std::uint32_t share = 0;
};

Neighbours neighbours(int at, float low, float high, int size) {
  const double place = (at + 0.5 - low) / (static_cast<double>(high) - low) * size - 0.5;
  const double whole = std::floor(place);
  const int first = static_cast<int>(whole);
  return {std::clamp(first, 0, size - 1), std::clamp(first + 1, 0, size - 1),
          static_cast<std::uint32_t>((place - whole) * 256)};
}

}  // namespace

void rasterise_photo(Image& target, const story::Pixels& photo, ImVec2 low, ImVec2 high, const PixelBox& clip) {
  if (!(low.x < high.x && low.y < high.y) || photo.width <= 0 || photo.height <= 0) return;
  const auto first_inside = [](float edge, int limit) {
    return static_cast<int>(std::clamp(std::ceil(edge - 0.5f), 0.0f, static_cast<float>(limit)));
  };
  const int x0 = std::max(clip.x0, first_inside(low.x, target.width)),
            y0 = std::max(clip.y0, first_inside(low.y, target.height));
  const int x1 = std::min(clip.x1, first_inside(high.x, target.width)),
            y1 = std::min(clip.y1, first_inside(high.y, target.height));
  for (int y = y0; y < y1; ++y) {
    const Neighbours rows = neighbours(y, low.y, high.y, photo.height);
    const std::uint32_t* const upper = photo.values.data() + static_cast<std::size_t>(rows.first) * photo.width;
    const std::uint32_t* const lower = photo.values.data() + static_cast<std::size_t>(rows.second) * photo.width;
    std::uint32_t* const pixels = target.pixels.data() + static_cast<std::size_t>(y) * target.width;
    for (int x = x0; x < x1; ++x) {
      const Neighbours columns = neighbours(x, low.x, high.x, photo.width);
      const std::array<std::uint32_t, 4> four = {upper[columns.first], upper[columns.second], lower[columns.first],
                                                 lower[columns.second]};
      const std::uint32_t right = columns.share, left = 256 - right, below = rows.share, above = 256 - below;
      const std::array<std::uint32_t, 4> weights = {left * above, right * above, left * below,
                                                    right * below};  // of 2^16
      std::uint64_t cover = 0;
      std::array<std::uint64_t, 3> colour = {};
      for (std::size_t i = 0; i < four.size(); ++i) {
        const std::uint64_t weight = std::uint64_t{weights[i]} * (four[i] >> 24);
        cover += weight;
        for (std::size_t c = 0; c < colour.size(); ++c) colour[c] += weight * (four[i] >> 8 * c & 255);
      }
      constexpr std::uint64_t whole = std::uint64_t{255} << 16;
      std::uint32_t mixed = 0xff000000;
      for (std::size_t c = 0; c < colour.size(); ++c) {
        const std::uint64_t under = pixels[x] >> 8 * c & 255;
        mixed |= static_cast<std::uint32_t>((colour[c] + under * (whole - cover) + whole / 2) / whole) << 8 * c;
      }
      pixels[x] = mixed;
    }
  }
}

}  // namespace warpwalk::draw
