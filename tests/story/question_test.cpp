// Questions: a stage that asks does not show the answer; a stage that was answered says what is right, and why.
#include "core/story/stage/question.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/facts/words/ask.h"
#include "core/story/pictures/panels.h"
#include "core/story/pictures/visit.h"
#include "core/story/scene_list.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

TEST(NumberOptions, TheRightOneDoesNotStandOut) {
  const Options usual = number_options(english(), "sector", 4, {1, 2, 4, 8});
  EXPECT_EQ(usual.words, (std::vector<std::string>{"1 sector", "2 sectors", "4 sectors", "8 sectors"}));
  EXPECT_EQ(usual.right, 2u);
  for (const std::int64_t right : {1, 2, 3, 5, 17, 31, 33}) {
    const Options near = number_options(english(), "sector", right, {64});
    EXPECT_EQ(near.words[near.right], count_text(english(), "sector", right));
    EXPECT_GE(near.words.size(), 3u) << right;
    EXPECT_LE(near.words.size(), max_options) << right;
    for (const std::int64_t neighbour : {right - 1, right + 1})
      if (neighbour > 0) {
        EXPECT_NE(std::ranges::find(near.words, count_text(english(), "sector", neighbour)), near.words.end()) << right;
      }
  }
}

TEST(RangeOptions, EveryNumberIsInOneOfThem) {
  const auto right = [](double value) { return range_options(english(), value, {5, 25}, "%").right; };
  EXPECT_EQ(range_options(english(), 0, {5, 25}, "%").words,
            (std::vector<std::string>{"under 5 %", "5 to 25 %", "25 % or more"}));
  EXPECT_EQ(right(0), 0u);
  EXPECT_EQ(right(4.99), 0u);
  EXPECT_EQ(right(5), 1u);
  EXPECT_EQ(right(24.9), 1u);
  EXPECT_EQ(right(25), 2u);
  EXPECT_EQ(right(100), 2u);
}

/// A beat that asks, and the same beat after its answer.
struct Asked {
  const Crafted* made;
  const Scene* scene;
  std::string name;
  std::size_t right = 0;
  Stage before, after;

  int beat() const { return before.beat; }
  const std::string& key() const { return before.question->key; }
  const std::string& about() const { return before.question->about; }
};

Stage asked_stage(const Crafted& made, const Scene& scene, int beat, double phase, const Predictions& said) {
  return stage_of(scene, {made.trace,
                          made.walk,
                          english(),
                          hardware(),
                          {Moment::Kind::beat, beat, phase},
                          made.controls,
                          Naming::both,
                          {},
                          made.view(),
                          {},
                          said});
}

Predictions asking() {
  Predictions said;
  said.asking = true;
  return said;
}

/// The stage of a question after an answer.
Stage asked_stage(const Asked& one, const Predictions& said, double phase = 1) {
  return asked_stage(*one.made, *one.scene, one.beat(), phase, said);
}

/// The questions of the crafted kernels with cycles, and what the scenes show: each stage is made once for all tests.
struct AllQuestions {
  std::vector<Asked> asked;
  /// everything_on() the beats of a scene as a person sees them who answers each question, in their order.
  std::map<std::pair<const Crafted*, const Scene*>, std::vector<std::string>> shown;
};

const AllQuestions& all_questions() {
  static const AllQuestions all = [] {
    AllQuestions found;
    for (const Crafted& made : crafted_inner())
      for_each_beat(
          made.trace, made.walk, english(),
          [&](const Scene& scene, const Stage& stage) {
            std::vector<std::string>& shown = found.shown[{&made, &scene}];
            if (!stage.question) return shown.push_back(everything_on(stage));
            Predictions said = asking();
            said.skip(stage.question->key, stage.question->about);
            Stage after = asked_stage(made, scene, stage.beat, 1, said);
            shown.push_back(everything_on(after));
            EXPECT_TRUE(after.question && after.question->right) << made.name << ": " << stage.question->key;
            if (!after.question || !after.question->right) return;
            found.asked.push_back({&made, &scene, fmt::format("{}: {}", made.name, stage.question->key),
                                   *after.question->right, stage, std::move(after)});
          },
          made.controls, made.view(), asking());
    return found;
  }();
  return all;
}

const std::vector<Asked>& all_asked() { return all_questions().asked; }

std::string content_of(const Stage& stage) {
  ContentVisitor visitor;
  if (const auto* const panels = std::get_if<std::shared_ptr<const Panels>>(&stage.picture)) (*panels)->visit(visitor);
  return visitor.text();
}

std::string without_options(const Stage& stage) {
  Stage copy = stage;
  copy.question.reset();
  return everything_on(copy);
}

TEST(Questions, EverySceneAsks) {
  std::map<std::string, int> counts;
  for (const Asked& one : all_asked()) ++counts[one.before.question->key];
  for (const char* const key :
       {"schedulers.pick", "schedulers.wait", "schedulers.hide", "lanes.lanes", "lanes.fold", "lanes.trip",
        "lanes.banks", "lanes.diverge", "boardroom.who", "launch.place", "sm.limit", "map.share"})
    EXPECT_GE(counts[key], 1) << key;
}

// Sweeps of all other stages check it too (sweep/stage_checks.cpp).
TEST(Questions, NothingIsAskedWithoutBeingTurnedOn) {
  for (const Asked& one : all_asked()) EXPECT_FALSE(asked_stage(one, {}).question) << one.name;
}

TEST(Questions, AStageThatAsksDoesNotHoldTheAnswer) {
  for (const Asked& one : all_asked()) {
    SCOPED_TRACE(one.name);
    const Question& question = *one.before.question;
    EXPECT_FALSE(question.right);
    EXPECT_FALSE(question.chosen);
    EXPECT_TRUE(question.verdict.empty() && question.why.empty());
    EXPECT_EQ(one.before.title, question.text);
    EXPECT_NE(one.before.sentence, one.after.sentence);
    EXPECT_NE(one.before.note, one.after.note.empty() ? "-" : one.after.note);
    const std::string shown = without_options(one.before);
    const std::string& right = question.options[one.right];
    // The number of all SMs is on the stage, each resource has its meter, and places, keys and additions are listed.
    if (question.key != "schedulers.pick" && question.key != "lanes.lanes" && question.key != "launch.place" &&
        question.key != "sm.limit" && question.key != "lab/number-formats.sum" && question.key != "lab/tensors.place" &&
        question.key != "lab/dispatch.first") {
      EXPECT_THAT(shown, ::testing::Not(::testing::HasSubstr(right)));
    }
    // Every warp that could be picked has its row, and a result may equal another lane's operand.
    if (question.key != "lanes.lanes") {
      EXPECT_THAT(one.before.title + one.before.sentence + one.before.note,
                  ::testing::Not(::testing::HasSubstr(right)));
    }
    // The stage's own sentence after the answer gives it away.
    EXPECT_THAT(shown, ::testing::Not(::testing::HasSubstr(one.after.sentence)));
    for (const Fact& fact : one.before.facts) EXPECT_NE(fact.figure.text(), right) << fact.label;
    EXPECT_TRUE(one.before.controls.empty());
  }
}

// The options' words may be written otherwise in a picture, so each picture is looked at by its kind.
TEST(Questions, APictureBeforeTheAnswerEndsBeforeIt) {
  std::size_t rasters = 0, tables = 0;
  for (const Asked& one : all_asked()) {
    SCOPED_TRACE(one.name);
    const auto* const held = std::get_if<std::shared_ptr<const Panels>>(&one.before.picture);
    if (held == nullptr) continue;
    for (const PanelRow& row : (*held)->rows)
      for (const Panel& panel : row.panels) {
        // Sectors, banks and masks of scenes.
        if (!one.before.question->key.starts_with("lab/")) {
          EXPECT_FALSE(std::holds_alternative<CellGrid>(panel.picture));
        }
        if (const auto* const table = std::get_if<TablePicture>(&panel.picture)) {
          ++tables;
          const std::string& key = one.before.question->key;
          for (const TableColumn& column : table->columns)
            EXPECT_FALSE((key == "lanes.lanes" || key == "lanes.diverge") && column.head.starts_with("new"));
        }
        const auto* const raster = std::get_if<RasterPicture>(&panel.picture);
        if (raster == nullptr || one.before.question->key.starts_with("lab/")) continue;
        ++rasters;
        std::size_t followed = 0;
        for (const RasterGroup& group : raster->groups) {
          EXPECT_TRUE(group.note.empty());
          for (const RasterRow& one_row : group.rows) {
            followed += one_row.followed;
            if (one.before.question->key == "schedulers.hide" && one_row.followed) continue;  // the wait itself
            for (const RasterSpan& span : one_row.spans) {
              EXPECT_LE(span.to, raster->now.value_or(0) + 1);
              EXPECT_TRUE(span.tip.empty());
              const std::string& word = raster->states[span.state].word;
              if (raster->now && span.to > *raster->now) {
                EXPECT_EQ(word, english().text("schedulers.state", "ready"));
              }
            }
          }
        }
        // No candidate is framed alone.
        if (one.before.question->key == "schedulers.pick") {
          EXPECT_EQ(followed, one.before.question->options.size());
        }
      }
  }
  EXPECT_GE(rasters, 4u);
  EXPECT_GE(tables, 3u);
}

TEST(Questions, AnAnsweredStageIsTheUsualOneWithItsVerdict) {
  for (const Asked& one : all_asked()) {
    SCOPED_TRACE(one.name);
    const Question& question = *one.after.question;
    EXPECT_EQ(question.state, Question::State::skipped);
    EXPECT_EQ(question.options, one.before.question->options);
    EXPECT_EQ(question.about, one.before.question->about);
    EXPECT_THAT(question.verdict, ::testing::HasSubstr(question.options[one.right]));
    EXPECT_FALSE(question.why.empty());
    for (const std::string_view gap : {"(no narration", "(no value"}) {
      EXPECT_THAT(everything_on(one.before) + one.before.note, ::testing::Not(::testing::HasSubstr(gap)));
      EXPECT_THAT(everything_on(one.after), ::testing::Not(::testing::HasSubstr(gap)));
    }
  }
  // Apart from the verdict, it is the stage of a person who is not asked.
  for (const Asked& one : all_asked()) {
    Stage after = one.after;
    after.question.reset();
    EXPECT_EQ(everything_on(after), everything_on(asked_stage(one, {}))) << one.name;
  }
}

TEST(Questions, AnswersAreScored) {
  for (const Asked& one : all_asked()) {
    SCOPED_TRACE(one.name);
    const std::size_t options = one.before.question->options.size();
    std::size_t correct = 0;
    for (std::size_t option = 0; option < options; ++option) {
      Predictions said = asking();
      said.choose(one.key(), one.about(), option);
      const Stage marked = asked_stage(one, said);
      EXPECT_TRUE(marked.question->asked());
      EXPECT_EQ(marked.question->chosen, option);
      EXPECT_FALSE(marked.question->right);
      said.answer(one.key(), one.about(), option);
      const Question after = *asked_stage(one, said).question;
      correct += after.correct();
      EXPECT_THAT(after.verdict, ::testing::HasSubstr(after.options[option]));
      if (after.state == Question::State::answered) continue;
      // A wrong answer is refused, and the question stays open.
      EXPECT_TRUE(after.asked());
      EXPECT_EQ(after.tried, std::vector{option});
      EXPECT_FALSE(after.right);
    }
    EXPECT_EQ(correct, 1u);
    // An option that does not exist is not accepted as an answer.
    Predictions said = asking();
    said.answer_any(one.key(), options);
    EXPECT_TRUE(asked_stage(one, said).question->asked());
  }
}

// Each wrong option has a reason of its own, which does not give the right one; then another one may be chosen.
TEST(Questions, EveryWrongOptionHasAReasonOfItsOwn) {
  for (const Asked& one : all_asked()) {
    SCOPED_TRACE(one.name);
    const Question& question = *one.before.question;
    const std::string content = content_of(one.before);
    std::set<std::string> reasons;
    Predictions said = asking();
    for (std::size_t option = 0; option < question.options.size(); ++option) {
      if (option == one.right) continue;
      said.answer(question.key, question.about, option);
      const Stage after = asked_stage(one, said);
      EXPECT_TRUE(after.question->asked());
      EXPECT_FALSE(after.question->why.empty());
      EXPECT_THAT(after.question->why, ::testing::Not(::testing::HasSubstr("(no narration")));
      EXPECT_THAT(after.question->why, ::testing::Not(::testing::HasSubstr("(no value")));
      EXPECT_TRUE(reasons.insert(after.question->why).second) << after.question->why;
      if (question.options[one.right].size() > 3) {
        EXPECT_THAT(after.question->why, ::testing::Not(::testing::HasSubstr(question.options[one.right])));
      }
      EXPECT_EQ(content_of(after), content);  // the picture stays as it was
    }
    said.answer(question.key, question.about, one.right);
    const Question end = *asked_stage(one, said).question;
    EXPECT_EQ(end.state, Question::State::answered);
    EXPECT_EQ(end.tried.size(), question.options.size() - 1);
  }
}

TEST(Questions, ThePictureStaysWhileAQuestionIsOpen) {
  for (const Asked& one : all_asked()) {
    SCOPED_TRACE(one.name);
    EXPECT_FALSE(std::holds_alternative<std::monostate>(one.before.picture));
    const auto* const before = std::get_if<std::shared_ptr<const Panels>>(&one.before.picture);
    if (before == nullptr) continue;
    EXPECT_FALSE((*before)->rows.empty());
    EXPECT_NE(content_of(one.before), content_of(one.after)) << "nothing is hidden";
  }
}

// Whether these words are in the text, not as a part of other ones: "1 sector" is not in "11 sectors".
bool says(const std::string& text, const std::string& words) {
  const auto in_word = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    if ((at == 0 || !in_word(at - 1)) && !in_word(at + words.size())) return true;
  return false;
}

// No beat before a question gives its answer away: none shows a sentence of the answer, and none shows the words of the
// right option without those of another option. Earlier questions are answered, as the person sees them.
TEST(Questions, NoBeatBeforeAQuestionHasItsAnswer) {
  // Every beat of the scene names the GPU, the number of all SMs, or the followed warp.
  const std::set<std::string> named_everywhere = {"lab/overview.path", "launch.place", "schedulers.pick"};
  std::size_t compared = 0;
  for (const Asked& one : all_asked()) {
    SCOPED_TRACE(one.name);
    const Question& question = *one.after.question;
    const std::string& right = question.options[one.right];
    const std::vector<std::string>& shown = all_questions().shown.at({one.made, one.scene});
    const auto place = static_cast<std::size_t>(one.beat()) - 1;
    EXPECT_TRUE(says(shown[place], right)) << right;
    for (std::size_t earlier = 0; earlier < place; ++earlier) {
      const std::string& text = shown[earlier];
      if (text.find("question: " + question.text) != std::string::npos) continue;  // it was asked there, too
      ++compared;
      for (const std::string& sentence : {one.after.title, one.after.sentence, question.why})
        EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr(sentence)));
      if (named_everywhere.contains(question.key) || !says(text, right)) continue;
      EXPECT_TRUE(std::ranges::any_of(question.options,
                                      [&](const std::string& option) { return option != right && says(text, option); }))
          << right << " in:\n"
          << text;
    }
  }
  EXPECT_GT(compared, 500u);
}

/// A beat of a lab with the default walk of relu_matmul, while it asks and after its answer.
struct AskedLab {
  Stage before, after;
};

AskedLab asked_lab(std::string_view lab, std::string_view beat, const Controls& controls = {}) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  const Scene& scene = *find_scene(lab);
  const auto stage = [&](const Predictions& said) {
    return stage_of(scene, {.trace = trace,
                            .walk = walk,
                            .narration = english(),
                            .hardware = hardware(),
                            .moment = {Moment::Kind::beat, beat_named(scene, trace, walk, beat), 1},
                            .controls = controls,
                            .predictions = said});
  };
  Predictions said = asking();
  AskedLab made = {stage(said), {}};
  EXPECT_TRUE(made.before.question && made.before.question->asked()) << lab;
  if (!made.before.question) return made;
  said.skip(made.before.question->key, made.before.question->about);
  made.after = stage(said);
  return made;
}

Controls lab_controls(std::string_view lab, std::initializer_list<std::pair<const char*, double>> settings) {
  Controls controls;
  for (const auto& [name, value] : settings) controls.set(fmt::format("{}.{}", lab, name), value);
  return controls;
}

// After the first answer, a lab's sliders are free; R asks again.
TEST(Questions, ALabAsksOnceUntilItIsReset) {
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  const Scene& lab = *find_scene("lab/coalescing");
  const auto stage = [&](double stride, const Predictions& said) {
    return stage_of(lab, {.trace = trace,
                          .walk = walk,
                          .narration = english(),
                          .hardware = hardware(),
                          .moment = {Moment::Kind::beat, beat_named(lab, trace, walk, "stride"), 1},
                          .controls = lab_controls("lab/coalescing", {{"stride", stride}}),
                          .predictions = said});
  };
  Predictions said;
  said.asking = true;
  const Stage first = stage(2, said);
  ASSERT_TRUE(first.question && first.question->asked());
  EXPECT_TRUE(stage(3, said).question);  // not answered yet: another value is asked, too
  said.answer(first.question->key, first.question->about, 0);
  EXPECT_TRUE(stage(2, said).question);
  EXPECT_FALSE(stage(3, said).question);
  said.clear_scene("lab/coalescing");
  EXPECT_TRUE(stage(3, said).question);
}

// Sectors could be counted. The addresses, from which they follow, take their place.
TEST(HiddenByQuestions, TheSectorsOfCoalescingBehindTheAddressesOfTheLanes) {
  const std::pair<double, double> settings[] = {{2, 0}, {3, 1}, {8, 0}};  // stride and offset in elements of 4 B
  for (const auto& [stride, offset] : settings) {
    SCOPED_TRACE(stride);
    const AskedLab lab =
        asked_lab("lab/coalescing", "stride", lab_controls("lab/coalescing", {{"stride", stride}, {"offset", offset}}));
    const std::vector<const CellGrid*> before = panels_of<CellGrid>(lab.before);
    ASSERT_EQ(before.size(), 1u);
    EXPECT_TRUE(panels_of<LinkPicture>(lab.before).empty());
    ASSERT_EQ(panels_of<LinkPicture>(lab.after).size(), 1u);
    EXPECT_EQ(panels_of<LinkPicture>(lab.after)[0]->links.size(), 32u);
    // The code stays, without the chosen lane's sector.
    for (const CodeLine& line : panel_picture<CodePicture>(lab.before).columns.at(0).window.lines)
      EXPECT_TRUE(line.values.empty());
    ASSERT_EQ(before[0]->cells.size(), 32u);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const Cell& cell = before[0]->cells[lane];
      EXPECT_EQ(cell.label, fmt::format("{:.0f}", 4 * (offset + stride * static_cast<double>(lane))));
      EXPECT_EQ(cell.tone, before[0]->cells[0].tone);  // a colour could tell the sectors
      EXPECT_EQ(cell.tip, "");
    }
    EXPECT_EQ(before[0]->summary, "");
    EXPECT_EQ(before[0]->note, "");
    EXPECT_TRUE(before[0]->legend.empty());
    EXPECT_TRUE(panel_picture<ChartPicture>(lab.before, 0, 1).steps.empty());
    EXPECT_FALSE(panel_picture<ChartPicture>(lab.after, 0, 1).steps.empty());
  }
}

// The axis of an answered beat ends with the last instruction. The axis of an open question has a fixed length.
TEST(HiddenByQuestions, TheLengthOfDivergenceBehindAnAxisOfItsOwn) {
  std::set<std::int64_t> ends;
  for (const double shape : {0.0, 1.0, 2.0, 3.0}) {
    SCOPED_TRACE(shape);
    const AskedLab lab = asked_lab("lab/divergence", "paths", lab_controls("lab/divergence", {{"shape", shape}}));
    const auto& before = panel_picture<RasterPicture>(lab.before, 0, 1);
    ends.insert(panel_picture<RasterPicture>(lab.after, 0, 1).to);
    EXPECT_EQ(before.to, 8);
    for (const RasterGroup& group : before.groups)
      for (const RasterRow& row : group.rows)
        for (const RasterSpan& span : row.spans) EXPECT_LE(span.to, 2);
    EXPECT_LE(panel_picture<TablePicture>(lab.before, 1, 0).rows.size(), 1u);
    EXPECT_GT(panel_picture<TablePicture>(lab.after, 1, 0).rows.size(), 1u);
  }
  EXPECT_GT(ends.size(), 1u);
}

// The elements that are read stay. The bank of each would be on it, and the words of each bank beside it.
TEST(HiddenByQuestions, TheBanksOfATile) {
  for (const double padding : {0.0, 1.0, 4.0}) {
    SCOPED_TRACE(padding);
    const AskedLab lab =
        asked_lab("lab/bank-conflicts", "column", lab_controls("lab/bank-conflicts", {{"padding", padding}}));
    const auto& before = panel_picture<CellGrid>(lab.before, 0, 1);
    const auto& after = panel_picture<CellGrid>(lab.after, 0, 1);
    ASSERT_EQ(before.cells.size(), after.cells.size());
    std::size_t read = 0, labels = 0, tips = 0, of_one_bank = 0, labels_after = 0;
    for (std::size_t i = 0; i < before.cells.size(); ++i) {
      const Cell& cell = before.cells[i];
      labels += !cell.label.empty();
      tips += !cell.tip.empty();
      of_one_bank += cell.tone == Tone::shared;
      read += cell.tone == Tone::memory && after.cells[i].tone == Tone::memory;
      labels_after += !after.cells[i].label.empty();
    }
    EXPECT_EQ(labels + tips + of_one_bank, 0u);
    EXPECT_EQ(labels_after, after.cells.size());
    EXPECT_EQ(read, 32u);
    EXPECT_TRUE(panels_of<LinkPicture>(lab.before).empty());
    EXPECT_EQ(panels_of<LinkPicture>(lab.after).size(), 1u);
    for (const CodeLine& line : panel_picture<CodePicture>(lab.before).columns.at(0).window.lines)
      EXPECT_TRUE(line.values.empty());
  }
}

// The right answer does not depend on how far the motion has come.
TEST(Questions, TheAnswerIsTheSameInEveryPhase) {
  for (const Asked& one : all_asked()) {
    Predictions said = asking();
    said.skip(one.key(), one.about());
    for (const double phase : {0.0, 0.37, 0.8})
      EXPECT_EQ(*asked_stage(one, said, phase).question, *one.after.question) << one.name;
  }
}

// The words of every question; pictures and facts have tests of their own.
TEST(QuestionsGolden, TheirWordsAreTheStoredOnes) {
  std::string text;
  for (const Asked& one : all_asked()) {
    if (!one.made->asks) continue;
    Stage before = one.before;
    before.picture = {};
    before.facts.clear();
    before.missing.clear();
    const Question& after = *one.after.question;
    text += fmt::format("== {}\n{}  note: {}\n  answer: {}\n  why: {}\n\n", one.name, transcript(before), before.note,
                        after.verdict, after.why);
  }
  const std::string file = WARPWALK_SOURCE_DIR "/tests/story/golden/questions.txt";
  if (const char* const renew = std::getenv("WARPWALK_RENEW"); renew != nullptr && *renew != '\0') {
    std::ofstream(file, std::ios::binary) << text;
    GTEST_SKIP() << "wrote " << file;
  }
  std::ifstream in(file, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text)
      << "to renew: WARPWALK_RENEW=1 build/release/tests/story/story_tests --gtest_filter='QuestionsGolden*'";
}

}  // namespace
}  // namespace warpwalk::story::testing
