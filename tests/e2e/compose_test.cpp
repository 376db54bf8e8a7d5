// A lesson composed in the real window with real keys, saved, and opened again.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/e2e/desktop.h"

namespace warpwalk::testing {
namespace {

class ComposeWindow : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = Display::missing(); !missing.empty()) GTEST_SKIP() << missing;
  }
};

// Tab until a part of the page has the focus.
bool go_to(Desktop& desktop, const std::string& id) {
  for (int i = 0; i < 30; ++i) {
    const std::string before = desktop.state().draft_focus;
    if (before == id) return true;
    desktop.key("Tab");
    desktop.wait_for([&](const State& now) { return now.draft_focus != before; });
  }
  return false;
}

TEST_F(ComposeWindow, TwoStepsAreComposedReorderedSavedAndOpened) {
  Folder folder;
  const std::filesystem::path file = folder.path() / "class.json";
  {
    Desktop desktop({walk("relu_matmul"), "--scene", "boardroom", "--questions", "off"});
    ASSERT_TRUE(desktop.ready()) << desktop.program().error();
    desktop.key("ctrl+d");
    ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.draft_steps == 1; })) << desktop.state();
    desktop.key("Right");
    ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 2 && !now.moving; })) << desktop.state();
    desktop.key("ctrl+d");
    ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.draft_steps == 2; })) << desktop.state();
    desktop.key("ctrl+l");
    ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "lesson" && now.draft_at == 2; }))
        << desktop.state();
    desktop.key("ctrl+Up");
    ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.draft_at == 1; })) << desktop.state();
    ASSERT_TRUE(go_to(desktop, "lesson.note"));
    desktop.type("ask the class");
    ASSERT_TRUE(go_to(desktop, "lesson.file"));
    desktop.key("ctrl+a");
    desktop.type(file.string());
    desktop.key("ctrl+s");
    ASSERT_TRUE(desktop.wait_for([](const State& now) { return !now.draft_unsaved; })) << desktop.state();
    EXPECT_THAT(desktop.state().draft_said, ::testing::HasSubstr(file.string()));
  }
  rapidjson::Document lesson;
  lesson.Parse(text_of(file).c_str());
  ASSERT_FALSE(lesson.HasParseError()) << text_of(file);
  EXPECT_STREQ(lesson["steps"][0]["at"].GetString(), "company");
  EXPECT_STREQ(lesson["steps"][0]["note"].GetString(), "ask the class");
  EXPECT_STREQ(lesson["steps"][1]["at"].GetString(), "line");

  Desktop desktop({file.string(), "--questions", "off"});
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.lesson_step == 1 && now.beat == 2; }))
      << desktop.state() << desktop.program().error();
  EXPECT_EQ(desktop.state().lesson, "class");
  desktop.key("Right");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.lesson_step == 2 && now.beat == 1; }))
      << desktop.state();
}

TEST_F(ComposeWindow, AnUnsavedLessonSurvivesTheProgram) {
  Folder config;
  const std::vector<std::string> environment = {"XDG_CONFIG_HOME=" + config.path().string()};
  {
    Desktop desktop({walk("relu_matmul"), "--questions", "off"}, environment);
    ASSERT_TRUE(desktop.ready()) << desktop.program().error();
    desktop.key("ctrl+d");
    ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.draft_steps == 1; })) << desktop.state();
  }  // killed
  Desktop desktop({walk("relu_matmul"), "--questions", "off"}, environment);
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("ctrl+l");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.draft_steps == 1 && now.draft_unsaved; }))
      << desktop.state();
}

}  // namespace
}  // namespace warpwalk::testing
