// The steps of the tour as `render --route first` draws them: every text is whole, lies inside the picture and can be
// read, and the drawing fills the window.
#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/draw/image.h"
#include "tests/app/program.h"
#include "tests/app/xml.h"

namespace warpwalk::testing {
namespace {

struct Window {
  int width, height;
  std::string theme;
  double smallest = 0;  // pixels of an em
};

// The pictures of all steps by file name.
std::map<std::string, std::string> steps_in(const Window& window, const std::string& format) {
  const Folder folder;
  const Outcome outcome =
      run({"render", walk("h200_relu_matmul_inside"), "--route", "first", "--format", format, "--size",
           fmt::format("{}x{}", window.width, window.height), "--theme", window.theme, "-o", folder.at("steps")});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  std::map<std::string, std::string> pictures;
  for (const std::string& name : folder.names("steps"))
    pictures[name] = text_of(std::filesystem::path(folder.at("steps")) / name);
  EXPECT_EQ(pictures.size(), 24u);
  return pictures;
}

// Without spaces: a text that is wrapped loses some of them.
std::string letters_of(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ') out += c;
  return out;
}

class TourPicture : public ::testing::TestWithParam<Window> {};

// A text on the plane that does not fit into its box is not drawn at all, so this finds it.
TEST_P(TourPicture, EveryTextIsDrawnWholeAndLargeEnough) {
  for (const auto& [name, svg] : steps_in(GetParam(), "svg")) {
    const Xml xml = parse_xml(svg);
    ASSERT_FALSE(xml.error) << *xml.error;
    std::string drawn;
    for (const Element* const text : xml.all("text")) {
      const auto number = [&](const char* key) { return std::stod(text->attributes.at(key)); };
      const std::string& anchor = text->attributes.at("text-anchor");
      const double width = number("textLength");
      const double left = number("x") - (anchor == "middle" ? width / 2 : anchor == "end" ? width : 0);
      EXPECT_GE(number("font-size"), GetParam().smallest - 0.01) << name << ": " << text->text;
      EXPECT_GE(left, -1) << name << ": " << text->text;
      EXPECT_LE(left + width, GetParam().width + 1) << name << ": " << text->text;
      EXPECT_EQ(text->text.find("…"), std::string::npos) << name << ": " << text->text;
      drawn += letters_of(text->text);
    }
    // Title and sentence, then the texts of the picture, indented.
    std::istringstream description(xml.all("desc").at(0)->text);
    std::string line;
    std::getline(description, line);  // scene, number and name
    while (std::getline(description, line)) {
      // "25.9 µs [measured]": the word is in the line of origins, the figure has its mark.
      for (const char* const origin : {"measured", "simulated", "derived", "explained"})
        if (const std::string tag = fmt::format(" [{}]", origin); line.ends_with(tag)) {
          line.resize(line.size() - tag.size());
          EXPECT_THAT(drawn, ::testing::HasSubstr(origin)) << name << ": " << line;
        }
      EXPECT_THAT(drawn, ::testing::HasSubstr(letters_of(line))) << name << ": " << line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, TourPicture,
                         ::testing::Values(Window{1280, 720, "dark", 13}, Window{1280, 720, "light", 13},
                                           Window{1280, 720, "high-contrast", 13}, Window{1920, 1080, "dark", 19}),
                         [](const auto& one) {
                           std::string name = fmt::format("P{}_{}", one.param.height, one.param.theme);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// The part of the window that the drawing covers, without its empty margins: what differs from the ground between the
// sentence and the bar.
TEST(TourPictures, TheDrawingFillsTheWindow) {
  constexpr int width = 1280, height = 720, above = 112, bar = 48;
  const Folder folder;
  const Outcome outcome = run(
      {"render", walk("h200_relu_matmul_inside"), "--route", "first", "--size", "1280x720", "-o", folder.at("steps")});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  for (const std::string& name : folder.names("steps")) {
    const auto picture = draw::read_png(std::filesystem::path(folder.at("steps")) / name);
    ASSERT_TRUE(picture) << name;
    const std::uint32_t ground = picture->at(2, above);
    int left = width, right = 0, top = height, bottom = 0;
    for (int y = above; y < height - bar - 2; ++y)
      for (int x = 0; x < width; ++x)
        if (picture->at(x, y) != ground) {
          left = std::min(left, x);
          right = std::max(right, x + 1);
          top = std::min(top, y);
          bottom = std::max(bottom, y + 1);
        }
    const double share = static_cast<double>(right - left) * (bottom - top) / (width * height);
    EXPECT_GE(share, 0.6) << name << ": " << left << ".." << right << ", " << top << ".." << bottom;
  }
}

}  // namespace
}  // namespace warpwalk::testing
