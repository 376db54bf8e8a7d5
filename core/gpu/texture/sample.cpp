#include "core/gpu/texture/sample.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/gpu/texture/address.h"
#include "core/gpu/texture/cube.h"
#include "core/gpu/texture/filter.h"
#include "core/gpu/texture/texel.h"

namespace warpwalk::gpu {
namespace {

/// The texels of one fetch.
class Fetch {
 public:
  Fetch(const TextureDescriptor& texture, std::span<const std::uint8_t> texels, TexelReads& reads)
      : texture_(texture), sampler_(texture.sampler), texels_(texels), reads_(reads) {}

  TexelBits point(const FetchPlace& place, std::uint32_t level) {
    if (is_cube(texture_.shape)) {
      const CubePlace on_cube = cube_place(place.at[0], place.at[1], place.at[2]);
      const std::uint32_t size = texture_.width_at(level);
      const auto x = point_position(on_cube.s, size, AddressMode::clamp, true);
      const auto y = point_position(on_cube.t, size, AddressMode::clamp, true);
      return bits(level, x, y, face_slice(place, on_cube.face));
    }
    const auto x = point_position(place.at[0], texture_.width_at(level), sampler_.address[0], sampler_.normalized);
    std::int64_t y = 0, z = first_slice(place);
    if (dimensions(texture_.shape) >= 2)
      y = point_position(place.at[1], texture_.height_at(level), sampler_.address[1], sampler_.normalized);
    if (texture_.shape == TextureShape::volume)
      z = point_position(place.at[2], texture_.slices(level), sampler_.address[2], sampler_.normalized);
    return bits(level, x, y, z);
  }

  /// Adds the images of a linear filter on one level; `total` is the level's weight.
  void add_level(const FetchPlace& place, std::uint32_t level, std::uint32_t total) {
    if (is_cube(texture_.shape)) {
      const CubePlace on_cube = cube_place(place.at[0], place.at[1], place.at[2]);
      const std::uint32_t size = texture_.width_at(level);
      const AddressMode mode = sampler_.seamless ? AddressMode::border : AddressMode::clamp;
      add_image(level, face_slice(place, on_cube.face), linear_position(on_cube.s, size, mode, true),
                linear_position(on_cube.t, size, mode, true), total, mode, mode);
      return;
    }
    const auto x = linear_position(place.at[0], texture_.width_at(level), sampler_.address[0], sampler_.normalized);
    // A one-dimensional texture is a plane with one row, read at y = 0: in border mode half of it is border. Not so
    // with layers.
    const bool flat = texture_.shape == TextureShape::line_array;
    const float row = dimensions(texture_.shape) >= 2 ? place.at[1] : 0;
    const auto y = linear_position(row, texture_.height_at(level), flat ? AddressMode::clamp : sampler_.address[1],
                                   sampler_.normalized);
    if (texture_.shape != TextureShape::volume) {
      add_image(level, first_slice(place), x, y, total, sampler_.address[0], sampler_.address[1]);
      return;
    }
    const std::uint32_t depth = texture_.slices(level);
    const auto z = linear_position(place.at[2], depth, sampler_.address[2], sampler_.normalized);
    const std::uint32_t far = (total * z.weight + 127) >> 8;
    const AddressMode mode = effective(sampler_.address[2]);
    add_image(level, addressed(z.first, depth, mode), x, y, total - far, sampler_.address[0], sampler_.address[1]);
    add_image(level, addressed(z.first + 1, depth, mode), x, y, far, sampler_.address[0], sampler_.address[1]);
  }

  TexelBits filtered_result() const {
    TexelBits result{};
    for (std::uint32_t c = 0; c < texture_.format.channels; ++c) {
      std::array<std::array<WeightedChannel, 4>, 4> channel;
      for (std::size_t i = 0; i < images_; ++i)
        for (std::size_t k = 0; k < 4; ++k) channel[i][k] = {values_[i][k][c], weights_[i][k]};
      result[c] = std::bit_cast<std::uint32_t>(filtered(texture_.format.type, std::span(channel.data(), images_)));
    }
    return result;
  }

  TexelBits gathered(const FetchPlace& place, int component) {
    constexpr std::size_t order[4] = {2, 3, 1, 0};
    TexelBits result{};
    std::int64_t slice = first_slice(place);
    LinearPosition x, y;
    AddressMode x_mode = effective(sampler_.address[0]), y_mode = effective(sampler_.address[1]);
    if (is_cube(texture_.shape)) {
      const CubePlace on_cube = cube_place(place.at[0], place.at[1], place.at[2]);
      slice = face_slice(place, on_cube.face);
      x_mode = y_mode = AddressMode::clamp;
      x = unclamped_position(on_cube.s, texture_.width, x_mode, true);
      y = unclamped_position(on_cube.t, texture_.height, y_mode, true);
    } else {
      x = unclamped_position(place.at[0], texture_.width, x_mode, sampler_.normalized);
      y = unclamped_position(place.at[1], texture_.height, y_mode, sampler_.normalized);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t corner = order[k];
      const auto column = addressed(x.first + static_cast<std::int64_t>(corner & 1), texture_.width, x_mode);
      const auto row = addressed(y.first + static_cast<std::int64_t>(corner >> 1), texture_.height, y_mode);
      result[k] = bits(0, column, row, slice)[static_cast<std::size_t>(component)];
    }
    return result;
  }

  /// A texel; negative indices are the border.
  TexelBits bits(std::uint32_t level, std::int64_t x, std::int64_t y, std::int64_t slice) {
    const std::uint8_t* const texel = find(level, x, y, slice);
    if (texel != nullptr) return read_texel(texture_.format, sampler_.normalized_float, texel);
    std::array<std::uint8_t, 16> border{};
    encode_border(texture_.format, sampler_.normalized_float, sampler_.border, border.data());
    return read_texel(texture_.format, sampler_.normalized_float, border.data());
  }

  std::int64_t first_slice(const FetchPlace& place) const {
    return is_array(texture_.shape) ? clamped(place.layer, texture_.layers) : 0;
  }

 private:
  AddressMode effective(AddressMode mode) const {
    const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
    return !sampler_.normalized && repeats ? AddressMode::clamp : mode;
  }

  /// Clamping moves the position itself to the edge; gathered texels are clamped one by one.
  static LinearPosition unclamped_position(float coordinate, std::uint32_t size, AddressMode mode, bool normalized) {
    return linear_position(coordinate, size, mode == AddressMode::clamp ? AddressMode::border : mode, normalized);
  }

  std::int64_t face_slice(const FetchPlace& place, std::uint32_t face) const { return first_slice(place) * 6 + face; }

  const std::uint8_t* find(std::uint32_t level, std::int64_t x, std::int64_t y, std::int64_t slice) {
    if (x < 0 || y < 0 || slice < 0) return nullptr;
    const std::uint64_t offset = texture_.offset(level, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                                                 static_cast<std::uint32_t>(slice));
    if (offset + texture_.format.bytes() > texels_.size()) return nullptr;
    reads_.add(offset);
    return texels_.data() + offset;
  }

  void add_image(std::uint32_t level, std::int64_t slice, LinearPosition x, LinearPosition y, std::uint32_t total,
                 AddressMode x_mode, AddressMode y_mode) {
    weights_[images_] = image_weights(total, x.weight, y.weight);
    for (std::size_t k = 0; k < 4; ++k) {
      if (weights_[images_][k] == 0) continue;
      std::int64_t column = x.first + static_cast<std::int64_t>(k & 1),
                   row = y.first + static_cast<std::int64_t>(k >> 1);
      if (is_cube(texture_.shape) && sampler_.seamless) {
        set_seamless(level, static_cast<std::uint32_t>(slice), column, row, k);
        continue;
      }
      column = addressed(column, texture_.width_at(level), effective(x_mode));
      row = addressed(row, texture_.height_at(level), effective(y_mode));
      set_value(k, find(level, column, row, slice));
    }
    ++images_;
  }

  void set_seamless(std::uint32_t level, std::uint32_t slice, std::int64_t column, std::int64_t row, std::size_t k) {
    std::uint32_t face = slice % 6;
    const std::uint32_t size = texture_.width_at(level);
    if (cross_edge(size, face, column, row)) {
      set_value(k, find(level, column, row, slice / 6 * 6 + face));
      return;
    }
    // Three faces meet at a corner of the cube. The other three texels share the weight of the missing one.
    std::array<std::uint32_t, 4>& weights = weights_[images_];
    const std::uint32_t missing = std::exchange(weights[k], 0), third = (missing * 85 + 128) >> 8;
    weights[k ^ 1] += third;
    weights[k ^ 2] += third;
    weights[k ^ 3] += missing - 2 * third;
  }

  void set_value(std::size_t k, const std::uint8_t* texel) {
    std::array<std::int64_t, 4>& values = values_[images_][k];
    const TexelFormat format = texture_.format;
    std::array<std::uint8_t, 16> border{};
    if (texel == nullptr) {
      encode_border(format, sampler_.normalized_float, sampler_.border, border.data());
      texel = border.data();
    }
    for (std::uint32_t c = 0; c < format.channels; ++c)
      values[c] = channel_value(format.type, texel + c * format.channel_bytes());
  }

  const TextureDescriptor& texture_;
  const Sampler& sampler_;
  std::span<const std::uint8_t> texels_;
  TexelReads& reads_;
  std::size_t images_ = 0;
  std::array<std::array<std::array<std::int64_t, 4>, 4>, 4> values_{};  ///< by image, texel and channel
  std::array<std::array<std::uint32_t, 4>, 4> weights_{};
};

/// The mipmap level in units of 1/256, with the sampler's bias and limits.
std::int64_t level_position(const TextureDescriptor& texture, float level) {
  constexpr float most = 256;  // beyond any level
  const auto fixed = [](float value) { return static_cast<std::int64_t>(std::floor(value * 256)); };
  const Sampler& sampler = texture.sampler;
  std::int64_t position = 0;
  if (!std::isnan(level)) position = static_cast<std::int64_t>(std::floor(std::clamp(level, -most, most) * 256));
  position += fixed(std::clamp(sampler.level_bias, -most, most));
  const std::int64_t last = std::int64_t{texture.levels - 1} * 256;
  const std::int64_t lowest = fixed(std::clamp(sampler.lowest_level, 0.0F, most));
  const std::int64_t highest = fixed(std::clamp(sampler.highest_level, 0.0F, most));
  return std::clamp<std::int64_t>(std::max(std::min(position, highest), lowest), 0, last);
}

}  // namespace

TexelBits sample(const TextureDescriptor& texture, std::span<const std::uint8_t> texels, const FetchPlace& place,
                 TexelReads& reads) {
  Fetch fetch(texture, texels, reads);
  const auto level = static_cast<std::uint32_t>(level_position(texture, place.level));
  const bool linear = texture.sampler.filter == FilterMode::linear;
  if (texture.sampler.level_filter == FilterMode::point || texture.levels == 1) {
    const std::uint32_t nearest = (level + 128) >> 8;
    if (!linear) return fetch.point(place, nearest);
    fetch.add_level(place, nearest, 256);
    return fetch.filtered_result();
  }
  const std::uint32_t first = level >> 8, weight = level & 255;
  fetch.add_level(place, first, 256 - weight);
  if (weight != 0) fetch.add_level(place, first + 1, weight);
  return fetch.filtered_result();
}

TexelBits fetch(const TextureDescriptor& texture, std::span<const std::uint8_t> texels, const TexelPlace& place,
                TexelReads& reads) {
  Fetch one(texture, texels, reads);
  const std::uint32_t level = clamped(place.level, texture.levels);
  FetchPlace layer;
  layer.layer = place.layer;
  const std::int64_t x = place.at[0], y = dimensions(texture.shape) >= 2 ? place.at[1] : 0;
  const std::int64_t z = texture.shape == TextureShape::volume ? place.at[2] : one.first_slice(layer);
  const bool inside = x >= 0 && x < texture.width_at(level) && y >= 0 && y < texture.height_at(level) && z >= 0 &&
                      z < texture.slices(level);
  if (!inside) return {};
  return one.bits(level, x, y, z);
}

TexelBits gather(const TextureDescriptor& texture, std::span<const std::uint8_t> texels, const FetchPlace& place,
                 int component, TexelReads& reads) {
  if (component < 0 || component > 3) return {};
  return Fetch(texture, texels, reads).gathered(place, component);
}

}  // namespace warpwalk::gpu
