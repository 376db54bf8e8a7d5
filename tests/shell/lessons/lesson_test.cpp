#include "app/lessons/lesson.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "app/document/document.h"
#include "app/lessons/lesson_question.h"
#include "core/platform/temporary_folder.h"
#include "core/records/hardware.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/trace/read/read_trace.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using lessons::is_lesson;
using lessons::Lesson;
using lessons::LessonStep;
using lessons::load_lesson;
using lessons::parse_lesson;
using ::testing::HasSubstr;

std::string error_of(std::string_view text) {
  const auto lesson = parse_lesson(text, "/tmp/l.json", walks_folder());
  return lesson ? "" : lesson.error();
}

TEST(Lesson, StepsAreViewsWithNotes) {
  const auto lesson = parse_lesson(R"({"warpwalk_lesson": 1, "title": "T", "steps": [
      {"file": "relu_matmul.json.gz", "scene": "map", "at": "b2", "follow": "op:2", "names": "company",
       "set": {"sm.registers": 64}, "note": "say this"},
      {"at": "3us"}, {"scene": "map", "at": "total"}]})",
                                   "/tmp/l.json", walks_folder());
  ASSERT_TRUE(lesson) << lesson.error();
  EXPECT_EQ(lesson->title, "T");
  ASSERT_EQ(lesson->steps.size(), 3u);
  const LessonStep& first = lesson->steps[0];
  EXPECT_EQ(first.view.file, walks_folder() / "relu_matmul.json.gz");
  EXPECT_EQ(first.view.scene, "map");
  EXPECT_EQ(first.view.moment.value, 2);
  EXPECT_EQ(first.view.follow, "op:2");
  EXPECT_EQ(first.view.naming, story::Naming::company);
  EXPECT_EQ(first.view.controls.get("sm", "registers"), 64);
  EXPECT_EQ(first.note, "say this");
  EXPECT_EQ(lesson->steps[1].view.file, first.view.file);  // stays in the file before
  EXPECT_EQ(lesson->steps[1].view.moment.kind, story::Moment::Kind::time);
  EXPECT_EQ(lesson->steps[2].view.moment.name, "total");
}

TEST(Lesson, OnesThatComeWithWarpwalkAreInTheLanguage) {
  const auto german = story::Narration::parse(
      "[lesson.t]\ntitle: Titel\n[lesson.t.sm.fill]\nnote: Notiz\nquestion: Frage?\noption.2: zwei\nwhy: darum\n",
      "de.txt");
  ASSERT_TRUE(german);
  const std::string text = R"({"warpwalk_lesson": 1, "title": "T", "steps": [
      {"file": "relu_matmul.json.gz", "scene": "sm", "at": "fill", "text": "read", "note": "say",
       "question": {"text": "Q?", "options": ["one", "two"], "right": 2, "why": "since"}}]})";
  const auto shipped =
      parse_lesson(text, walks_folder().parent_path() / "lessons" / "t.json", walks_folder(), &*german);
  ASSERT_TRUE(shipped) << shipped.error();
  EXPECT_EQ(shipped->title, "Titel");
  EXPECT_EQ(shipped->steps[0].text, "read");  // not translated
  EXPECT_EQ(shipped->steps[0].note, "Notiz");
  EXPECT_EQ(shipped->steps[0].question->text, "Frage?");
  EXPECT_EQ(shipped->steps[0].question->options, (std::vector<std::string>{"one", "zwei"}));
  EXPECT_EQ(shipped->steps[0].question->why, "darum");
  // A teacher's own file of the same name is as it is written.
  const auto own = parse_lesson(text, "/tmp/t.json", walks_folder(), &*german);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->title, "T");
}

TEST(Lesson, AStepMayAskAQuestion) {
  const auto lesson = parse_lesson(R"({"warpwalk_lesson": 1, "steps": [
      {"file": "relu_matmul.json.gz", "scene": "warehouse", "at": "b1",
       "question": {"text": "Who?", "options": ["A", "B", "C"], "right": 3, "why": "Because."}}]})",
                                   "/tmp/l.json", walks_folder());
  ASSERT_TRUE(lesson) << lesson.error();
  ASSERT_TRUE(lesson->steps[0].question);
  EXPECT_EQ(lesson->steps[0].question->text, "Who?");
  EXPECT_EQ(lesson->steps[0].question->options, (std::vector<std::string>{"A", "B", "C"}));
  EXPECT_EQ(lesson->steps[0].question->right, 2u);
  EXPECT_EQ(lesson->steps[0].question->why, "Because.");
}

TEST(LessonErrors, OfAQuestionSayWhatIsWrong) {
  const auto error = [](std::string_view question) {
    return error_of(R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "question": )" +
                    std::string(question) + "}]}");
  };
  const std::pair<const char*, const char*> wrong[] = {
      {"5", "step 1: \"question\" is not an object; write"},
      {"{}", "has no text"},
      {R"({"text": 5})", "\"text\" is not one of its keys, or not of its type"},
      {R"({"text": "a", "answer": 1})", "\"answer\" is not one of its keys"},
      {R"({"text": "a"})", "has 0 options; give 2 to 9"},
      {R"({"text": "a", "options": ["x"]})", "has 1 options; give 2 to 9"},
      {R"({"text": "a", "options": ["x", 5]})", "an option is not a string"},
      {R"({"text": "a", "options": ["1","2","3","4","5","6","7","8","9","10"], "right": 1})", "has 10 options"},
      {R"({"text": "a", "options": ["x", "y"]})", "\"right\" is 0; give the number of an option, 1 to 2"},
      {R"({"text": "a", "options": ["x", "y"], "right": 3})", "\"right\" is 3"},
      {R"({"text": "a", "options": ["x", "y"], "right": 1, "wrong": ["z"]})", "has 1 reasons for 2 options"},
      {R"({"text": "a", "options": ["x", "y"], "right": 1, "wrong": ["z", 5]})",
       "a reason of \"wrong\" is not a string"},
      {R"({"text": "a", "options": ["x", "y"], "right": 1, "id": "a b"})", "\"id\" is not 1 to 40 letters"},
      {R"({"text": "a", "options": ["x", "y"], "right": 1, "id": ""})", "\"id\" is not 1 to 40 letters"},
      {R"({"text": "a", "options": ["x", "y"], "right": 1, "id": 7})", "\"id\" is not one of its keys"},
      {R"({"text": "a", "options": ["x", "y"], "right": -1})", "\"right\" is not one of its keys, or not of its type"},
  };
  for (const auto& [question, words] : wrong) EXPECT_THAT(error(question), HasSubstr(words)) << question;
}

// Saved answers are counted by the id, or by the number of the step in files without ids.
TEST(Lesson, QuestionsHaveKeysOfTheirOwn) {
  const auto lesson = [](std::string_view first, std::string_view second) {
    const auto step = [](std::string_view id) {
      return R"({"file": "relu_matmul.json.gz", "question": {"text": "?", "options": ["a", "b"], "right": 1)" +
             (id.empty() ? std::string() : R"(, "id": ")" + std::string(id) + "\"") + "}}";
    };
    return R"({"warpwalk_lesson": 1, "steps": [)" + step(first) + ", " + step(second) + "]}";
  };
  const auto keys = [&](std::string_view first, std::string_view second) {
    const auto read = parse_lesson(lesson(first, second), "/tmp/l.json", walks_folder());
    return read ? lessons::question_key(*read->steps[0].question, 0) + " " +
                      lessons::question_key(*read->steps[1].question, 1)
                : read.error();
  };
  EXPECT_EQ(keys("", ""), "lesson.1 lesson.2");
  EXPECT_EQ(keys("limit", ""), "lesson.limit lesson.2");
  EXPECT_THAT(keys("limit", "limit"), HasSubstr("step 2: the question of step 1 has the same \"id\""));
  EXPECT_THAT(keys("2", ""), HasSubstr("step 2: the question of step 1 has the same \"id\""));
}

// Slides and pictures, wherever they stand, keep the trace open that is open there.
TEST(Lesson, ASlideIsAStepWithoutAScene) {
  const platform::TemporaryFolder folder;
  ASSERT_TRUE(draw::write_png(draw::filled(3000, 20, 0xff3060c0), folder.path() / "wide.png"));
  const auto read = [&](std::string_view steps) {
    return parse_lesson(R"({"warpwalk_lesson": 1, "steps": [)" + std::string(steps) + "]}", folder.path() / "l.json",
                        walks_folder());
  };
  const auto lesson = read(R"({"slide": {"title": "Before", "text": "a\n- b\n\n* c "}, "minutes": 3},
      {"file": "relu_matmul.json.gz", "scene": "sm", "at": "fill", "title": "One SM"}, {"picture": "wide.png"})");
  ASSERT_TRUE(lesson) << lesson.error();
  EXPECT_TRUE(lesson->steps[0].is_slide());
  EXPECT_EQ(lesson->steps[0].minutes, 3);
  EXPECT_EQ(lesson->steps[0].view, lesson->steps[1].view);
  EXPECT_EQ(lesson->steps[2].view, lesson->steps[1].view);
  EXPECT_EQ(lesson->steps[1].title, "One SM");
  const std::vector<story::SlideLine> lines = lessons::slide_lines(lesson->steps[0].slide->text);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1].text, "b");
  EXPECT_TRUE(lines[1].bullet && lines[3].bullet && !lines[0].bullet);
  EXPECT_EQ(lines[2].text, "");
  // Scaled down to a screen's size, and then to half until it is small.
  const auto& levels = lesson->steps[2].picture->photo->levels;
  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(levels.front().width, 1500);
  EXPECT_EQ(levels.front().values.front(), 0xff3060c0u);
  const auto alone = read(R"({"file": "relu_matmul.json.gz", "slide": {"title": "T"}})");
  ASSERT_TRUE(alone) << alone.error();
  EXPECT_EQ(alone->steps[0].view.file, walks_folder() / "relu_matmul.json.gz");
}

TEST(LessonErrors, OfSlidesAndPicturesSayWhatIsWrong) {
  const platform::TemporaryFolder folder;
  std::ofstream(folder.path() / "text.png") << "no picture";
  std::ofstream(folder.path() / "cut.png") << "\x89PNG\r\n\x1a\n";
  const auto whole = draw::png_of(draw::filled(30, 30, 0xff102030));
  ASSERT_TRUE(whole);
  std::ofstream(folder.path() / "half.png") << whole->substr(0, whole->size() / 2);
  ASSERT_TRUE(draw::write_png(draw::filled(10001, 1, 0xff000000), folder.path() / "long.png"));
  std::string many = *whole;  // its header says 8,001 x 8,000 pixels
  many.replace(16, 8, std::string_view("\0\0\x1f\x41\0\0\x1f\x40", 8));
  std::ofstream(folder.path() / "many.png") << many;
  std::ofstream(folder.path() / "heavy.png") << std::string((20u << 20) + 1, 'x');
  const std::pair<const char*, const char*> wrong[] = {
      {R"("slide": 5)", "step 1: \"slide\" is not an object; write {\"title\": ..., \"text\": ...}"},
      {R"("slide": {})", "\"slide\" has neither title nor text"},
      {R"("slide": {"title": 5})", "\"slide\": \"title\" is not one of its keys, or not a string"},
      {R"("slide": {"body": "x"})", "\"slide\": \"body\" is not one of its keys"},
      {R"("slide": {"title": "x"}, "scene": "sm")", "\"scene\" does not go with \"slide\""},
      {R"("slide": {"title": "x"}, "set": {"sm.registers": 64})", "\"set\" does not go with \"slide\""},
      {R"("picture": "gone.png")", "gone.png: there is no such file"},
      {R"("picture": "")", "is not a regular file"},
      {R"("picture": 5)", "\"picture\" is not a string"},
      {R"("picture": "text.png")", "text.png: is not a PNG or JPEG picture"},
      {R"("picture": "cut.png")", "cut.png: is damaged"},
      {R"("picture": "half.png")", "half.png: is damaged"},
      {R"("picture": "long.png")", "long.png: has 10001 x 1 pixels; a picture has at most 10000 x 10000"},
      {R"("picture": "many.png")", "many.png: has 8001 x 8000 pixels; a picture has at most 64 million"},
      {R"("picture": "heavy.png")", "heavy.png: is larger than 20 MiB"},
      {R"("minutes": "3")", "\"minutes\" is not a number from 0 to 600"},
      {R"("minutes": -1)", "\"minutes\" is not a number from 0 to 600"},
      {R"("minutes": 601)", "\"minutes\" is not a number from 0 to 600"},
      {R"("title": 5)", "\"title\" is not a string"},
  };
  for (const auto& [member, what] : wrong) {
    const auto lesson = parse_lesson(
        R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", )" + std::string(member) + "}]}",
        folder.path() / "l.json", walks_folder());
    ASSERT_FALSE(lesson) << member;
    EXPECT_THAT(lesson.error(), HasSubstr(what)) << member;
    EXPECT_THAT(lesson.error(), ::testing::Not(HasSubstr("\n")));
  }
  EXPECT_THAT(error_of(R"({"warpwalk_lesson": 1, "steps": [{"slide": {"title": "x"}}]})"),
              HasSubstr("no step has a \"file\""));
}

// The lecturer's question is asked where the scene has one of its own, which is then not asked.
TEST(Lesson, AQuestionWinsOverTheScenes) {
  const trace::ReadResult trace = trace::read_trace(walk_file("relu_matmul"));
  const story::Walk walk = story::default_walk(trace.trace);
  // A beat that asks.
  document::View asking;
  for (const story::Scene& scene : story::scenes()) {
    const std::vector<story::Beat> beats = scene.beats(trace.trace, walk);
    for (std::size_t i = 0; i < beats.size() && asking.file.empty(); ++i) {
      story::SceneInput input = {
          trace.trace, walk, english(), hardware(), {story::Moment::Kind::beat, static_cast<std::int64_t>(i + 1), 1}};
      input.predictions.asking = true;
      const auto stage = story::stage_at(scene, input);
      if (!stage || !stage->question) continue;
      asking.file = walk_file("relu_matmul");
      asking.scene = scene.name;
      asking.moment = {story::Moment::Kind::named, 1, 1, beats[i].key};
    }
  }
  ASSERT_FALSE(asking.file.empty());
  const platform::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "own.json";
  const std::string step = R"({"file": "relu_matmul.json.gz", "scene": ")" + asking.scene + R"(", "at": ")" +
                           asking.moment.name + R"(", "title": "My title", "text": "My words")";
  std::ofstream(file) << R"({"warpwalk_lesson": 1, "steps": [)" << step
                      << R"(, "question": {"text": "Mine?", "options": ["a", "b"], "right": 1, "id": "mine"}}, )"
                      << step << "}]}";
  Driver driver(1280, 720);
  driver.open(file.string());
  driver.settle();
  if (!driver.shell.opened().predictions.asking) driver.press(U'q');
  const auto& stage = driver.shell.opened().stage;
  ASSERT_TRUE(stage->question && stage->question->asked());
  EXPECT_EQ(stage->question->key, "lesson.mine");
  EXPECT_EQ(stage->title, "Mine?");
  driver.press(U'1');
  driver.press(Key::enter);
  driver.settle();
  EXPECT_EQ(stage->question->state, story::Question::State::answered);
  EXPECT_EQ(stage->title, "My title");
  EXPECT_EQ(stage->own_words, "My words");
  ASSERT_EQ(driver.answered.size(), 1u);
  EXPECT_EQ(driver.answered[0].key, "lesson.mine");
  driver.press(Key::right);
  driver.settle();
  ASSERT_TRUE(stage->question && stage->question->asked());
  EXPECT_EQ(stage->question->key.find("lesson."), std::string::npos);  // the scene's
}

// The question of a step is asked in its view only, answered by keys, kept, and not asked when questions are off.
TEST(Lesson, AQuestionIsAskedAnsweredAndKept) {
  const platform::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "own.json";
  std::ofstream(file) << R"({"warpwalk_lesson": 1, "title": "Own", "steps": [
      {"file": "relu_matmul.json.gz", "scene": "warehouse", "at": "b1",
       "question": {"text": "Which of them is true?", "options": ["this", "that"], "right": 2, "why": "It is so.",
                    "wrong": ["This is why not.", ""]}},
      {"scene": "warehouse", "at": "b2"}]})";
  Driver driver(1280, 720);
  driver.open(file.string());
  driver.settle();
  ASSERT_TRUE(driver.shell.opened().lesson);
  EXPECT_FALSE(driver.shell.opened().stage->question);
  driver.press(U'q');
  ASSERT_TRUE(driver.shell.opened().stage->question);
  EXPECT_TRUE(driver.shell.opened().stage->question->asked());
  EXPECT_FALSE(driver.shell.opened().stage->question->right);
  const auto shows = [&](std::string_view words) {
    const auto texts = driver.texts();
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(shows("Which of them is true?"));
  EXPECT_FALSE(shows("It is so."));
  // The picture of the step may reveal the answer.
  EXPECT_EQ(driver.shell.opened().stage->picture.index(), 0u);
  EXPECT_TRUE(driver.shell.opened().stage->facts.empty());
  EXPECT_EQ(driver.shell.opened().stage->sentence, "");
  driver.press(U'1');
  driver.press(Key::enter);
  driver.settle();
  EXPECT_TRUE(shows("This is why not."));
  EXPECT_FALSE(shows("It is so."));
  EXPECT_TRUE(driver.shell.opened().stage->question->asked());
  driver.press(U'2');
  driver.press(Key::enter);
  driver.settle();
  EXPECT_TRUE(shows("It is so."));
  EXPECT_NE(driver.shell.opened().stage->picture.index(), 0u);
  EXPECT_NE(driver.shell.opened().stage->sentence, "");
  ASSERT_EQ(driver.answered.size(), 2u);
  EXPECT_EQ(driver.answered[1].chosen, 1u);
  EXPECT_EQ(driver.answered[1].attempt, 2);
  EXPECT_EQ(driver.answered[0].key, "lesson.1");
  EXPECT_EQ(driver.answered[0].about, "own.json");
  EXPECT_EQ(driver.answered[0].chosen, 0u);
  EXPECT_EQ(driver.answered[0].right, 1u);
  driver.press(Key::right);
  driver.settle();
  EXPECT_FALSE(driver.shell.opened().stage->question &&
               driver.shell.opened().stage->question->key.starts_with("lesson"));
  driver.press(Key::left);
  driver.settle();
  EXPECT_TRUE(shows("It is so."));
  driver.press(U'r');  // asks again
  EXPECT_TRUE(driver.shell.opened().stage->question && driver.shell.opened().stage->question->asked());
  driver.press(U'q');
  EXPECT_FALSE(driver.shell.opened().stage->question);
}

TEST(Lesson, AQuestionAboutWhatTheStepShowsLeavesItThere) {
  const platform::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "own.json";
  std::ofstream(file) << R"({"warpwalk_lesson": 1, "steps": [
      {"file": "relu_matmul.json.gz", "scene": "warehouse", "at": "b1",
       "question": {"text": "What is this?", "options": ["a", "b"], "right": 1, "shows": true}}]})";
  Driver driver(1280, 720, true);
  driver.open(file.string());
  driver.press(U'q');
  if (!driver.shell.opened().stage->question) driver.press(U'q');
  ASSERT_TRUE(driver.shell.opened().stage->question);
  EXPECT_TRUE(driver.shell.opened().stage->question->asked());
  EXPECT_EQ(driver.shell.opened().stage->title, "What is this?");
  EXPECT_NE(driver.shell.opened().stage->picture.index(), 0u);
  EXPECT_NE(driver.shell.opened().stage->sentence, "");
}

// A control that the scene does not have, or a scene that does not exist, is named with what there is.
TEST(LessonErrors, OfUnknownControlsSayWhatThereIs) {
  const platform::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "own.json";
  std::ofstream(file) << R"({"warpwalk_lesson": 1, "steps": [
      {"file": "relu_matmul.json.gz", "scene": "sm", "at": "b4", "set": {"sm.registers": 64}},
      {"scene": "sm", "at": "b4", "set": {"sm.registres": 64}},
      {"scene": "lab/hierarchy", "at": "b2", "set": {"lab/hierarchy.thread": 40}},
      {"scene": "sm", "at": "b1"}]})";
  Driver driver(1280, 720);
  driver.open(file.string());
  driver.settle();
  EXPECT_THAT(driver.shell.note().text, ::testing::Not(HasSubstr("control")));
  driver.press(Key::right);
  driver.settle();
  const std::string said = driver.shell.note().text;
  EXPECT_TRUE(said.starts_with("own.json: step 2: sm.registres: the scene sm has no such control; it has ")) << said;
  EXPECT_THAT(said, HasSubstr("registers"));
  EXPECT_EQ(driver.shell.opened().stage->scene, "sm");  // the step is shown
  driver.press(Key::right);                             // set by a click in the picture: known
  driver.settle();
  EXPECT_EQ(driver.shell.opened().stage->scene, "lab/hierarchy");
  EXPECT_EQ(driver.shell.note().text, "");
  const auto error =
      error_of(R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "set": {"lab/observ.gap": 1}}]})");
  EXPECT_THAT(error, HasSubstr("step 1: lab/observ.gap: lab/observ is not a scene; see warpwalk render --list"));
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
       "step 2: \"scene\": attic: not a scene"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "at": "later"}]})", "step 1: later"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "speed": "2"}]})", "\"speed\" is not a key"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "\note": "2"}]})", "\" ote\" is not a key"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "note": 2}]})", "\"note\" is not a string"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "names": "x"}]})",
       "\"names\": x: not a choice"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "set": {"x": 1}}]})", "x=1: not a setting"},
      {R"({"warpwalk_lesson": 1, "steps": [{"file": "relu_matmul.json.gz", "set": {"a.x": "1"}}]})", "is not a number"},
  };
  for (const auto& [text, what] : wrong) {
    const std::string error = error_of(text);
    EXPECT_THAT(error, HasSubstr(what)) << text;
    EXPECT_TRUE(error.starts_with("/tmp/l.json: ")) << error;
    EXPECT_THAT(error, ::testing::Not(HasSubstr("\n")));
  }
}

TEST(LessonErrors, TooLongOnesAndPipesAreCalledWhatTheyAre) {
  const platform::TemporaryFolder folder;
  const std::filesystem::path large = folder.path() / "large.json";
  std::ofstream(large) << R"({"warpwalk_lesson": 1, "title": ")" << std::string(1 << 20, 'x') << R"(", "steps": []})";
  EXPECT_TRUE(is_lesson(large));
  const auto too_large = load_lesson(large, walks_folder());
  ASSERT_FALSE(too_large);
  EXPECT_THAT(too_large.error(), HasSubstr("larger than 1 MiB"));
  const std::filesystem::path pipe = folder.path() / "pipe.json";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(is_lesson(pipe));
  EXPECT_FALSE(load_lesson(pipe, walks_folder()));
  document::Loader loader;
  loader.open(pipe);
  std::shared_ptr<const document::Document> document;
  while ((document = loader.poll()) == nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_THAT(document->read.error.value_or(""), HasSubstr("is not a regular file"));
}

// Each of them may have the answer.
TEST(Lesson, AQuestionHidesTheFollowedNumberAndTheTile) {
  const trace::ReadResult read = trace::read_trace(walk_file("h200_relu_matmul_inside"));
  ASSERT_FALSE(read.error);
  const story::Walk walk = story::default_walk(read.trace);
  const story::Scene& launch = *story::find_scene("launch");
  const std::vector<story::Beat> beats = launch.beats(read.trace, walk);
  const auto tile = std::ranges::find(beats, "tile", &story::Beat::key);
  ASSERT_NE(tile, beats.end());
  const auto made = story::stage_at(
      launch, {read.trace, walk, english(), hardware(), {story::Moment::Kind::beat, tile - beats.begin() + 1, 1}});
  ASSERT_TRUE(made) << made.error();
  const auto tiles = [](const story::Stage& stage) {
    std::size_t count = 0;
    if (const auto* const panels = std::get_if<std::shared_ptr<const story::Panels>>(&stage.picture))
      for (const story::PanelRow& row : (*panels)->rows)
        for (const story::Panel& panel : row.panels)
          count += std::get_if<story::TilePicture>(&panel.picture) != nullptr;
    return count;
  };
  ASSERT_TRUE(made->number);
  ASSERT_EQ(tiles(*made), 1u);
  lessons::LessonQuestion question{"How large is the tile?", {"8", "16"}, 1, "It is so."};
  story::Predictions said;
  const auto asked = [&] {
    story::Stage stage = *made;
    lessons::add_lesson_question(question, "own.json", 0, english(), said, stage);
    return stage;
  };
  EXPECT_EQ(tiles(asked()), 1u);  // questions are off
  said.asking = true;
  const story::Stage before = asked();
  ASSERT_TRUE(before.question && before.question->asked());
  EXPECT_FALSE(before.number);
  EXPECT_EQ(tiles(before), 0u);
  question.shows = true;  // about what the step shows
  EXPECT_TRUE(asked().number);
  EXPECT_EQ(tiles(asked()), 1u);
  question.shows = false;
  said.answer("lesson.1", "own.json", 1);
  const story::Stage after = asked();
  EXPECT_EQ(after.question->state, story::Question::State::answered);
  EXPECT_TRUE(after.number);
  EXPECT_EQ(tiles(after), 1u);
}

}  // namespace
}  // namespace warpwalk::shell
