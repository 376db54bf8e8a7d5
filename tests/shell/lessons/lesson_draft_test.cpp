// A lesson that is composed: what is written is read back the same, undo loses nothing, and a draft survives.
#include "app/lessons/lesson_draft.h"

#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "app/lessons/lesson_draft_text.h"
#include "app/lessons/lesson_writer.h"
#include "core/platform/temporary_folder.h"
#include "core/story/labs/labs.h"
#include "core/story/scene_list.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using lessons::draft_of_text;
using lessons::DraftQuestion;
using lessons::DraftStep;
using lessons::Lesson;
using lessons::lesson_of;
using lessons::LessonDraft;
using lessons::LessonQuestion;
using lessons::LessonStep;
using lessons::load_lesson;
using lessons::name_in_lesson;
using lessons::parse_lesson;
using lessons::question_of;

namespace fs = std::filesystem;

fs::path walk(const std::string& name) { return walks_folder() / (name + ".json.gz"); }

View view_of(const std::string& name) {
  View view;
  view.file = walk(name);
  return view;
}

// Text with everything that JSON and the options' separator make difficult.
std::string odd_text(std::mt19937& rng, std::size_t most) {
  static const std::vector<std::string> parts = {"a", "Z", " ", "\"", "\\", "|", "{",
                                                 "}", "é", "→", "\t", "\n", "7", "/"};
  std::string text;
  for (std::size_t i = rng() % (most + 1); i > 0; --i) text += parts[rng() % parts.size()];
  return text;
}

LessonStep odd_step(std::mt19937& rng, const std::vector<fs::path>& files) {
  LessonStep step;
  View& view = step.view;
  view.file = files[rng() % files.size()];
  const auto& scenes = rng() % 2 == 0 ? story::scenes() : story::labs();
  view.scene = scenes[rng() % scenes.size()].name;
  const auto value = static_cast<std::int64_t>(1 + rng() % 9);
  view.moment = {rng() % 3 == 0   ? story::Moment::Kind::time
                 : rng() % 2 == 0 ? story::Moment::Kind::cycle
                                  : story::Moment::Kind::beat,
                 value, 1};
  if (rng() % 2 == 0) view.follow = "kernel:" + std::to_string(rng() % 40);
  for (std::size_t i = rng() % 4; i > 0; --i) {
    const double values[] = {0, 1, 64, -3, 0.1, 1e-7, 1e20, 12345.678901234567};
    view.controls.set(view.scene + ".c" + std::to_string(rng() % 5), values[rng() % std::size(values)]);
  }
  view.naming = static_cast<story::Naming>(rng() % 3);
  step.note = odd_text(rng, 30);
  if (rng() % 3 == 0) {
    LessonQuestion question;
    question.text = "q" + odd_text(rng, 10);
    for (std::size_t i = 2 + rng() % 8; i > 0; --i) question.options.push_back("o" + odd_text(rng, 6) + "o");
    question.right = rng() % question.options.size();
    question.why = odd_text(rng, 10);
    question.shows = rng() % 2 == 0;
    step.question = question;
  }
  return step;
}

void expect_same(const Lesson& a, const Lesson& b) {
  EXPECT_EQ(a.title, b.title);
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    SCOPED_TRACE(i);
    View left = a.steps[i].view, right = b.steps[i].view;
    EXPECT_TRUE(fs::equivalent(left.file, right.file)) << left.file << " " << right.file;
    left.file.clear();
    right.file.clear();
    EXPECT_TRUE(left == right) << document::link_of(left) << " " << document::link_of(right);
    EXPECT_EQ(a.steps[i].note, b.steps[i].note);
    ASSERT_EQ(a.steps[i].question.has_value(), b.steps[i].question.has_value());
    if (!a.steps[i].question) continue;
    EXPECT_EQ(a.steps[i].question->text, b.steps[i].question->text);
    EXPECT_EQ(a.steps[i].question->options, b.steps[i].question->options);
    EXPECT_EQ(a.steps[i].question->right, b.steps[i].question->right);
    EXPECT_EQ(a.steps[i].question->why, b.steps[i].question->why);
    EXPECT_EQ(a.steps[i].question->shows, b.steps[i].question->shows);
  }
}

// A folder with traces beside the lesson, below it, and elsewhere.
struct LessonFolders {
  platform::TemporaryFolder folder;
  fs::path lesson = folder.path() / "class" / "lesson.json";
  std::vector<fs::path> files;

  LessonFolders() {
    for (const fs::path& file : {folder.path() / "class" / "own trace.json",
                                 folder.path() / "class" / "deep" / "x.json", folder.path() / "other" / "y.json"}) {
      fs::create_directories(file.parent_path());
      std::ofstream(file) << "{}";
      files.push_back(file);
    }
    files.push_back(walk("relu_matmul"));
    files.push_back(walk("two_streams"));
  }
};

TEST(LessonWriter, WhatIsWrittenIsReadBackTheSame) {
  const LessonFolders folders;
  std::mt19937 rng(7);
  for (int round = 0; round < 300; ++round) {
    Lesson lesson{folders.lesson, "t" + odd_text(rng, 12), {}};
    for (std::size_t i = 1 + rng() % 6; i > 0; --i) lesson.steps.push_back(odd_step(rng, folders.files));
    const std::string text = text_of(lesson, walks_folder());
    const auto read = parse_lesson(text, lesson.file, walks_folder());
    ASSERT_TRUE(read) << read.error() << "\n" << text;
    expect_same(lesson, *read);
    EXPECT_EQ(text_of(*read, walks_folder()), text);  // and is then stable
  }
}

TEST(LessonWriter, ShippedLessonsAreReadBackTheSame) {
  std::size_t lessons = 0;
  for (const auto& entry : fs::directory_iterator(std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons")) {
    const auto lesson = load_lesson(entry.path(), walks_folder());
    ASSERT_TRUE(lesson) << lesson.error();
    const auto read = parse_lesson(text_of(*lesson, walks_folder()), entry.path(), walks_folder());
    ASSERT_TRUE(read) << read.error();
    expect_same(*lesson, *read);
    LessonDraft draft;
    draft.replace(*lesson);
    EXPECT_FALSE(draft.unsaved());
    expect_same(*lesson, std::get<Lesson>(lesson_of(draft, entry.path())));
    ++lessons;
  }
  EXPECT_GE(lessons, 4u);
}

TEST(LessonWriter, NamesFilesSoThatTheLessonCanMove) {
  const LessonFolders folders;
  EXPECT_EQ(name_in_lesson(walk("relu_matmul"), folders.lesson, walks_folder()), "relu_matmul.json.gz");
  EXPECT_EQ(name_in_lesson(folders.files[0], folders.lesson, walks_folder()), "own trace.json");
  EXPECT_EQ(name_in_lesson(folders.files[1], folders.lesson, walks_folder()), "deep/x.json");
  EXPECT_EQ(name_in_lesson(folders.files[2], folders.lesson, walks_folder()), "../other/y.json");
  EXPECT_EQ(name_in_lesson(walk("two_streams"), "/nowhere/lesson.json", "/elsewhere"), walk("two_streams").string());
  // A file of the same name beside the lesson is another trace.
  std::ofstream(folders.lesson.parent_path() / "relu_matmul.json.gz") << "{}";
  EXPECT_NE(name_in_lesson(walk("relu_matmul"), folders.lesson, walks_folder()), "relu_matmul.json.gz");
  const auto read =
      parse_lesson(lessons::text_of({folders.lesson, "t", {{view_of("relu_matmul"), "", {}}}}, walks_folder()),
                   folders.lesson, walks_folder());
  ASSERT_TRUE(read) << read.error();
  EXPECT_TRUE(fs::equivalent(read->steps[0].view.file, walk("relu_matmul")));
}

DraftStep step_named(const std::string& name) {
  DraftStep step;
  step.view.file = walk("relu_matmul");
  step.note = name;
  return step;
}

std::string order(const LessonDraft& draft) {
  std::string notes;
  for (const DraftStep& step : draft.steps()) notes += step.note;
  return notes;
}

TEST(LessonDraft, StepsAreAddedBehindTheCurrentOneMovedAndRemoved) {
  LessonDraft draft;
  EXPECT_FALSE(draft.unsaved());
  for (const char* name : {"a", "b", "c", "d"}) draft.add(step_named(name));
  EXPECT_EQ(order(draft), "abcd");
  EXPECT_EQ(draft.at(), 3u);
  EXPECT_TRUE(draft.unsaved());
  draft.go(1);
  draft.add(step_named("x"));
  EXPECT_EQ(order(draft), "abxcd");
  draft.move(2, 0);
  EXPECT_EQ(order(draft), "xabcd");
  EXPECT_EQ(draft.at(), 0u);
  draft.move(0, 4);
  EXPECT_EQ(order(draft), "abcdx");
  draft.go(2);
  draft.remove();
  EXPECT_EQ(order(draft), "abdx");
  EXPECT_EQ(draft.at(), 2u);
  draft.move(7, 0);  // no such step
  EXPECT_EQ(order(draft), "abdx");
}

TEST(LessonDraft, UndoBringsBackAStepAndKeepsWhatWasTypedSince) {
  LessonDraft draft;
  for (const char* name : {"a", "b", "c"}) draft.add(step_named(name));
  draft.go(1);
  draft.remove();
  draft.set_note("C");  // the current step is c now
  draft.add(step_named("d"));
  draft.undo();
  EXPECT_EQ(order(draft), "abCd");
  EXPECT_EQ(draft.at(), 1u);
  EXPECT_FALSE(draft.can_undo());
  draft.go(0);
  draft.remove();
  EXPECT_EQ(order(draft), "bCd");
  draft.undo();
  EXPECT_EQ(order(draft), "abCd");
  // Another lesson takes its place, and gives way again.
  draft.set_title("mine");
  draft.replace({"/tmp/other.json", "other", {{view_of("two_streams"), "z", {}}}});
  EXPECT_EQ(order(draft), "z");
  EXPECT_FALSE(draft.unsaved());
  draft.undo();
  EXPECT_EQ(order(draft), "abCd");
  EXPECT_EQ(draft.title(), "mine");
  EXPECT_TRUE(draft.unsaved());
}

// Any sequence of removals and moves is undone step by step.
TEST(LessonDraft, UndoReversesRemovalsAndMovesInOrder) {
  std::mt19937 rng(3);
  for (int round = 0; round < 200; ++round) {
    LessonDraft draft;
    for (char c = 'a'; c < 'a' + 6; ++c) draft.add(step_named(std::string(1, c)));
    std::vector<std::string> before;
    for (int i = 0; i < 5; ++i) {
      const std::string now = order(draft);
      if (rng() % 2 == 0) {
        draft.go(rng() % draft.steps().size());
        draft.remove();
      } else {
        draft.move(rng() % draft.steps().size(), rng() % draft.steps().size());
      }
      if (order(draft) != now) before.push_back(now);
    }
    while (!before.empty()) {
      draft.undo();
      ASSERT_EQ(order(draft), before.back());
      before.pop_back();
    }
    EXPECT_FALSE(draft.can_undo());
  }
}

TEST(LessonDraft, AQuestionIsCheckedWhereItIsTyped) {
  const auto wrong = [](const DraftQuestion& typed) {
    const auto question = question_of(typed);
    return question ? std::string() : question.error();
  };
  EXPECT_EQ(wrong({"", "", "", ""}), "");
  EXPECT_FALSE(*question_of({}));
  EXPECT_EQ(wrong({"", "a | b", "1", ""}), "no_question_text");
  EXPECT_EQ(wrong({"Q?", "a", "1", ""}), "wrong_options");
  EXPECT_EQ(wrong({"Q?", "a | | |", "1", ""}), "wrong_options");
  EXPECT_EQ(wrong({"Q?", "1|2|3|4|5|6|7|8|9|10", "1", ""}), "wrong_options");
  for (const char* right : {"", "0", "3", "-1", "1x", "one", "99999999999999999999"})
    EXPECT_EQ(wrong({"Q?", "a | b", right, ""}), "wrong_right") << right;
  const auto question = *question_of({"Q?", R"(a \| b |  c\\ )", " 2 ", "why"});
  ASSERT_TRUE(question);
  EXPECT_EQ(question->options, (std::vector<std::string>{"a | b", "c\\"}));
  EXPECT_EQ(question->right, 1u);
  LessonDraft draft;
  EXPECT_EQ(std::get<1>(lesson_of(draft, "/tmp/l.json")).second, "no_steps");
  draft.add(step_named("a"));
  draft.add(step_named("b"));
  draft.set_question({"Q?", "a", "", ""});
  EXPECT_EQ(std::get<1>(lesson_of(draft, "/tmp/l.json")), (std::pair<std::size_t, std::string>{1, "wrong_options"}));
}

TEST(LessonDraft, SurvivesAsTextWithWhatIsIncomplete) {
  LessonDraft draft;
  draft.set_title("T \"quoted\"");
  draft.add(step_named("a"));
  draft.add(step_named("b"));
  draft.set_question({"only text", "one", "x", "", true});
  draft.saved_to("/tmp/where.json");
  draft.set_note("b2");
  const auto read = draft_of_text(text_of(draft));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->title(), draft.title());
  EXPECT_EQ(read->file(), "/tmp/where.json");
  EXPECT_EQ(order(*read), "ab2");
  EXPECT_EQ(read->steps()[1].question, (DraftQuestion{"only text", "one", "x", "", true}));
  EXPECT_TRUE(read->steps()[0].view == draft.steps()[0].view);
  EXPECT_TRUE(read->unsaved());
  for (const char* text :
       {"", "{", "[]", "{}", R"({"warpwalk_lesson": 1, "steps": []})", R"({"warpwalk_lesson_draft": 1, "steps": 5})"})
    EXPECT_FALSE(draft_of_text(text)) << text;
  EXPECT_TRUE(draft_of_text(R"({"warpwalk_lesson_draft": 1, "steps": [5, {"view": 7}, {}]})"));
}

}  // namespace
}  // namespace warpwalk::shell
