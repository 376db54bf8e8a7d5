// A lesson that is composed: what is written is read back the same, undo and redo are exact, and a draft survives.
#include "app/lessons/lesson_draft.h"

#include <fstream>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "app/draw/image.h"
#include "app/lessons/lesson_draft_text.h"
#include "app/lessons/lesson_writer.h"
#include "core/platform/temporary_folder.h"
#include "core/story/labs/labs.h"
#include "core/story/scene_list.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using lessons::draft_of_text;
using lessons::DraftOption;
using lessons::DraftProblem;
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
  step.text = odd_text(rng, 30);
  step.title = odd_text(rng, 5);
  if (rng() % 2 == 0) step.minutes = static_cast<double>(rng() % 100) / 4;
  if (rng() % 3 == 0) {
    LessonQuestion question;
    question.text = "q" + odd_text(rng, 10);
    for (std::size_t i = 2 + rng() % 8; i > 0; --i) question.options.push_back("o" + odd_text(rng, 6) + "o");
    question.right = rng() % question.options.size();
    question.why = odd_text(rng, 10);
    question.shows = rng() % 2 == 0;
    if (rng() % 2 == 0) question.id = "q" + std::to_string(rng());
    if (rng() % 2 == 0)
      for (std::size_t i = 0; i < question.options.size(); ++i)
        question.wrong.push_back(i == question.right ? "" : "w" + odd_text(rng, 6));
    step.question = question;
  }
  return step;
}

// A slide, a picture, or both, in place of the scene.
LessonStep odd_slide(std::mt19937& rng, const std::vector<fs::path>& files, const fs::path& picture) {
  LessonStep step = odd_step(rng, files);
  if (rng() % 3 != 0) step.slide = {odd_text(rng, 5), "t" + odd_text(rng, 20)};
  if (!step.slide || rng() % 2 == 0) step.picture = {picture, *lessons::read_photo(picture)};
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
    EXPECT_EQ(a.steps[i].text, b.steps[i].text);
    EXPECT_EQ(a.steps[i].title, b.steps[i].title);
    EXPECT_EQ(a.steps[i].minutes, b.steps[i].minutes);
    EXPECT_EQ(a.steps[i].slide, b.steps[i].slide);
    ASSERT_EQ(a.steps[i].picture.has_value(), b.steps[i].picture.has_value());
    if (a.steps[i].picture) {
      EXPECT_TRUE(fs::equivalent(a.steps[i].picture->file, b.steps[i].picture->file));
    }
    ASSERT_EQ(a.steps[i].question.has_value(), b.steps[i].question.has_value());
    if (!a.steps[i].question) continue;
    EXPECT_EQ(a.steps[i].question->text, b.steps[i].question->text);
    EXPECT_EQ(a.steps[i].question->options, b.steps[i].question->options);
    EXPECT_EQ(a.steps[i].question->right, b.steps[i].question->right);
    EXPECT_EQ(a.steps[i].question->why, b.steps[i].question->why);
    EXPECT_EQ(a.steps[i].question->wrong, b.steps[i].question->wrong);
    EXPECT_EQ(a.steps[i].question->shows, b.steps[i].question->shows);
    EXPECT_EQ(lessons::question_key(*a.steps[i].question, i), lessons::question_key(*b.steps[i].question, i));
  }
}

// A folder with traces beside the lesson, below it, and elsewhere.
struct LessonFolders {
  platform::TemporaryFolder folder;
  fs::path lesson = folder.path() / "class" / "lesson.json";
  std::vector<fs::path> files;
  fs::path picture = folder.path() / "class" / "board photo.png";

  LessonFolders() {
    for (const fs::path& file : {folder.path() / "class" / "own trace.json",
                                 folder.path() / "class" / "deep" / "x.json", folder.path() / "other" / "y.json"}) {
      fs::create_directories(file.parent_path());
      std::ofstream(file) << "{}";
      files.push_back(file);
    }
    files.push_back(walk("relu_matmul"));
    files.push_back(walk("two_streams"));
    if (!draw::write_png(draw::filled(5, 3, 0xff2040f0), picture)) files.clear();
  }
};

TEST(LessonWriter, WhatIsWrittenIsReadBackTheSame) {
  const LessonFolders folders;
  std::mt19937 rng(7);
  for (int round = 0; round < 300; ++round) {
    Lesson lesson{folders.lesson, "t" + odd_text(rng, 12), {}};
    for (std::size_t i = 1 + rng() % 6; i > 0; --i)
      lesson.steps.push_back(rng() % 3 == 0 ? odd_slide(rng, folders.files, folders.picture)
                                            : odd_step(rng, folders.files));
    lessons::place_slides(lesson.steps);
    const std::string text = text_of(lesson, walks_folder());
    const auto read = parse_lesson(text, lesson.file, walks_folder());
    ASSERT_TRUE(read) << read.error() << "\n" << text;
    expect_same(lesson, *read);
    EXPECT_EQ(text_of(*read, walks_folder()), text);  // and is then stable
    // The composer writes what it has read, and a draft that is kept is the same lesson.
    LessonDraft draft;
    draft.replace(*read);
    const auto composed = lesson_of(draft, lesson.file);
    ASSERT_TRUE(std::holds_alternative<Lesson>(composed)) << std::get<DraftProblem>(composed).key;
    expect_same(lesson, std::get<Lesson>(composed));
    const auto kept = draft_of_text(text_of(draft));
    ASSERT_TRUE(kept);
    expect_same(lesson, std::get<Lesson>(lesson_of(*kept, lesson.file)));
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

// Types the note of the current step.
void type_note(LessonDraft& draft, const std::string& note, const std::string& group = {}) {
  DraftStep step = *draft.step();
  step.note = note;
  draft.type(draft.title(), draft.content().target, step, group);
}

TEST(LessonDraft, UndoGoesBackThroughEverythingInOrder) {
  LessonDraft draft;
  for (const char* name : {"a", "b", "c"}) draft.add(step_named(name));
  draft.go(1);
  draft.remove();
  for (const char* note : {"C", "Cl", "Cla"}) type_note(draft, note, "note");  // one word
  type_note(draft, "Cla s", "note 2");
  EXPECT_EQ(order(draft), "aCla s");
  draft.undo();
  EXPECT_EQ(order(draft), "aCla");
  draft.undo();
  EXPECT_EQ(order(draft), "ac");
  draft.undo();
  EXPECT_EQ(order(draft), "abc");
  EXPECT_EQ(draft.at(), 1u);
  draft.redo();
  draft.redo();
  EXPECT_EQ(order(draft), "aCla");
  type_note(draft, "else");
  EXPECT_FALSE(draft.can_redo());  // another way was taken
  // Another lesson takes its place, and gives way again.
  draft.type("mine", "", *draft.step(), {});
  draft.replace({"/tmp/other.json", "other", {{view_of("two_streams"), "z", {}}}});
  EXPECT_EQ(order(draft), "z");
  EXPECT_FALSE(draft.unsaved());
  draft.undo();
  EXPECT_EQ(draft.title(), "mine");
  EXPECT_TRUE(draft.unsaved());
}

TEST(LessonDraft, IsSavedWhereItIsAsInTheFile) {
  LessonDraft draft;
  draft.add(step_named("a"));
  draft.saved_to("/tmp/l.json");
  EXPECT_FALSE(draft.unsaved());
  type_note(draft, "b");
  EXPECT_TRUE(draft.unsaved());
  draft.undo();
  EXPECT_FALSE(draft.unsaved());
  draft.undo();
  EXPECT_TRUE(draft.unsaved());
  EXPECT_EQ(draft.file(), "/tmp/l.json");  // what was saved stays the lesson's file
}

// One random change of a draft.
void change(LessonDraft& draft, std::mt19937& rng, const fs::path& picture) {
  const std::size_t count = draft.steps().size();
  switch (rng() % 8) {
    case 0: return draft.remove();
    case 1: return draft.move(rng() % (count + 1), rng() % (count + 1));
    case 2: return draft.duplicate();
    case 3: return draft.go(rng() % (count + 1));
    case 4:
      if (rng() % 8 == 0) return draft.replace({"/tmp/other.json", "other", {{view_of("two_streams"), "z", {}}}});
      break;
    default: break;
  }
  if (count == 0 || rng() % 4 == 0) {
    DraftStep step = step_named(odd_text(rng, 5));
    step.is_slide = rng() % 2 == 0;
    return draft.add(std::move(step));
  }
  DraftStep step = *draft.step();
  for (std::string* const text : {&step.title, &step.text, &step.note, &step.minutes, &step.question.text,
                                  &step.question.why, &step.slide.title, &step.slide.text})
    if (rng() % 4 == 0) *text = odd_text(rng, 6);
  if (rng() % 3 == 0) step.question.options.assign(rng() % 9, DraftOption{odd_text(rng, 4), odd_text(rng, 4)});
  if (rng() % 3 == 0) step.question.right = rng() % 9;
  if (rng() % 3 == 0) step.picture = rng() % 2 == 0 ? picture.string() : odd_text(rng, 4);
  draft.type(odd_text(rng, 3), odd_text(rng, 3), step, rng() % 2 == 0 ? "field" : "");
}

// Whatever was done: to undo all and to redo all is the identity, step by step.
TEST(LessonDraft, UndoAndRedoAreExact) {
  const LessonFolders folders;
  std::mt19937 rng(11);
  for (int round = 0; round < 200; ++round) {
    LessonDraft draft;
    for (int i = 0; i < 12; ++i) {
      change(draft, rng, folders.picture);
      const auto before = draft.content();
      const bool unsaved = draft.unsaved();
      if (!draft.can_undo()) continue;
      draft.undo();
      draft.redo();
      ASSERT_EQ(draft.content(), before);
      ASSERT_EQ(draft.unsaved(), unsaved);
    }
    std::vector<std::pair<lessons::DraftContent, std::size_t>> seen = {{draft.content(), draft.at()}};
    while (draft.can_undo()) {
      draft.undo();
      seen.emplace_back(draft.content(), draft.at());
    }
    EXPECT_TRUE(draft.steps().empty());
    for (std::size_t i = seen.size() - 1; i-- > 0;) {
      ASSERT_TRUE(draft.can_redo());
      draft.redo();
      ASSERT_EQ(draft.content(), seen[i].first);
      ASSERT_EQ(draft.at(), seen[i].second);
    }
    EXPECT_FALSE(draft.can_redo());
  }
}

// The answers that were saved of a question belong to it wherever its step goes; a copy is another question.
TEST(LessonDraft, QuestionsKeepTheirIds) {
  const auto asks = [](const LessonDraft& draft, std::size_t step) { return draft.steps()[step].question.id; };
  LessonDraft draft;
  lessons::LessonQuestion question{"Q?", {"a", "b"}, 0, ""};
  draft.replace({"/tmp/old.json", "old", {{view_of("relu_matmul"), "", {}}, {view_of("relu_matmul"), "", question}}});
  EXPECT_EQ(asks(draft, 1), "2");  // as answers to a file without ids are saved
  draft.move(1, 0);
  EXPECT_EQ(asks(draft, 0), "2");
  draft.duplicate();
  ASSERT_EQ(draft.steps().size(), 3u);
  EXPECT_TRUE(lessons::is_question_id(asks(draft, 1)));
  EXPECT_NE(asks(draft, 1), "2");
  DraftStep step = *draft.step();
  const std::string id = step.question.id;
  step.question.text = "Another text?";
  draft.type(draft.title(), "", step, {});
  EXPECT_EQ(asks(draft, 1), id);
  draft.go(2);
  step = *draft.step();
  EXPECT_EQ(step.question.id, "");
  step.question.text = "N";
  draft.type(draft.title(), "", step, {});
  EXPECT_TRUE(lessons::is_question_id(asks(draft, 2)));
  EXPECT_NE(asks(draft, 2), id);
  const Lesson lesson = std::get<Lesson>(lesson_of(
      [&] {
        LessonDraft whole = draft;
        whole.remove();
        return whole;
      }(),
      "/tmp/new.json"));
  EXPECT_EQ(lessons::question_key(*lesson.steps[0].question, 0), "lesson.2");
}

TEST(LessonDraft, AQuestionIsCheckedWhereItIsTyped) {
  const auto typed = [](const std::string& text, const std::vector<std::string>& options,
                        std::optional<std::size_t> right) {
    DraftQuestion question;
    question.text = text;
    for (const std::string& option : options) question.options.push_back({option, "not " + option});
    question.right = right;
    return question;
  };
  const auto wrong = [](const DraftQuestion& question) {
    const auto made = question_of(question);
    return made ? std::string() : made.error();
  };
  EXPECT_FALSE(*question_of({}));
  EXPECT_EQ(wrong(typed("", {"a", "b"}, 0)), "no_question_text");
  EXPECT_EQ(wrong(typed("Q?", {"a"}, 0)), "wrong_options");
  EXPECT_EQ(wrong(typed("Q?", {"a", "", " "}, 0)), "wrong_options");
  EXPECT_EQ(wrong(typed("Q?", {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}, 0)), "wrong_options");
  EXPECT_EQ(wrong(typed("Q?", {"a", "b"}, std::nullopt)), "wrong_right");
  EXPECT_EQ(wrong(typed("Q?", {"a", "", "b"}, 1)), "wrong_right");  // an empty one
  EXPECT_EQ(wrong(typed("Q?", {"a", "b"}, 7)), "wrong_right");
  const auto question = *question_of(typed("Q?", {" a | b ", "", "c\\"}, 2));
  ASSERT_TRUE(question);
  EXPECT_EQ(question->options, (std::vector<std::string>{"a | b", "c\\"}));
  EXPECT_EQ(question->right, 1u);
  EXPECT_EQ(question->wrong, (std::vector<std::string>{"not  a | b ", ""}));
}

TEST(LessonDraft, SaysWhatItLacksAndInWhichStep) {
  LessonDraft draft;
  const auto problem = [&] {
    const auto made = lesson_of(draft, "/tmp/l.json");
    const auto* const wrong = std::get_if<DraftProblem>(&made);
    return wrong == nullptr ? std::string() : std::to_string(wrong->step) + " " + wrong->key;
  };
  EXPECT_EQ(problem(), "0 no_steps");
  draft.add(step_named("a"));
  draft.add(step_named("b"));
  const auto set = [&](const std::function<void(DraftStep&)>& change) {
    DraftStep step = *draft.step();
    change(step);
    draft.type("", "", step, {});
  };
  set([](DraftStep& step) { step.question.text = "Q?"; });
  EXPECT_EQ(problem(), "1 wrong_options");
  set([](DraftStep& step) { step.question = {}; });
  for (const char* const minutes : {"x", "-1", "601", "3x", "1e9", "nan", "inf"}) {
    set([&](DraftStep& step) { step.minutes = minutes; });
    EXPECT_EQ(problem(), "1 wrong_minutes") << minutes;
  }
  for (const char* const minutes : {"", " ", "0", "2.5", "2,5", " 600 "}) {
    set([&](DraftStep& step) { step.minutes = minutes; });
    EXPECT_EQ(problem(), "") << minutes;
  }
  set([](DraftStep& step) { step.is_slide = true; });
  EXPECT_EQ(problem(), "1 empty_slide");
  set([](DraftStep& step) { step.picture = "/nowhere/own.png"; });
  EXPECT_EQ(problem(), "1 wrong_picture");
  EXPECT_EQ(std::get<DraftProblem>(lesson_of(draft, "/tmp/l.json")).detail, "/nowhere/own.png: there is no such file");
  set([](DraftStep& step) {
    step.picture.clear();
    step.slide.title = "T";
    step.view.file.clear();
  });
  EXPECT_EQ(problem(), "");  // it has the trace of the step before
  draft.move(1, 0);
  EXPECT_EQ(problem(), "");  // or of the one behind it
  draft.go(1);
  draft.remove();
  EXPECT_EQ(problem(), "0 slide_without_trace");
}

TEST(LessonDraft, SurvivesAsTextWithWhatIsIncomplete) {
  LessonDraft draft;
  DraftStep first = step_named("a"), second = step_named("b");
  first.text = "for\nthe class";
  first.minutes = "x";
  first.title = "own";
  first.is_slide = true;
  first.slide = {"S", "- one\n- two"};
  first.picture = "gone.png";
  second.question = {"only text", {{"one", "no"}}, 3, "", true, "q7"};
  draft.add(first);
  draft.add(second);
  DraftStep slide;
  slide.is_slide = true;
  slide.slide.title = "no trace yet";
  draft.add(slide);
  draft.saved_to("/tmp/where.json");
  draft.type("T \"quoted\"", "/tmp/elsewhere", *draft.step(), {});
  const auto read = draft_of_text(text_of(draft));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->content(), draft.content());
  EXPECT_EQ(read->file(), "/tmp/where.json");
  EXPECT_TRUE(read->unsaved());
  for (const char* text :
       {"", "{", "[]", "{}", R"({"warpwalk_lesson": 1, "steps": []})", R"({"warpwalk_lesson_draft": 1, "steps": 5})"})
    EXPECT_FALSE(draft_of_text(text)) << text;
  EXPECT_TRUE(draft_of_text(R"({"warpwalk_lesson_draft": 1, "steps": [5, {"view": 7}, {}]})"));
}

}  // namespace
}  // namespace warpwalk::shell
