// Composing a lesson in the window, by keys and by the pointer.
#include "app/pages/lesson/lesson_page.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/draw/image.h"
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
  // Turns to a card of fields.
  void turn_to(char32_t card) { driver.press(card, true); }
  void redo() { driver.press(U'y', true); }
  void undo() { driver.press(U'z', true); }
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
  const std::string title = driver.shell.opened().stage->title;
  driver.press(U'l', true);
  EXPECT_EQ(driver.shell.sheet(), "lesson");
  EXPECT_TRUE(shows("Compose a lesson"));
  driver.wait();
  EXPECT_TRUE(shows(title.substr(0, 20)));
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
  driver.press(Key::enter);
  driver.type("and wait");
  go_to("lesson.text");
  driver.type("Who orders?");
  go_to("lesson.minutes");
  driver.type("2.5");
  EXPECT_TRUE(shows("2.5 of 2.5 min"));
  turn_to(U'2');
  EXPECT_EQ(page().state().memory.focus, "lesson.question");
  driver.type("Who?");
  go_to("lesson.option.1");
  driver.type("A");
  go_to("lesson.option.2");
  driver.type("B");
  driver.press(U's', true);
  EXPECT_EQ(said(), "Step 2: mark the right option; press its number.");
  go_to("lesson.right.2");
  driver.press(Key::enter);
  go_to("lesson.wrong.1");
  driver.type("A does not");
  go_to("lesson.why");
  driver.type("it does");
  go_to("lesson.shows");
  driver.press(Key::enter);
  go_to("lesson.list");
  driver.press_control(Key::up);
  EXPECT_EQ(notes(), "second; say: \"look\"\nand wait;;");
  EXPECT_EQ(draft().at(), 0u);
  driver.press(Key::down);
  EXPECT_EQ(draft().at(), 1u);
  EXPECT_TRUE(page().state().fields.note.text().empty());
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
  const lessons::LessonStep& step = driver.shell.opened().lesson->steps[0];
  EXPECT_EQ(step.text, "Who orders?");
  EXPECT_EQ(step.minutes, 2.5);
  ASSERT_TRUE(step.question);
  EXPECT_EQ(step.question->options, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(step.question->right, 1u);
  EXPECT_EQ(step.question->wrong, (std::vector<std::string>{"A does not", ""}));
  EXPECT_EQ(step.question->why, "it does");
  EXPECT_TRUE(step.question->shows);
  EXPECT_EQ(step.question->id, draft().steps()[0].question.id);
}

TEST_F(LessonPage, ASlideWithAPictureIsComposedAndShown) {
  ASSERT_TRUE(draw::write_png(draw::filled(40, 20, 0xff3060c0), folder.path() / "own.png"));
  add();
  driver.press(U'l', true);
  driver.press(U'm', true);
  ASSERT_EQ(draft().steps().size(), 2u);
  EXPECT_EQ(page().state().memory.focus, "lesson.slide_title");
  driver.type("Homework");
  go_to("lesson.slide_text");
  driver.type("Write");
  driver.press(Key::enter);
  driver.type("- a copy");
  const fs::path file = folder.path() / "mine.json";
  type_file(file);
  go_to("lesson.picture");
  driver.type("gone.png");
  EXPECT_TRUE(shows("there is no such file"));
  driver.press(U's', true);
  EXPECT_EQ(said(), "Step 2: " + (folder.path() / "gone.png").string() + ": there is no such file");
  driver.press(U'a', true);
  driver.type("own.png");
  EXPECT_FALSE(shows("there is no such file"));
  driver.press(U's', true);
  EXPECT_THAT(said(), HasSubstr("saved;"));
  driver.press(Key::escape);
  driver.open(file.string());
  go_on();
  driver.settle();
  const auto& stage = driver.shell.opened().stage;
  EXPECT_EQ(stage->scene, "slide");
  EXPECT_EQ(stage->title, "Homework");
  EXPECT_TRUE(shows("a copy"));
  EXPECT_FALSE(shows("- a copy"));  // a dot is drawn
  const draw::Image picture = driver.picture();
  EXPECT_GT(std::ranges::count(picture.pixels, 0xff3060c0u), 10000);  // scaled up to the room beside the text
  driver.press(Key::left);
  driver.settle();
  EXPECT_NE(driver.shell.opened().stage->scene, "slide");
}

// In any field, and of the list, the last change first.
TEST_F(LessonPage, EveryFieldIsUndoneAndDoneAgain) {
  add();
  driver.press(U'l', true);
  for (const auto& [card, id] : std::initializer_list<std::pair<char32_t, const char*>>{{U'1', "lesson.title"},
                                                                                        {U'1', "lesson.step_title"},
                                                                                        {U'1', "lesson.minutes"},
                                                                                        {U'1', "lesson.text"},
                                                                                        {U'1', "lesson.note"},
                                                                                        {U'1', "lesson.file"},
                                                                                        {U'2', "lesson.question"},
                                                                                        {U'2', "lesson.option.1"},
                                                                                        {U'2', "lesson.wrong.2"}}) {
    SCOPED_TRACE(id);
    turn_to(card);
    go_to(id);
    const lessons::DraftContent before = draft().content();
    driver.type("one");
    driver.press(Key::space);
    driver.type("two");
    const lessons::DraftContent typed = draft().content();
    ASSERT_NE(typed, before);
    undo();  // a word
    EXPECT_NE(draft().content(), typed);
    EXPECT_NE(draft().content(), before);
    undo();
    EXPECT_EQ(draft().content(), before);
    redo();
    driver.press(U'z', true);
    redo();
    redo();
    EXPECT_EQ(draft().content(), typed);
    driver.type("x");  // the caret is behind what was done again
    undo();
    EXPECT_EQ(draft().content(), typed);
  }
  driver.press(U'u', true);
  ASSERT_EQ(draft().steps().size(), 2u);
  undo();
  EXPECT_EQ(draft().steps().size(), 1u);
}

// A question of one's own wins over the scene's, and the page says so.
TEST_F(LessonPage, SaysThatAQuestionReplacesTheScenes) {
  driver.open(walk_file("two_streams"));
  const fs::path shipped = std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/waiting_in_a_stream.json";
  driver.open(shipped.string());
  driver.press(U'l', true);
  driver.wait();
  std::size_t asking = 0;
  const auto content = driver.shell.page<pages::LessonPage>().content();
  for (std::size_t i = 0; i < content.steps.size(); ++i) {
    turn_to(U'2');
    const bool asks = shows("The scene asks here:");
    if (asks && asking++ == 0) {
      go_to("lesson.question");
      driver.type("Mine?");
      EXPECT_TRUE(shows("Your question takes the place of the scene's:"));
    }
    go_to("lesson.list");
    driver.press(Key::down);
  }
  EXPECT_GT(asking, 0u);
}

// Without leaving the open one: titles of steps in another file.
TEST_F(LessonPage, TitlesOfStepsThatWereNotVisitedAreThere) {
  driver.open(std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/from_zero.json");
  const fs::path open = driver.shell.opened().document->file;
  driver.press(U'l', true);
  for (int i = 0; i < 2000 && page().busy(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    driver.frame();
  }
  EXPECT_EQ(driver.shell.opened().document->file, open);
  const auto content = driver.shell.page<pages::LessonPage>().content();
  ASSERT_GT(content.steps.size(), 10u);
  for (const pages::LessonPageStep& step : content.steps) {
    EXPECT_NE(step.stage, nullptr) << step.place;
    EXPECT_NE(step.title, "") << step.place;
  }
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
  EXPECT_FALSE(page().state().fields.note.text().empty());
  // It is not written over what comes with the program.
  EXPECT_THAT(page().state().fields.target.text, ::testing::Not(HasSubstr("/assets/lessons/")));
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
  // The rows begin below the title's field and its label, 64 units each.
  constexpr float top = 60 + 24 + 34 + 14 + 24 + 6;
  driver.drag(200, top + 2.5f * 64, 200, top + 0.5f * 64);
  EXPECT_EQ(draft().steps()[0].view.moment.value, last);
  EXPECT_EQ(draft().at(), 0u);
  driver.click(200, top + 1.5f * 64);
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
