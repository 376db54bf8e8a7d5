// Composing a lesson in the window, by keys and by the pointer.
#include "app/pages/lesson/lesson_page.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/platform/temporary_folder.h"
#include "core/records/hardware.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class LessonPage : public ::testing::Test {
 protected:
  LessonPage() { driver.open(walk_file("relu_matmul")); }
  const pages::LessonPage& page() const { return driver.shell.page<pages::LessonPage>(); }
  const lessons::LessonDraft& draft() const { return page().draft(); }
  const std::string& said() const { return page().state().said; }
  void add() { driver.press(U'd', true); }
  void go_on() {
    driver.press(Key::right);
    driver.settle();
  }
  // Tab until this part has the focus.
  void go_to(const std::string& id) {
    for (int i = 0; i < 40 && page().state().memory.focus != id; ++i) driver.press(Key::tab);
    ASSERT_EQ(page().state().memory.focus, id);
  }
  void type_file(const fs::path& file) {
    go_to("lesson.file");
    driver.press(U'a', true);
    driver.type(file.string());
  }
  bool shows(std::string_view words) {
    const auto texts = driver.texts();
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  }
  std::string notes() const {
    std::string all;
    for (const lessons::DraftStep& step : draft().steps()) all += step.note + ";";
    return all;
  }

  platform::TemporaryFolder folder;
  fs::path kept = folder.path() / "config" / "lesson_draft.json";
  Driver driver{1600, 900, false, "libno-such-nvml.so.1", {}, english(), kept};
};

TEST_F(LessonPage, AMomentIsAddedFromAnywhereWithAllThatIsSet) {
  add();
  go_on();
  driver.press(U'h');  // names
  driver.press(U'e');  // a lab
  driver.settle();
  add();
  EXPECT_EQ(driver.shell.note().text, "added as step 2 of 2; Ctrl+L shows the lesson");
  ASSERT_EQ(draft().steps().size(), 2u);
  const View& view = draft().steps()[1].view;
  EXPECT_EQ(view.scene, driver.shell.opened().view.scene);
  EXPECT_TRUE(view.scene.starts_with("lab/"));
  EXPECT_EQ(view.naming, story::Naming::hardware);
  EXPECT_TRUE(view.file.is_absolute());
  EXPECT_EQ(draft().steps()[1].title, driver.shell.opened().stage->title);
  driver.press(U'l', true);
  EXPECT_EQ(driver.shell.sheet(), "lesson");
  EXPECT_TRUE(shows("Compose a lesson"));
  EXPECT_TRUE(shows(draft().steps()[1].title.substr(0, 20)));
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(draft().steps().size(), 2u);
}

TEST_F(LessonPage, KeysComposeSaveAndOpenALesson) {
  add();
  go_on();
  add();
  driver.press(U'l', true);
  go_to("lesson.note");
  driver.type("second; say: \"look\"");
  go_to("lesson.question");
  driver.type("Who?");
  go_to("lesson.options");
  driver.type("A | B");
  driver.press(U's', true);
  EXPECT_EQ(said(), "Step 2: give the number of the right option, from 1.");
  go_to("lesson.right");
  driver.type("2");
  go_to("lesson.list");
  driver.press_control(Key::up);
  EXPECT_EQ(notes(), "second; say: \"look\";;");
  EXPECT_EQ(draft().at(), 0u);
  driver.press(Key::down);
  EXPECT_EQ(draft().at(), 1u);
  EXPECT_TRUE(page().state().fields.note.text.empty());
  go_to("lesson.title");
  driver.type("Mine");
  const fs::path file = folder.path() / "mine.json";
  type_file(file);
  driver.press(U's', true);
  EXPECT_EQ(said(), "saved; warpwalk " + file.string() + " opens it");
  EXPECT_FALSE(draft().unsaved());
  driver.frame();
  EXPECT_FALSE(fs::exists(kept));
  EXPECT_EQ(driver.shell.settings().recent.front(), file.string());
  driver.press(Key::escape);

  driver.open(file.string());
  ASSERT_TRUE(driver.shell.opened().lesson);
  EXPECT_EQ(driver.shell.opened().lesson->title, "Mine");
  ASSERT_EQ(driver.shell.opened().lesson->steps.size(), 2u);
  // Beats are kept by their keys.
  EXPECT_EQ(driver.shell.opened().stage->beat, 2);
  EXPECT_EQ(driver.shell.opened().lesson->steps[0].view.moment.name, driver.shell.opened().stage->key);
  EXPECT_EQ(driver.shell.opened().lesson->steps[1].view.moment.kind, story::Moment::Kind::named);
  ASSERT_TRUE(driver.shell.opened().lesson->steps[0].question);
  EXPECT_EQ(driver.shell.opened().lesson->steps[0].question->right, 1u);
}

// The step was composed on the other route.
TEST_F(LessonPage, AShownStepKeepsTheRoute) {
  for (int i = 0; i < 2; ++i) {
    add();
    const bool composed = driver.shell.opened().view.first_route;
    driver.press(U'D');
    ASSERT_NE(driver.shell.opened().view.first_route, composed);
    driver.press(U'l', true);
    driver.press(Key::enter);
    driver.wait();
    EXPECT_EQ(driver.shell.sheet(), "");
    EXPECT_NE(driver.shell.opened().view.first_route, composed);
  }
}

TEST_F(LessonPage, ARemovedStepComesBack) {
  for (int i = 0; i < 3; ++i) {
    add();
    go_on();
  }
  driver.press(U'l', true);
  driver.press(Key::up);
  driver.press(Key::del);
  ASSERT_EQ(draft().steps().size(), 2u);
  EXPECT_EQ(said(), "removed; Ctrl+Z brings it back");
  driver.press(U'z', true);
  ASSERT_EQ(draft().steps().size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(draft().steps()[i].view.moment.value, static_cast<std::int64_t>(i) + 1);
  driver.press(Key::enter);  // shows the step
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().view.moment.value, 2);
}

TEST_F(LessonPage, AnUnsavedLessonIsThereAtTheNextStart) {
  add();
  ASSERT_TRUE(fs::exists(kept));  // after this very frame, which may be the last
  driver.press(U'l', true);
  go_to("lesson.note");
  driver.type("half a sen");
  {
    Driver next{1600, 900, false, "libno-such-nvml.so.1", {}, english(), kept};
    next.press(U'l', true);
    ASSERT_EQ(next.shell.page<pages::LessonPage>().draft().steps().size(), 1u);
    EXPECT_EQ(next.shell.page<pages::LessonPage>().draft().steps()[0].note, "half a sen");
    EXPECT_TRUE(next.shell.page<pages::LessonPage>().draft().unsaved());
    EXPECT_EQ(next.shell.page<pages::LessonPage>().state().said, "This lesson was not saved last time.");
  }
  EXPECT_TRUE(fs::exists(kept));
  std::ofstream(kept) << "{";
  Driver last{1600, 900, false, "libno-such-nvml.so.1", {}, english(), kept};
  last.press(U'l', true);
  EXPECT_TRUE(last.shell.page<pages::LessonPage>().draft().steps().empty());
  EXPECT_TRUE(fs::exists(kept.string() + ".unreadable"));
}

TEST_F(LessonPage, AnotherFileIsReplacedOnlyIfAskedTwice) {
  const fs::path file = folder.path() / "there.json";
  std::ofstream(file) << "precious";
  add();
  driver.press(U'l', true);
  type_file(file);
  driver.press(U's', true);
  EXPECT_EQ(said(), file.string() + " exists; save again to replace it.");
  EXPECT_TRUE(draft().unsaved());
  EXPECT_EQ(fs::file_size(file), 8u);
  driver.press(U's', true);
  EXPECT_FALSE(draft().unsaved()) << said();
  driver.press(Key::end);
  driver.type("/no/such");  // below a file
  driver.press(U's', true);
  EXPECT_THAT(said(), HasSubstr("there.json"));
  EXPECT_THAT(said(), ::testing::Not(HasSubstr("saved;")));
}

TEST_F(LessonPage, AnOpenLessonIsEditedAndUnsavedStepsAreNotLost) {
  add();
  const fs::path shipped = std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/waiting_in_a_stream.json";
  driver.open(shipped.string());
  driver.press(U'l', true);
  ASSERT_EQ(draft().steps().size(), 1u);  // the unsaved one stays
  EXPECT_TRUE(shows("Edit the open lesson"));
  driver.press(U'e', true);
  ASSERT_GT(draft().steps().size(), 3u);
  EXPECT_FALSE(draft().unsaved());
  EXPECT_FALSE(page().state().fields.note.text.empty());
  // It is not written over what comes with the program.
  EXPECT_THAT(page().state().fields.file.text, ::testing::Not(HasSubstr("/assets/lessons/")));
  driver.press(U'z', true);
  ASSERT_EQ(draft().steps().size(), 1u);
  EXPECT_TRUE(draft().unsaved());
}

TEST_F(LessonPage, AStepIsDraggedToAnotherPlace) {
  for (int i = 0; i < 3; ++i) {
    add();
    go_on();
  }
  driver.press(U'l', true);
  const std::int64_t last = draft().steps()[2].view.moment.value;
  // The rows begin below the title's field and its label, 52 units each.
  constexpr float top = 60 + 24 + 34 + 18 + 24 + 6;
  driver.drag(200, top + 2.5f * 52, 200, top + 0.5f * 52);
  EXPECT_EQ(draft().steps()[0].view.moment.value, last);
  EXPECT_EQ(draft().at(), 0u);
  driver.click(200, top + 1.5f * 52);
  EXPECT_EQ(draft().at(), 1u);
}

TEST_F(LessonPage, OpensFromTheStartPage) {
  driver.press(U'i');
  ASSERT_EQ(driver.shell.sheet(), "start");
  driver.press(Key::end);  // behind the lessons; no file was opened before
  EXPECT_TRUE(shows("Compose a lesson"));
  driver.press(U'l', true);
  EXPECT_EQ(driver.shell.sheet(), "lesson");
  EXPECT_TRUE(shows("No steps yet."));
  driver.press(U's', true);
  EXPECT_EQ(said(), "There is no step to save; Ctrl+D adds the moment in the window.");
}

}  // namespace
}  // namespace warpwalk::shell
