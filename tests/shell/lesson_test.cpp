#include "app/shell/lesson.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/document/document.h"
#include "core/platform/temporary_folder.h"
#include "core/story/scenes.h"
#include "core/trace/chrome/reader.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

std::filesystem::path walks() { return std::string(WARPWALK_SOURCE_DIR) + "/assets/walks"; }

std::string error_of(std::string_view text) {
  const auto [lesson, error] = parse_lesson(text, "/tmp/l.json", walks());
  return error.value_or("");
}

TEST(Lesson, StepsAreViewsWithNotes) {
  const auto [lesson, error] = parse_lesson(R"({"warpwalk_lesson": 1, "title": "T", "steps": [
      {"file": "relu_matmul.json.gz", "scene": "map", "at": "b2", "follow": "op:2", "names": "company",
       "set": {"sm.registers": 64}, "note": "say this"},
      {"at": "3us"}]})",
                                            "/tmp/l.json", walks());
  ASSERT_FALSE(error) << *error;
  EXPECT_EQ(lesson.title, "T");
  ASSERT_EQ(lesson.steps.size(), 2u);
  const LessonStep& first = lesson.steps[0];
  EXPECT_EQ(first.view.file, walks() / "relu_matmul.json.gz");
  EXPECT_EQ(first.view.scene, "map");
  EXPECT_EQ(first.view.moment.value, 2);
  EXPECT_EQ(first.view.follow, "op:2");
  EXPECT_EQ(first.view.naming, story::Naming::company);
  EXPECT_EQ(first.view.controls.get("sm", "registers"), 64);
  EXPECT_EQ(first.note, "say this");
  EXPECT_EQ(lesson.steps[1].view.file, first.view.file);  // stays in the file before
  EXPECT_EQ(lesson.steps[1].view.moment.kind, story::Moment::Kind::time);
}

TEST(LessonErrors, SayTheFileTheStepAndWhatBelongsThere) {
  const std::pair<const char*, const char*> wrong[] = {
      {"", "/tmp/l.json: byte 0"},
      {"[]", "l.json: not a lesson"},
      {R"({"steps": []})", "l.json: not a lesson"},
      {R"({"warpwalk_lesson": 2, "steps": []})", "must be 1"},
      {R"({"warpwalk_lesson": 1})", "no steps; write"},
      {R"({"warpwalk_lesson": 1, "steps": []})", "no steps; write"},
      {R"({"warpwalk_lesson": 1, "steps": [5]})", "step 1: not an object"},
      {R"({"warpwalk_lesson": 1, "steps": [{"at": "b1"}]})", "step 1: no \"file\""},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "not_there.json"}]})",
       "step 1: the file not_there.json is neither"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz"}, {"scene": "attic"}]})",
       "step 2: attic is not a scene"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "at": "later"}]})", "step 1: later"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "speed": "2"}]})", "\"speed\" is not a key"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "\note": "2"}]})", "\" ote\" is not a key"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "note": 2}]})", "\"note\" is not a string"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "names": "x"}]})", "\"names\" is \"x\""},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "set": {"x": 1}}]})", "x=1: not a setting"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "set": {"a.x": "1"}}]})", "is not a number"},
  };
  for (const auto& [text, what] : wrong) {
    const std::string error = error_of(text);
    EXPECT_NE(error.find(what), std::string::npos) << text << ": " << error;
    EXPECT_TRUE(error.starts_with("/tmp/l.json: ")) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
}

std::vector<std::filesystem::path> shipped() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons"))
    files.push_back(entry.path());
  return files;
}

TEST(LessonErrors, TooLongOnesAndPipesAreCalledWhatTheyAre) {
  const platform::TemporaryFolder folder;
  const std::filesystem::path large = folder.path() / "large.json";
  std::ofstream(large) << R"({"warpwalk_lesson": 1, "title": ")" << std::string(1 << 20, 'x') << R"(", "steps": []})";
  EXPECT_TRUE(is_lesson(large));
  EXPECT_NE(load_lesson(large, walks()).second.value_or("").find("larger than 1 MB"), std::string::npos);
  const std::filesystem::path pipe = folder.path() / "pipe.json";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(is_lesson(pipe));
  EXPECT_TRUE(load_lesson(pipe, walks()).second);
  document::Loader loader;
  loader.open(pipe);
  std::shared_ptr<const document::Document> document;
  while ((document = loader.poll()) == nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_NE(document->read.error.value_or("").find("is not a regular file"), std::string::npos);
}

// Every step of every shipped lesson shows the view that it names.
TEST(LessonsShipped, CanBeWalkedThrough) {
  ASSERT_FALSE(shipped().empty());
  for (const std::filesystem::path& file : shipped()) {
    ASSERT_TRUE(is_lesson(file)) << file;
    const auto [lesson, error] = load_lesson(file, walks());
    ASSERT_FALSE(error) << *error;
    for (const LessonStep& step : lesson.steps) {
      EXPECT_FALSE(step.note.empty());
      const trace::ReadResult read = trace::read_trace(step.view.file);
      ASSERT_FALSE(read.error);
      const story::Walk walk = step.view.follow.empty() ? story::default_walk(read.trace)
                                                        : story::follow(read.trace, step.view.follow).first;
      const auto [stage, wrong] =
          story::stage_at(*story::find_scene(step.view.scene),
                          {read.trace, walk, narration(), hardware(), step.view.moment, step.view.controls});
      EXPECT_FALSE(wrong) << file << ": " << *wrong;
    }
  }
}

TEST(LessonInTheShell, NextAndBackGoThroughItsStepsAndFiles) {
  Driver driver;
  driver.open(std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/waiting_in_a_stream.json");
  ASSERT_TRUE(driver.shell.lesson());
  const std::size_t steps = driver.shell.lesson()->steps.size();
  const auto here = [&] {
    View view = driver.shell.view();
    view.moment.phase = 1;
    return view;
  };
  std::vector<View> seen;
  for (std::size_t i = 0; i < steps; ++i) {
    EXPECT_EQ(driver.shell.lesson_step(), i);
    EXPECT_EQ(driver.shell.document()->file, driver.shell.lesson()->steps[i].view.file);
    seen.push_back(here());
    driver.press(Key::right);
    driver.wait();
  }
  EXPECT_EQ(driver.shell.lesson_step(), steps - 1);  // the last one stays
  for (std::size_t i = steps - 1; i-- > 0;) {
    driver.press(Key::left);
    driver.wait();
    EXPECT_EQ(here(), seen[i]) << i;
  }
  driver.press(Key::escape);
  EXPECT_FALSE(driver.shell.lesson());
  driver.press(Key::right);  // now through the beats again
  driver.settle();
  EXPECT_NE(here(), seen[0]);
}

TEST(LessonInTheShell, PlaysByItselfToItsEnd) {
  Driver driver;
  driver.open(std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/first_walk.json");
  driver.press(Key::space);
  for (int i = 0; i < 5000 && driver.shell.playing(); ++i) driver.frame(0.1);
  EXPECT_FALSE(driver.shell.playing());
  EXPECT_EQ(driver.shell.lesson_step() + 1, driver.shell.lesson()->steps.size());
}

TEST(LessonInTheShell, ABrokenOneLosesNothing) {
  const auto file = std::filesystem::temp_directory_path() / ("lesson." + std::to_string(getpid()) + ".json");
  std::ofstream(file) << R"({"warpwalk_lesson": 1, "steps": [{"file": "nothing"}]})";
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  const View before = driver.shell.view();
  driver.drop(file);
  std::filesystem::remove(file);
  EXPECT_EQ(driver.shell.view(), before);
  EXPECT_NE(driver.shell.note().find("step 1: the file nothing"), std::string::npos) << driver.shell.note();
}

}  // namespace
}  // namespace warpwalk::shell
