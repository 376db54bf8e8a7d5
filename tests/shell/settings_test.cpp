#include "app/shell/session/settings.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpwalk::shell {
namespace {

using ::testing::HasSubstr;

class SettingsFile : public ::testing::Test {
 protected:
  SettingsFile()
      : folder_(std::filesystem::temp_directory_path() / ("warpwalk_settings." + std::to_string(getpid()))) {}
  ~SettingsFile() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file() const { return folder_ / "deeper" / "settings.json"; }
  std::filesystem::path folder_;
};

Settings some_settings() {
  Settings settings;
  settings.theme = "light";
  settings.naming = story::Naming::company;
  settings.own_naming = story::Naming::both;
  settings.language = "de";
  settings.reduced_motion = true;
  settings.questions = false;
  settings.own_questions = true;
  settings.first_route = false;
  settings.panels = true;
  settings.own_panels = false;
  settings.speed = 2;
  settings.scale = 1.5;
  settings.window_width = 1234;
  settings.window_height = 777;
  settings.recent = {"/tmp/a \"quoted\" one.json", "/tmp/Ünicode.json.gz"};
  settings.lessons = {{"/tmp/a lesson.json", 13}, {"/tmp/b.json", 1}};
  settings.bookmarks[4] = "scene=map&at=b2&follow=&names=both&file=/tmp/x=y&z.json";
  return settings;
}

TEST_F(SettingsFile, ComeBackAsTheyWere) {
  ASSERT_TRUE(save_settings(some_settings(), file()));  // the folders are made
  const auto [read, complaint] = load_settings(file());
  EXPECT_FALSE(complaint) << *complaint;
  EXPECT_EQ(read, some_settings());
  EXPECT_EQ(parse_settings(text_of(Settings{}), "x").first, Settings{});
}

TEST_F(SettingsFile, NoneAreTheDefaults) {
  const auto [read, complaint] = load_settings(file());
  EXPECT_FALSE(complaint);
  EXPECT_EQ(read, Settings{});
  EXPECT_EQ(load_settings("").first, Settings{});
}

TEST_F(SettingsFile, CannotBeKeptWhereNothingCanBeWritten) {
  const auto done = save_settings(some_settings(), "/proc/nowhere/settings.json");
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error(), HasSubstr("/proc/nowhere"));
  EXPECT_FALSE(save_settings(some_settings(), ""));
}

// A pipe would block the frame that reads or writes the settings.
TEST_F(SettingsFile, APipeInTheirPlaceIsLeftAlone) {
  std::filesystem::create_directories(file().parent_path());
  ASSERT_EQ(mkfifo(file().c_str(), 0600), 0);
  const auto [read, complaint] = load_settings(file());
  EXPECT_EQ(read, Settings{});
  EXPECT_THAT(complaint.value_or(""), HasSubstr("is not a regular file; the defaults are used"));
  EXPECT_THAT(save_settings(some_settings(), file()).error(), HasSubstr("the settings cannot be saved"));
  EXPECT_TRUE(std::filesystem::is_fifo(file()));
}

TEST(BadSettings, EveryWrongValueIsNamedAndTheRestIsKept) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"theme": "pink", "speed": 2})", "\"theme\" is not dark, light or high-contrast"},
      {R"({"theme": 5, "speed": 2})", "\"theme\""},
      {R"({"names": "mine", "speed": 2})", "\"names\""},
      {R"({"own_names": "mine", "speed": 2})", "\"own_names\" is not hardware, company or both"},
      {R"({"own_questions": "off", "speed": 2})", "\"own_questions\" is not true or false"},
      {R"({"language": "../en", "speed": 2})", "\"language\" is not a language's name"},
      {R"({"language": "", "speed": 2})", "\"language\""},
      {R"({"reduced_motion": 1, "speed": 2})", "\"reduced_motion\" is not true or false"},
      {R"({"questions": "on", "speed": 2})", "\"questions\" is not true or false"},
      {R"({"first_route": "yes", "speed": 2})", "\"first_route\" is not true or false"},
      {R"({"scale": 0, "speed": 2})", "\"scale\" is not a number from 0.5 to 8"},
      {R"({"scale": 1e308, "speed": 2})", "\"scale\""},
      {R"({"window_width": -4, "speed": 2})", "\"window_width\""},
      {R"({"recent": "one", "speed": 2})", "\"recent\" is not a list of strings"},
      {R"({"bookmarks": [1], "speed": 2})", "\"bookmarks\""},
      {R"({"lessons": 1, "speed": 2})", "\"lessons\" is not a list of lessons with their steps"},
      {R"({"lessons": [{"file": "a", "step": -3}], "speed": 2})", "\"lessons\""},
      {R"({"lessons": [{"file": "a", "step": "x"}], "speed": 2})", "\"lessons\""},
      {R"({"lessons": [{"step": 3}], "speed": 2})", "\"lessons\""},
  };
  for (const auto& [text, what] : wrong) {
    const auto [read, complaint] = parse_settings(text, "settings.json");
    ASSERT_TRUE(complaint) << text;
    EXPECT_THAT(*complaint, HasSubstr(what));
    EXPECT_THAT(*complaint, HasSubstr("--reset-settings"));
    EXPECT_EQ(read.speed, 2) << text;
    EXPECT_EQ(read.scale, 0) << text;
  }
  EXPECT_EQ(parse_settings(R"({"speed": 99})", "f").first.speed, 1);
}

TEST(BadSettings, AWrongLessonLosesNoOther) {
  const auto [read, complaint] =
      parse_settings(R"({"lessons": [{"file": "/a", "step": 3}, 5, {"file": "/b", "step": 4}]})", "settings.json");
  EXPECT_TRUE(complaint);
  EXPECT_EQ(read.kept_step("/a"), 2u);
  EXPECT_EQ(read.kept_step("/b"), 3u);
}

TEST(LessonSteps, OfTheLatestLessonsAreKept) {
  Settings settings;
  settings.keep_step("/a", 3);
  settings.keep_step("/b", 1);
  settings.keep_step("/x/../a", 5);  // the same file
  ASSERT_EQ(settings.lessons.size(), 2u);
  EXPECT_EQ(settings.lessons.front().file, "/a");
  EXPECT_EQ(settings.kept_step("/a"), 5u);
  EXPECT_EQ(settings.kept_step("/c"), 0u);
  settings.keep_step("/a", 0);
  EXPECT_EQ(settings.kept_step("/a"), 0u);
  for (int i = 0; i < 100; ++i) settings.keep_step("/" + std::to_string(i), 2);
  EXPECT_EQ(settings.lessons.size(), max_kept_lessons);
  EXPECT_EQ(settings.kept_step("/99"), 2u);
}

// The next save replaces the file.
TEST_F(SettingsFile, ADamagedOneIsCopied) {
  std::filesystem::create_directories(file().parent_path());
  std::ofstream(file()) << R"({"bookmarks": ["mine")";
  const auto [read, complaint] = load_settings(file());
  EXPECT_EQ(read, Settings{});
  EXPECT_THAT(complaint.value_or(""), HasSubstr("kept as " + file().string() + ".unreadable"));
  EXPECT_THAT(*complaint, ::testing::Not(HasSubstr("\n")));
  ASSERT_TRUE(save_settings(read, file()));
  std::ifstream copy(file().string() + ".unreadable");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(copy), {}), R"({"bookmarks": ["mine")");
}

TEST(BadSettings, WhatIsNoJsonGivesTheDefaults) {
  for (const char* text : {"", "{", "[]", "null", "\"x\"", "{\"theme\":", "\xff\xfe\x00", "nonsense"}) {
    const auto [read, complaint] = parse_settings(text, "settings.json");
    EXPECT_EQ(read, Settings{}) << text;
    ASSERT_TRUE(complaint) << text;
    EXPECT_TRUE(complaint->starts_with("settings.json: ")) << *complaint;
    EXPECT_THAT(*complaint, ::testing::Not(HasSubstr("\n")));
  }
}

TEST(BadSettings, DamageNeverStopsTheStart) {
  const std::string whole = text_of(some_settings());
  std::mt19937 random(11);
  for (int i = 0; i < 4000; ++i) {
    std::string text = whole;
    for (int hits = 1 + static_cast<int>(random() % 4); hits > 0; --hits) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 30);
      else
        text[at] = static_cast<char>(random() % 256);
      if (text.empty()) text = " ";
    }
    const Settings read = parse_settings(text, "f").first;
    EXPECT_TRUE(read.theme == "dark" || read.theme == "light" || read.theme == "high-contrast");
    EXPECT_TRUE(read.scale == 0 || (read.scale >= 0.5 && read.scale <= 8));
    EXPECT_TRUE(read.speed >= 0.25 && read.speed <= 4);
    EXPECT_LE(read.recent.size(), max_recent_files);
  }
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "[";
  EXPECT_EQ(parse_settings("{\"recent\":" + deep, "f").first, Settings{});
}

// Own traces have the hardware's names until somebody chooses others, for them or for all.
TEST(SettingsNames, OfOwnTracesAreTheHardwaresUntilOthersAreChosen) {
  using story::Naming;
  Settings settings;
  EXPECT_EQ(naming_of(settings, false), Naming::both);
  EXPECT_EQ(naming_of(settings, true), Naming::hardware);
  settings.naming = Naming::company;
  EXPECT_EQ(naming_of(settings, true), Naming::company);
  settings.own_naming = Naming::both;
  EXPECT_EQ(naming_of(settings, true), Naming::both);
  EXPECT_EQ(naming_of(settings, false), Naming::company);
  EXPECT_FALSE(parse_settings(text_of(Settings{}), "x").first.own_naming) << "no choice is written";
}

TEST(SettingsPlace, FollowsTheVariables) {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const std::string before = config == nullptr ? "" : config;
  setenv("XDG_CONFIG_HOME", "/tmp/conf", 1);
  EXPECT_EQ(settings_file(), "/tmp/conf/warpwalk/settings.json");
  setenv("XDG_CONFIG_HOME", "relative", 1);  // the specification: relative ones do not count
  setenv("HOME", "/tmp/home", 1);
  EXPECT_EQ(settings_file(), "/tmp/home/.config/warpwalk/settings.json");
  if (before.empty())
    unsetenv("XDG_CONFIG_HOME");
  else
    setenv("XDG_CONFIG_HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace warpwalk::shell
