// Answers to questions: what is kept of them, the score, and those of the command line.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/story/stage/question.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

TEST(Predictions, AnswersStayAndAnotherMayFollow) {
  Predictions said;
  EXPECT_EQ(said.find("a.b", "x"), nullptr);
  said.choose("a.b", "x", 1);
  said.choose("a.b", "x", 2);
  EXPECT_EQ(*said.find("a.b", "x"), (Prediction{2, {}, false}));
  EXPECT_EQ(said.find("a.b", "y"), nullptr);  // about something else
  said.answer("a.b", "x", 0);
  said.choose("a.b", "x", 1);
  EXPECT_EQ(*said.find("a.b", "x"), (Prediction{1, {0}, false}));
  said.answer("a.b", "x", 1);
  said.answer("a.b", "x", 0);
  EXPECT_EQ(*said.find("a.b", "x"), (Prediction{{}, {0, 1}, false}));
  said.skip("a.c", "x");
  said.answer("a.c", "x", 1);
  EXPECT_EQ(*said.find("a.c", "x"), (Prediction{{}, {}, true}));
}

TEST(ScoreOfQuestions, TheFirstOutcomeCounts) {
  Score score;
  EXPECT_EQ(score.text(english()), "");
  score.add("a", Score::Outcome::later);
  score.add("a", Score::Outcome::first_try);
  score.add("b", Score::Outcome::first_try);
  score.add("c", Score::Outcome::shown);
  EXPECT_EQ(score.count(Score::Outcome::first_try), 1u);
  EXPECT_EQ(score.count(Score::Outcome::later), 1u);
  EXPECT_THAT(score.text(english()), ::testing::HasSubstr("1 of 3"));
}

TEST(Predictions, ASceneCanAskAgain) {
  Predictions said;
  said.answer("lanes.fold", "x", 1);
  said.answer("lanes2.fold", "x", 1);
  said.clear_scene("lanes");
  EXPECT_EQ(said.find("lanes.fold", "x"), nullptr);
  EXPECT_NE(said.find("lanes2.fold", "x"), nullptr);
}

TEST(Predictions, AnAnswerAboutSomethingElseIsKnown) {
  Predictions said;
  said.choose("a.b", "x", 1);
  EXPECT_FALSE(said.has_other("a.b", "y"));  // marked, not given
  said.answer("a.b", "x", 1);
  EXPECT_TRUE(said.has_other("a.b", "y"));
  EXPECT_FALSE(said.has_other("a.b", "x"));
  EXPECT_FALSE(said.has_other("a.c", "y"));
  said.skip("a.c", "x");
  EXPECT_TRUE(said.has_other("a.c", "y"));
}

TEST(Predictions, AnAnswerOfTheCommandLineHoldsForAnything) {
  Predictions said;
  said.answer_any("lanes.fold", 3);
  EXPECT_EQ(*said.find("lanes.fold", "whatever"), (Prediction{{}, {3}, false}));
}

TEST(ParseAnswer, TakesANumberOrSkip) {
  const auto two = parse_answer("schedulers.pick=2");
  ASSERT_TRUE(two) << two.error();
  EXPECT_EQ(two->key, "schedulers.pick");
  EXPECT_EQ(two->option, 1u);
  const auto skipped = parse_answer("lanes.fold=skip");
  ASSERT_TRUE(skipped) << skipped.error();
  EXPECT_EQ(skipped->option, std::nullopt);
  for (const char* const wrong : {"", "=", "lanes.fold", "lanes.fold=", "lanes.fold=0", "lanes.fold=10", "lanes=1",
                                  ".fold=1", "lanes.=1", "lanes.fold=one", "lanes.fold=-1"})
    EXPECT_FALSE(parse_answer(wrong)) << wrong;
}

}  // namespace
}  // namespace warpwalk::story::testing
