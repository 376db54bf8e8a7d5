// The lessons of assets/lessons: each step shows what it names, and its texts fit what is on the stage.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/lessons/lesson.h"
#include "app/lessons/lesson_question.h"
#include "core/records/hardware.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/pictures/panels.h"
#include "core/story/scene_list.h"
#include "core/story/scenes/map/picture.h"
#include "core/story/scenes/sm/picture.h"
#include "core/story/transcript.h"
#include "core/trace/read/read_trace.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using lessons::is_lesson;
using lessons::Lesson;
using lessons::LessonStep;
using lessons::load_lesson;
using ::testing::HasSubstr;

std::vector<std::filesystem::path> shipped() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons"))
    files.push_back(entry.path());
  return files;
}

// The sentences of a text, without the minute at the beginning of a note.
std::set<std::string> sentences(const std::string& text) {
  static const std::regex minute("^Minute [0-9]+\\. "), end("[.?!:] ?");
  const std::string rest = std::regex_replace(text, minute, "");
  std::set<std::string> all(std::sregex_token_iterator(rest.begin(), rest.end(), end, -1), {});
  all.erase("");
  return all;
}

// The lecturer sees the text on the screen: a note says something else.
TEST(LessonsShipped, NotesDoNotRepeatTheText) {
  for (const std::filesystem::path& file : shipped()) {
    const auto lesson = load_lesson(file, walks_folder());
    ASSERT_TRUE(lesson) << lesson.error();
    for (std::size_t step = 0; step < lesson->steps.size(); ++step) {
      const std::set<std::string> said = sentences(lesson->steps[step].text);
      for (const std::string& sentence : sentences(lesson->steps[step].note))
        EXPECT_FALSE(said.contains(sentence)) << file << " step " << step + 1 << ": " << sentence;
    }
  }
}

bool has_slider(const story::Stage& stage) {
  return std::ranges::any_of(stage.controls, [](const story::Control& control) {
    return control.kind == story::Control::Kind::slider && !control.steps.empty();
  });
}

bool has_control(const story::Stage& stage) {
  return std::ranges::any_of(
      stage.controls, [](const story::Control& control) { return control.kind != story::Control::Kind::hidden; });
}

bool has_text_control(const story::Stage& stage) {
  return std::ranges::any_of(stage.controls,
                             [](const story::Control& control) { return control.kind == story::Control::Kind::text; });
}

template <class Picture>
bool has_panel(const story::Stage& stage) {
  const auto* const panels = std::get_if<std::shared_ptr<const story::Panels>>(&stage.picture);
  return panels != nullptr && std::ranges::any_of((*panels)->rows, [](const story::PanelRow& row) {
           return std::ranges::any_of(
               row.panels, [](const story::Panel& panel) { return std::holds_alternative<Picture>(panel.picture); });
         });
}

bool has_plot(const story::Stage& stage) {
  const auto* const sm = std::get_if<std::shared_ptr<const story::SmPicture>>(&stage.picture);
  return (sm != nullptr && !(*sm)->curves.empty() && (*sm)->curves_shown > 0) ||
         has_panel<story::ChartPicture>(stage) || has_panel<story::ScatterPicture>(stage);
}

bool has_receipt(const story::Stage& stage) {
  return std::holds_alternative<std::shared_ptr<const story::ReceiptPicture>>(stage.picture);
}

// What a text names so exactly that it is on the stage letter by letter: code, and numbers of at least two digits.
std::set<std::string> names_and_numbers(const std::string& text) {
  static const std::regex exact("[A-Za-z_.]+(_|::)[A-Za-z_]+|[A-Za-z_]+(?=\\(\\))|[0-9][0-9,]*[0-9]");
  return {std::sregex_token_iterator(text.begin(), text.end(), exact, 0), {}};
}

// A text that has its reader answer.
bool wants_an_answer(const std::string& text) {
  static const std::regex asks("\\b([Aa]nswer|[Pp]redict|[Gg]uess|bet)\\b");
  return std::regex_search(text, asks);
}

/// A word that a step's text may have, and whether the stage has what it names.
struct NamedPart {
  const char* word;  // a regular expression
  bool (*there)(const story::Stage&);
};
constexpr NamedPart named_parts[] = {
    {"\\b([Dd]rag|[Ss]lider|[Mm]ove the)\\b", has_slider},
    {"\\b([Ss]witch|[Cc]hange the|Choose|Set|Edit|Try it with|Leave one out)\\b", has_control},
    {"\\bType\\b", has_text_control},
    {"\\bcards?\\b", has_panel<story::CardPicture>},
    {"\\b(plot|curves?)\\b", has_plot},
    {"\\breceipt\\b", has_receipt},
};

// While a question is asked, controls are hidden: a text that names them says first that an answer comes before.
TEST(LessonsShipped, StagesHaveWhatTheTextsName) {
  static const std::regex answers("\\b([Aa]nswer|[Pp]redict|[Dd]ecide|[Gg]uess|bet)\\b");
  std::map<std::string, trace::ReadResult> walks;
  std::set<std::string> found;
  for (const std::filesystem::path& file : shipped()) {
    const auto lesson = load_lesson(file, walks_folder());
    ASSERT_TRUE(lesson) << lesson.error();
    for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
      const LessonStep& step = lesson->steps[i];
      SCOPED_TRACE(file.filename().string() + " step " + std::to_string(i + 1) + ": " + step.text);
      EXPECT_THAT(step.text, ::testing::Not(HasSubstr("outline"))) << "is not projected";
      const auto [at, is_new] = walks.try_emplace(step.view.file);
      if (is_new) at->second = trace::read_trace(step.view.file);
      const story::Walk walk = *story::chosen_walk(at->second.trace, step.view.follow);
      story::Predictions said;
      const auto stage = [&] {
        auto made = story::stage_at(*story::find_scene(step.view.scene), {.trace = at->second.trace,
                                                                          .walk = walk,
                                                                          .narration = english(),
                                                                          .hardware = hardware(),
                                                                          .moment = step.view.moment,
                                                                          .controls = step.view.controls,
                                                                          .predictions = said});
        if (made && step.question)
          lessons::add_lesson_question(*step.question, file.filename().string(), i, english(), said, *made);
        return made;
      };
      said.asking = true;
      const auto first = stage();
      ASSERT_TRUE(first) << first.error();
      const bool asks = first->question && first->question->asked();
      EXPECT_FALSE(asks && step.question && first->picture.index() == 0) << "the buttons are alone on the stage";
      if (const auto after = story::answered(first->question, said)) said = *after;
      const auto last = stage();
      ASSERT_TRUE(last) << last.error();
      EXPECT_TRUE(asks || !wants_an_answer(step.text)) << "there is no question";
      const std::string shown = story::everything_on(*first) + story::everything_on(*last);
      for (const std::string& name : names_and_numbers(step.text)) EXPECT_THAT(shown, HasSubstr(name));
      for (const auto& [word, there] : named_parts) {
        std::smatch named;
        if (!std::regex_search(step.text, named, std::regex(word))) continue;
        found.insert(word);
        EXPECT_TRUE(there(*last)) << named[0];
        EXPECT_TRUE(!asks || there(*first) || std::regex_search(named.prefix().str(), answers))
            << named[0] << ": it is not there before the answer";
      }
    }
  }
  EXPECT_EQ(found.size(), std::size(named_parts));
}

// Every step of every shipped lesson shows the view that it names.
TEST(LessonsShipped, CanBeWalkedThrough) {
  ASSERT_FALSE(shipped().empty());
  std::map<std::string, trace::ReadResult> walks;  // many steps show the same file
  for (const std::filesystem::path& file : shipped()) {
    ASSERT_TRUE(is_lesson(file)) << file;
    const auto lesson = load_lesson(file, walks_folder());
    ASSERT_TRUE(lesson) << lesson.error();
    for (const LessonStep& step : lesson->steps) {
      EXPECT_FALSE(step.note.empty());
      // The text speaks to the learner, the note to the lecturer.
      EXPECT_FALSE(step.text.empty()) << file;
      for (const char* const word : {"the class", "student", "Minute", "aloud"})
        EXPECT_THAT(step.text, ::testing::Not(HasSubstr(word))) << file;
      if (step.question) {
        ASSERT_EQ(step.question->wrong.size(), step.question->options.size()) << file;
        std::set<std::string> reasons;
        for (std::size_t i = 0; i < step.question->wrong.size(); ++i) {
          EXPECT_EQ(step.question->wrong[i].empty(), i == step.question->right) << file;
          EXPECT_TRUE(reasons.insert(step.question->wrong[i]).second) << file;
        }
      }
      const auto [at, is_new] = walks.try_emplace(step.view.file);
      if (is_new) at->second = trace::read_trace(step.view.file);
      const trace::ReadResult& read = at->second;
      ASSERT_FALSE(read.error);
      const story::Walk walk =
          step.view.follow.empty() ? story::default_walk(read.trace) : *story::follow(read.trace, step.view.follow);
      const auto stage = story::stage_at(*story::find_scene(step.view.scene), {read.trace, walk, english(), hardware(),
                                                                               step.view.moment, step.view.controls});
      EXPECT_TRUE(stage) << file << ": " << stage.error();
    }
  }
}

}  // namespace
}  // namespace warpwalk::shell
