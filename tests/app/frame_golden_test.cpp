// Pictures of chosen beats, pixel by pixel. Fonts differ between machines, so they are compared only if the fonts are
// those of the golden pictures.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/shell/frame.h"
#include "tests/app/studio.h"

namespace warpwalk::testing {
namespace {

constexpr int width = 1280, height = 720;

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

bool renewing() {
  const char* renew = std::getenv("WARPWALK_RENEW");
  return renew != nullptr && *renew != '\0';
}

std::string identity() { return studio(shell::scale_for(width, height)).fonts().identity.text; }

std::string stored_identity() {
  std::ifstream in(golden() / "identity.txt");
  std::string text;
  std::getline(in, text);
  return text;
}

// The difference: the new picture where the two differ, over a faded old one.
draw::Image difference(const draw::Image& was, const draw::Image& now) {
  draw::Image out = now;
  for (std::size_t i = 0; i < now.pixels.size(); ++i)
    if (was.pixels.size() == now.pixels.size() && was.pixels[i] == now.pixels[i])
      out.pixels[i] = draw::mixed(now.pixels[i], IM_COL32_BLACK, 0.15f);
    else
      out.pixels[i] = IM_COL32(255, 0, 255, 255);
  return out;
}

class FrameGolden : public ::testing::TestWithParam<Shot> {};

TEST_P(FrameGolden, IsTheStoredPicture) {
  const Shot& shot = GetParam();
  const draw::Image now =
      frame(stage_of(shot.walk, shot.scene, shot.beat), width, height, *draw::theme_named(shot.theme));
  const std::filesystem::path file = golden() / (name_of(shot) + ".png");
  if (renewing()) {
    std::ofstream(golden() / "identity.txt") << identity() << "\n";
    const auto error = draw::write_png(now, file);
    ASSERT_FALSE(error) << *error;
    GTEST_SKIP() << "wrote " << file;
  }
  if (identity() != stored_identity())
    GTEST_SKIP() << "the stored pictures were drawn with other type: " << stored_identity() << "; here it is "
                 << identity();
  const std::optional<draw::Image> was = draw::read_png(file);
  ASSERT_TRUE(was) << file << " cannot be read; WARPWALK_RENEW=1 makes it";
  if (*was == now) return;
  const std::filesystem::path out = WARPWALK_TEST_OUTPUT;
  const std::filesystem::path picture = out / (name_of(shot) + ".png"),
                              marked = out / (name_of(shot) + "-difference.png");
  draw::write_png(now, picture);
  draw::write_png(difference(*was, now), marked);
  long changed = 0;
  if (was->pixels.size() == now.pixels.size())
    for (std::size_t i = 0; i < now.pixels.size(); ++i) changed += was->pixels[i] != now.pixels[i];
  FAIL() << changed << " pixels differ from " << file << "\n  now: " << picture << "\n  what differs: " << marked
         << "\n  to renew: WARPWALK_RENEW=1 build/release/tests/app/app_tests --gtest_filter='*FrameGolden*'";
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
