// The whole frame: it fits every size, and the picture depends only on the stage.
#include "app/shell/frame.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/app/studio.h"

namespace warpwalk::testing {
namespace {

long pixels_other_than(const draw::Image& image, ImU32 colour) {
  return std::count_if(image.pixels.begin(), image.pixels.end(), [&](ImU32 p) { return p != colour; });
}

TEST(Frame, IsTheSameForAnyNumberOfThreadsAndAgain) {
  for (const auto& [scene, beat] : {std::pair{"boardroom", 4}, std::pair{"map", 6}}) {
    const story::Stage stage = stage_of("relu_matmul", scene, beat);
    const draw::Image one = frame(stage, 1280, 720, draw::dark_theme(), 1);
    EXPECT_EQ(frame(stage, 1280, 720, draw::dark_theme(), 1), one);
    for (const int threads : {2, 3, 7}) EXPECT_EQ(frame(stage, 1280, 720, draw::dark_theme(), threads), one) << threads;
  }
}

TEST(Frame, IsDrawnAtEverySizeAndInEveryTheme) {
  for (const auto& [width, height] :
       {std::pair{640, 360}, std::pair{1920, 1080}, std::pair{800, 1200}, std::pair{2560, 1080}})
    for (const draw::Theme* theme : {&draw::dark_theme(), &draw::light_theme(), &draw::high_contrast_theme()})
      for (const char* scene : {"boardroom", "map"}) {
        const draw::Image image = frame(stage_of("mlp_train", scene, 4), width, height, *theme);
        ASSERT_EQ(image.width, width);
        ASSERT_EQ(image.height, height);
        EXPECT_GT(pixels_other_than(image, theme->ground), width * height / 50) << theme->name << " " << width;
        // Nothing is drawn into the margin left of the stage, between the route and the bottom bar.
        for (int y = height / 3; y < height * 4 / 5; ++y)
          for (int x = 0; x < 8; ++x) ASSERT_EQ(image.at(x, y), theme->ground) << x << "," << y << " " << theme->name;
      }
}

TEST(Frame, AnotherBeatIsAnotherPictureAndAnEarlierPhaseToo) {
  const draw::Image third = frame(stage_of("relu_matmul", "boardroom", 5), 960, 540, draw::dark_theme());
  EXPECT_NE(frame(stage_of("relu_matmul", "boardroom", 4), 960, 540, draw::dark_theme()), third);
  EXPECT_NE(frame(stage_of("relu_matmul", "boardroom", 5, 0.6), 960, 540, draw::dark_theme()), third);
  EXPECT_NE(frame(stage_of("two_streams", "boardroom", 5), 960, 540, draw::dark_theme()), third);
  EXPECT_EQ(frame(stage_of("relu_matmul", "boardroom", 5), 960, 540, draw::dark_theme()), third);  // and back
}

TEST(FrameScale, GrowsWithThePictureAndStaysInItsRange) {
  float last = 0;
  for (int height = 120; height < 9000; height += 40) {
    const float scale = shell::scale_for(height * 16 / 9, height);
    EXPECT_GE(scale, last) << height;
    EXPECT_GE(scale, 0.5f);
    EXPECT_LE(scale, 6.0f);
    last = scale;
  }
  EXPECT_FLOAT_EQ(shell::scale_for(1360, 765), 1);
  EXPECT_FLOAT_EQ(shell::scale_for(2720, 1530), 2);
  EXPECT_EQ(shell::scale_for(1440, 5000), shell::scale_for(1440, 810));  // the narrower side decides
}

}  // namespace
}  // namespace warpwalk::testing
