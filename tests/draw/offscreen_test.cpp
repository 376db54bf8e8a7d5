#include "app/draw/offscreen.h"

#include <algorithm>
#include <stdexcept>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/draw/canvas.h"
#include "app/draw/imgui_compat.h"
#include "tests/draw/colors.h"

namespace warpwalk::draw {
namespace {

std::unique_ptr<Offscreen> open_usual(int threads = 2) {
  Offscreen::Options options;
  options.threads = threads;
  options.fonts.only_text = "";
  auto result = Offscreen::open(options);
  EXPECT_TRUE(result) << result.error();
  return *std::move(result);
}

long pixels_other_than(const Image& image, ImU32 colour) {
  return std::count_if(image.pixels.begin(), image.pixels.end(), [&](ImU32 p) { return p != colour; });
}

TEST(Offscreen, BackgroundAloneIsTheWholePicture) {
  const auto screen = open_usual();
  EXPECT_EQ(screen->draw(70, 30, IM_COL32(1, 2, 3, 0), [](ImDrawList&) {}), filled(70, 30, IM_COL32(1, 2, 3, 255)));
  EXPECT_EQ(screen->draw(1, 1, kWhite, [](ImDrawList&) {}), filled(1, 1, kWhite));
}

TEST(Offscreen, CellsAreExactFromTheFirstFrameToTheEdges) {
  const auto screen = open_usual();
  const Image image = screen->draw(64, 48, kBlack, [](ImDrawList& list) {
    list.AddRectFilled(ImVec2(0, 0), ImVec2(1, 1), kWhite);
    list.AddRectFilled(ImVec2(60, 40), ImVec2(64, 48), kWhite);
  });
  EXPECT_EQ(image.at(0, 0), kWhite);
  EXPECT_EQ(image.at(63, 47), kWhite);
  EXPECT_EQ(pixels_other_than(image, kBlack), 1 + 4 * 8);
}

TEST(Offscreen, TextLeavesPixelsInEveryStyle) {
  const auto screen = open_usual();
  for (const auto& [name, font] : styles_of(screen->fonts())) {
    const Image image = screen->draw(200, 60, kBlack, [&, text_font = font](ImDrawList& list) {
      list.AddText(text_font, font_size(*text_font), ImVec2(5, 5), kWhite, "warp 32");
    });
    EXPECT_GT(pixels_other_than(image, kBlack), 80) << name;
    // The text is sharp: some stem or bar has (nearly) full intensity.
    const auto brightest = std::max_element(image.pixels.begin(), image.pixels.end());
    EXPECT_GT(*brightest & 255, 220u) << name;
  }
}

// A paragraph of Chinese, without the fonts' growing and with it, and its lines.
constexpr std::string_view chinese_text = "一个线程块的线程在同一个（SM）上运行，并共享内存。GPU";
Image chinese(bool grows, std::vector<std::string>& lines) {
  Offscreen::Options options;
  options.threads = 1;
  options.fonts.only_text = "";
  options.grows = grows;
  const auto opened = Offscreen::open(options);
  const FontSet& fonts = (*opened)->fonts();
  return (*opened)->draw(120, 200, kBlack, [&](ImDrawList& list) {
    Canvas canvas(list, fonts, dark_theme(), 120, 200);
    canvas.paragraph({5, 5}, Style::body, kWhite, chinese_text, 100, 9);
    lines = canvas.wrapped(Style::body, chinese_text, 100, 9);
  });
}

TEST(Offscreen, ChineseIsDrawnAndBrokenIntoLines) {
  std::vector<std::string> lines;
  const Image without = chinese(false, lines), with = chinese(true, lines);
  EXPECT_NE(without, with);
  ASSERT_GT(lines.size(), 3u);
  std::string all;
  for (const std::string& line : lines) {
    all += line;
    EXPECT_FALSE(line.starts_with("，") || line.starts_with("。") || line.starts_with("）")) << line;
    EXPECT_FALSE(line.ends_with("（")) << line;
    EXPECT_GT(line.size(), 6u) << line;
  }
  EXPECT_EQ(all, chinese_text);
}

TEST(Offscreen, MoreThan65536VerticesInOneList) {
  const auto screen = open_usual();
  const Image image = screen->draw(300, 300, kBlack, [](ImDrawList& list) {
    for (int i = 0; i < 90000; ++i) {
      const ImVec2 low(static_cast<float>(i % 300), static_cast<float>(i / 300));
      list.AddRectFilled(low, ImVec2(low.x + 1, low.y + 1), IM_COL32(i % 256, i / 256 % 256, i / 65536, 255));
    }
    EXPECT_GT(list.VtxBuffer.Size, 65536);
  });
  for (int i = 0; i < 90000; ++i) {
    ASSERT_EQ(image.pixels[static_cast<std::size_t>(i)], IM_COL32(i % 256, i / 256 % 256, i / 65536, 255)) << i;
  }
}

TEST(Offscreen, TheSamePictureAgainAndOnAnyNumberOfThreads) {
  const auto paint = [](ImDrawList& list) {
    for (int i = 0; i < 40; ++i) {
      const float f = static_cast<float>(i);
      list.AddRectFilled(ImVec2(f * 7, f * 3), ImVec2(f * 7 + 30, f * 5 + 20), IM_COL32(i * 6, 90, 200, 180), 6);
      list.AddBezierCubic(ImVec2(f, 0), ImVec2(300, f * 5), ImVec2(0, 100), ImVec2(320, 200 - f), kWhite, 1.5f);
      list.AddCircle(ImVec2(160, 100), f * 3, IM_COL32(255, 200, i, 255), 0, 1.2f);
    }
    list.AddRect(ImVec2(2, 2), ImVec2(300, 190), kWhite, 8);
  };
  const auto one = open_usual(1), many = open_usual(7);
  const Image first = one->draw(320, 200, kBlack, paint);
  EXPECT_EQ(one->draw(320, 200, kBlack, paint), first);
  EXPECT_EQ(many->draw(320, 200, kBlack, paint), first);
}

TEST(Offscreen, LeavesTheCurrentContextAlone) {
  ASSERT_EQ(ImGui::GetCurrentContext(), nullptr);
  {
    const auto screen = open_usual();
    EXPECT_EQ(ImGui::GetCurrentContext(), nullptr);
    screen->draw(10, 10, kBlack, [](ImDrawList&) { EXPECT_NE(ImGui::GetCurrentContext(), nullptr); });
    EXPECT_EQ(ImGui::GetCurrentContext(), nullptr);
    ImGuiContext* other = ImGui::CreateContext();
    ImGui::SetCurrentContext(other);
    const auto second = open_usual();
    second->draw(10, 10, kBlack, [](ImDrawList&) {});
    EXPECT_EQ(ImGui::GetCurrentContext(), other);
    ImGui::DestroyContext(other);
  }
  EXPECT_EQ(ImGui::GetCurrentContext(), nullptr);
}

TEST(Offscreen, APainterThatThrowsCostsItsFrameOnly) {
  const auto screen = open_usual();
  EXPECT_THROW(screen->draw(10, 10, kBlack, [](ImDrawList&) { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(ImGui::GetCurrentContext(), nullptr);
  EXPECT_EQ(screen->draw(10, 10, kWhite, [](ImDrawList&) {}), filled(10, 10, kWhite));
}

TEST(Offscreen, NoFontIsAnErrorAndNoAbort) {
  Offscreen::Options options;
  options.fonts.directories = {"/nowhere"};
  const auto result = Offscreen::open(options);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error(), ::testing::HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace warpwalk::draw
