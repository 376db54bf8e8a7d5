// Address modes, weights and formats of textures against direct calculations. tests/cases/texture_* compares whole
// fetches with an H200.
#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "core/gpu/texture/address.h"
#include "core/gpu/texture/cube.h"
#include "core/gpu/texture/filter.h"
#include "core/gpu/texture/sample.h"
#include "core/gpu/texture/surface.h"
#include "core/gpu/texture/texel.h"

namespace warpwalk::gpu {
namespace {

/// Walks from texel 0 step by step.
std::int64_t walked(std::int64_t steps, std::int64_t size, AddressMode mode) {
  std::int64_t at = 0, direction = steps < 0 ? -1 : 1;
  bool left = false;
  for (std::int64_t i = 0; i < std::abs(steps); ++i) {
    const std::int64_t next = at + direction;
    const bool outside = next < 0 || next >= size;
    if (mode == AddressMode::border && outside) left = true;
    if (!outside) {
      at = next;
    } else if (mode == AddressMode::wrap) {
      at = next < 0 ? size - 1 : 0;
    } else if (mode == AddressMode::mirror) {
      direction = -direction;  // the edge texel is met twice
    }
  }
  return left ? -1 : at;
}

TEST(TextureAddress, ModesEqualAWalkOverTheTexels) {
  for (const auto mode : {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border})
    for (const std::uint32_t size : {1u, 2u, 5u})
      for (std::int64_t i = -23; i <= 23; ++i)
        EXPECT_EQ(addressed(i, size, mode), walked(i, size, mode)) << static_cast<int>(mode) << " " << size << " " << i;
}

TEST(TextureAddress, LinearPositionsHaveEightFractionBits) {
  // The middle of texel i is i + 0.5 (CUDA programming guide, "Linear Filtering").
  for (int step = 0; step < 4 * 256; ++step) {
    const float coordinate = 1.5F + static_cast<float>(step) / 256;
    const LinearPosition position = linear_position(coordinate, 64, AddressMode::border, false);
    EXPECT_EQ(position.first, 1 + step / 256);
    EXPECT_EQ(position.weight, static_cast<std::uint32_t>(step % 256));
    EXPECT_EQ(linear_position(coordinate / 64, 64, AddressMode::wrap, true).weight, position.weight);
  }
}

TEST(TextureAddress, AnyCoordinateIsSafe) {
  for (const float c : {NAN, INFINITY, -INFINITY, 1e38F, -1e38F, 1e-45F, 0x1p63F})
    for (const auto mode : {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border})
      for (const bool normalized : {false, true}) {
        const std::int64_t index = point_position(c, 131072, mode, normalized);
        EXPECT_GE(index, -1);
        EXPECT_LT(index, 131072);
        EXPECT_LT(linear_position(c, 131072, mode, normalized).weight, 256u);
      }
}

TEST(TextureFilter, WeightsAddUpAndAreNearTheirProducts) {
  for (const std::uint32_t total : {256u, 100u, 1u})
    for (std::uint32_t x = 0; x < 256; x += 3)
      for (std::uint32_t y = 0; y < 256; y += 5) {
        const auto weights = image_weights(total, x, y);
        EXPECT_EQ(weights[0] + weights[1] + weights[2] + weights[3], total);
        const double exact[] = {(256.0 - x) * (256 - y), x * (256.0 - y), (256.0 - x) * y, 1.0 * x * y};
        for (std::size_t k = 0; k < 4; ++k) EXPECT_LE(std::abs(weights[k] - exact[k] * total / 65536), 1.5);
      }
}

TEST(TextureFilter, EqualTexelsAreReturnedUnchanged) {
  for (const float value : {1.0F, -0.1F, 3e38F, 1e-40F}) {
    const auto bits = static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(value));
    for (std::uint32_t x = 0; x < 256; x += 17) {
      const auto weights = image_weights(256, x, 255 - x);
      std::array<std::array<WeightedChannel, 4>, 1> image;
      for (std::size_t k = 0; k < 4; ++k) image[0][k] = {bits, weights[k]};
      EXPECT_EQ(filtered(TexelType::f32, image), value);
    }
  }
}

TEST(TextureFilter, FormatsStayWithinHalfAStepOfTheExactValue) {
  const auto worst = [](TexelType type, std::int64_t low, std::int64_t high, double scale) {
    double error = 0;
    for (std::uint32_t w = 0; w < 256; ++w) {
      std::array<std::array<WeightedChannel, 4>, 1> image{};
      image[0][0] = {low, 256 - w};
      image[0][1] = {high, w};
      const double exact = (static_cast<double>(low) * (256 - w) + static_cast<double>(high) * w) / 256 / scale;
      error = std::max(error, std::abs(filtered(type, image) - exact));
    }
    return error;
  };
  EXPECT_LE(worst(TexelType::u8, 3, 250, 255), 0.501 / 65535);
  EXPECT_LE(worst(TexelType::u16, 1, 65000, 65535), 0.501 / 65535);
  EXPECT_LE(worst(TexelType::s16, -32767, 12345, 32767), 0.501 / 32767);
  EXPECT_LE(worst(TexelType::s8, -127, 126, 127), 0.65 / 32767);
}

TEST(TextureCube, EveryDirectionHasAFaceWithCoordinates) {
  // CUDA programming guide, "Cubemap Textures": face, s and t of a direction.
  const auto expect = [](float x, float y, float z, std::uint32_t face, float s, float t) {
    const CubePlace place = cube_place(x, y, z);
    EXPECT_EQ(place.face, face);
    EXPECT_EQ(place.s, s);
    EXPECT_EQ(place.t, t);
  };
  expect(1, 0.5F, 0.25F, 0, 0.375F, 0.25F);
  expect(-1, 0.5F, 0.25F, 1, 0.625F, 0.25F);
  expect(0.5F, 1, 0.25F, 2, 0.75F, 0.625F);
  expect(0.5F, -1, 0.25F, 3, 0.75F, 0.375F);
  expect(0.5F, 0.25F, 1, 4, 0.75F, 0.375F);
  expect(0.5F, 0.25F, -1, 5, 0.25F, 0.375F);
}

/// The middle of a texel in space, in units of half a texel.
std::array<int, 3> in_space(int n, std::uint32_t face, int x, int y) {
  const int s = 2 * x + 1 - n, t = 2 * y + 1 - n;
  switch (face) {
    case 0: return {n, -t, -s};
    case 1: return {-n, -t, s};
    case 2: return {s, n, t};
    case 3: return {s, -n, -t};
    case 4: return {s, -t, n};
    default: return {-s, -t, -n};
  }
}

TEST(TextureCube, CrossingAnEdgeReachesTheTexelNextToIt) {
  constexpr int n = 4;
  for (std::uint32_t face = 0; face < 6; ++face)
    for (int along = 0; along < n; ++along)
      for (const auto& [x, y] : {std::pair{-1, along}, {n, along}, {along, -1}, {along, n}}) {
        const auto inside = in_space(n, face, std::clamp(x, 0, n - 1), std::clamp(y, 0, n - 1));
        std::uint32_t other = face;
        std::int64_t to_x = x, to_y = y;
        ASSERT_TRUE(cross_edge(n, other, to_x, to_y));
        EXPECT_NE(other, face);
        const auto reached = in_space(n, other, static_cast<int>(to_x), static_cast<int>(to_y));
        int distance = 0;
        for (std::size_t i = 0; i < 3; ++i) distance += std::abs(reached[i] - inside[i]);
        EXPECT_EQ(distance, 2) << "one step around the edge";
      }
  std::uint32_t face = 0;
  std::int64_t x = -1, y = n;
  EXPECT_FALSE(cross_edge(n, face, x, y));
}

TEST(TextureTexel, WritingAndReadingKeepsValues) {
  const TexelFormat format{TexelType::s16, 4};
  std::uint8_t bytes[8];
  write_texel(format, {7, 0xffffffff, 40000, 0x80000000}, bytes);
  EXPECT_EQ(read_texel(format, false, bytes), (TexelBits{7, 0xffffffff, 32767, 0xffff8000}));
  const TexelFormat half{TexelType::f16, 2};
  write_texel(half, {std::bit_cast<std::uint32_t>(1.5F), std::bit_cast<std::uint32_t>(INFINITY)}, bytes);
  EXPECT_EQ(std::bit_cast<float>(read_texel(half, false, bytes)[0]), 1.5F);
  EXPECT_TRUE(std::isinf(std::bit_cast<float>(read_texel(half, false, bytes)[1])));
}

TEST(TextureTexel, EveryHalfSurvivesAConversion) {
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    std::uint8_t bytes[2];
    write_texel({TexelType::f16, 1}, {std::bit_cast<std::uint32_t>(float_of_half(static_cast<std::uint16_t>(bits)))},
                bytes);
    EXPECT_EQ(bytes[0] | bytes[1] << 8, bits);
  }
}

TEST(TextureSurface, PlacesOutsideHaveNoOffset) {
  TextureDescriptor surface;
  surface.shape = TextureShape::volume;
  surface.width = 4, surface.height = 3, surface.depth = 2;
  EXPECT_EQ(surface_offset(surface, {12, 2, 1}, 4), 4u * (4 * (3 * 1 + 2) + 3));
  for (const SurfacePlace& outside : {SurfacePlace{16, 0, 0}, {-4, 0, 0}, {0, 3, 0}, {0, -1, 0}, {0, 0, 2}, {0, 0, -1}})
    EXPECT_FALSE(surface_offset(surface, outside, 4));
  const SurfacePlace moved = clamped_place(surface, {400, -7, 9}, 8);
  EXPECT_EQ(moved.x, 8);
  EXPECT_EQ(moved.y, 0);
  EXPECT_EQ(moved.slice, 1);
}

TEST(TextureDescriptor, LevelsFollowEachOther) {
  TextureDescriptor texture;
  texture.shape = TextureShape::plane;
  texture.width = 8, texture.height = 4, texture.levels = 4;
  EXPECT_EQ(texture.bytes(), 4u * (32 + 8 + 2 + 1));
  EXPECT_EQ(texture.offset(2, 1, 0, 0), 4u * (32 + 8 + 1));
}

}  // namespace
}  // namespace warpwalk::gpu
