// The program as a user sees it: its window, real keys, a real mouse, and the state that it reports.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/e2e/desktop.h"

namespace warpwalk::testing {
namespace {

using namespace std::chrono_literals;

class Window : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = Display::missing(); !missing.empty()) GTEST_SKIP() << missing;
  }
};

std::size_t colours_of(const draw::Image& image) {
  return std::set<std::uint32_t>(image.pixels.begin(), image.pixels.end()).size();
}

// Waits for the screen, which is drawn a moment after the state is reported.
bool shows(const Desktop& desktop, const std::function<bool(const draw::Image&)>& condition) {
  const auto give_up = Desktop::Clock::now() + 5s;
  while (Desktop::Clock::now() < give_up) {
    const auto image = desktop.display().screenshot();
    if (image && condition(*image)) return true;
  }
  return false;
}

TEST_F(Window, TheFirstStartShowsTheDefaultWalk) {
  Desktop desktop;
  ASSERT_TRUE(desktop.wait_for([](const State& state) { return !state.scene.empty(); })) << desktop.program().error();
  const double seconds = std::chrono::duration<double>(Desktop::Clock::now() - desktop.started()).count();
  std::printf("from the start to the first scene: %.2f s\n", seconds);
  RecordProperty("seconds_to_first_scene", std::to_string(seconds));
  EXPECT_LT(seconds, 5);  // takes a tenth of that on an idle machine
  const State state = desktop.state();
  EXPECT_TRUE(state.file.ends_with("/h200_relu_matmul_inside.json.gz")) << state;
  EXPECT_EQ(state.scene, "boardroom") << state;
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
  EXPECT_NE(desktop.state().note.find(" in " + desktop.home().path().string()), std::string::npos) << desktop.state();
  desktop.key("Escape");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.note.empty(); })) << desktop.state();
  desktop.key("o");
  desktop.type("/nowhere.json");
  desktop.key("Return");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.note_kind == "error"; })) << desktop.state();
}

TEST_F(Window, NStepsOnAndNBackComeToTheSameState) {
  Desktop desktop({walk("two_streams")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  std::vector<std::string> places = {desktop.state().place()};
  for (int i = 0; i < 7; ++i) {
    desktop.key("Right");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.place() != places.back() && !now.moving; }))
        << desktop.state();
    places.push_back(desktop.state().place());
  }
  for (std::size_t i = places.size() - 1; i-- > 0;) {
    desktop.key("Left");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.place() == places[i] && !now.moving; }))
        << desktop.state() << "\nand not " << places[i];
  }
}

TEST_F(Window, SteppingBackShowsTheSamePixels) {
  Desktop desktop({walk("relu_matmul"), "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const auto step = [&](const char* name, int beat) {
    desktop.key(name);
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.beat == beat && !now.moving; })) << desktop.state();
  };
  step("Right", 2);
  step("Right", 3);
  // Two beats forward and back, so that the hint of the start is in neither picture.
  step("Left", 2);
  draw::Image before;
  ASSERT_TRUE(shows(desktop, [&](const draw::Image& image) {
    const bool still = image == before;
    before = image;
    return still;
  }));
  step("Right", 3);
  EXPECT_TRUE(shows(desktop, [&](const draw::Image& image) { return image != before; }));
  step("Left", 2);
  EXPECT_TRUE(shows(desktop, [&](const draw::Image& image) { return image == before; }));
}

TEST_F(Window, KeysFasterThanFramesAllCount) {
  Desktop desktop({walk("relu_matmul"), "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.display().xdotool({"key", "--delay", "1", "Right", "Right", "Right"});
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 4 && !now.moving; })) << desktop.state();
}

TEST_F(Window, SearchLeavesTheRowsThatHoldTheText) {
  Desktop desktop({walk("mlp_train")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const int all = desktop.state().rows;
  ASSERT_GT(all, 100) << desktop.state();
  desktop.key("slash");
  desktop.type("relu");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.search == "relu"; })) << desktop.state();
  EXPECT_TRUE(desktop.wait_for([&](const State& now) { return now.rows > 0 && now.rows < all / 4; }))
      << desktop.state();
  EXPECT_EQ(desktop.state().beat, 1) << "the letters were keys as well";
  desktop.key("BackSpace");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.search == "rel"; })) << desktop.state();
  desktop.key("Escape");
  EXPECT_TRUE(desktop.wait_for([&](const State& now) { return now.search.empty() && now.rows == all; }))
      << desktop.state();
}

TEST_F(Window, AnotherOpIsFollowedByKeysAlone) {
  Desktop desktop({walk("mlp_train")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string before = desktop.state().follow;
  desktop.key("slash");
  desktop.type("aten::relu");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.search == "aten::relu"; })) << desktop.state();
  desktop.key("Return");  // follows the first match
  ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.follow != before; })) << desktop.state();
  EXPECT_TRUE(desktop.state().follow.starts_with("op:")) << desktop.state();

  // Any other row: Tab goes to the list, the arrows move in it, Enter follows.
  const std::string first = desktop.state().follow;
  for (int i = 0; i < 40 && desktop.state().focus != "outline.list"; ++i) {
    const std::string last = desktop.state().focus;
    desktop.key("Tab");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.focus != last; })) << desktop.state();
  }
  ASSERT_EQ(desktop.state().focus, "outline.list") << desktop.state();
  desktop.key("Down");
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.follow != first; })) << desktop.state();
  EXPECT_EQ(desktop.state().scene, "boardroom") << "the arrow changed the scene as well";
}

TEST_F(Window, AnotherOpIsFollowedByMouseAlone) {
  Desktop desktop({walk("mlp_train")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string before = desktop.state().follow;
  // Clicks down the outline until a row is hit.
  constexpr int in_outline = 120, step = 28;
  bool followed = false;
  for (int y = 260; y < 660 && !followed; y += step) {
    desktop.click(in_outline, y);
    followed = desktop.wait_for([&](const State& now) { return now.follow != before; }, 1s);
  }
  ASSERT_TRUE(followed) << desktop.state();
  EXPECT_TRUE(desktop.state().follow.starts_with("op:")) << desktop.state();
}

TEST_F(Window, KFollowsTheLongestKernel) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("k");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.follow == "kernel:0"; })) << desktop.state();
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
  EXPECT_NE(desktop.state().note.find(pictures[0]), std::string::npos) << desktop.state();
  const auto picture = draw::read_png(desktop.home().at(pictures[0]));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width, 1920);
  EXPECT_GT(colours_of(*picture), 50u);
}

TEST_F(Window, ABrokenFileIsSaidAndTheWindowStays) {
  const Folder folder;
  Desktop desktop({folder.file("broken.json", "this is no trace")});
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.note.find("broken.json") != std::string::npos; }))
      << desktop.state() << desktop.program().error();
  EXPECT_TRUE(desktop.program().running());
  EXPECT_TRUE(shows(desktop, [](const draw::Image& image) { return colours_of(image) > 10; }));
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

TEST_F(Window, AnExpressionIsRunByKeysAloneAndItsWalkSaved) {
  Desktop desktop({walk("relu_matmul"), "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("x");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "run"; })) << desktop.state();
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.file == "unsaved walk"; })) << desktop.state();
  EXPECT_NE(desktop.state().note.find("relu(a @ b): 256x64 f32, checked against the cpu"), std::string::npos)
      << desktop.state();
  EXPECT_EQ(desktop.title(), "relu(a @ b) (not saved) – warpwalk");
  desktop.key("Return");  // walks it
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet.empty(); })) << desktop.state();
  desktop.key("Right");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.beat == 2; })) << desktop.state();
  desktop.key("ctrl+s");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.file == "warpwalk-run.json.gz" && now.beat == 2; }))
      << desktop.state();
  EXPECT_EQ(std::ranges::count(desktop.home().names(), "warpwalk-run.json.gz"), 1);
}

// Opens the run panel, waits for the search for a GPU, and goes to the choice of the target.
void go_to_places(Desktop& desktop) {
  desktop.key("x");
  ASSERT_TRUE(
      desktop.wait_for([](const State& now) { return now.sheet == "run" && now.no_cuda != "looking for a GPU"; }, 20s))
      << desktop.state();
  for (int i = 0; i < 6; ++i) desktop.key("Tab");
  desktop.key("Right");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.run_on == "cpu"; })) << desktop.state();
  desktop.key("Right");
}

TEST_F(Window, AKernelIsEditedRunAndWalkedByKeysAndItsTextIsStillThere) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("j");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "kernel"; })) << desktop.state();
  desktop.key("ctrl+o");
  desktop.key("Down");  // below the followed kernel: the race
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.lab_file == "race.cu"; })) << desktop.state();
  const int bytes = desktop.state().lab_bytes;

  // An error in the launch is reported at its line, and gone when it is undone.
  desktop.key("Tab");
  desktop.key("ctrl+Home");
  desktop.key("Down");
  desktop.key("End");
  desktop.type(" x 0");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.lab_said.starts_with("line 2: "); }))
      << desktop.state();
  for (int i = 0; i < 4; ++i) desktop.key("BackSpace");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.lab_said.empty(); })) << desktop.state();

  desktop.key("ctrl+Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.lab_findings == 1; }, 30s)) << desktop.state();
  desktop.key("ctrl+g");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet.empty() && now.scene == "schedulers"; }))
      << desktop.state();
  EXPECT_TRUE(desktop.state().file.starts_with("race.cu")) << desktop.state();
  desktop.key("Down");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.scene == "lanes"; })) << desktop.state();
  desktop.key("Escape");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "kernel"; })) << desktop.state();
  EXPECT_EQ(desktop.state().lab_bytes, bytes) << desktop.state();
  EXPECT_EQ(desktop.state().lab_findings, 1) << desktop.state();
  EXPECT_TRUE(desktop.state().file.ends_with("relu_matmul.json.gz")) << desktop.state();
  desktop.key("Escape");
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.sheet.empty(); })) << desktop.state();
}

TEST_F(Window, WithoutAGpuCudaIsNoChoiceAndTheReasonIsSaid) {
  // On a machine with a GPU, a fake driver without devices hides the real one.
  Desktop desktop({walk("relu_matmul")}, {"LD_LIBRARY_PATH=" WARPWALK_FAKE_DRIVER, "WARPWALK_FAKE_CUDA=no device"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  ASSERT_NO_FATAL_FAILURE(go_to_places(desktop));
  const bool built =
      std::filesystem::exists(std::filesystem::path(WARPWALK_PROGRAM).parent_path() / "libwarpwalk_cuda.so");
  EXPECT_EQ(desktop.state().no_cuda, built ? "no usable GPU (" WARPWALK_FAKE_DRIVER
                                             "/libcuda.so.1: no CUDA-capable device is detected (error 100))"
                                           : "no CUDA kernels built (libwarpwalk_cuda.so is not beside the program)");
  desktop.key("Tab");
  ASSERT_TRUE(desktop.settled());
  EXPECT_EQ(desktop.state().run_on, "cpu") << desktop.state();
  desktop.key("Tab");
  desktop.key("Return");  // the sheet still works
  EXPECT_TRUE(desktop.wait_for([](const State& now) { return now.file == "unsaved walk"; })) << desktop.state();
}

TEST_F(Window, ARunOnCudaThatTheDriverRefusesIsSaidInOneLineAndLosesNothing) {
  if (!std::filesystem::exists(std::filesystem::path(WARPWALK_PROGRAM).parent_path() / "libwarpwalk_cuda.so"))
    GTEST_SKIP() << "libwarpwalk_cuda.so is not built here";
  Desktop desktop({walk("relu_matmul"), "--at", "b3"},
                  {"LD_LIBRARY_PATH=" WARPWALK_FAKE_DRIVER ":" WARPWALK_FAKE_CUPTI});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string before = desktop.state().place();
  ASSERT_NO_FATAL_FAILURE(go_to_places(desktop));
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.run_on == "cuda"; })) << desktop.state();
  desktop.key("Tab");
  desktop.key("Tab");
  desktop.key("Return");
  // This fake driver has a version and a GPU, and nothing else that the CUDA runtime needs.
  ASSERT_TRUE(desktop.wait_for([](const State& now) {
    return now.run_said.starts_with("no usable GPU: CUDA reports ");
  })) << desktop.state();
  EXPECT_EQ(desktop.state().place(), before);
  EXPECT_EQ(desktop.state().sheet, "run");
}

TEST_F(Window, ALineIsEditedWithCaretSelectionAndClipboard) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("x");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.sheet == "run" && now.run == "relu(a @ b)"; }))
      << desktop.state();
  const auto becomes = [&](const std::string& text) {
    EXPECT_TRUE(desktop.wait_for([&](const State& now) { return now.run == text; })) << desktop.state();
  };
  for (int i = 0; i < 5; ++i) desktop.key("shift+Left");  // "@ b)" and the space before it
  desktop.key("ctrl+x");
  becomes("relu(a");
  desktop.key("Home");
  desktop.key("ctrl+v");
  becomes(" @ b)relu(a");
  desktop.key("Delete");
  becomes(" @ b)elu(a");
  desktop.key("ctrl+a");
  desktop.key("e");
  becomes("e");
}

TEST_F(Window, OnARealGpuAnExpressionIsRunByKeysAlone) {
  Desktop desktop({walk("relu_matmul")});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  ASSERT_NO_FATAL_FAILURE(go_to_places(desktop));
  if (!desktop.state().no_cuda.empty()) GTEST_SKIP() << desktop.state().no_cuda;
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.run_on == "cuda"; })) << desktop.state();
  desktop.key("Tab");
  desktop.key("Tab");
  desktop.key("Return");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.file == "unsaved walk"; }, 60s)) << desktop.state();
  EXPECT_EQ(desktop.state().run_said, "relu(a @ b): 256x64 f32, checked against the cpu") << desktop.state();
}

TEST_F(Window, ALessonPlaysFromStepToStep) {
  Desktop desktop({std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/waiting_in_a_stream.json"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  const std::string first = desktop.state().place();
  for (int i = 0; i < 3; ++i) {
    const std::string last = desktop.state().place();
    desktop.key("Next");  // the key that presentation remotes send
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.place() != last && !now.moving; }))
        << desktop.state();
  }
  EXPECT_TRUE(desktop.state().file.ends_with("mlp_train.json.gz")) << desktop.state();
  for (int i = 0; i < 3; ++i) {
    const std::string last = desktop.state().place();
    desktop.key("Prior");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.place() != last && !now.moving; }))
        << desktop.state();
  }
  EXPECT_EQ(desktop.state().place(), first);
}

TEST_F(Window, ASliderIsMovedByMouseAndByKeysAndGivenBack) {
  Desktop desktop({walk("relu_matmul"), "--scene", "sm", "--at", "b4", "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  EXPECT_EQ(desktop.state().controls, "{}");
  // Clicks along the row of controls until a slider is hit.
  bool set = false;
  for (int y = 760; y > 660 && !set; y -= 8) {
    desktop.click(380, y);
    set = desktop.wait_for([](const State& now) { return now.controls.find("sm.registers") != std::string::npos; }, 1s);
  }
  ASSERT_TRUE(set) << desktop.state();
  desktop.key("r");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.controls == "{}"; })) << desktop.state();
  for (int i = 0; i < 80 && desktop.state().focus != "control.sm.registers"; ++i) {
    const std::string last = desktop.state().focus;
    desktop.key("Tab");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.focus != last; })) << desktop.state();
  }
  const int beat = desktop.state().beat;
  desktop.key("Left");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.controls.find("sm.registers") != std::string::npos; }))
      << desktop.state();
  EXPECT_EQ(desktop.state().beat, beat) << "the arrow was the beats' as well";
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
  EXPECT_NE(desktop.state().note.find("settings.json"), std::string::npos) << desktop.state();
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

TEST_F(Window, TheLanesGoFromInstructionToInstructionAndBack) {
  Desktop desktop({walk("h200_relu"), "--scene", "lanes", "--at", "c900", "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.title.starts_with("Cycle "); }, 60s))
      << desktop.state();
  desktop.key("comma");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.at != "c900"; })) << desktop.state();
  std::vector<std::string> cycles = {desktop.state().at};
  for (int i = 0; i < 3; ++i) {
    desktop.key("period");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.at != cycles.back(); })) << desktop.state();
    cycles.push_back(desktop.state().at);
  }
  for (std::size_t i = cycles.size() - 1; i-- > 0;) {
    desktop.key("comma");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.at == cycles[i]; })) << desktop.state();
  }
}

// Among the schedulers: cycles forward and back, and from event to event.
TEST_F(Window, CyclesGoForwardAndBackByKeys) {
  Desktop desktop({walk("h200_relu"), "--scene", "schedulers", "--at", "c900"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.title.starts_with("Cycle 900"); }, 60s))
      << desktop.state();
  const std::string start = desktop.state().title;
  for (const char* const cycle : {"c901", "c902", "c903"}) {
    desktop.key("period");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.at == cycle; })) << desktop.state();
  }
  for (const char* const cycle : {"c902", "c901", "c900"}) {
    desktop.key("comma");
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.at == cycle; })) << desktop.state();
  }
  EXPECT_EQ(desktop.state().title, start);
  desktop.key("bracketright");
  ASSERT_TRUE(desktop.wait_for([](const State& now) { return now.at != "c900"; })) << desktop.state();
  const std::string next = desktop.state().at;
  EXPECT_GT(std::stoi(next.substr(1)), 900);
  desktop.key("bracketright");
  ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.at != next; })) << desktop.state();
  desktop.key("bracketleft");
  EXPECT_TRUE(desktop.wait_for([&](const State& now) { return now.at == next; })) << desktop.state();
}

// Every beat of every scene of a recorded walk with the Right key only, and back with the mouse only.
class WholeWalk : public Window, public ::testing::WithParamInterface<const char*> {};

TEST_P(WholeWalk, ByKeysAloneAndBackByMouseAlone) {
  Desktop desktop({walk(GetParam()), "--questions", "off"});
  ASSERT_TRUE(desktop.ready()) << desktop.program().error();
  desktop.key("m");  // turns animations off, which is faster
  std::vector<std::string> places = {desktop.state().place()};
  std::set<std::string> scenes;
  while (true) {
    scenes.insert(desktop.state().scene);
    desktop.key("Right");
    if (!desktop.wait_for([&](const State& now) { return now.place() != places.back(); }, 1s)) break;
    places.push_back(desktop.state().place());
  }
  EXPECT_EQ(scenes.size(), 8u);
  EXPECT_GT(places.size(), 20u);
  EXPECT_EQ(desktop.state().scene, "map");
  EXPECT_EQ(desktop.state().beat, desktop.state().beats);
  // The back button, somewhere above the time strip.
  int button = 0;
  for (int y = 830; y > 700 && button == 0; y -= 12) {
    desktop.click(88, y);
    if (desktop.wait_for([&](const State& now) { return now.place() == places[places.size() - 2]; }, 1s)) button = y;
    if (!desktop.state().sheet.empty()) desktop.key("Escape");  // the names left of the strip open the timeline
  }
  ASSERT_NE(button, 0) << desktop.state();
  for (std::size_t i = places.size() - 2; i-- > 0;) {
    desktop.click(88, button);
    ASSERT_TRUE(desktop.wait_for([&](const State& now) { return now.place() == places[i]; })) << desktop.state();
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, WholeWalk, ::testing::Values("relu_matmul", "two_streams", "mlp_train"));

TEST_F(Window, WithoutADisplayIsOneLineAndStatusTwo) {
  const Outcome outcome = run({}, {"DISPLAY=:4242", "WAYLAND_DISPLAY="});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_NE(outcome.error.find("warpwalk render"), std::string::npos) << outcome.error;
}

TEST_F(Window, DoctorNamesWhatDrawsInIt) {
  const Display display(800, 600);
  const Outcome outcome = run({"doctor"}, {"DISPLAY=" + display.name(), "WAYLAND_DISPLAY=", "LIBGL_ALWAYS_SOFTWARE=1"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.out.starts_with("display  ok       OpenGL ")) << outcome.out;
}

}  // namespace
}  // namespace warpwalk::testing
