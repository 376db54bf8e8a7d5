// The projected picture, as `render --present` draws it: every text of every beat of the default walk is large enough
// for the last row, lies inside the picture, and covers no other. The sizes are those of the drawn texts.
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

struct Screen {
  int width, height;
  double smallest, sentence;  // pixels of an em
  bool asking = false;        // with the beats' questions, before their answers
};

struct Text {
  double left, right, top, bottom, em;
  std::string words;
};

std::vector<Text> texts_of(const std::string& svg) {
  const Xml xml = parse_xml(svg);
  EXPECT_FALSE(xml.error) << *xml.error;
  std::vector<Text> texts;
  for (const Element* const one : xml.all("text")) {
    const auto number = [&](const char* name) { return std::stod(one->attributes.at(name)); };
    const std::string& anchor = one->attributes.at("text-anchor");
    const double width = number("textLength"), em = number("font-size");
    const double left = number("x") - (anchor == "middle" ? width / 2 : anchor == "end" ? width : 0);
    // Letters without ascenders and descenders have about this box.
    texts.push_back({left, left + width, number("y") - 0.55 * em, number("y"), em, one->text});
  }
  return texts;
}

// Collapses repeated spaces: a text that is wrapped loses them at the ends of its lines.
std::string single_spaced(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' || !out.ends_with(' ')) out += c;
  return out;
}

// The followed number's line as the description has it, without the word of its origin; empty if there is none.
std::string followed_line(const std::string& svg) {
  const Xml xml = parse_xml(svg);
  std::istringstream description(xml.all("desc").at(0)->text);
  std::string line;
  while (!line.starts_with("  ") && std::getline(description, line)) {
  }  // the first line behind title and sentence
  constexpr std::string_view head = "  followed: ";
  if (!line.starts_with(head)) return {};
  line.erase(0, head.size());
  if (line.ends_with(')')) line.resize(line.rfind(" ("));
  return single_spaced(line);
}

std::string all_drawn(const std::string& svg) {
  std::string words;
  for (const Text& text : texts_of(svg)) words.append(words.empty() ? "" : " ").append(text.words);
  return single_spaced(words);
}

class Presented : public ::testing::TestWithParam<Screen> {
 protected:
  // The pictures of all beats by file name; rendered once per screen.
  const std::map<std::string, std::string>& beats() {
    static std::map<std::pair<int, bool>, std::map<std::string, std::string>> made;
    std::map<std::string, std::string>& pictures = made[{GetParam().width, GetParam().asking}];
    if (!pictures.empty()) return pictures;
    const std::string size = fmt::format("{}x{}", GetParam().width, GetParam().height);
    const auto add = [&](const std::string& prefix, const std::vector<std::string>& scene) {
      const Folder folder;
      std::vector<std::string> words = {
          "render", walk("pytorch_relu_matmul"), "--present", "--format", "svg", "--size", size,
          "-o",     folder.at("beats")};
      words.insert(words.end(), scene.begin(), scene.end());
      if (GetParam().asking) words.push_back("--questions");
      const Outcome outcome = run(words);
      EXPECT_EQ(outcome.status, 0) << outcome.error;
      for (const std::string& name : folder.names("beats"))
        pictures[prefix + name] = text_of(std::filesystem::path(folder.at("beats")) / name);
    };
    add("", {});
    EXPECT_GT(pictures.size(), 40u);
    for (const char* const lab :
         {"why-gpus",    "hierarchy",      "tiling",           "coalescing",         "bank-conflicts",   "divergence",
          "occupancy",   "latency-hiding", "memory-hierarchy", "compute-capability", "number-formats",   "tensor-cores",
          "host-device", "tensors",        "dispatch",         "autograd",           "writing-a-kernel", "forward-pass",
          "streams",     "allocator",      "observe",          "cuda-triton",        "storage",          "overview"})
      add(std::string(lab) + " ", {"--scene", std::string("lab/") + lab});
    EXPECT_GT(pictures.size(), 85u);
    return pictures;
  }
};

TEST_P(Presented, NoTextIsTooSmallForTheLastRow) {
  for (const auto& [name, svg] : beats())
    for (const Text& text : texts_of(svg)) EXPECT_GE(text.em, GetParam().smallest) << name << ": " << text.words;
}

TEST_P(Presented, TheSentenceIsLargeAndWhole) {
  for (const auto& [name, svg] : beats()) {
    const Xml xml = parse_xml(svg);
    ASSERT_FALSE(xml.all("desc").empty());
    // The words of the description are those of the stage; the sentence is drawn in lines.
    const std::vector<Text> texts = texts_of(svg);
    std::string drawn;
    for (const Text& text : texts)
      if (text.em >= GetParam().sentence && text.top < GetParam().height * 0.3)
        drawn.append(drawn.empty() ? "" : " ").append(text.words);
    std::string all = xml.all("desc")[0]->text;
    std::ranges::replace(all, '\n', ' ');
    ASSERT_GT(drawn.size(), 20u) << name;
    // An ellipsis may be that of a long name in the sentence.
    if (drawn.find("…") != std::string::npos) {
      EXPECT_THAT(all, ::testing::HasSubstr(drawn)) << name;
    }
    EXPECT_THAT(all, ::testing::HasSubstr(texts[1].words.substr(0, 20))) << name;
  }
}

TEST_P(Presented, NoTextLeavesThePictureOrCoversAnother) {
  for (const auto& [name, svg] : beats()) {
    const std::vector<Text> texts = texts_of(svg);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Text& a = texts[i];
      EXPECT_TRUE(a.left >= 0 && a.right <= GetParam().width && a.top >= 0 && a.bottom <= GetParam().height)
          << name << ": " << a.words;
      for (std::size_t j = i + 1; j < texts.size(); ++j) {
        const Text& b = texts[j];
        const double across = std::min(a.right, b.right) - std::max(a.left, b.left);
        const double along = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
        // A label that is drawn again, over a line that crosses it.
        if (a.words == b.words && a.left == b.left && a.top == b.top) continue;
        EXPECT_FALSE(across > 2 && along > 2) << name << ": " << a.words << " / " << b.words;
      }
    }
  }
}

TEST_P(Presented, TheFollowedNumberKeepsItsLine) {
  std::size_t lines = 0;
  for (const auto& [name, svg] : beats()) {
    const std::string line = followed_line(svg);
    if (line.empty()) continue;
    ++lines;
    EXPECT_THAT(all_drawn(svg), ::testing::HasSubstr(line)) << name;
  }
  EXPECT_GT(lines, 30u);
}

// The last rows of a table without room are replaced by an ellipsis.
TEST_P(Presented, TheTablesOfLabsAreWhole) {
  for (const auto& [name, svg] : beats()) {
    if (name.find("-lab-") == std::string::npos) continue;
    for (const Text& text : texts_of(svg)) EXPECT_NE(text.words, "…") << name;
  }
}

// Tasks ask for settings, so each of their controls has room, whole.
TEST_P(Presented, TheTasksOfLabsHaveTheirControls) {
  const std::map<std::string, std::vector<std::string>> last = {
      {"host-device", {"Buffer", "prefetched", "Kernels on the data", "Multiply-adds", "pinned memory"}},
      {"tensors", {"Step 1", "Step 3", "contiguous"}},
      {"dispatch", {"Op", "Thread", "dispatch mode"}},
      {"autograd", {"Expression", "First gradient", "Step back", "Rounds", "Written in place"}},
      {"writing-a-kernel", {"Slope (hundredths)", "Threads per block", "every 3rd element", "no derivative"}},
      {"streams", {"Host memory", "Copy engines", "CPU time per call"}},
      {"allocator", {"Plan", "roundup", "Memory", "Kept result", "Last request"}},
      {"observe", {"Moment", "idle, 62 GiB held", "Kernel", "Gap", "Blocks", "Window"}},
      {"cuda-triton", {"Kernel", "Elements (n)", "Triton: num_warps"}},
      {"storage", {"Route", "Chunks in flight", "Offset", "CPU memory"}}};
  for (const auto& [lab, labels] : last) {
    const std::string* svg = nullptr;
    for (const auto& [name, one] : beats())  // the last of the lab's beats
      if (name.starts_with(lab + " ")) svg = &one;
    ASSERT_NE(svg, nullptr) << lab;
    const std::vector<Text> texts = texts_of(*svg);
    for (const std::string& label : labels)
      EXPECT_TRUE(std::ranges::any_of(texts, [&](const Text& text) { return text.words == label; }))
          << lab << ": " << label;
  }
}

INSTANTIATE_TEST_SUITE_P(Screens, Presented,
                         ::testing::Values(Screen{1280, 720, 20, 28}, Screen{1280, 720, 20, 28, true},
                                           Screen{1920, 1080, 30, 42}),
                         [](const auto& one) {
                           return fmt::format("P{}{}", one.param.height, one.param.asking ? "Asking" : "");
                         });

// The walk that the program opens with, as a lecture goes through it.
TEST(PresentedFirstRoute, TheFollowedNumberKeepsItsLineAndItsPlaceInTheMatrices) {
  const Folder folder;
  for (const char* const scene :
       {"boardroom", "translator", "warehouse", "launch", "sm", "schedulers", "lanes", "map"}) {
    const Outcome outcome = run({"render", walk("h200_relu_matmul_inside"), "--scene", scene, "--present", "--route",
                                 "first", "--format", "svg", "--size", "1280x720", "-o", folder.at("beats")});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
  }
  std::size_t marked = 0;
  for (const std::string& name : folder.names("beats")) {
    const std::string svg = text_of(std::filesystem::path(folder.at("beats")) / name);
    const std::string line = followed_line(svg);
    EXPECT_FALSE(line.empty()) << name;
    EXPECT_THAT(all_drawn(svg), ::testing::HasSubstr(line)) << name;
    if (name.find("-map-") == std::string::npos) continue;
    // "matrix a @ b: 520 × 328, marked 48.00": in a narrow picture, the corner is cut, but the marked element stays.
    const std::vector<Text> texts = texts_of(svg);
    std::istringstream description(parse_xml(svg).all("desc").at(0)->text);
    for (std::string words; std::getline(description, words);) {
      constexpr std::string_view mark = ", marked ";
      const std::size_t at = words.find(mark);
      if (words.find("matrix ") == std::string::npos || at == std::string::npos) continue;
      const std::string value = words.substr(at + mark.size());
      if (value.find(", ") != std::string::npos) continue;  // a row or a column
      ++marked;
      EXPECT_TRUE(std::ranges::any_of(texts, [&](const Text& text) { return text.words == value; }))
          << name << ": " << words;
    }
  }
  EXPECT_GE(marked, 2u);
}

// Usually 1280x720 has 1.5 pixels per unit.
TEST(PresentedScale, MakesLettersAsLargeAsChosen) {
  const Folder folder;
  const auto smallest = [&](const std::string& scale) {
    const std::string file = folder.at("at" + scale + ".svg");
    const Outcome outcome = run({"render", walk("relu_matmul"), "--scene", "boardroom", "--at", "b4", "--present",
                                 "--size", "1280x720", "--scale", scale, "-o", file});
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    double least = 1000;
    for (const Text& text : texts_of(text_of(file))) least = std::min(least, text.em);
    return least;
  };
  EXPECT_NEAR(smallest("2"), 20 * 2 / 1.5, 1);
  EXPECT_NEAR(smallest("1"), 20 * 1 / 1.5, 1);
}

TEST(RenderLecturer, IsAPageOfItsOwn) {
  const Folder folder;
  const auto page = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> words = {"render",  walk("relu_matmul"), "-o",   folder.at(name),
                                      "--scene", "boardroom",         "--at", "b4",
                                      "--size",  "1040x680"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    return text_of(folder.at(name));
  };
  const std::string svg = page("page.svg", {"--lecturer"});
  for (const char* words : {"YOUR NOTE", "ON THE SCREEN", "NEXT", "beat 4 of"})
    EXPECT_THAT(svg, ::testing::HasSubstr(words));
  EXPECT_NE(page("stage.svg", {"--present"}), svg);
  const Outcome both = run({"render", walk("relu_matmul"), "-o", folder.at("x.png"), "--present", "--lecturer"});
  EXPECT_EQ(both.status, 2);
  EXPECT_EQ(both.error_lines(), 1u) << both.error;
}

}  // namespace
}  // namespace warpwalk::testing
