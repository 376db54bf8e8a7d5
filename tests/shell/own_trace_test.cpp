// Traces of one's own open on the overview, with the hardware's names and without questions; the walk is one key away.
#include "app/shell/session/own_trace.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/document/recorded.h"
#include "app/pages/kernel_lab/kernel_lab_page.h"
#include "core/platform/temporary_folder.h"
#include "core/run/launch/program_file.h"
#include "core/trace/read/read_trace.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::HasSubstr;

/// A copy of a recorded file outside of the assets, as if somebody had recorded it.
class OwnTrace : public ::testing::Test {
 protected:
  std::string copy_of(const std::string& walk) {
    const std::filesystem::path file = folder.path() / (walk + ".json.gz");
    std::filesystem::copy_file(walk_file(walk), file, std::filesystem::copy_options::overwrite_existing);
    return file.string();
  }
  std::string file(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }

  const platform::TemporaryFolder folder;
};

TEST_F(OwnTrace, OpensOnTheOverviewWithTheHardwaresNamesAndWithoutAQuestion) {
  Driver driver(1600, 900, true);  // its walks ask questions
  driver.open(copy_of("mlp_train"));
  EXPECT_EQ(driver.shell.opened().stage->scene, "lab/overview");
  EXPECT_EQ(driver.shell.opened().stage->beat, 1);
  EXPECT_EQ(driver.shell.opened().stage->scene_label, english().text("lab/overview", "hardware"));
  EXPECT_EQ(driver.shell.opened().view.naming, story::Naming::hardware);
  for (int beat = 0; beat < 7; ++beat) {
    EXPECT_FALSE(driver.shell.opened().stage->question) << beat;
    driver.press(Key::right);
    driver.settle();
  }
  // A recorded walk still begins with its story and asks.
  driver.open(walk_file("mlp_train"));
  EXPECT_EQ(driver.shell.opened().stage->scene, "boardroom");
  EXPECT_EQ(driver.shell.opened().view.naming, story::Naming::both);
  EXPECT_TRUE(driver.shell.opened().predictions.asking);
}

TEST_F(OwnTrace, TheWalkIsOneKeyAwayAndTheKeyIsNamedOnThePage) {
  Driver driver(1280, 720);
  driver.open(copy_of("mlp_train"));
  const std::vector<std::string> texts = driver.texts();
  for (const char* const text : {"Shift+W", "walk through one op", "Shift+K", "Shift+M"})
    EXPECT_NE(std::ranges::find(texts, text), texts.end()) << text;
  driver.press(U'W');
  driver.settle();
  EXPECT_EQ(driver.shell.opened().stage->scene, "boardroom");
  EXPECT_EQ(driver.shell.opened().stage->beat, 1);
  EXPECT_EQ(driver.shell.opened().view.naming, story::Naming::hardware);
  driver.press(Key::right);
  driver.press(U'W');
  driver.settle();
  EXPECT_EQ(driver.shell.opened().stage->scene, "lab/overview") << "and back";
}

TEST_F(OwnTrace, ThePagesAreReachedFromTheOverviewByKeysAndByMouse) {
  Driver driver(1600, 900);
  driver.open(copy_of("mlp_train"));
  for (const auto& [key, sheet] : {std::pair{U'K', "kernels"}, {U'M', "modules"}}) {
    driver.press(key);
    EXPECT_EQ(driver.shell.sheet(), sheet);
    driver.press(Key::escape);
    EXPECT_EQ(driver.shell.sheet(), "");
  }
  // The bar of keys is the lowest part of the stage; its first button leads to the walk.
  for (float y = 780; y > 560 && driver.shell.opened().view.scene == "lab/overview"; y -= 10) {
    driver.click(340, y);
    driver.press(Key::escape);
  }
  EXPECT_EQ(driver.shell.opened().view.scene, "boardroom");
}

TEST_F(OwnTrace, AnAskedPlaceIsGoneTo) {
  Driver driver;
  View view;
  view.file = copy_of("mlp_train");
  view.scene = "launch";
  view.moment = {story::Moment::Kind::beat, 2, 1};
  driver.shell.open(view, {.place = false, .names = true});
  driver.wait();
  EXPECT_EQ(driver.shell.opened().stage->scene, "launch");
  EXPECT_EQ(driver.shell.opened().stage->beat, 2);
  EXPECT_EQ(driver.shell.opened().view.naming, story::Naming::hardware);
  view.scene = "boardroom";  // the default scene, but asked for; and the names of a link
  view.moment.value = 1;
  view.naming = story::Naming::company;
  driver.shell.open(view);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().stage->scene, "boardroom");
  EXPECT_EQ(driver.shell.opened().view.naming, story::Naming::company);
  driver.press(U'h');  // both
  driver.press(U'l');
  EXPECT_THAT(driver.copied, HasSubstr("--scene boardroom --at line"));
  EXPECT_THAT(driver.copied, HasSubstr("--names both")) << "the link shows the names that are seen here";
}

TEST_F(OwnTrace, ALessonAboutItIsALesson) {
  copy_of("mlp_train");
  const std::string lesson = file("lesson.json", R"({"warpwalk_lesson": 1, "steps": [
      {"file": "mlp_train.json.gz", "scene": "warehouse", "at": "b1",
       "question": {"text": "Which?", "options": ["a", "b"], "right": 1}}]})");
  Driver driver(1600, 900, true);
  driver.open(copy_of("mlp_train"));
  ASSERT_FALSE(driver.shell.opened().predictions.asking);
  driver.open(lesson);  // its file is open already
  ASSERT_TRUE(driver.shell.opened().lesson);
  EXPECT_EQ(driver.shell.opened().stage->scene, "warehouse");
  EXPECT_EQ(driver.shell.opened().view.naming, story::Naming::both);
  EXPECT_TRUE(driver.shell.opened().stage->question && driver.shell.opened().stage->question->asked());
}

// What is chosen for own traces does not change walks, and is kept.
TEST_F(OwnTrace, KeepsNamesAndQuestionsOfItsOwn) {
  Driver driver(1600, 900, true);
  driver.open(copy_of("mlp_train"));
  driver.press(U'h');
  EXPECT_EQ(driver.shell.settings().own_naming, story::Naming::company);
  EXPECT_EQ(driver.shell.settings().naming, story::Naming::both);
  driver.press(U'q');
  EXPECT_TRUE(driver.shell.settings().own_questions);
  EXPECT_TRUE(driver.shell.opened().predictions.asking);
  driver.open(walk_file("two_streams"));
  driver.press(U'q');
  EXPECT_FALSE(driver.shell.opened().predictions.asking);
  driver.open(copy_of("two_streams"));
  EXPECT_TRUE(driver.shell.opened().predictions.asking);
  EXPECT_EQ(driver.shell.opened().view.naming, story::Naming::company);
}

TEST(OwnTraceKind, IsNotWhatComesWithWarpwalkOrWasRunByIt) {
  const std::filesystem::path assets = WARPWALK_SOURCE_DIR "/assets";
  document::Document document;
  document.file = "/data/run.json";
  EXPECT_TRUE(is_own_trace(document, assets));
  document.file = assets / "walks" / "h200_relu.json.gz";
  EXPECT_FALSE(is_own_trace(document, assets));
  document.file = assets / ".." / "assets" / "walks" / "h200_relu.json.gz";
  EXPECT_FALSE(is_own_trace(document, assets));
  document.file = std::string(WARPWALK_SOURCE_DIR) + "/assets_of_mine/run.json";
  EXPECT_TRUE(is_own_trace(document, assets)) << "only a part of the folder's name is the same";
  document.read.trace.records.expression = "relu(a)";
  EXPECT_FALSE(is_own_trace(document, assets)) << "warpwalk run wrote it";
  document.read.trace.records.expression.clear();
  document.read.trace.records.sources = {{"times", "CUPTI 13.0", trace::Origin::measured}};
  EXPECT_TRUE(is_own_trace(document, assets)) << "warpwalk record wrote it";
  document.read.trace.records.sources[0].origin = trace::Origin::simulated;
  EXPECT_FALSE(is_own_trace(document, assets)) << "warpwalk simulate wrote it";
}

// The one launch of this training step that was recorded with its memory is kernel:26, a softmax; a product takes
// longer.
TEST_F(OwnTrace, ALaunchRecordedInsideIsFollowedFirstAndMarked) {
  Driver driver;
  driver.open(copy_of("h200_training_step_inside"));
  EXPECT_EQ(driver.shell.opened().view.follow, "kernel:26");
  EXPECT_EQ(driver.shell.opened().stage->scene, "lab/overview");
  const document::Document& document = *driver.shell.opened().document;
  ASSERT_EQ(document.recorded.size(), 1u);
  const trace::Trace& trace = document.trace();
  ASSERT_EQ(document.recorded[0], trace.kernel_order[26]);
  ASSERT_NE(story::default_walk(trace).kernel, trace.kernel_order[26]);
  const panels::RecordedMarks& marks = driver.shell.frame_panels().outline.recorded;
  EXPECT_EQ(marks.works, document.recorded);
  EXPECT_EQ(marks.names, std::vector<trace::StringId>{trace.slices.name[trace.kernel_order[26]]});
  std::vector<std::string_view> ops;
  for (const story::SliceId op : marks.ops) ops.push_back(trace.name(op));
  EXPECT_THAT(ops,
              ::testing::UnorderedElementsAre("aten::cross_entropy_loss", "aten::log_softmax", "aten::_log_softmax"));
  const std::vector<std::string> texts = driver.texts();
  EXPECT_NE(std::ranges::find(texts, "recorded inside"), texts.end()) << "the legend of the mark";
  // A launch that is asked for is followed.
  driver.open(copy_of("h200_training_step_inside"), "kernel:4");
  EXPECT_EQ(driver.shell.opened().view.follow, "kernel:4");
}

TEST_F(OwnTrace, NothingIsMarkedWithoutALaunchRecordedInside) {
  Driver driver;
  driver.open(copy_of("mlp_train"));
  EXPECT_TRUE(driver.shell.frame_panels().outline.recorded.empty());
  const std::vector<std::string> texts = driver.texts();
  EXPECT_EQ(std::ranges::find(texts, "recorded inside"), texts.end());
  EXPECT_EQ(driver.shell.opened().view.follow, "");
  driver.press(U'R');
  EXPECT_THAT(driver.shell.note().text, HasSubstr("warpwalk record --inside"));
}

// kernel:6 is the same softmax one step before, without its memory: it cannot be simulated.
TEST_F(OwnTrace, ALaunchWithoutItsMemoryPointsToTheOneWithIt) {
  Driver driver(1600, 900, true);
  driver.open(copy_of("h200_training_step_inside"), "kernel:6");
  while (driver.shell.opened().stage->scene != "map") driver.press(Key::down);
  std::string missing;
  for (int beat = 1; beat <= driver.shell.opened().stage->beats && missing.empty(); ++beat) {
    driver.wait();
    if (driver.shell.opened().stage->title == "Nothing to simulate")
      missing = fmt::format("{}", fmt::join(driver.shell.opened().stage->missing, " "));
    else
      driver.press(Key::right);
  }
  EXPECT_THAT(missing, HasSubstr("Shift+R"));
  EXPECT_THAT(missing, HasSubstr("kernel:26"));
  driver.press(U'R');
  driver.settle();
  EXPECT_EQ(driver.shell.opened().view.follow, "kernel:26");
}

TEST(RecordedLaunches, AreGoneThroughInTheirOrder) {
  document::Document document;
  document.read = trace::read_trace(walk_file("h200_relu_matmul_inside"));
  const trace::Trace& trace = document.trace();
  const auto kernel = [&](std::size_t n) { return trace.kernel_order[n]; };
  EXPECT_EQ(document::recorded_from(document, kernel(0)), story::no_slice);
  document.recorded = {kernel(16), kernel(17)};
  EXPECT_EQ(document::recorded_from(document, kernel(16)), kernel(17));
  EXPECT_EQ(document::recorded_from(document, kernel(17)), kernel(16));
  EXPECT_EQ(document::recorded_from(document, kernel(3)), kernel(17)) << "the same kernel: " << trace.name(kernel(3));
  EXPECT_EQ(document::recorded_from(document, kernel(2)), kernel(16));
  EXPECT_EQ(document::first_recorded(document), kernel(16)) << "the longer one";
  EXPECT_TRUE(document::is_recorded(document, kernel(17)));
  EXPECT_FALSE(document::is_recorded(document, kernel(15)));
}

TEST_F(OwnTrace, AProgramIsNoTraceAndLosesNothing) {
  EXPECT_FALSE(run::program_file("run.json.gz"));
  EXPECT_FALSE(run::program_file("profile.nsys-rep"));
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  const View before = driver.shell.opened().view;
  driver.drop(file("net.py", "# a program"));
  EXPECT_EQ(driver.shell.opened().view, before);
  EXPECT_EQ(driver.shell.note().kind, panels::Note::Kind::error);
  EXPECT_THAT(driver.shell.note().text, HasSubstr("net.py"));
  EXPECT_THAT(driver.shell.note().text, HasSubstr("warpwalk record -o walk.json.gz -- python3 "));
}

TEST_F(OwnTrace, ADroppedCubinThatIsNoneIsSaidInTheKernelLab) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  const View before = driver.shell.opened().view;
  driver.drop(file("saxpy.cubin", "// a program"));
  EXPECT_EQ(driver.shell.sheet(), "kernel");
  EXPECT_THAT(driver.shell.page<pages::KernelLabPage>().state().note, HasSubstr("saxpy.cubin"));
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().view, before);
}

TEST_F(OwnTrace, ADroppedSourceOpensInTheKernelLab) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.drop(file("scale.ptx",
                   ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry scale(.param .u64 a) { ret; }\n"));
  EXPECT_EQ(driver.shell.sheet(), "kernel");
}

/// The exit status of the program with these arguments, quoted for a shell, and what it wrote to stderr.
std::pair<int, std::string> open_from_command_line(const std::string& arguments, const std::string& home) {
  const std::string command = fmt::format("env -u DISPLAY -u WAYLAND_DISPLAY XDG_CONFIG_HOME='{}' '{}' {} 2>&1", home,
                                          WARPWALK_PROGRAM, arguments);
  std::FILE* const out = popen(command.c_str(), "r");
  if (out == nullptr) return {-1, ""};
  std::string text;
  std::array<char, 512> part{};
  while (std::fgets(part.data(), part.size(), out) != nullptr) text += part.data();
  const int status = pclose(out);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

TEST_F(OwnTrace, AFileThatCannotBeOpenedNeedsNoWindow) {
  for (const auto& [name, text] :
       {std::pair{"broken.json", "this is no trace"}, {"lesson.json", R"({"warpwalk_lesson": 1, "steps": []})"}}) {
    const auto [status, said] = open_from_command_line(file(name, text), folder.path().string());
    EXPECT_EQ(status, 2) << name;
    EXPECT_THAT(said, HasSubstr(name));
    EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
    EXPECT_THAT(said, ::testing::Not(HasSubstr("display"))) << "it is found before a window is asked for";
  }
  const auto [status, said] = open_from_command_line(
      fmt::format("'{}' --compare '{}'", walk_file("relu_matmul"), file("b.json", "no trace")), folder.path().string());
  EXPECT_EQ(status, 2);
  EXPECT_THAT(said, HasSubstr("--compare: "));
  EXPECT_EQ(open_from_command_line((folder.path() / "nothing.cu").string(), folder.path().string()).first, 2);
}

}  // namespace
}  // namespace warpwalk::shell
