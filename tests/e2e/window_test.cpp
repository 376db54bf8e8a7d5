// The window as a user sees it: how it starts, opens files, looks, saves pictures and keeps settings.
#include "tests/e2e/window.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace warpwalk::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST_F(Window, TheFirstStartShowsTheDefaultWalk) {
  Desktop desktop;
  ASSERT_TRUE(desktop.wait_for([](const State& state) { return !state.scene.empty(); })) << desktop.program().error();
  const double seconds = std::chrono::duration<double>(Desktop::Clock::now() - desktop.started()).count();
  std::printf("from the start to the first scene: %.2f s\n", seconds);
  RecordProperty("seconds_to_first_scene", std::to_string(seconds));
  EXPECT_LT(seconds, 5);  // takes a tenth of that on an idle machine
  const State state = desktop.state();
  EXPECT_TRUE(state.file.ends_with("/h200_relu_matmul_inside.json.gz")) << state;
  EXPECT_EQ(state.scene, "tour") << state;
  EXPECT_EQ(state.beat, 1) << state;
  EXPECT_GT(state.beats, 1) << state;
  EXPECT_FALSE(state.presenting) << state;
  EXPECT_FALSE(state.note.empty()) << state;  // the keys that lead to all others
  EXPECT_EQ(state.sheet, "start") << state;
  EXPECT_TRUE(shows(desktop, [](const draw::Image& image) { return image.width == 1600 && colours_of(image) > 50; }));
}

TEST_F(Window, TheStartPageLeadsToTheWalkByOneKeyAndToOthersByKeysAndMouse) {
  Desktop desktop;
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  ASSERT_EQ(desktop.state().sheet, "start") << desktop.state();
  EXPECT_EQ(desktop.title(), "h200_relu_matmul_inside.json.gz – warpwalk");
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet.empty(); })) << desktop.state();
  EXPECT_EQ(desktop.state().beat, 1) << desktop.state();
  desktop.key("q");  // no questions between the beats
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return !now.questions; })) << desktop.state();
  desktop.key("Right");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 2; })) << desktop.state();

  desktop.key("i");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "start"; })) << desktop.state();
  desktop.key("Down");  // the first recorded walk
  desktop.key("Down");  // the one below it
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) {
    return now.sheet.empty() && now.file.ends_with("/relu_matmul.json.gz");
  })) << desktop.state();
  EXPECT_TRUE(desktop.wait_for([&](const State&) { return desktop.title() == "relu_matmul.json.gz – warpwalk"; }))
      << desktop.title();

  desktop.key("i");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "start"; })) << desktop.state();
  desktop.click(900, 320);  // the second recorded walk
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.file.ends_with("/pytorch_relu_matmul.json.gz"); }))
      << desktop.state();
  EXPECT_EQ(desktop.state().sheet, "") << desktop.state();
}

// The tour with the stage alone: on, back, deeper and back.
TEST_F(Window, ANewcomerGoesThroughTheTour) {
  Desktop desktop({walk("h200_relu_matmul_inside"), "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  ASSERT_EQ(desktop.state().scene, "tour") << desktop.state();
  desktop.key("shift+a");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return !now.panels; })) << desktop.state();
  desktop.key("Right");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 2 && !now.moving; })) << desktop.state();
  desktop.key("Left");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.moving; })) << desktop.state();
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 1 && !now.moving; })) << desktop.state();
  desktop.key("shift+d");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.scene != "tour"; })) << desktop.state();
  desktop.key("Escape");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.scene == "tour" && now.beat == 1; }))
      << desktop.state();
}

TEST_F(Window, AFolderIsWalkedAndAFileInItOpened) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  std::filesystem::create_directories(desktop.home().path() / "mine");
  std::filesystem::copy_file(walk("two_streams"), desktop.home().path() / "mine" / "copy.json.gz");
  desktop.key("o");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "files"; })) << desktop.state();
  desktop.type(desktop.home().path().string() + "/mi");
  desktop.key("Tab");     // completes it
  desktop.key("Return");  // a folder is shown
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.folder.find("/mine") != std::string::npos; }))
      << desktop.state();
  EXPECT_EQ(desktop.state().sheet, "files");
  desktop.key("Down");  // past the parent folder
  desktop.key("Return");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.file.ends_with("/mine/copy.json.gz"); }))
      << desktop.state();
}

TEST_F(Window, ASavedPictureIsConfirmedWithItsFolderAndAnErrorLooksDifferent) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("c");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.note_kind == "done"; })) << desktop.state();
  EXPECT_THAT(desktop.state().note, HasSubstr(" in " + desktop.home().path().string())) << desktop.state();
  desktop.key("Escape");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.note.empty(); })) << desktop.state();
  desktop.key("o");
  desktop.type("/nowhere.json");
  desktop.key("Return");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.note_kind == "error"; })) << desktop.state();
}

TEST_F(Window, PPresentsAndBBlanks) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("p");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.presenting && !now.blank; })) << desktop.state();
  EXPECT_TRUE(shows(desktop, [](const draw::Image& image) { return colours_of(image) > 50; }));
  desktop.key("b");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.blank; })) << desktop.state();
  EXPECT_TRUE(shows(desktop, [](const draw::Image& image) { return colours_of(image) == 1; }));
  desktop.key("b");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return !now.blank; })) << desktop.state();
  desktop.key("Escape");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return !now.presenting; })) << desktop.state();
}

TEST_F(Window, TChangesTheTheme) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  EXPECT_EQ(desktop.state().theme, "dark");
  desktop.key("t");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.theme == "light"; })) << desktop.state();
  EXPECT_TRUE(shows(desktop, [](const draw::Image& image) {
    return std::count(image.pixels.begin(), image.pixels.end(), 0xffffffffu) > 200000;  // its background
  }));
}

TEST_F(Window, CSavesThePicture) {
  Desktop desktop({walk("relu_matmul"), "--at", "b3"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("c");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.note.find(".png") != std::string::npos; }))
      << desktop.state();
  std::vector<std::string> pictures;
  for (const std::string& name : desktop.home().names())
    if (name.ends_with(".png")) pictures.push_back(name);
  ASSERT_EQ(pictures.size(), 1u);
  EXPECT_THAT(desktop.state().note, HasSubstr(pictures[0])) << desktop.state();
  const auto picture = draw::read_png(desktop.home().at(pictures[0]));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width, 1920);
  EXPECT_GT(colours_of(*picture), 50u);
}

TEST_F(Window, ABrokenFileEndsTheProgramWithOneLine) {
  const Folder folder;
  Desktop desktop({folder.file("broken.json", "this is no trace")});
  const warpwalk::testing::Outcome outcome = desktop.program().wait();
  EXPECT_EQ(outcome.status, 2) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("broken.json"));
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
}

TEST_F(Window, AFileIsDroppedAndABrokenOneLosesNothing) {
  const Folder folder;
  const std::string broken = folder.file("broken.json", "this is no trace");
  Desktop desktop({walk("relu_matmul"), "--at", "b3"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string before = desktop.state().place();
  ASSERT_EQ(desktop.drop(broken), "");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.note.find("broken.json") != std::string::npos; }))
      << desktop.state();
  EXPECT_EQ(desktop.state().place(), before);
  ASSERT_EQ(desktop.drop(walk("two_streams")), "");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.file.ends_with("two_streams.json.gz"); }))
      << desktop.state();
}

TEST_F(Window, ABrokenFileOpenedFromTheSheetLosesNothing) {
  const Folder folder;
  const std::string broken = folder.file("broken.json", "this is no trace");
  Desktop desktop({walk("relu_matmul"), "--at", "b3"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string before = desktop.state().place();
  desktop.key("o");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "files"; })) << desktop.state();
  desktop.type(broken);
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.note.find("broken.json") != std::string::npos; }))
      << desktop.state();
  EXPECT_EQ(desktop.state().place(), before);
  EXPECT_EQ(desktop.state().sheet, "");
}

TEST_F(Window, AnotherWalkIsOpenedFromTheSheetByMouse) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("o");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "files"; })) << desktop.state();
  // The rows are in the middle of the window.
  for (int y = 420; y < 620 && desktop.state().sheet == "files"; y += 10) {
    desktop.click(700, y);
    desktop.wait_for([](const State& now) { return now.sheet.empty(); }, 1s);
  }
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.file.find("/relu_matmul") == std::string::npos; }))
      << desktop.state();
}

TEST_F(Window, SettingsAreKeptAndBadOnesDoNotStopTheStart) {
  const Folder config;
  const std::vector<std::string> there = {"XDG_CONFIG_HOME=" + config.path().string()};
  {
    Desktop desktop({walk("relu_matmul")}, there);
    ASSERT_TRUE(desktop.ready()) << desktop.program().error();
    desktop.key("t");
    desktop.key("h");
    ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.theme == "light" && now.names == "hardware"; }));
    const auto kept = [&] { return std::filesystem::exists(config.path() / "warpwalk" / "settings.json"); };
    EXPECT_TRUE(desktop.wait_for([&](const State&) { return kept(); }));
  }
  {
    Desktop desktop({walk("relu_matmul")}, there);
    ASSERT_TRUE(desktop.ready()) << desktop.program().error();
    EXPECT_EQ(desktop.state().theme, "light");
    EXPECT_EQ(desktop.state().names, "hardware");
  }
  {
    Desktop desktop({walk("relu_matmul"), "--reset-settings"}, there);
    ASSERT_TRUE(desktop.ready()) << desktop.program().error();
    EXPECT_EQ(desktop.state().theme, "dark");
  }
  std::filesystem::create_directories(config.path() / "warpwalk");
  config.file("warpwalk/settings.json", "{\"scale\": 1e9, \"theme\": ");
  Desktop desktop({walk("relu_matmul")}, there);
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  EXPECT_THAT(desktop.state().note, HasSubstr("settings.json")) << desktop.state();
}

// The settings are written in the frame that changes them.
TEST_F(Window, APipeInPlaceOfTheSettingsDoesNotStopTheWindow) {
  const Folder config;
  std::filesystem::create_directories(config.path() / "warpwalk");
  ASSERT_EQ(mkfifo(config.at("warpwalk/settings.json").c_str(), 0600), 0);
  Desktop desktop({walk("relu_matmul"), "--questions", "off"}, {"XDG_CONFIG_HOME=" + config.path().string()});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("h");
  ASSERT_TRUE(desktop.wait_for([](const State& now) {
    return now.names == "hardware" && now.note_kind == "error" &&
           now.note.find("the settings cannot be saved") != std::string::npos;
  })) << desktop.state();
  desktop.key("Right");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 2; })) << desktop.state();
  EXPECT_TRUE(std::filesystem::is_fifo(config.path() / "warpwalk" / "settings.json"));
}

TEST_F(Window, WithoutADisplayIsOneLineAndStatusTwo) {
  const Outcome outcome = run({}, {"DISPLAY=:4242", "WAYLAND_DISPLAY="});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("warpwalk render"));
}

TEST_F(Window, DoctorNamesWhatDrawsInIt) {
  const Display display(800, 600);
  const Outcome outcome = run({"doctor"}, {"DISPLAY=" + display.name(), "WAYLAND_DISPLAY=", "LIBGL_ALWAYS_SOFTWARE=1"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.out.starts_with("display  ok       OpenGL ")) << outcome.out;
}

}  // namespace
}  // namespace warpwalk::testing
