// Pictures of chosen beats, pixel by pixel. Fonts differ between machines, so they are compared only if the fonts are
// those of the golden pictures.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/shell/frame.h"
#include "tests/app/golden_picture.h"
#include "tests/app/studio.h"

namespace warpwalk::testing {
namespace {

constexpr int frame_width = 1280, frame_height = 720;

struct Shot {
  const char* walk;
  const char* scene;
  int beat;
  const char* theme;
};

constexpr Shot shots[] = {
    {"relu_matmul", "boardroom", 1, "dark"},
    {"relu_matmul", "boardroom", 2, "dark"},
    {"relu_matmul", "launch", 4, "dark"},
    {"relu_matmul", "map", 9, "dark"},
    {"relu_matmul", "boardroom", 6, "dark"},
    {"relu_matmul", "map", 1, "dark"},
    {"relu_matmul", "map", 6, "dark"},
    {"two_streams", "boardroom", 6, "dark"},
    {"mlp_train", "map", 6, "dark"},
    {"relu_matmul", "boardroom", 6, "light"},
    {"relu_matmul", "boardroom", 6, "high-contrast"},
};

std::string name_of(const Shot& shot) {
  return fmt::format("{}-{}-{}-{}", shot.walk, shot.scene, shot.beat, shot.theme);
}

std::filesystem::path golden() { return WARPWALK_SOURCE_DIR "/tests/app/golden"; }

std::string identity() { return studio(shell::scale_for(frame_width, frame_height)).fonts().identity.text; }

class FrameGolden : public ::testing::TestWithParam<Shot> {};

TEST_P(FrameGolden, IsTheStoredPicture) {
  const Shot& shot = GetParam();
  const draw::Image now =
      frame(stage_of(shot.walk, shot.scene, shot.beat), frame_width, frame_height, *draw::theme_named(shot.theme));
  expect_golden(now, {golden(), name_of(shot), WARPWALK_TEST_OUTPUT}, identity());
}

INSTANTIATE_TEST_SUITE_P(Shots, FrameGolden, ::testing::ValuesIn(shots), [](const auto& one) {
  std::string name = name_of(one.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(FrameGoldenFiles, AreSmallAndAreThoseOfTheList) {
  std::uintmax_t bytes = 0;
  std::size_t pictures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(golden())) {
    bytes += entry.file_size();
    pictures += entry.path().extension() == ".png";
    const std::string stem = entry.path().stem().string();
    EXPECT_TRUE(stem == "identity" || std::any_of(std::begin(shots), std::end(shots),
                                                  [&](const Shot& shot) { return name_of(shot) == stem; }))
        << entry.path() << " belongs to no test";
  }
  EXPECT_EQ(pictures, std::size(shots));
  EXPECT_LT(bytes, 1200000u);
}

TEST(FrameGoldenFiles, TheDifferencePictureShowsWhereAPixelChanged) {
  const draw::Image was = draw::filled(4, 2, IM_COL32_WHITE);
  draw::Image now = was;
  now.pixels[5] = IM_COL32_BLACK;
  const draw::Image marked = difference(was, now);
  EXPECT_EQ(marked.at(1, 1), IM_COL32(255, 0, 255, 255));
  EXPECT_NE(marked.at(0, 0), marked.at(1, 1));
}

}  // namespace
}  // namespace warpwalk::testing
