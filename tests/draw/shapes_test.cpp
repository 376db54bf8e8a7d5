// Compares the vertices of known shapes with nearly exact arithmetic, and checks their pixels.
#include "app/draw/shapes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <xxhash.h>

#include "app/draw/canvas.h"
#include "app/draw/offscreen.h"
#include "tests/draw/colors.h"

namespace warpwalk::draw {
namespace {

constexpr ImU32 fading = IM_COL32(255, 255, 255, 0);

Offscreen& screen(float scale = 1) {
  static std::vector<std::pair<float, std::unique_ptr<Offscreen>>> open;
  for (auto& [of, one] : open)
    if (of == scale) return *one;
  Offscreen::Options options;
  options.fonts.scale = scale;
  options.fonts.only_text = "";
  auto opened = Offscreen::open(options);
  EXPECT_TRUE(opened) << opened.error();
  open.emplace_back(scale, *std::move(opened));
  return *open.back().second;
}

Image drawn(int width, int height, const Offscreen::Paint& paint) {
  return screen().draw(width, height, kBlack, paint);
}

// The vertices that a paint function adds to the list.
std::vector<ImDrawVert> corners_of(const Offscreen::Paint& paint) {
  std::vector<ImDrawVert> corners;
  drawn(400, 300, [&](ImDrawList& list) {
    const int first = list.VtxBuffer.Size;
    paint(list);
    corners.assign(list.VtxBuffer.begin() + first, list.VtxBuffer.end());
  });
  return corners;
}

std::vector<ImDrawVert> corners_on_canvas(const std::function<void(Canvas&)>& paint) {
  return corners_of([&](ImDrawList& list) {
    Canvas canvas(list, screen().fonts(), dark_theme(), 400, 300);
    paint(canvas);
  });
}

double covered(const Image& image) {
  double sum = 0;
  for (const std::uint32_t pixel : image.pixels) sum += (pixel & 255) / 255.0;
  return sum;
}

// Dear ImGui's own lines use the processor's estimate of 1/sqrt, whose error is up to 0.04 %. The tests of exact
// vertices fail with it.
TEST(Shapes, ASlantedLineOfCanvasHasTheExactNormal) {
  // A 3:4 slope: all vertices are multiples of a tenth.
  const auto corners = corners_on_canvas([](Canvas& canvas) { canvas.line({10, 10}, {40, 50}, kWhite, 2); });
  const double along_x = 0.6, along_y = 0.8;
  std::vector<std::pair<double, double>> wanted;
  for (const double along : {-0.5, 0.5, 49.5, 50.5})
    for (const double across : {-1.5, -0.5, 0.5, 1.5})
      wanted.emplace_back(11 + along_x * along + along_y * across, 11 + along_y * along - along_x * across);
  ASSERT_EQ(corners.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(corners[i].pos.x, wanted[i].first, 8e-6) << i;
    EXPECT_NEAR(corners[i].pos.y, wanted[i].second, 8e-6) << i;
    const bool middle = i / 4 % 3 != 0 && i % 4 % 3 != 0;
    EXPECT_EQ(corners[i].col, middle ? kWhite : fading) << i;
  }
}

TEST(Shapes, ADotOfCanvasHasAllItsCornersOnTwoCircles) {
  for (const float radius : {0.8f, 3.0f, 6.0f, 40.0f}) {
    const auto corners = corners_on_canvas([&](Canvas& canvas) { canvas.dot({100, 100}, radius, kWhite); });
    ASSERT_EQ(corners.size(), static_cast<std::size_t>(8 * steps_for(radius)));
    for (const ImDrawVert& corner : corners) {
      const double distance = std::hypot(double{corner.pos.x} - 100, double{corner.pos.y} - 100);
      EXPECT_NEAR(distance, corner.col == fading ? radius + 0.5 : radius - 0.5, 1.5e-5);
    }
  }
}

TEST(Shapes, ATriangleOfCanvasHasItsFringeHalfAPixelFromItsEdges) {
  // A 3-4-5 right triangle, in both windings.
  for (const bool back : {false, true}) {
    const auto corners = corners_on_canvas([&](Canvas& canvas) {
      canvas.triangle({50, 50}, back ? Point{50, 90} : Point{80, 50}, back ? Point{80, 50} : Point{50, 90}, kWhite);
    });
    ASSERT_EQ(corners.size(), 6u);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto distances = [](ImVec2 at) {
        return std::array<double, 3>{50.0 - at.x, 50.0 - at.y,
                                     (at.x - 80.0) * 0.8 + (at.y - 50.0) * 0.6};  // positive outside the edges
      };
      const auto inner = distances(corners[2 * i].pos), outer = distances(corners[2 * i + 1].pos);
      int touched = 0;
      for (std::size_t edge = 0; edge < 3; ++edge) {
        touched += std::abs(inner[edge] + 0.5) < 3e-5 && std::abs(outer[edge] - 0.5) < 3e-5;
        EXPECT_LT(inner[edge], -0.49);
      }
      EXPECT_EQ(touched, 2) << i;
      EXPECT_EQ(corners[2 * i].col, kWhite);
      EXPECT_EQ(corners[2 * i + 1].col, fading);
    }
  }
}

TEST(Shapes, TheArcIsExactAndItsStepsAreEqual) {
  const auto& arc = quarter_arc();
  for (std::size_t i = 0; i < arc.size(); ++i) {
    const double angle = 1.5707963267948966 * static_cast<double>(i) / arc_steps;
    EXPECT_NEAR(arc[i].x, std::cos(angle), 6e-8) << i;
    EXPECT_NEAR(arc[i].y, std::sin(angle), 6e-8) << i;
  }
  EXPECT_EQ(arc[0].x, 1);
  EXPECT_EQ(arc[0].y, 0);
  EXPECT_EQ(arc[arc_steps].x, 0);
  EXPECT_EQ(arc[arc_steps].y, 1);
  EXPECT_FLOAT_EQ(arc[32].x, std::sqrt(0.5f));
}

TEST(Shapes, LargerCirclesTakeMoreStepsAndStayWithinAThirteenthOfAPixel) {
  int last = 0;
  for (float radius = 0.5f; radius < 600; radius *= 1.3f) {
    const int steps = steps_for(radius);
    EXPECT_GE(steps, last);
    EXPECT_EQ(arc_steps % steps, 0);
    EXPECT_LE(radius * (1 - std::cos(1.5707963267948966 / steps / 2)), 0.075) << radius;
    last = steps;
  }
}

TEST(Shapes, CoverTheirAreas) {
  const double pi = 3.141592653589793;
  for (const float radius : {0.3f, 1.0f, 4.5f, 20.0f}) {
    // The subpixel position of the centre must have little effect.
    for (const float shift : {0.0f, 0.3f, 0.5f})
      EXPECT_NEAR(covered(drawn(64, 64,
                                [&](ImDrawList& list) {
                                  add_disc(list, {30 + shift, 30 + shift * 0.7f}, radius, kWhite);
                                })),
                  pi * radius * radius, 0.35 + 0.02 * pi * radius * radius)
          << radius << " " << shift;
  }
  EXPECT_NEAR(covered(drawn(100, 100,
                            [](ImDrawList& list) {
                              add_stroke(list, std::array{ImVec2(10.3f, 12.6f), ImVec2(70.1f, 83.9f)}, kWhite, 3);
                            })),
              3 * std::hypot(59.8, 71.3), 3);
  EXPECT_NEAR(covered(drawn(100, 100,
                            [](ImDrawList& list) {
                              add_polygon(list, std::array{ImVec2(10, 10), ImVec2(80, 20), ImVec2(30, 70)}, kWhite);
                            })),
              0.5 * (70 * 60 - 20 * 10), 20);
  const double corner = (1 - pi / 4) * 64;  // the area that a corner of radius 8 removes
  const auto box = drawn(64, 64, [](ImDrawList& list) {
    add_box(list, {4, 4}, {60, 40}, kWhite, radii_of({4, 4}, {60, 40}, 8, ImDrawFlags_RoundCornersAll));
  });
  EXPECT_NEAR(covered(box), 56 * 36 - 4 * corner, 4);
  const auto left = drawn(64, 64, [](ImDrawList& list) {
    add_box(list, {4, 4}, {60, 40}, kWhite, radii_of({4, 4}, {60, 40}, 8, ImDrawFlags_RoundCornersLeft));
  });
  EXPECT_NEAR(covered(left), 56 * 36 - 2 * corner, 2);
}

TEST(Shapes, BoxesHaveSharpSidesAndNoSeams) {
  const ImVec2 low = {4, 6}, high = {50, 38};
  for (const float radius : {0.0f, 2.6f, 5.25f, 9.0f, 16.0f}) {
    // With half opacity, pixels that are drawn twice or left out are visible.
    const ImU32 half = IM_COL32(255, 255, 255, 128);
    const Radii radii = radii_of(low, high, radius, ImDrawFlags_RoundCornersAll);
    const Image fill = drawn(64, 48, [&](ImDrawList& list) { add_box(list, low, high, half, radii); });
    const auto near_corner = [&](int x, int y) {
      const float in_x = std::min(static_cast<float>(x) - low.x, high.x - 1 - static_cast<float>(x));
      const float in_y = std::min(static_cast<float>(y) - low.y, high.y - 1 - static_cast<float>(y));
      return in_x < radius && in_y < radius;
    };
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 64; ++x) {
        const bool inside = x >= 4 && x < 50 && y >= 6 && y < 38;
        const std::uint32_t value = fill.at(x, y) & 255;
        EXPECT_LE(value, inside ? 128u : 0u) << radius << ": " << x << " " << y;
        if (inside && !near_corner(x, y)) {
          EXPECT_EQ(value, 128u) << radius << ": " << x << " " << y;
        }
      }
    for (const float thickness : {1.0f, 2.0f, 3.0f}) {
      const Image frame = drawn(64, 48, [&](ImDrawList& list) { add_frame(list, low, high, half, thickness, radii); });
      for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) {
          const bool inside = x >= 4 && x < 50 && y >= 6 && y < 38;
          const std::uint32_t value = frame.at(x, y) & 255;
          EXPECT_LE(value, inside ? 128u : 0u) << radius << " " << thickness << ": " << x << " " << y;
          if (!inside || near_corner(x, y)) continue;
          const int edge = std::min({x - 4, 49 - x, y - 6, 37 - y});
          EXPECT_EQ(value, static_cast<float>(edge) < thickness ? 128u : 0u)
              << radius << " " << thickness << ": " << x << " " << y;
        }
    }
  }
}

TEST(Shapes, AFilledBoxAndItsFrameHaveTheSameOutline) {
  const ImVec2 low = {3, 3}, high = {45, 29};
  const Radii radii = radii_of(low, high, 7, ImDrawFlags_RoundCornersAll);
  const Image fill = drawn(48, 32, [&](ImDrawList& list) { add_box(list, low, high, kWhite, radii); });
  const Image frame = drawn(48, 32, [&](ImDrawList& list) { add_frame(list, low, high, kWhite, 3, radii); });
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 48; ++x)
      if ((fill.at(x, y) & 255) < 255) {
        EXPECT_EQ(fill.at(x, y), frame.at(x, y)) << x << " " << y;
      }
}

TEST(Shapes, WhatHasNoExtentDrawsNothing) {
  EXPECT_TRUE(corners_of([](ImDrawList& list) {
                const float nan = std::nanf("");
                add_disc(list, {5, 5}, 0, kWhite);
                add_disc(list, {5, 5}, -1, kWhite);
                add_disc(list, {5, 5}, nan, kWhite);
                add_polygon(list, std::array{ImVec2(1, 1), ImVec2(2, 2), ImVec2(3, 3)}, kWhite);
                add_polygon(list, std::array{ImVec2(1, 1), ImVec2(2, 2)}, kWhite);
                add_stroke(list, std::array{ImVec2(1, 1)}, kWhite, 1);
                add_box(list, {5, 5}, {5, 9}, kWhite);
                add_box(list, {5, 5}, {9, 9}, fading);
              }).empty());
  // Coincident points are harmless.
  const Image image = drawn(20, 20, [](ImDrawList& list) {
    add_stroke(list, std::array{ImVec2(5, 5), ImVec2(5, 5)}, kWhite, 2);
    add_stroke(list, std::array{ImVec2(5, 5), ImVec2(15, 5), ImVec2(5, 5)}, kWhite, 1);
  });
  EXPECT_LT(covered(image), 40);
}

TEST(Shapes, PlacesThatAreNoneEnd) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {nan, infinity, -infinity, 1e30f, 3e6f}) {
    const auto corners = corners_on_canvas([&](Canvas& canvas) {
      canvas.dashed({0, 0}, {bad, 5}, kWhite);
      canvas.dashed({0, 0}, {bad, 0}, kWhite);
      canvas.hatch({0, 0, bad, 20}, kWhite);
      canvas.hatch({0, 0, 20, bad}, kWhite);
      canvas.arrow_down({0, 0}, {bad, 100}, kWhite, 0.5f);
      canvas.arrow_down({0, 0}, {100, bad}, kWhite, 1);
    });
    EXPECT_TRUE(corners.empty()) << bad;
  }
}

// Every shape of the canvas, at three scales. The hash is the same on every machine, because the picture has no text
// and its arithmetic uses no estimates.
TEST(Shapes, TheSpecimenIsTheSameOnEveryMachine) {
  std::uint64_t hash = 0;
  for (const float scale : {1.0f, 1.3125f, 2.0f}) {
    const Image image = screen(scale).draw(640, 400, dark_theme().ground, [&](ImDrawList& list) {
      Canvas canvas(list, screen(scale).fonts(), dark_theme(), 640 / scale, 400 / scale);
      const Theme& theme = canvas.theme();
      canvas.fill({8, 8, 120, 40}, theme.done, 6);
      canvas.outline({8, 8, 120, 40}, theme.now, 6, 1.5f);
      canvas.outline({136, 8, 60, 28}, theme.text, 14, 1);
      canvas.fill({136, 44, 60, 28}, with_alpha(theme.launch, 0.5f), 8, ImDrawFlags_RoundCornersRight);
      canvas.outline({136, 44, 60, 28}, theme.launch, 8, 2, ImDrawFlags_RoundCornersRight);
      canvas.hatch({8, 60, 100, 30}, theme.host);
      canvas.hatch({8, 96, 100, 30}, theme.shared, true);
      canvas.line({8, 140}, {190, 171}, theme.text, 1);
      canvas.line({8, 150}, {190, 190}, theme.memory, 3);
      canvas.dashed({8, 180}, {160, 180}, theme.barrier);
      canvas.dashed({8, 186}, {160, 199}, theme.barrier, 2);
      canvas.triangle({210, 10}, {260, 40}, {214, 70}, theme.memory);
      for (int i = 0; i < 7; ++i)
        canvas.dot({220 + 13.3f * static_cast<float>(i), 92}, 0.4f + static_cast<float>(i), theme.now);
      canvas.arrow_down({220, 110}, {300, 190}, theme.now, 0.6f);
      canvas.arrow_down({310, 110}, {230, 190}, theme.now, 1);
      paint_dimension(canvas, {8, 195}, {120, 195}, theme.now);
    });
    hash = XXH3_64bits_withSeed(image.pixels.data(), image.pixels.size() * sizeof(std::uint32_t), hash);
  }
  EXPECT_EQ(hash, 0x4c8c2f4a1f09b6d3u) << "0x" << std::hex << hash;
}

}  // namespace
}  // namespace warpwalk::draw
