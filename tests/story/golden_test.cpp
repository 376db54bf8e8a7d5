// Golden test of the texts about the recorded walks. It shows each change of wording before users see it.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/small_trace.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string golden_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The first line that differs, from both sides; empty where none does.
std::string first_difference(const std::string& wanted, const std::string& got) {
  const std::vector<std::string> a = lines_of(wanted), b = lines_of(got);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (i >= a.size() || i >= b.size() || a[i] != b[i])
      return fmt::format("line {}\n  was: {}\n  now: {}", i + 1, i < a.size() ? a[i] : "(the end)",
                         i < b.size() ? b[i] : "(the end)");
  return wanted == got ? "" : "the end of the last line";
}

// The transcripts of a walk, each scene in a file of its own.
void expect_as_before(std::string_view name, const Trace& trace, const Walk& walk) {
  std::map<std::string, std::string> texts;  // by scene
  for_each_beat(trace, walk, english(), [&](const Scene& scene, const Stage& stage) {
    // These repeat assets/devices; lab_test.cpp compares them.
    if (scene.name == "lab/parameters" || scene.name == "lab/validation" || scene.name == "ranks") return;
    std::string& text = texts[std::string(scene.name)];
    text.append(text.empty() ? "" : "\n").append(transcript(stage));
  });
  const char* renew = std::getenv("WARPWALK_RENEW");
  for (const auto& [scene, text] : texts) {
    std::string in_file = scene;
    std::ranges::replace(in_file, '/', '-');
    const std::string file = fmt::format("{}/tests/story/golden/{}-{}.txt", WARPWALK_SOURCE_DIR, name, in_file);
    if (renew != nullptr && *renew != '\0') {
      std::ofstream(file, std::ios::binary) << text;
      continue;
    }
    const std::string difference = first_difference(golden_text(file), text);
    EXPECT_TRUE(difference.empty()) << file << ", " << difference << "\n  to renew: WARPWALK_RENEW=1 "
                                    << "build/release/tests/story/story_tests --gtest_filter='*Golden*'";
  }
}

class Golden : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Golden, EveryBeatOfTheDefaultWalk) {
  const Trace& trace = sample(GetParam());
  expect_as_before(GetParam(), trace, default_walk(trace));
}

TEST(GoldenUntimed, EveryBeatOfAWalkWithoutTimes) {
  for (const Crafted& made : crafted())
    if (made.name == "untimed: counted, with conflicts") return expect_as_before("unclocked", made.trace, made.walk);
  FAIL() << "the crafted trace is gone";
}

INSTANTIATE_TEST_SUITE_P(Samples, Golden, ::testing::ValuesIn(sample_names),
                         [](const auto& one) { return std::string(one.param); });

TEST(GoldenText, TheFirstDifferenceIsFound) {
  EXPECT_EQ(first_difference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(first_difference("a\nb\n", "a\nc\n"), "line 2\n  was: b\n  now: c");
  EXPECT_EQ(first_difference("a\n", "a\nc\n"), "line 2\n  was: (the end)\n  now: c");
  EXPECT_EQ(first_difference("", "a\n"), "line 1\n  was: (the end)\n  now: a");
}

}  // namespace
}  // namespace warpwalk::story::testing
