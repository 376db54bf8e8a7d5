// The learner's layout, in which the stage has the window, and the tour: its steps on and back, deeper and out again.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/shell/frame.h"
#include "core/story/scene_list.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Box;
using draw::Key;

const std::string tour_walk = "h200_relu_matmul_inside";

// Opens the walk as the program does when it is started without arguments: on the first route, without panels.
void start(Driver& driver, const std::string& walk = tour_walk) {
  driver.shell.settings().panels = false;
  View view;
  view.file = walk_file(walk);
  view.first_route = true;
  driver.shell.open(view, {.place = true, .names = true});
  driver.wait();
}

const story::Stage& stage(const Driver& driver) { return *driver.shell.opened().stage; }
double phase(const Driver& driver) { return driver.shell.opened().view.moment.phase; }

bool draws(Driver& driver, const std::string& text) {
  const std::vector<std::string> texts = driver.texts();
  return std::ranges::find(texts, text) != texts.end();
}

std::string word(std::string_view key) { return english().text("learner", key); }

TEST(LearnerLayout, GivesTheStageTheWindow) {
  const LearnerLayout at = learner_layout(1280, 720);
  EXPECT_EQ(at.head.height, 24);
  EXPECT_EQ(at.bar.height, 48);
  EXPECT_EQ(at.bar.bottom(), 720);
  EXPECT_EQ(at.stage.x, 24);
  EXPECT_EQ(at.stage.right(), 1280 - 24);
  EXPECT_GE(at.stage.y, at.head.bottom());
  EXPECT_LE(at.stage.bottom(), at.bar.y);
  // Title and two lines of the sentence leave the picture at least 60 % of the window.
  EXPECT_GE(at.stage.height - 38 - 60 - 8, 0.6f * 720);
  const LearnerLayout with_strip = learner_layout(1280, 720, 100);
  EXPECT_EQ(with_strip.bar.y, at.bar.y);
  EXPECT_EQ(with_strip.strip.y, at.bar.y - 100);
  EXPECT_EQ(with_strip.stage.height, at.stage.height - 100);
}

TEST(LearnerType, GrowsWithTheWindow) {
  const draw::FontOptions hd = learner_type(1280, 720);
  EXPECT_EQ(hd.scale, 1);
  EXPECT_EQ(hd.large, (draw::LargeType{13, 20, 28}));
  EXPECT_EQ(learner_type(1920, 1080).large, (draw::LargeType{19.5f, 30, 42}));
  EXPECT_EQ(learner_type(2560, 720).large, hd.large) << "the narrower side decides";
}

TEST(Learner, PanelsComeAndGoByAKeyAndTheChoiceIsKept) {
  Driver driver(1280, 720);
  start(driver, "two_streams");
  EXPECT_TRUE(draws(driver, word("next")));
  EXPECT_FALSE(draws(driver, english().text("outline", "ops")));
  EXPECT_TRUE(driver.shell.learning());
  driver.press(U'A');
  EXPECT_TRUE(driver.shell.settings().panels);
  EXPECT_FALSE(driver.shell.learning());
  EXPECT_FALSE(draws(driver, word("next")));
  EXPECT_TRUE(draws(driver, english().text("outline", "ops")));
  driver.open(walk_file("relu_matmul"));
  EXPECT_FALSE(driver.shell.learning()) << "the next walk has them too";
  driver.press(U'A');
  EXPECT_TRUE(driver.shell.learning());
  driver.press(U'/');  // the search is in the outline
  EXPECT_FALSE(driver.shell.learning());
}

TEST(Learner, AnOwnTraceHasItsPanels) {
  const auto copy = std::filesystem::path(::testing::TempDir()) / "warpwalk_own_panels.json.gz";
  std::filesystem::copy_file(walk_file("mlp_train"), copy, std::filesystem::copy_options::overwrite_existing);
  Driver driver(1280, 720);
  start(driver, "two_streams");
  driver.drop(copy);
  EXPECT_TRUE(driver.shell.opened().own);
  EXPECT_FALSE(driver.shell.learning());
  EXPECT_FALSE(driver.shell.settings().panels) << "walks are as they were";
  driver.press(U'A');
  EXPECT_TRUE(driver.shell.learning());
  EXPECT_FALSE(driver.shell.settings().own_panels);
  std::filesystem::remove(copy);
}

TEST(Learner, TheLineOverTheTitleSaysHowMuchGoesDeeper) {
  Driver driver(1280, 720);
  start(driver, "mlp_train");
  ASSERT_EQ(stage(driver).scene, "boardroom");
  const std::size_t main = stage(driver).first_route.size(), all = static_cast<std::size_t>(stage(driver).beats);
  ASSERT_LT(main, all);
  const std::string place = english().text("learner", "beat", {{"beat", "1"}, {"beats", std::to_string(main)}});
  EXPECT_TRUE(draws(driver, english().text("learner", "place",
                                           {{"place", place}, {"n", std::to_string(all - main)}, {"key", "Shift+D"}})));
  driver.press(U'D');  // every beat is stepped through, so nothing is left out
  EXPECT_TRUE(draws(driver, stage(driver).place));
}

// The buttons of the bar do what their keys do.
TEST(Learner, TheBarsButtonsArePressed) {
  Driver driver(1280, 720);
  start(driver, "two_streams");
  driver.press(Key::tab);
  for (int i = 0; i < 40 && stage(driver).beat == 1; ++i) {
    driver.press(Key::enter);
    driver.settle();
    driver.press(Key::tab);
  }
  EXPECT_GT(stage(driver).beat, 1) << "Tab reaches Next";
}

class Tour : public ::testing::Test {
 protected:
  Tour() { start(driver); }
  Driver driver{1280, 720};
};

TEST_F(Tour, IsWhereANewcomerBegins) {
  EXPECT_EQ(stage(driver).scene, "tour");
  EXPECT_EQ(stage(driver).beat, 1);
  ASSERT_TRUE(stage(driver).step);
  EXPECT_TRUE(draws(driver, stage(driver).step->chapter));
  EXPECT_TRUE(driver.shell.learning());
}

TEST_F(Tour, IsNotForWhoStepsThroughEveryBeat) {
  driver.open(walk_file(tour_walk));  // without the first route
  EXPECT_EQ(stage(driver).scene, "boardroom");
  start(driver, "two_streams");  // has no tour
  EXPECT_EQ(stage(driver).scene, "boardroom");
}

TEST_F(Tour, ATermOfTheSentenceIsExplainedBesideItWithTheTermsOfItsMeaning) {
  const story::Glossary glossary(english());
  const auto first_term = [&] {
    const auto terms = glossary.terms_in(stage(driver).sentence);
    return terms.empty() ? nullptr : terms.front();
  };
  while (first_term() == nullptr && stage(driver).beat < stage(driver).beats) {
    driver.press(Key::right);
    driver.settle();
  }
  const story::GlossaryEntry* const term = first_term();
  ASSERT_NE(term, nullptr);
  const auto explains = [&] {
    const std::vector<std::string> texts = driver.texts();
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.starts_with(term->term + ": "); });
  };
  EXPECT_FALSE(explains());
  const Box at = learner_layout(1280, 720).stage;
  bool explained = false;
  for (const float y : {50.0f, 77.0f})  // the lines of the sentence
    for (float x = at.x; x < at.right() && !explained; x += 12) {
      driver.point(x, at.y + y);
      explained = explains();
    }
  EXPECT_TRUE(explained) << term->term << " in: " << stage(driver).sentence;
}

TEST_F(Tour, RightGoesThroughItsStepsAndStaysAtTheLast) {
  const int steps = stage(driver).beats;
  for (int step = 1; step < steps; ++step) {
    ASSERT_EQ(stage(driver).beat, step);
    driver.press(Key::right);
    driver.settle();
  }
  driver.press(Key::right);
  driver.settle();
  EXPECT_EQ(stage(driver).scene, "tour");
  EXPECT_EQ(stage(driver).beat, steps);
  driver.press(Key::home);
  driver.settle();
  EXPECT_EQ(stage(driver).beat, 1);
  driver.press(Key::end);
  driver.settle();
  EXPECT_EQ(stage(driver).beat, steps);
}

TEST_F(Tour, LeftPlaysTheStepBackwards) {
  driver.press(Key::right);
  driver.settle();
  driver.press(Key::right);
  driver.settle();
  ASSERT_EQ(stage(driver).beat, 3);
  ASSERT_EQ(phase(driver), 1);
  driver.press(Key::left);
  EXPECT_TRUE(driver.shell.moving());
  EXPECT_EQ(stage(driver).beat, 3);
  double last = 1;
  for (int i = 0; i < 4; ++i) {
    driver.frame(0.1);
    EXPECT_LT(phase(driver), last);
    last = phase(driver);
  }
  driver.settle();
  EXPECT_EQ(stage(driver).beat, 2);
  EXPECT_EQ(phase(driver), 1);
  EXPECT_FALSE(driver.shell.moving());
}

TEST_F(Tour, ASecondLeftEndsTheMotionAndBeginsTheNext) {
  driver.press(Key::right);
  driver.press(Key::right);
  driver.settle();
  driver.press(Key::left);
  driver.frame(0.2);
  driver.press(Key::left);
  EXPECT_EQ(driver.shell.opened().view.moment.value, 2);
  EXPECT_TRUE(driver.shell.moving());
  driver.settle();
  EXPECT_EQ(stage(driver).beat, 1);
  driver.press(Key::left);  // there is none before
  driver.settle();
  EXPECT_EQ(stage(driver).beat, 1);
}

TEST_F(Tour, RightTurnsAMotionBackRound) {
  driver.press(Key::right);
  driver.settle();
  driver.press(Key::left);
  driver.frame(0.3);
  const double turned = phase(driver);
  ASSERT_LT(turned, 1);
  driver.press(Key::right);
  EXPECT_EQ(driver.shell.opened().view.moment.value, 2);
  driver.frame(0.1);
  EXPECT_GT(phase(driver), turned - 0.02);
  driver.settle();
  EXPECT_EQ(stage(driver).beat, 2);
  EXPECT_EQ(phase(driver), 1);
}

TEST_F(Tour, LeftDuringAMotionForwardsGoesBackFromThere) {
  driver.press(Key::right);
  driver.frame(0.5);
  const double from = phase(driver);
  ASSERT_LT(from, 1);
  driver.press(Key::left);
  EXPECT_LE(phase(driver), from);
  driver.settle();
  EXPECT_EQ(stage(driver).beat, 1);
  EXPECT_EQ(phase(driver), 1);
}

TEST_F(Tour, WithReducedMotionLeftIsThereAtOnce) {
  driver.press(U'm');
  driver.press(Key::right);
  driver.press(Key::left);
  EXPECT_FALSE(driver.shell.moving());
  EXPECT_EQ(stage(driver).beat, 1);
  EXPECT_EQ(phase(driver), 1);
}

TEST_F(Tour, DownAndUpGoToTheFirstStepOfAChapter) {
  const std::string first = stage(driver).step->chapter;
  driver.press(Key::down);
  driver.settle();
  EXPECT_NE(stage(driver).step->chapter, first);
  const int second = stage(driver).beat;
  driver.press(Key::left);
  driver.settle();
  EXPECT_EQ(stage(driver).step->chapter, first) << "it was the chapter's first step";
  driver.press(Key::right);
  driver.settle();
  ASSERT_EQ(stage(driver).beat, second);
  driver.press(Key::up);
  driver.settle();
  EXPECT_EQ(stage(driver).beat, 1);
  for (int i = 0; i < 10; ++i) driver.press(Key::down);
  driver.settle();
  EXPECT_EQ(stage(driver).scene, "tour") << "there is no chapter behind the last";
}

TEST_F(Tour, ShiftDGoesDeeperAndBackAndSoDoesEsc) {
  driver.press(Key::right);
  driver.settle();
  const story::CardLink deeper = stage(driver).step->deeper;
  ASSERT_FALSE(deeper.empty());
  for (const bool escape : {false, true}) {
    driver.press(U'D');
    driver.settle();
    EXPECT_EQ(stage(driver).scene, deeper.scene);
    EXPECT_EQ(stage(driver).key, deeper.beat);
    EXPECT_FALSE(driver.shell.opened().view.first_route) << "with all beats";
    EXPECT_TRUE(driver.shell.settings().first_route);
    driver.press(Key::right);  // further there
    driver.settle();
    EXPECT_TRUE(draws(driver, english().text("learner", "return", {{"step", "2"}})));
    if (escape)
      driver.press(Key::escape);
    else
      driver.press(U'D');
    driver.settle();
    EXPECT_EQ(stage(driver).scene, "tour");
    EXPECT_EQ(stage(driver).beat, 2);
    EXPECT_TRUE(driver.shell.opened().view.first_route);
  }
}

TEST_F(Tour, AnotherWalkOpenedFromDeeperStartsOnTheFirstRoute) {
  driver.press(U'D');
  driver.settle();
  ASSERT_FALSE(driver.shell.opened().view.first_route);
  driver.press(U'i');
  driver.press(Key::down);   // the first walk
  driver.press(Key::right);  // the one beside it
  driver.press(Key::enter);
  driver.wait();
  EXPECT_TRUE(driver.shell.opened().view.first_route);
}

TEST_F(Tour, ELeadsToTheLabOfTheStepAndEscBack) {
  while (stage(driver).step->lab.empty() && stage(driver).beat < stage(driver).beats) {
    driver.press(Key::right);
    driver.settle();
  }
  ASSERT_FALSE(stage(driver).step->lab.empty());
  const int step = stage(driver).beat;
  const std::string lab = stage(driver).step->lab.scene;
  driver.press(U'e');
  driver.settle();
  EXPECT_EQ(stage(driver).scene, lab);
  if (!driver.shell.sheet().empty()) driver.press(Key::escape);  // the lab is a page
  driver.press(Key::escape);
  driver.settle();
  EXPECT_EQ(stage(driver).scene, "tour");
  EXPECT_EQ(stage(driver).beat, step);
}

TEST_F(Tour, FollowingWorkWithoutATourLeadsToTheFirstScene) {
  const std::size_t kernels = driver.shell.opened().document->trace().kernel_order.size();
  for (std::size_t n = 0; n < std::min<std::size_t>(kernels, 8); ++n) {
    driver.open(walk_file(tour_walk), "kernel:" + std::to_string(n));
    View view = driver.shell.opened().view;
    view.scene = "tour";
    driver.shell.open(view);
    driver.wait();
    const bool has = document::has_tour(driver.shell.opened().document->trace(), driver.shell.opened().walk);
    EXPECT_EQ(stage(driver).scene, has ? "tour" : "boardroom") << n;
    if (!has) {
      EXPECT_THAT(driver.shell.note().text, ::testing::HasSubstr("tour"));
    }
  }
}

TEST(LeavingALab, EscLeadsToTheSceneThatItWasOpenedFrom) {
  Driver driver;
  driver.open(walk_file("two_streams"));
  for (int i = 0; i < 10 && stage(driver).scene != "launch"; ++i) driver.press(Key::down);
  driver.press(Key::right);
  driver.settle();
  ASSERT_EQ(stage(driver).beat, 2);
  driver.press(U'e');
  driver.press(U'e');  // another lab of the scene
  ASSERT_TRUE(stage(driver).scene.starts_with("lab/"));
  driver.press(Key::escape);
  driver.settle();
  EXPECT_EQ(stage(driver).scene, "launch");
  EXPECT_EQ(stage(driver).beat, 2);
  // A lab that a link opened belongs to a scene.
  View view = driver.shell.opened().view;
  view.scene = "lab/occupancy";
  view.moment = {story::Moment::Kind::beat, 1, 1};
  driver.open(walk_file("relu_matmul"));
  view.file = walk_file("relu_matmul");
  view.follow.clear();
  driver.shell.open(view);
  driver.wait();
  driver.press(Key::escape);
  driver.press(Key::escape);
  driver.settle();
  EXPECT_EQ(stage(driver).scene, story::find_scene("lab/occupancy")->opens_from);
}

}  // namespace
}  // namespace warpwalk::shell
