#include "app/draw/image.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace warpwalk::draw {
namespace {

/// Has a temporary folder, removed after the test.
class ImageFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("warpwalk_image_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static Image pattern(int width, int height, std::uint32_t alpha) {
    Image image = filled(width, height, 0);
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
      // Rows 0-2 are flat, the rest are noise, which covers both ways of encoding a row.
      const bool flat = i < static_cast<std::size_t>(width) * 3;
      if (!flat) state = state * 1664525u + 1013904223u;
      image.pixels[i] = (flat ? 0x336699u : state >> 8) | (alpha == 255 || i % 2 == 0 ? 0xff000000u : alpha << 24);
    }
    return image;
  }

  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

TEST_F(ImageFile, OpaquePictureComesBackAndIsRgb) {
  const Image image = pattern(67, 41, 255);
  ASSERT_TRUE(write_png(image, folder_ / "a.png"));
  EXPECT_EQ(read_png(folder_ / "a.png"), image);
  std::ifstream in(folder_ / "a.png", std::ios::binary);
  std::string head(26, '\0');
  in.read(head.data(), 26);
  EXPECT_EQ(head[25], 2) << "colour type: RGB";
}

TEST_F(ImageFile, TransparencyComesBack) {
  const Image image = pattern(31, 17, 99);
  ASSERT_TRUE(write_png(image, folder_ / "a.png"));
  EXPECT_EQ(read_png(folder_ / "a.png"), image);
}

TEST_F(ImageFile, LargeNoiseComesBack) {
  const Image image = pattern(700, 500, 255);
  ASSERT_TRUE(write_png(image, folder_ / "a.png"));
  EXPECT_EQ(read_png(folder_ / "a.png"), image);
}

TEST_F(ImageFile, ReplacesAndLeavesNothingElse) {
  ASSERT_TRUE(write_png(filled(4, 4, 0xff000000), folder_ / "a.png"));
  ASSERT_TRUE(write_png(filled(1, 1, 0xffffffff), folder_ / "a.png"));
  EXPECT_EQ(read_png(folder_ / "a.png"), filled(1, 1, 0xffffffff));
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(ImageFile, AFolderThatIsNotThereIsNamed) {
  const auto done = write_png(filled(4, 4, 0xff000000), folder_ / "missing" / "a.png");
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error(), ::testing::HasSubstr((folder_ / "missing" / "a.png").string()));
  EXPECT_THAT(done.error(), ::testing::HasSubstr("No such file"));
}

TEST_F(ImageFile, AFolderInTheFilesPlaceIsNamedAndNothingLeftBehind) {
  std::filesystem::create_directories(folder_ / "a.png" / "inner");
  const auto done = write_png(filled(4, 4, 0xff000000), folder_ / "a.png");
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error(), ::testing::HasSubstr((folder_ / "a.png").string()));
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(ImageFile, NoPixelsIsAnError) {
  EXPECT_FALSE(write_png(Image(), folder_ / "a.png"));
  EXPECT_FALSE(write_png(Image{3, 3, {}}, folder_ / "a.png"));
  EXPECT_EQ(files_in_folder(), 0u);
}

TEST_F(ImageFile, WhatIsNoPngIsNotRead) {
  EXPECT_EQ(read_png(folder_ / "none.png"), std::nullopt);
  std::ofstream(folder_ / "text.png") << "not a picture";
  EXPECT_EQ(read_png(folder_ / "text.png"), std::nullopt);
}

TEST(Image, FilledNeedsPositiveSides) {
  EXPECT_EQ(filled(0, 5, 1), Image());
  EXPECT_EQ(filled(5, -1, 1), Image());
  EXPECT_EQ(filled(2, 3, 7).pixels.size(), 6u);
}

}  // namespace
}  // namespace warpwalk::draw
