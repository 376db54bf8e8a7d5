// The page with the time of modules: its flame graph as data, and by keys and the pointer.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/pages/modules/module_flame.h"
#include "tests/app/golden_picture.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using analysis::ModuleMeasure;
using analysis::ModuleTimes;
using draw::Key;
using pages::flame_boxes;
using pages::FlameBox;

// The whole program (GPU time 100) with A (60, of which A0 takes 45), B (30) and 10 outside.
ModuleTimes made_times() {
  ModuleTimes times;
  times.grouping = analysis::ModuleGrouping::modules;
  const auto add = [&](std::string name, std::size_t parent, std::size_t depth, std::int64_t self, std::int64_t total) {
    analysis::ModuleTime& one = times.modules.emplace_back();
    one.name = std::move(name);
    one.parent = parent;
    one.depth = depth;
    one.self.gpu_forward = self;
    one.total.gpu_forward = total;
    if (depth > 0) times.modules[parent].children.push_back(times.modules.size() - 1);
  };
  add("", 0, 0, 10, 100);
  add("A", 0, 1, 15, 60);
  add("A0", 1, 2, 45, 45);
  add("B", 0, 1, 30, 30);
  return times;
}

void expect_box(const FlameBox& box, std::size_t module, std::size_t level, double from, double to,
                FlameBox::Kind kind = FlameBox::Kind::module) {
  EXPECT_EQ(box.module, module);
  EXPECT_EQ(box.level, level);
  EXPECT_DOUBLE_EQ(box.from, from);
  EXPECT_DOUBLE_EQ(box.to, to);
  EXPECT_EQ(box.kind, kind);
}

TEST(ModuleFlame, ModulesAreInsideTheOnesThatCallThem) {
  const std::vector<FlameBox> boxes = flame_boxes(made_times(), 0, ModuleMeasure::gpu, 10, 0.001);
  ASSERT_EQ(boxes.size(), 5u);
  expect_box(boxes[0], 0, 0, 0, 1);
  expect_box(boxes[1], 1, 1, 0, 0.6);
  expect_box(boxes[2], 3, 1, 0.6, 0.6 + 0.3);
  expect_box(boxes[3], 0, 1, 0.6 + 0.3, 0.6 + 0.3 + 0.1, FlameBox::Kind::outside);
  expect_box(boxes[4], 2, 2, 0, 0.45);
}

TEST(ModuleFlame, AModuleFillsTheGraphAndLevelsAreCut) {
  const std::vector<FlameBox> inside = flame_boxes(made_times(), 1, ModuleMeasure::gpu, 10, 0.001);
  ASSERT_EQ(inside.size(), 2u);
  expect_box(inside[0], 1, 0, 0, 1);
  expect_box(inside[1], 2, 1, 0, 0.75);
  EXPECT_EQ(flame_boxes(made_times(), 0, ModuleMeasure::gpu, 2, 0.001).size(), 4u);
  EXPECT_TRUE(flame_boxes(made_times(), 0, ModuleMeasure::cpu, 10, 0.001).empty());
}

TEST(ModuleFlame, NarrowNeighboursAreOneBox) {
  ModuleTimes times = made_times();
  for (int i = 0; i < 100; ++i) {
    analysis::ModuleTime& one = times.modules.emplace_back();
    one.parent = 3;
    one.depth = 2;
    one.total.gpu_forward = i == 50 ? 20 : 0;
    times.modules[3].children.push_back(times.modules.size() - 1);
  }
  for (std::size_t i = 4; i < 14; ++i) times.modules[i].total.gpu_forward = 1;
  const std::vector<FlameBox> boxes = flame_boxes(times, 3, ModuleMeasure::gpu, 10, 0.2);
  // Of the ten modules of 1 / 30, the first six or seven are wide enough together; the one of 20 / 30 has its own box.
  EXPECT_EQ(std::ranges::count(boxes, FlameBox::Kind::several, &FlameBox::kind), 2);
  double covered = 0;
  for (const FlameBox& box : boxes)
    if (box.level == 1) covered += box.to - box.from;
  EXPECT_NEAR(covered, 1, 1e-9);
}

class ModulesPage : public ::testing::Test {
 protected:
  bool shows(std::string_view words) {
    const auto texts = driver.texts();
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  }
  Driver driver{1280, 720};
};

TEST_F(ModulesPage, OneKeyShowsTheTimeOfEachModule) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'M');
  EXPECT_EQ(driver.shell.sheet(), "modules");
  EXPECT_TRUE(shows("Sequential_0"));
  EXPECT_TRUE(shows("CrossEntropyLoss_0"));
  EXPECT_TRUE(shows("Outside of modules"));
  EXPECT_TRUE(shows("39.0 %"));  // 75.6 + 45.2 of 309.4 us
  EXPECT_TRUE(shows("75.6 µs"));
  driver.press(U'M');
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST_F(ModulesPage, EnterOpensAModuleBackspaceGoesUp) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'M');
  driver.press(Key::down);  // after the time outside
  driver.press(Key::enter);
  EXPECT_TRUE(shows("ReLU_0"));
  EXPECT_FALSE(shows("CrossEntropyLoss_0"));
  driver.press(Key::backspace);
  EXPECT_TRUE(shows("CrossEntropyLoss_0"));
}

TEST_F(ModulesPage, EnterOnAModuleWithoutOthersFollowsItsLongestWork) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'M');
  driver.press(Key::down);
  driver.press(Key::enter);
  driver.press(Key::enter);  // Linear_1, with the longest time
  EXPECT_EQ(driver.shell.sheet(), "");
  const story::Walk& walk = driver.shell.opened().walk;
  const trace::Trace& trace = driver.shell.opened().document->trace();
  EXPECT_EQ(analysis::CodePlaces(trace).path_text(walk.kernel), "Sequential_0 / Linear_1");
}

TEST_F(ModulesPage, KeysChangeTheTimeTheOrderAndTheKindOfRows) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'M');
  driver.press(U'a');
  EXPECT_TRUE(shows("Sequential_0 / ReLU_0"));
  driver.press(U'v');
  driver.press(U'v');
  EXPECT_TRUE(shows("No work on the GPU while"));
  const auto before = driver.texts();
  driver.press(U'r');
  EXPECT_NE(driver.texts(), before);
  driver.press(U'c');
  EXPECT_TRUE(driver.copied.starts_with("module,depth,calls,")) << driver.copied;
  EXPECT_NE(driver.copied.find("Sequential_0 / Linear_1,2,2,"), std::string::npos);
}

TEST_F(ModulesPage, AClickOnTheGraphZooms) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'M');
  driver.click(60, 122);  // Sequential_0, in the second level
  EXPECT_FALSE(shows("CrossEntropyLoss_0"));
  driver.click(60, 98);  // what fills the graph: back
  EXPECT_TRUE(shows("CrossEntropyLoss_0"));
}

TEST_F(ModulesPage, WithoutModulesItShowsFunctionsOrSaysWhy) {
  driver.open(walk_file("pytorch_relu_matmul"));
  driver.press(U'M');
  EXPECT_TRUE(shows("relu_matmul.py(31): <module>"));
  EXPECT_TRUE(shows("no nn.Module frames"));
  driver.press(Key::escape);
  driver.open(walk_file("two_streams"));
  driver.press(U'M');
  EXPECT_TRUE(shows("with_stack=True"));
  EXPECT_TRUE(shows("Esc closes"));
  EXPECT_FALSE(shows("Backspace goes up")) << "a key that does nothing here";
  driver.press(Key::enter);
  driver.press(Key::backspace);
  EXPECT_EQ(driver.shell.sheet(), "modules");
}

TEST_F(ModulesPage, GoldenPicture) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'M');
  driver.press(Key::down);
  testing::expect_golden(driver.picture(),
                         {WARPWALK_SOURCE_DIR "/tests/shell/golden", "modules-mlp_train", WARPWALK_TEST_OUTPUT},
                         driver.type_identity());
}

}  // namespace
}  // namespace warpwalk::shell
