// The sentences and the scenes fit together: nothing is asked for that is not there, nothing is there that nobody asks
// for.
#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/transcript.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

// The texts named by a stage made with marked().
void collect_texts(const std::string& words, std::set<std::string>& texts) {
  for (std::size_t at = 0; (at = words.find('<', at)) != std::string::npos; ++at) {
    const std::size_t end = words.find('>', at);
    if (end == std::string::npos) return;
    const std::string inside = words.substr(at + 1, end - at - 1);
    if (inside.find('/') != std::string::npos) texts.insert(inside);
  }
}

std::vector<const Crafted*> all_crafted() {
  std::vector<const Crafted*> all;
  for (const std::vector<Crafted>* const some : {&crafted(), &crafted_inner()})
    for (const Crafted& one : *some) all.push_back(&one);
  return all;
}

// Whether the trace was made for a text of the scene or lab.
bool brings_about(const Crafted& made, const Scene& scene) {
  return std::ranges::any_of(
      made.sections, [&](const std::string& section) { return section.starts_with(std::string(scene.name) + "."); });
}

// Words that stages show only as a part of a sentence, whose parts a marked narration leaves out.
bool is_inside_sentences(const std::string& text) {
  return text.starts_with("lab/dispatch.difference/") || text.starts_with("lab/dispatch.word/one_") ||
         text.starts_with("lab/dispatch.word/several_") || text.starts_with("lab/autograd.word/write_") ||
         text == "lab/autograd.word/scalar" || text == "lab/tensors.word/no_copy" ||
         text == "lab/tensors.word/one_copy" || text == "lab/streams.word/own_default" ||
         text == "schedulers.ask.wait/load" || text == "schedulers.ask.wait/some_load" ||
         text == "lanes.ask.diverge/columns" || text == "lanes.ask.diverge/rows";
}

// A beat that asks, when nobody is asked, and after a right answer, a wrong one and none.
void collect_answers(const Crafted& made, const Scene& scene, const Stage& asked, const Narration& narration,
                     const std::function<void(const std::string&)>& collect) {
  const auto stage_after = [&](const Predictions& said) {
    return stage_of(scene, {.trace = made.trace,
                            .walk = made.walk,
                            .narration = narration,
                            .hardware = hardware(),
                            .moment = {Moment::Kind::beat, asked.beat, 1},
                            .controls = made.controls,
                            .history = made.view(),
                            .predictions = said});
  };
  collect(asked.note);
  collect(everything_on(stage_after({})));
  Predictions asking;
  asking.asking = true;
  Predictions skipped = asking;
  skipped.answer_any(asked.question->key, {});
  const Stage after = stage_after(skipped);
  ASSERT_TRUE(after.question && after.question->right) << made.name << ": " << asked.question->key;
  Predictions correct = asking, wrong = asking;
  correct.answer_any(asked.question->key, *after.question->right);
  wrong.answer_any(asked.question->key, *after.question->right == 0 ? 1 : 0);
  collect(everything_on(after) + after.note);
  for (const Predictions& said : {correct, wrong}) {
    const Stage answered = stage_after(said);
    collect(everything_on(answered) + answered.note);
  }
}

TEST(NarrationUse, EveryTextIsUsedAndNoneIsMissing) {
  const Narration narration = marked();
  std::set<std::string> used;
  for (const Crafted* const one : all_crafted()) {
    const Crafted& made = *one;
    // Labs show little of a trace: all of them are visited with the first trace and with those made for labs.
    const bool labs_too = one == all_crafted().front() || made.name.starts_with("lab");
    const auto wanted = [&](const Scene& scene) {
      return labs_too || is_of_the_walk(scene) || brings_about(made, scene);
    };
    const auto collect = [&](const std::string& words) {
      EXPECT_EQ(words.find("(no narration"), std::string::npos) << made.name << ":\n" << words;
      collect_texts(words, used);
    };
    // A beat without a question shows the same, whether somebody is asked or not.
    Predictions asking;
    asking.asking = true;
    for_each_beat(
        made.trace, made.walk, narration,
        [&](const Scene& scene, const Stage& stage) {
          collect(everything_on(stage));
          if (stage.question) collect_answers(made, scene, stage, narration, collect);
        },
        made.controls, made.view(), asking, wanted);
  }
  std::set<std::string> all = texts_in(english_scene_text());
  EXPECT_GT(all.size(), 80u);
  // Those have tests of their own.
  std::erase_if(all, [](const std::string& text) {
    return text.starts_with("tour.") || text.starts_with("tour/") || text.starts_with("learner/") ||
           text == "note/no_deeper" || text == "note/no_scene" || text == "note/tour_end" ||
           text.starts_with("name.") || text.starts_with("stop.") || text.starts_with("glossary/") ||
           text.starts_with("count/") || text.starts_with("idle/") || text.starts_with("idle_") ||
           text.starts_with("work_category/") || text.starts_with("advice") || text.starts_with("start.") ||
           text.starts_with("stand_in/") || text.starts_with("stall/") || text.starts_with("merged/") ||
           text.starts_with("track/") || text.starts_with("work/") || text.starts_with("sass.") ||
           text.starts_with("translator.schedule/") || text.starts_with("translator.constant/") ||
           text.starts_with("inner/") || text.starts_with("pipeline.") || text.starts_with("schedulers.pipeline") ||
           text.starts_with("schedulers.ask.pipeline/") || text == "lanes.fact/role" ||
           text == "lanes.fact/waits_for" || text.starts_with("schedulers.reason/") ||
           text.starts_with("schedulers.state/") || text.starts_with("question.range/") ||
           text.find(".wrong.") != std::string::npos || text.starts_with("score/") || text == "question/right_later" ||
           text == "schedulers.ask.wait/l2" || text.starts_with("schedulers.why/") ||
           text.starts_with("lab/kernel.figure/") || text.starts_with("lab/kernel.example.") ||
           text.starts_with("launch.mosaic/") || text.starts_with("lanes.next") || text.starts_with("number.") ||
           text.starts_with("lanes.sum") || text.starts_with("map.answer") || text.starts_with("lanes.fact/number") ||
           text == "map.fact/number" || text == "lanes.control/product" || text == "lanes.control/motion" ||
           text == "lanes.control/divides" || text.starts_with("lanes.control/asked") ||
           text.starts_with("lanes.word/asked_") || text.starts_with("lanes.diverge.elsewhere/") ||
           text == "boardroom.word/from" || text == "boardroom.word/scalar" || text == "boardroom.word/numbers_typed" ||
           text == "boardroom.word/numbers_given" || text == "lanes.control/first_warp" ||
           text == "lanes.control/number_warp" || text == "translator.card/argument_bytes" ||
           text.find("/next_") != std::string::npos || text.starts_with("lab/receipts.word/") ||
           text.starts_with("lab/receipts.unknown/") || text == "missing/history.arguments" ||
           text.starts_with("lab/memory-hierarchy.chase.none/") || text == "lab/memory-hierarchy.missing/chase" ||
           text.starts_with("lab/memory-hierarchy.none/") || text == "lab/memory-hierarchy.missing/read_only" ||
           text.starts_with("lab/ptx-sass.none/") || text == "lab/ptx-sass.missing/code" ||
           text.starts_with("lab/ptx-sass.word/no_") || text == "lab/ptx-sass.word/followed" ||
           text == "lab/ptx-sass.control/walk" || text.starts_with("lab/receipts.compare.equal/") ||
           text.starts_with("lab/tiling.none/") || text.starts_with("lab/occupancy.none/") ||
           text.starts_with("lab/occupancy.missing/") || text.starts_with("lab/latency-hiding.none/") ||
           text.starts_with("lab/latency-hiding.missing/") || text.starts_with("lab/tiling.missing/") ||
           text.starts_with("lab/streams.none/") || text.starts_with("lab/streams.missing/") ||
           text.starts_with("lab/observe.none/") || text.starts_with("lab/observe.missing/") ||
           text.starts_with("lab/observe.instrument/") || text.starts_with("lab/why-gpus.none/") ||
           text.starts_with("lab/why-gpus.missing/") || text.starts_with("lab/tensors.read.unmeasured/") ||
           text.starts_with("lab/tensors.missing/") || text.starts_with("lab/autograd.rule/") ||
           text.starts_with("lab/host-device.none/") || text.starts_with("lab/host-device.missing/") ||
           text.starts_with("lab/allocator.cost.none/") || text.starts_with("lab/allocator.missing/times") ||
           text == "lab/allocator.word/expandable_note" || text.starts_with("lab/cuda-triton.none/") ||
           text.starts_with("lab/torch-compile.none/") || text == "lab/torch-compile.missing/recordings" ||
           text == "lab/cuda-triton.missing/recordings" || text == "lab/cuda-triton.word/other_bits" ||
           text.starts_with("lab/overview") || text == "lab/validation.missing/validation" ||
           text == "boardroom.word/numbers_inside" || text == "history/because" || text == "map.fact/stand_in" ||
           text.find(".amd") != std::string::npos || text.starts_with("ranks.") || text.starts_with("crash.") ||
           text.starts_with("translator.row.python/") || text.starts_with("history/recorded_in") ||
           text == "history/inside" || text == "history/same_bits" || text == "simulated_launch/warm" ||
           text == "simulated_launch/carried" || text == "simulated_launch/recorded" ||
           text == "simulated_launch/error_formula_assumed" || text == "history/seeded" ||
           text == "history/not_compared" || text.starts_with("exercise.criterion/") ||
           text.starts_with("lab/exercise.none/") || text.starts_with("lab/exercise.word/at_") ||
           is_inside_sentences(text);
  });
  std::vector<std::string> orphans;
  std::set_difference(all.begin(), all.end(), used.begin(), used.end(), std::back_inserter(orphans));
  for (const std::string& orphan : orphans)
    ADD_FAILURE() << "no scene says " << orphan << "; remove it, or add a trace to crafted.cpp that brings it about";
}

TEST(NarrationUse, EachCraftedTraceBringsAboutItsSentences) {
  const Narration narration = marked();
  for (const Crafted* const one : all_crafted()) {
    const Crafted& made = *one;
    std::vector<std::string> titles;
    for_each_beat(
        made.trace, made.walk, narration,
        [&](const Scene&, const Stage& stage) {
          const std::string section = stage.title.substr(1, stage.title.rfind('/') - 1);
          // The beats that show cycles have tests of their own (simulated_scenes_test.cpp): without cycles they are the
          // same for every launch.
          if (section.starts_with("sm.residents") || section.starts_with("launch.blocks") ||
              section.starts_with("map.gpu"))
            return;
          titles.push_back(section);
          EXPECT_EQ(stage.sentence, "<" + titles.back() + "/sentence>") << made.name;
        },
        made.controls, made.view(), {}, [&](const Scene& scene) { return brings_about(made, scene); });
    EXPECT_EQ(titles, made.sections) << made.name;
  }
}

TEST(NarrationUse, PlaceholdersAreClosed) {
  const std::string text = english_text();
  std::size_t open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{' && text[i] != '}') continue;
    ASSERT_EQ(open, text[i] == '{' ? 0u : 1u) << text.substr(i < 40 ? 0 : i - 40, 80);
    open = text[i] == '{' ? 1 : 0;
  }
  EXPECT_EQ(open, 0u);
}

}  // namespace
}  // namespace warpwalk::story::testing
