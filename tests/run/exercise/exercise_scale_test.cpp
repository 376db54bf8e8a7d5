// The scale of "your place": from the worst that is accepted to the best known version.
#include "core/run/exercise/exercise_scale.h"

#include <gtest/gtest.h>

namespace warpwalk::run {
namespace {

using Figures = std::map<std::string, double, std::less<>>;

Exercise exercise_of(std::optional<double> best, std::optional<Criterion> cycles) {
  Exercise exercise;
  exercise.best_cycles = best;
  if (cycles) exercise.criteria = {*cycles};
  return exercise;
}

Criterion at_most(double limit, bool of_starter) {
  Criterion criterion;
  criterion.figure = "cycles";
  criterion.of_starter = of_starter;
  criterion.at_most = limit;
  return criterion;
}

// A starter with a race is faster than any right kernel: it is no mark, and a submission that passes is on the scale.
TEST(ExerciseScale, AWrongStarterIsNoMark) {
  const Exercise race = exercise_of(6740, at_most(2, true));
  const auto scale = exercise_scale(race, {{"cycles", 5852}}, false, 8737);
  ASSERT_TRUE(scale);
  EXPECT_FALSE(scale->starter);
  EXPECT_FALSE(scale->slowest);
  EXPECT_EQ(scale->accepted, 11704);
  EXPECT_EQ(scale->best, 6740);
  EXPECT_EQ(scale->share(11704), 0);
  EXPECT_EQ(scale->share(6740), 1);
  EXPECT_NEAR(scale->share(8737), 0.53, 0.01);
}

TEST(ExerciseScale, ARightStarterIsBeforeWhatIsAccepted) {
  const Exercise slow = exercise_of(6366, at_most(0.6, true));
  const Figures starter = {{"cycles", 418270}};
  const auto scale = exercise_scale(slow, starter, true, 300000);
  ASSERT_TRUE(scale);
  EXPECT_EQ(scale->starter, 418270);
  EXPECT_EQ(scale->slowest, 418270);
  EXPECT_EQ(scale->share(418270), 0);
  EXPECT_EQ(scale->share(0.6 * 418270), scale->accepted_from());
  EXPECT_GT(scale->share(300000), 0);
  EXPECT_LT(scale->share(300000), scale->accepted_from());
  EXPECT_EQ(scale->share(6366), 1);
  for (double cycles = 400000; cycles > 6400; cycles *= 0.9)
    EXPECT_LT(scale->share(cycles), scale->share(0.9 * cycles));
}

// One that is slower than accepted, or faster than anything known, stands at an end.
TEST(ExerciseScale, TheOwnOneIsOnIt) {
  const Exercise barrier = exercise_of(6215, at_most(12500, false));
  EXPECT_EQ(exercise_scale(barrier, {}, false, 20000)->share(20000), 0);
  const auto record = exercise_scale(barrier, {}, false, 6000);
  EXPECT_EQ(record->best, 6000);
  EXPECT_EQ(record->known_best, 6215);
  EXPECT_EQ(record->share(6000), 1);
  EXPECT_LT(record->share(6215), 1);
}

TEST(ExerciseScale, NeedsTwoEnds) {
  EXPECT_FALSE(exercise_scale(exercise_of({}, at_most(2, false)), {}, true, 100));
  EXPECT_FALSE(exercise_scale(exercise_of(9709, {}), {}, false, 9000));
  // Without a criterion: from the slower of both to the best.
  const auto from_own = exercise_scale(exercise_of(9709, {}), {}, false, 50269);
  ASSERT_TRUE(from_own);
  EXPECT_FALSE(from_own->accepted);
  EXPECT_EQ(from_own->share(50269), 0);
  // The limit is relative to a starter that was not measured.
  EXPECT_FALSE(exercise_scale(exercise_of(6740, at_most(2, true)), {}, false, {}));
}

}  // namespace
}  // namespace warpwalk::run
