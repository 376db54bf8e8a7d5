#include "core/words/narration.h"

#include <cstdio>
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace warpwalk::words {
namespace {

Narration parsed_narration(std::string_view text) {
  auto narration = Narration::parse(text, "lines.txt");
  EXPECT_TRUE(narration) << narration.error();
  return *std::move(narration);
}

std::string error_of(std::string_view text) {
  const auto narration = Narration::parse(text, "lines.txt");
  EXPECT_FALSE(narration) << text;
  return narration ? "" : narration.error();
}

TEST(NarrationText, SectionsKeysAndComments) {
  const Narration narration = parsed_narration("# first\n\n[a.b]\ntitle: Hello: you\n  # more\nnote:\n[c]\ntitle:x\n");
  EXPECT_EQ(narration.text("a.b", "title"), "Hello: you");
  EXPECT_EQ(narration.text("a.b", "note"), "");
  EXPECT_EQ(narration.text("c", "title"), "x");
  EXPECT_TRUE(narration.has("a.b", "title"));
  EXPECT_FALSE(narration.has("a.b", "sentence"));
  EXPECT_FALSE(narration.has("a", "b/title"));
}

TEST(NarrationText, AnIndentedLineGoesOnTheOneAbove) {
  const Narration narration = parsed_narration("[a]\ntitle: one\n  two: still\n\tthree\nnext: four");
  EXPECT_EQ(narration.text("a", "title"), "one two: still three");
  EXPECT_EQ(narration.text("a", "next"), "four");
}

TEST(NarrationText, EndsOfLinesOfAnySystem) {
  const Narration narration = parsed_narration("[a]\r\ntitle: one\r\n  two\r\n");
  EXPECT_EQ(narration.text("a", "title"), "one two");
}

TEST(NarrationText, AByteOrderMarkIsNoText) {
  // Editors of Windows put one in front, and this file is meant to be edited.
  EXPECT_EQ(parsed_narration("\xef\xbb\xbf# first\n[a]\ntitle: one\n").text("a", "title"), "one");
}

TEST(NarrationText, ValuesTakeTheirPlaces) {
  const Narration narration = parsed_narration("[a]\ntitle: {x} and {y}, {x}\nodd: a { b\nempty: {}\n");
  EXPECT_EQ(narration.text("a", "title", {{"x", "1"}, {"y", "{x}"}}), "1 and {x}, 1");  // values are not read again
  EXPECT_EQ(narration.text("a", "odd", {{"b", "1"}}), "a { b");
}

TEST(NarrationText, WhatIsMissingIsSaidInItsPlace) {
  const Narration narration = parsed_narration("[a]\ntitle: {x} and {y}\n");
  EXPECT_EQ(narration.text("a", "title", {{"x", "1"}}), "1 and (no value for y)");
  EXPECT_EQ(narration.text("a", "sentence"), "(no narration for a sentence)");
  EXPECT_EQ(narration.text("b", "title"), "(no narration for b title)");
}

TEST(NarrationErrors, NameFileLineAndWhatToDo) {
  EXPECT_EQ(error_of("[a]\ntitle: x\nno colon here\n"), "lines.txt: line 3: no colon; write \"key: text\"");
  EXPECT_EQ(error_of("\n# c\ntitle: x\n"), "lines.txt: line 3: text before the first [section]");
  EXPECT_EQ(error_of("[a]\ntitle: x\ntitle: y\n"), "lines.txt: line 3: \"title\" appears twice in [a]");
  EXPECT_EQ(error_of("[a]\n  floating\n"),
            "lines.txt: line 2: continues a line that does not exist; start it with a key and a colon");
  EXPECT_EQ(error_of("[a]\ntitle: x\n\n  floating\n").substr(0, 18), "lines.txt: line 4:");
}

TEST(NarrationErrors, ASectionMayGoOnLaterButNotRepeatAKey) {
  const Narration narration = parsed_narration("[a]\nx: 1\n[b]\nx: 2\n[a]\ny: 3\n");
  EXPECT_EQ(narration.text("a", "y"), "3");
  EXPECT_EQ(error_of("[a]\nx: 1\n[b]\n[a]\nx: 2\n"), "lines.txt: line 5: \"x\" appears twice in [a]");
}

TEST(NarrationErrors, AMissingFileSaysHowToGetOne) {
  const auto narration = Narration::load("/nowhere/en.txt");
  ASSERT_FALSE(narration);
  EXPECT_TRUE(narration.error().starts_with("/nowhere/en.txt: "));
  EXPECT_THAT(narration.error(), ::testing::HasSubstr("WARPWALK_ASSETS"));
}

TEST(NarrationErrors, AFileIsNamedWithItsLine) {
  const std::string file = ::testing::TempDir() + "narration_test." + std::to_string(getpid()) + ".txt";
  std::ofstream(file) << "[a]\nbroken\n";
  const auto narration = Narration::load(file);
  std::remove(file.c_str());
  ASSERT_FALSE(narration);
  EXPECT_TRUE(narration.error().starts_with(file + ": line 2: ")) << narration.error();
}

}  // namespace
}  // namespace warpwalk::words
