#include "app/shell/shell.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/pages/keymap.h"
#include "core/story/pictures/panels.h"
#include "core/story/transcript.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::HasSubstr;

TEST(Shell, OpensAndIsAtRest) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  ASSERT_NE(driver.shell.opened().document, nullptr);
  ASSERT_TRUE(driver.shell.opened().stage);
  EXPECT_EQ(driver.shell.opened().stage->scene, "boardroom");
  EXPECT_FALSE(driver.shell.moving());  // so that the window draws nothing
}

TEST(Shell, TellsTheFirstKeysOnce) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  for (const char* word : {"next", "back", "?"}) EXPECT_THAT(driver.shell.note().text, HasSubstr(word));
  driver.open(walk_file("mlp_train"));
  EXPECT_EQ(driver.shell.note().text, "");
}

TEST(Shell, KeysWalkThroughAllScenesAndBack) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  std::vector<std::string> seen;
  const trace::Trace& trace = driver.shell.opened().document->trace();
  const std::size_t places = document::places_of(trace, story::default_walk(trace)).size();
  ASSERT_GT(places, 30u);  // five or six beats of six scenes
  for (std::size_t i = 0; i < places + 5; ++i) {
    seen.push_back(driver.shell.opened().stage->scene + std::to_string(driver.shell.opened().stage->beat));
    driver.press(i % 2 == 0 ? Key::right : Key::page_down);
    driver.settle();
  }
  EXPECT_EQ(driver.shell.opened().stage->scene, "map");
  EXPECT_EQ(driver.shell.opened().stage->beat, driver.shell.opened().stage->beats);
  for (std::size_t i = places - 1; i-- > 0;) {
    driver.press(Key::left);
    driver.settle();
    EXPECT_EQ(driver.shell.opened().stage->scene + std::to_string(driver.shell.opened().stage->beat), seen[i]);
  }
}

// The pictures are equal pixel by pixel: no state remains from the steps between.
TEST(Shell, SteppingOnAndBackShowsTheSamePicture) {
  Driver driver;
  driver.open(walk_file("two_streams"));
  driver.press(Key::right);
  driver.settle();
  const draw::Image before = driver.picture();
  for (int i = 0; i < 5; ++i) {
    driver.press(Key::right);
    driver.settle();
  }
  EXPECT_FALSE(driver.picture() == before);
  for (int i = 0; i < 5; ++i) driver.press(Key::left);
  driver.settle();
  EXPECT_TRUE(driver.picture() == before);
}

TEST(Shell, ManyKeysInOneFrameAllCount) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  draw::Input input;
  driver.press(Key::right);
  driver.press(Key::right);
  driver.press(Key::right);
  EXPECT_EQ(driver.shell.opened().stage->beat, 4);
  EXPECT_TRUE(driver.shell.moving());
}

TEST(Shell, TheCardsOfTheLastPageLeadToBeatsAndKeys) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  View view = driver.shell.opened().view;
  view.scene = "map";
  driver.shell.open(view);
  driver.wait();
  view.moment = {story::Moment::Kind::beat, driver.shell.opened().stage->beats, 1};
  driver.shell.open(view);
  driver.wait();
  const auto panels = std::get<std::shared_ptr<const story::Panels>>(driver.shell.opened().stage->picture);
  const auto& cards = std::get<story::CardPicture>(panels->rows.at(0).panels.at(0).picture);
  std::size_t keys = 0;
  for (const story::CardColumn& column : cards.columns)
    for (const story::Card& card : column.cards) {
      if (card.link.key.empty()) continue;
      ++keys;
      const auto at = std::ranges::find(pages::shortcuts(), card.link.key, &pages::Shortcut::what);
      ASSERT_NE(at, pages::shortcuts().end()) << card.link.key;
      EXPECT_EQ(card.foot, "key " + pages::key_label(*at, english())) << card.heading;
    }
  EXPECT_EQ(keys, 3u);
  // The first card is about the launch; a click goes there. Its column begins where the stage does.
  for (float y = 200; y < 700 && driver.shell.opened().stage->scene == "map"; y += 40) driver.click(420, y);
  EXPECT_EQ(driver.shell.opened().stage->scene, "boardroom");
  EXPECT_EQ(driver.shell.opened().stage->beat, 6);
}

TEST(Shell, KFollowsTheKernelThatTookLongest) {
  Driver driver;
  driver.open(walk_file("mlp_train"));
  driver.press(U'k');
  driver.settle();
  ASSERT_TRUE(driver.shell.opened().view.follow.starts_with("kernel:"));
  const trace::Trace& trace = driver.shell.opened().document->trace();
  std::int64_t longest = 0;
  for (const trace::SliceId s : trace.kernel_order) longest = std::max(longest, trace.slices.duration[s]);
  const auto n = std::stoul(driver.shell.opened().view.follow.substr(7));
  EXPECT_EQ(trace.slices.duration[trace.kernel_order[n]], longest);
}

TEST(Shell, TabReachesEverythingAndEnterChooses) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  std::string seen_follow;
  for (int i = 0; i < 60 && driver.shell.opened().view.follow.empty(); ++i) {
    driver.press(Key::tab);
    if (i > 6) {  // past the route: rows of the outline come among the first
      driver.press(Key::enter);
      driver.settle();
    }
  }
  EXPECT_FALSE(driver.shell.opened().view.follow.empty());
}

TEST(Shell, ABrokenFileLosesNothing) {
  const std::filesystem::path broken = std::filesystem::temp_directory_path() / "warpwalk_broken.json";
  std::ofstream(broken) << "not a trace";
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(Key::right);
  driver.settle();
  const View before = driver.shell.opened().view;
  driver.drop(broken);
  std::filesystem::remove(broken);
  EXPECT_EQ(driver.shell.opened().view, before);
  EXPECT_THAT(driver.shell.note().text, HasSubstr("warpwalk_broken.json"));
}

TEST(Shell, PlayGoesOnByItselfAndStopsAtTheEnd) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(Key::space);
  EXPECT_TRUE(driver.shell.playing());
  for (int i = 0; i < 20000 && driver.shell.playing(); ++i) driver.frame(0.1);
  EXPECT_FALSE(driver.shell.playing());
  EXPECT_EQ(driver.shell.opened().stage->scene, "map");
  EXPECT_EQ(driver.shell.opened().stage->beat, driver.shell.opened().stage->beats);
}

TEST(Shell, ReducedMotionJumps) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'm');
  driver.press(Key::right);
  EXPECT_FALSE(driver.shell.moving());
  EXPECT_EQ(driver.shell.opened().stage->phase, 1);
}

TEST(Shell, SavesThePictureOfTheStage) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'c');
  EXPECT_EQ(driver.saved, "boardroom");
  EXPECT_EQ(driver.shell.note().text, "saved boardroom.png in " + std::filesystem::current_path().string());
  EXPECT_EQ(driver.shell.note().kind, panels::Note::Kind::done);
}

TEST(Shell, PresentShowsTheStageAloneAndBlankNothing) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'p');
  driver.frame();
  EXPECT_TRUE(driver.shell.presentation().on());
  driver.press(U'b');
  const draw::Image blank = driver.picture();
  for (const std::uint32_t pixel : blank.pixels) ASSERT_EQ(pixel, blank.pixels.front());
  driver.press(Key::escape);
  driver.press(Key::escape);
  EXPECT_FALSE(driver.shell.presentation().on());
}

TEST(Shell, ThemesGoRound) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  EXPECT_EQ(driver.shell.theme().name, "dark");
  driver.press(U't');
  EXPECT_EQ(driver.shell.theme().name, "light");
  driver.press(U't');
  EXPECT_EQ(driver.shell.theme().name, "high-contrast");
  driver.press(U't');
  EXPECT_EQ(driver.shell.theme().name, "dark");
}

TEST(Shell, WithoutATraceItInvites) {
  Driver driver;
  driver.frame();
  EXPECT_EQ(driver.shell.opened().document, nullptr);
  EXPECT_FALSE(driver.shell.moving());
}

TEST(ShellSheets, OpenAndCloseByTheirKeysAndHoldTheOthersBack) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  const View before = driver.shell.opened().view;
  const std::pair<char32_t, std::string_view> sheets[] = {{U'?', "help"}, {U'g', "glossary"}, {U'o', "files"}};
  for (const auto& [key, sheet] : sheets) {
    driver.press(key);
    EXPECT_EQ(driver.shell.sheet(), sheet);
    driver.press(Key::right);
    driver.press(U'k');
    EXPECT_EQ(driver.shell.opened().view, before);
    driver.press(Key::escape);
    EXPECT_EQ(driver.shell.sheet(), "");
  }
  driver.press(U'?');
  driver.press(U'?');
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST(ShellFiles, AWalkIsOpenedByArrowsAndEnter) {
  Driver driver;
  driver.open(walk_file("two_streams"));
  driver.press(U'o');
  driver.press(Key::down);  // no recent files: the recorded walks, in the order of [walks]
  driver.press(Key::down);
  driver.press(Key::enter);
  driver.wait();
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().document->file, walk_file("relu_matmul"));
}

TEST(ShellFiles, APathIsTypedAndRemembered) {
  const auto copy = std::filesystem::temp_directory_path() / ("warpwalk_Ünï." + std::to_string(getpid()) + ".json.gz");
  std::filesystem::copy_file(walk_file("two_streams"), copy, std::filesystem::copy_options::overwrite_existing);
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  EXPECT_TRUE(driver.shell.settings().recent.empty());  // recorded walks are listed anyway
  driver.press(U'o');
  for (const char32_t c : copy.u32string()) driver.press(c);
  driver.press(Key::enter);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().document->file, copy);
  EXPECT_EQ(driver.shell.settings().recent, std::vector<std::string>{copy.string()});
  std::filesystem::remove(copy);
}

TEST(ShellFiles, AWrongPathIsSaidAndLosesNothing) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'o');
  driver.type("/nowhere/at_all.json");
  driver.press(Key::enter);
  EXPECT_EQ(driver.shell.note().text, "/nowhere/at_all.json: there is no such file");
  EXPECT_EQ(driver.shell.sheet(), "files") << "for another try";
  EXPECT_EQ(driver.shell.opened().document->file.filename(), "relu_matmul.json.gz");
}

TEST(ShellNames, GoRoundAndAreKept) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  EXPECT_EQ(driver.shell.opened().stage->scene_label, "Boardroom: the CPU submits");
  driver.press(U'h');
  EXPECT_EQ(driver.shell.opened().stage->scene_label, "the CPU submits");
  driver.press(U'h');
  driver.frame();
  EXPECT_EQ(driver.shell.opened().stage->scene_label, "Boardroom");
  EXPECT_EQ(driver.shell.opened().stage->route[6].name, "VP");
  EXPECT_EQ(driver.shell.settings().naming, story::Naming::company);
}

TEST(ShellFilm, ShowsHowFarItIsAndEndsInWords) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.film = {.share = 0.4};
  driver.press(U'v');
  EXPECT_EQ(driver.filmed, "boardroom");
  EXPECT_TRUE(driver.shell.busy());
  driver.film = {.share = 1, .done = true, .file = "/films/warpwalk-boardroom.mp4"};
  driver.frame();
  EXPECT_FALSE(driver.shell.busy());
  EXPECT_EQ(driver.shell.note().text, "saved warpwalk-boardroom.mp4 in /films");
  driver.film_error = "out of processes";
  driver.press(U'v');
  EXPECT_FALSE(driver.shell.busy());
  EXPECT_EQ(driver.shell.note().text, "no film: out of processes");
  EXPECT_EQ(driver.shell.note().kind, panels::Note::Kind::error);
  driver.film_error.clear();
  driver.film = {.share = 0.1};
  driver.press(U'v');
  driver.press(Key::escape);
  driver.frame();
  EXPECT_FALSE(driver.shell.busy());
  EXPECT_EQ(driver.shell.note().text, "the film was cancelled");
}

TEST(ShellPictures, ShiftCSavesAsSvg) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'C');
  EXPECT_EQ(driver.shell.note().text, "saved boardroom.svg in " + std::filesystem::current_path().string());
}

TEST(ShellFirstRoute, ShiftDGoesDeeperAndBack) {
  Driver driver;
  EXPECT_TRUE(driver.shell.settings().first_route) << "the default";
  driver.open(walk_file("relu_matmul"));
  ASSERT_FALSE(driver.shell.opened().view.first_route) << "as the driver opens files";
  driver.press(U'D');
  EXPECT_TRUE(driver.shell.opened().view.first_route);
  EXPECT_TRUE(driver.shell.settings().first_route);
  for (int step = 0; step < 4; ++step) driver.press(draw::Key::right);
  EXPECT_EQ(driver.shell.opened().view.scene, "translator") << "after four beats of the boardroom";
  driver.press(U'D');
  EXPECT_FALSE(driver.shell.opened().view.first_route);
  EXPECT_FALSE(driver.shell.settings().first_route);
}

// A click on an element of the result chooses the number that all scenes follow.
TEST(ShellNumber, AClickInTheFirstSceneChoosesAnother) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  std::set<std::pair<double, double>> chosen;
  for (float x = 40; x < 1000; x += 24)
    for (float y = 230; y < 560; y += 16) {
      driver.click(x, y);
      driver.settle();
      const View& view = driver.shell.opened().view;
      ASSERT_EQ(view.scene, "boardroom");
      const auto row = view.controls.get("boardroom", "row"), column = view.controls.get("boardroom", "column");
      ASSERT_EQ(row.has_value(), column.has_value());
      if (!row) continue;
      ASSERT_TRUE(driver.shell.opened().stage->number);
      EXPECT_EQ(driver.shell.opened().stage->number->name, fmt::format("c[{}, {}]", *row, *column));
      chosen.emplace(*row, *column);
    }
  EXPECT_GE(chosen.size(), 9u);
}

TEST(ShellScrub, MovesTheMomentThroughTheTraceAndStaysInIt) {
  Driver driver;
  driver.open(walk_file("two_streams"));
  const std::int64_t length =
      driver.shell.opened().document->trace().end_ns - driver.shell.opened().document->trace().begin_ns;
  driver.press(U'.');
  ASSERT_EQ(driver.shell.opened().view.moment.kind, story::Moment::Kind::time);
  const std::int64_t first = driver.shell.opened().view.moment.value;
  driver.press(U'.');
  EXPECT_EQ(driver.shell.opened().view.moment.value, first + length / 100);
  driver.press(U',');
  EXPECT_EQ(driver.shell.opened().view.moment.value, first);
  for (int i = 0; i < 120; ++i) driver.press(U'.');
  EXPECT_EQ(driver.shell.opened().view.moment.value, length);
  for (int i = 0; i < 120; ++i) driver.press(U',');
  EXPECT_EQ(driver.shell.opened().view.moment.value, 0);
}

TEST(ShellKeys, CapsLockChangesNothing) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'T');
  EXPECT_EQ(driver.shell.theme().name, "light");
}

TEST(ShellReports, SayTheStateAndOnlyWhenItChanges) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.frame();
  const std::size_t before = driver.reports.size();
  for (int i = 0; i < 10; ++i) driver.frame();
  EXPECT_EQ(driver.reports.size(), before);
  driver.press(Key::right);
  driver.settle();
  EXPECT_GT(driver.reports.size(), before);
  for (const char* part : {"\"beat\":2", "\"scene\":\"boardroom\"", "\"moving\":false", "relu_matmul.json.gz"})
    EXPECT_THAT(driver.reports.back(), HasSubstr(part));
}

TEST(ShellRoute, EveryStopWithASceneLeadsToABeatAboutIt) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  for (int tab = 0; tab < 10; ++tab) {
    driver.press(Key::tab);
    driver.press(Key::enter);
    driver.settle();
    const story::Stop& stop = driver.shell.opened().stage->route[static_cast<std::size_t>(tab)];
    if (!stop.here) {
      EXPECT_THAT(driver.shell.note().text, HasSubstr(stop.name)) << stop.key;
    }
  }
}

TEST(ShellRoute, AStopIsFoundInTheOpenSceneFirst) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  for (int scene = 0; scene < 3; ++scene) driver.press(Key::down);
  for (int beat = 0; beat < 3; ++beat) driver.press(Key::right);
  driver.settle();
  ASSERT_EQ(driver.shell.opened().stage->scene, "launch");
  ASSERT_FALSE(driver.shell.opened().stage->route[5].here);
  for (int tab = 0; tab < 6; ++tab) driver.press(Key::tab);
  driver.press(Key::enter);
  driver.settle();
  EXPECT_EQ(driver.shell.opened().stage->scene, "launch");
  EXPECT_TRUE(driver.shell.opened().stage->route[5].here);
}

TEST(ShellNotes, WhatWasSaidAboutOnePlaceEndsAtTheNext) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'l');
  ASSERT_TRUE(driver.shell.note().text.starts_with("copied")) << driver.shell.note().text;
  driver.press(Key::right);
  driver.settle();
  EXPECT_EQ(driver.shell.note().text, "");
}

// With sanitizers, which make a frame ten times as expensive, a third of the rounds.
#ifdef WARPWALK_SANITIZED
constexpr int rounds = 13;
#else
constexpr int rounds = 40;
#endif

// Random keys, then n steps forward and n back: the stage is the same for any walk, setting or view.
class RandomWalks : public ::testing::TestWithParam<const char*> {};

TEST_P(RandomWalks, StepNThenBackNIsTheSameStage) {
  std::mt19937 random(23);
  Driver driver(1280, 720);
  driver.open(walk_file(GetParam()));
  const std::size_t ops = driver.shell.opened().document->trace().op_order.size();
  const std::size_t launches = driver.shell.opened().document->trace().launched.size();
  const auto press_some = [&] {
    switch (random() % 8) {
      case 0: driver.press(Key::down); break;
      case 1: driver.press(Key::up); break;
      case 2: driver.press(U'h'); break;
      case 3: driver.press(U'm'); break;
      case 4: driver.press(U'k'); break;
      case 5: driver.press(U't'); break;
      default: driver.press(random() % 2 == 0 ? Key::right : Key::left);
    }
  };
  for (int round = 0; round < rounds; ++round) {
    if (round % 3 == 0) {
      const bool op = random() % 2 == 0;
      const std::size_t count = op ? ops : launches;
      driver.open(walk_file(GetParam()), (op ? "op:" : "launch:") + std::to_string(random() % count));
    }
    for (int i = 0; i < 4; ++i) press_some();
    driver.settle();
    const std::string before = story::everything_on(*driver.shell.opened().stage);
    const int n = 1 + static_cast<int>(random() % 12);
    int moved = 0;
    for (int i = 0; i < n; ++i) {
      const View here = driver.shell.opened().view;
      driver.press(Key::right);
      if (random() % 2 == 0) driver.settle();  // or while it still moves
      moved += driver.shell.opened().view.scene != here.scene ||
               driver.shell.opened().view.moment.value != here.moment.value;
    }
    for (int i = 0; i < moved; ++i) driver.press(Key::left);
    driver.settle();
    ASSERT_EQ(story::everything_on(*driver.shell.opened().stage), before) << GetParam() << " round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, RandomWalks, ::testing::Values("relu_matmul", "two_streams", "mlp_train"));

}  // namespace
}  // namespace warpwalk::shell
