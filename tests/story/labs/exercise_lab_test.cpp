// lab/exercise: the shipped exercises, each with its starter, its criteria in words, and the scene that explains it.
#include <algorithm>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/run/exercise/exercise.h"
#include "core/story/scene_list.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

TEST(ExerciseLab, EveryFigureAndCriterionHasItsWords) {
  for (const std::string_view figure : run::exercise_figures())
    EXPECT_TRUE(english().has("exercise.criterion", figure)) << figure;
  std::vector<std::string> errors;
  const auto exercises = run::shipped_exercises(WARPWALK_SOURCE_DIR "/assets", errors);
  EXPECT_TRUE(errors.empty());
  ASSERT_EQ(exercises.size(), 20u);
  for (const run::Exercise& exercise : exercises) {
    EXPECT_EQ(exercise.order, &exercise - exercises.data() + 1) << exercise.name;
    EXPECT_TRUE(find_scene(exercise.look) != nullptr) << exercise.name << ": " << exercise.look;
    EXPECT_GE(exercise.hints.size(), 2u) << exercise.name;
    EXPECT_TRUE(exercise.best_cycles && exercise.best_measured) << exercise.name;
    for (const run::Criterion& criterion : exercise.criteria) {
      std::string key = criterion.name();
      std::ranges::replace(key, '/', '.');
      EXPECT_TRUE(english().has("exercise.criterion", key)) << exercise.name << ": " << key;
    }
  }
}

}  // namespace
}  // namespace warpwalk::story::testing
