#include "app/draw/raster.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/draw/colors.h"

namespace warpwalk::draw {
namespace {

/// Hand-made draw data: triangles with 16-bit indices and one command that covers the target.
class Scene {
 public:
  Scene(int width, int height) : list_(nullptr), target_(filled(width, height, kBlack)) {
    // First row: white texels. Second row: a ramp 0, 64, 128, 255.
    texels_ = {255, 255, 255, 255, 0, 64, 128, 255};
    command_.ClipRect = ImVec4(0, 0, static_cast<float>(width), static_cast<float>(height));
  }

  ImDrawCmd& command() { return command_; }
  ImDrawList& list() { return list_; }
  Image& target() { return target_; }

  ImDrawIdx vertex(float x, float y, std::uint32_t colour, float u = 0, float v = 0.25f) {
    ImDrawVert vert;
    vert.pos = ImVec2(x, y);
    vert.uv = ImVec2(u, v);
    vert.col = colour;
    list_.VtxBuffer.push_back(vert);
    return static_cast<ImDrawIdx>(list_.VtxBuffer.Size - 1 - static_cast<int>(command_.VtxOffset));
  }
  void triangle(ImVec2 a, ImVec2 b, ImVec2 c, std::uint32_t colour) {
    for (const ImVec2 p : {a, b, c}) list_.IdxBuffer.push_back(vertex(p.x, p.y, colour));
  }
  void rectangle(float x0, float y0, float x1, float y1, std::uint32_t colour, ImVec2 uv0, ImVec2 uv1) {
    const ImDrawIdx a = vertex(x0, y0, colour, uv0.x, uv0.y), b = vertex(x1, y0, colour, uv1.x, uv0.y);
    const ImDrawIdx c = vertex(x1, y1, colour, uv1.x, uv1.y), d = vertex(x0, y1, colour, uv0.x, uv1.y);
    for (const ImDrawIdx i : {a, b, c, a, c, d}) list_.IdxBuffer.push_back(i);
  }
  void rectangle(float x0, float y0, float x1, float y1, std::uint32_t colour) {
    rectangle(x0, y0, x1, y1, colour, ImVec2(0, 0.25f), ImVec2(0, 0.25f));
  }
  /// Ends the current command and starts the next one.
  void flush() {
    command_.ElemCount = static_cast<unsigned>(list_.IdxBuffer.Size) - command_.IdxOffset;
    list_.CmdBuffer.push_back(command_);
    command_.IdxOffset = static_cast<unsigned>(list_.IdxBuffer.Size);
    command_.VtxOffset = static_cast<unsigned>(list_.VtxBuffer.Size);
  }
  const Image& draw(int threads = 1) {
    if (command_.IdxOffset < static_cast<unsigned>(list_.IdxBuffer.Size)) flush();
    ImDrawData data;
    ImDrawList* lists[] = {&list_};
#if IMGUI_VERSION_NUM >= 18980
    data.CmdLists.push_back(lists[0]);
#else
    data.CmdLists = lists;
#endif
    data.Valid = true;
    data.CmdListsCount = 1;
    data.FramebufferScale = ImVec2(1, 1);
    rasterise(data, {texels_.data(), 4, 2}, target_, threads);
    return target_;
  }

 private:
  ImDrawList list_;
  ImDrawCmd command_;
  Image target_;
  std::vector<unsigned char> texels_;
};

/// A random number generator that gives the same sequence on every machine.
class Dice {
 public:
  std::uint32_t roll() {
    return static_cast<std::uint32_t>((state_ = state_ * 6364136223846793005u + 1442695040888963407u) >> 33);
  }
  float within(float low, float high) { return low + (high - low) * static_cast<float>(roll() % 65536) / 65536.0f; }

 private:
  std::uint64_t state_ = 1;
};

TEST(Raster, SolidRectangleFillsExactlyItsPixels) {
  Scene scene(8, 6);
  scene.rectangle(2, 1, 5, 4, kWhite);
  const Image& image = scene.draw();
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 8; ++x) {
      EXPECT_EQ(image.at(x, y), x >= 2 && x < 5 && y >= 1 && y < 4 ? kWhite : kBlack) << x << "," << y;
    }
  }
}

TEST(Raster, PixelsBelongToTheirCentresOwnerTopLeftFirst) {
  Scene scene(6, 6);
  scene.rectangle(0.5f, 0.5f, 2.5f, 2.5f, kWhite);  // edges pass through centres: top and left in, bottom and right out
  const Image& image = scene.draw();
  EXPECT_EQ(image.at(0, 0), kWhite);
  EXPECT_EQ(image.at(1, 1), kWhite);
  EXPECT_EQ(image.at(2, 0), kBlack);
  EXPECT_EQ(image.at(0, 2), kBlack);
}

TEST(Raster, BlendsToTheNearestLevelAndStaysOpaque) {
  Scene scene(2, 1);
  scene.target() = filled(2, 1, IM_COL32(10, 200, 77, 255));
  scene.rectangle(0, 0, 1, 1, IM_COL32(255, 0, 128, 100));
  const auto mix = [](int over, int under) {
    return static_cast<int>(std::lround((over * 100 + under * 155) / 255.0));
  };
  EXPECT_EQ(scene.draw().at(0, 0), IM_COL32(mix(255, 10), mix(0, 200), mix(128, 77), 255));
  EXPECT_EQ(scene.draw().at(1, 0), IM_COL32(10, 200, 77, 255));
}

TEST(Raster, TrianglesAroundAPointHitEveryPixelOnce) {
  const std::uint32_t veil = IM_COL32(255, 255, 255, 128);
  Dice dice;
  for (int round = 0; round < 300; ++round) {
    Scene scene(32, 32);
    // A fan around an inner point that covers the picture, with either winding; every third centre is a pixel centre.
    const ImVec2 middle(round % 3 == 0 ? 16.5f : dice.within(1, 31), round % 3 == 0 ? 15.5f : dice.within(1, 31));
    const ImVec2 corner[] = {{-4, -4}, {dice.within(0, 32), -4}, {36, -4}, {36, dice.within(0, 32)},
                             {36, 36}, {dice.within(0, 32), 36}, {-4, 36}, {-4, dice.within(0, 32)}};
    for (int i = 0; i < 8; ++i) {
      if (dice.roll() % 2 == 0) {
        scene.triangle(middle, corner[i], corner[(i + 1) % 8], veil);
      } else {
        scene.triangle(corner[(i + 1) % 8], corner[i], middle, veil);
      }
    }
    ASSERT_EQ(scene.draw(), filled(32, 32, IM_COL32(128, 128, 128, 255))) << "round " << round;
  }
}

TEST(Raster, RectanglesAndTheirTwoTrianglesCoverTheSame) {
  Dice dice;
  for (int round = 0; round < 200; ++round) {
    const float x0 = dice.within(-2, 12), y0 = dice.within(-2, 12), x1 = x0 + dice.within(0, 9),
                y1 = y0 + dice.within(0, 9);
    Scene fast(16, 16), slow(16, 16);
    fast.rectangle(x0, y0, x1, y1, IM_COL32(255, 128, 0, 90));
    slow.triangle({x0, y0}, {x1, y0}, {x1, y1}, IM_COL32(255, 128, 0, 90));
    slow.triangle({x0, y0}, {x1, y1}, {x0, y1}, IM_COL32(255, 128, 0, 90));
    ASSERT_EQ(fast.draw(), slow.draw()) << "round " << round;
  }
}

TEST(Raster, ClipRectangleCuts) {
  Scene scene(8, 8);
  scene.command().ClipRect = ImVec4(2, 3, 4, 5);
  scene.rectangle(0, 0, 8, 8, kWhite);
  scene.triangle({-9, -9}, {40, -9}, {-9, 40}, kWhite);
  const Image& image = scene.draw();
  int white = 0;
  for (const std::uint32_t pixel : image.pixels) white += pixel == kWhite;
  EXPECT_EQ(white, 4);
  EXPECT_EQ(image.at(2, 3), kWhite);
  EXPECT_EQ(image.at(3, 4), kWhite);
}

TEST(Raster, TexturesAreCopiedAtTheirSizeAndFilteredOtherwise) {
  Scene scene(8, 2);
  scene.rectangle(1, 0, 5, 1, kWhite, ImVec2(0, 0.5f), ImVec2(1, 1));
  scene.rectangle(0, 1, 8, 2, kWhite, ImVec2(0, 0.75f), ImVec2(1, 0.75f));
  const Image& image = scene.draw();
  const int copied[] = {0, 0, 64, 128, 255, 0, 0, 0};
  for (int x = 0; x < 8; ++x) EXPECT_EQ(image.at(x, 0) & 255, static_cast<unsigned>(copied[x])) << x;
  EXPECT_EQ(image.at(0, 1) & 255, 0u);
  EXPECT_EQ(image.at(3, 1) & 255, 80u);  // a quarter of the way from 64 to 128
  EXPECT_EQ(image.at(7, 1) & 255, 255u);
}

TEST(Raster, ColoursRunEvenlyAcrossATriangle) {
  Scene scene(64, 1);
  const ImDrawIdx a = scene.vertex(0, -10, IM_COL32(0, 0, 0, 255)), b = scene.vertex(64, -10, IM_COL32(255, 0, 0, 255));
  const ImDrawIdx c = scene.vertex(0, 90, IM_COL32(0, 0, 0, 255));
  for (const ImDrawIdx i : {a, b, c}) scene.list().IdxBuffer.push_back(i);
  const Image& image = scene.draw();
  for (int x = 0; x < 56; ++x) EXPECT_NEAR(image.at(x, 0) & 255, (x + 0.5) * 255 / 64, 0.51) << x;
}

Image random_picture(int threads) {
  Dice dice;
  Scene scene(301, 203);
  for (int i = 0; i < 3000; ++i) {
    const auto any = [&] { return ImVec2(dice.within(-60, 360), dice.within(-60, 260)); };
    const ImVec2 p = any();
    const std::uint32_t colour = dice.roll() * 2654435761u;
    switch (i % 4) {
      case 0: scene.triangle(p, any(), any(), colour); break;
      case 1: scene.rectangle(p.x, p.y, p.x + 20, p.y + dice.within(0, 9), colour); break;
      case 2:
        scene.rectangle(p.x, p.y, p.x + dice.within(0, 99), p.y + 9, colour, ImVec2(0, 0.5f), ImVec2(1, 1));
        break;
      default:
        for (int n = 0; n < 3; ++n) {
          scene.list().IdxBuffer.push_back(
              scene.vertex(dice.within(0, 301), dice.within(0, 203), dice.roll() * 2654435761u, dice.within(0, 1)));
        }
    }
    if (i % 500 == 499) scene.flush();
  }
  return scene.draw(threads);
}

TEST(Raster, AnyNumberOfThreadsDrawsTheSame) {
  const Image one = random_picture(1);
  EXPECT_NE(one, filled(301, 203, kBlack));
  for (const int threads : {0, 2, 5, 400}) EXPECT_EQ(random_picture(threads), one) << threads;
}

TEST(Raster, EnormousAndUndefinedNumbersAreSurvived) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const float strange[] = {nan, inf, -inf, 3e38f, -3e38f, 1e9f, -40000, 0, 1e-40f, 7.5f, 16};
  Scene scene(16, 16);
  Dice dice;
  const auto any = [&] { return strange[dice.roll() % std::size(strange)]; };
  for (int i = 0; i < 4000; ++i) {
    if (i % 2 == 0) {
      scene.rectangle(any(), any(), any(), any(), dice.roll() * 2654435761u, ImVec2(any(), any()),
                      ImVec2(any(), any()));
    } else {
      for (int n = 0; n < 3; ++n) {
        scene.list().IdxBuffer.push_back(scene.vertex(any(), any(), dice.roll() * 2654435761u, any(), any()));
      }
    }
    if (i % 100 == 99) {
      scene.flush();
      scene.command().ClipRect = ImVec4(any(), any(), any(), any());
    }
  }
  for (const std::uint32_t pixel : scene.draw(3).pixels) ASSERT_EQ(pixel >> 24, 255u);
}

TEST(Raster, NotANumberLeavesOnlyItsTriangleOut) {
  Scene scene(4, 4);
  scene.triangle({std::numeric_limits<float>::quiet_NaN(), 0}, {9, 0}, {0, 9}, IM_COL32(255, 0, 0, 255));
  scene.triangle({-9, -9}, {30, -9}, {-9, 30}, kWhite);
  EXPECT_EQ(scene.draw(), filled(4, 4, kWhite));
}

TEST(Raster, ThousandthOfAPixelSliversStayInRange) {
  Scene scene(64, 64);
  Dice dice;
  for (int i = 0; i < 2000; ++i) {
    const ImVec2 p(dice.within(0, 64), dice.within(0, 64)), q(dice.within(-9000, 9000), dice.within(-9000, 9000));
    const ImVec2 r(q.x + dice.within(-0.01f, 0.01f), q.y + dice.within(-0.01f, 0.01f));
    for (const ImVec2 v : {p, q, r}) {
      scene.list().IdxBuffer.push_back(
          scene.vertex(v.x, v.y, dice.roll() * 2654435761u, dice.within(0, 1), dice.within(0, 1)));
    }
  }
  for (const std::uint32_t pixel : scene.draw().pixels) ASSERT_EQ(pixel >> 24, 255u);
}

TEST(Raster, UserCallbacksAndNothingAreSkipped) {
  Scene scene(4, 4);
  scene.rectangle(0, 0, 4, 4, kWhite);
  scene.command().UserCallback = [](const ImDrawList*, const ImDrawCmd*) { FAIL() << "called"; };
  EXPECT_EQ(scene.draw(), filled(4, 4, kBlack));

  Image image = filled(3, 3, kWhite), none;
  rasterise(ImDrawData(), {nullptr, 0, 0}, image, 2);
  EXPECT_EQ(image, filled(3, 3, kWhite));
  rasterise(ImDrawData(), {nullptr, 0, 0}, none, 2);
  EXPECT_EQ(none, Image());
}

}  // namespace
}  // namespace warpwalk::draw
