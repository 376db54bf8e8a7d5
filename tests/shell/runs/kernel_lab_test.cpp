// The Kernel lab in the window: errors at their line, runs, findings, comparison, the walk of a run and the way back.
#include <algorithm>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/pages/kernel_lab/kernel_lab_page.h"
#include "core/run/kernel_lab/compare_runs.h"
#include "core/run/kernel_lab/examples.h"
#include "core/story/labs/kernel/kernel_figures.h"
#include "tests/app/golden_picture.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

class KernelLabPage : public ::testing::Test {
 protected:
  KernelLabPage() { driver.open(walk_file("relu_matmul")); }
  const pages::LabVersion& version(std::size_t number = 0) const {
    return driver.shell.page<pages::KernelLabPage>().state().versions[number];
  }
  void open_example(std::size_t number) {
    if (driver.shell.sheet() != "kernel") driver.press(U'j');
    driver.press(U'o', true);
    for (std::size_t i = 0; i < number + 1; ++i) driver.press(Key::down);
    driver.press(Key::enter);
    driver.wait();
  }
  void control_enter() {
    driver.press_control(Key::enter);
    driver.wait();
  }
  bool shows(std::string_view words) {
    const auto texts = driver.texts();
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  }
  Driver driver;
};

TEST_F(KernelLabPage, OpensWithTheFollowedKernelAndEscLeaves) {
  driver.press(U'j');
  driver.wait();
  EXPECT_EQ(driver.shell.sheet(), "kernel");
  EXPECT_FALSE(version().source.text().empty());
  EXPECT_TRUE(version().messages.empty()) << version().messages.front().with_place();
  EXPECT_TRUE(shows("Kernel lab"));
  const View before = driver.shell.opened().view;
  driver.press(U'q');  // a letter is typed, not a shortcut
  EXPECT_NE(version().source.text(), version().opened.source);
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().view, before);
  // The typed text stays.
  const std::string typed = version().source.text();
  driver.press(U'j');
  EXPECT_EQ(version().source.text(), typed);
}

TEST_F(KernelLabPage, OpensWithTheArgumentsOfARecordedLaunch) {
  driver.open(walk_file("h200_relu_matmul_inside"));
  driver.press(U'j');
  driver.wait();
  EXPECT_EQ(version().opened.file_name(), "matmul.cu");
  EXPECT_THAT(version().launch.text(), ::testing::HasSubstr("\nm: i32 520\nn: i32 328\ndepth: i32 32\n"));
  EXPECT_TRUE(version().messages.empty()) << version().messages.front().with_place();
}

TEST_F(KernelLabPage, AnErrorIsMarkedAtItsLine) {
  open_example(0);
  EXPECT_EQ(version().opened.file_name(), "race.cu");
  driver.press(Key::tab);  // the launch
  driver.press_control(Key::home);
  driver.press(Key::down);
  driver.press(Key::end);
  driver.type(" x 0");
  driver.wait();
  ASSERT_EQ(version().messages.size(), 1u);
  EXPECT_EQ(version().messages[0].line, 2u);
  EXPECT_EQ(version().messages[0].text, run::Diagnostic::Text::launch);
  EXPECT_TRUE(shows("launch, line 2:"));
  ASSERT_EQ(version().marks(run::Diagnostic::Text::launch).size(), 1u);
  driver.press(U'z', true);
  driver.wait();
  EXPECT_TRUE(version().messages.empty());
}

// The page after a run that found a race.
TEST_F(KernelLabPage, GoldenPicture) {
  open_example(0);
  control_enter();
  driver.settle();
  testing::expect_golden(driver.picture(),
                         {WARPWALK_SOURCE_DIR "/tests/shell/golden", "kernel_lab-race", WARPWALK_TEST_OUTPUT},
                         driver.type_identity());
}

TEST_F(KernelLabPage, ARaceIsFoundWalkedAndLeftWithTheTextUnharmed) {
  open_example(0);
  control_enter();
  ASSERT_TRUE(version().up_to_date());
  ASSERT_EQ(version().run->findings.size(), 1u);
  EXPECT_EQ(version().marks(run::Diagnostic::Text::source).size(), 2u);  // both accesses
  EXPECT_TRUE(shows("Warp instructions"));
  const std::string text = version().source.text();

  driver.press(U'g', true);
  driver.wait();
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().view.scene, "schedulers");
  EXPECT_EQ(driver.shell.opened().document->trace().records.kernels.front().entry,
            version().run->trace().records.kernels.front().entry);
  EXPECT_THAT(driver.shell.note().text, ::testing::HasSubstr("Kernel lab"));
  driver.press(Key::up);
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "kernel");
  EXPECT_EQ(version().source.text(), text);
  EXPECT_TRUE(driver.shell.opened().document->file.string().ends_with("relu_matmul.json.gz"));
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST_F(KernelLabPage, TwoVersionsAreComparedInEveryFigure) {
  open_example(2);
  EXPECT_EQ(version(0).opened.file_name(), "bank_conflicts.cu");
  EXPECT_EQ(version(1).opened.file_name(), "bank_conflicts_padded.cu");
  driver.press(U'b', true);
  control_enter();
  ASSERT_TRUE(version(0).run && version(1).run);
  EXPECT_TRUE(shows("DIFFERENCE") || shows("B − A"));
  EXPECT_TRUE(shows("−253,952"));
  EXPECT_TRUE(shows("Shared bank conflicts"));
}

TEST_F(KernelLabPage, AKeyFindsTheLineOfTheConflicts) {
  open_example(2);
  control_enter();
  ASSERT_TRUE(version().run);
  EXPECT_TRUE(shows("Stall cycles"));
  const auto& state = driver.shell.page<pages::KernelLabPage>().state();
  EXPECT_EQ(state.metric, run::LineMetric::stalls);
  driver.press(U'k', true);  // no line has sectors beyond the ideal
  EXPECT_EQ(state.metric, run::LineMetric::conflicts);
  driver.press(U'l', true);
  const auto caret_line = [&] {
    const draw::TextEditor& editor = version().source;
    return editor.lines()[editor.lines().line_of(editor.caret())];
  };
  EXPECT_THAT(std::string(caret_line()), ::testing::HasSubstr("tile[threadIdx.x][threadIdx.y + k]"));
  driver.press(U'l', true);  // there is no other line with conflicts
  EXPECT_THAT(std::string(caret_line()), ::testing::HasSubstr("tile[threadIdx.x][threadIdx.y + k]"));
}

TEST_F(KernelLabPage, StagesOfATritonKernelFollowALine) {
  driver.drop(std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/compiled/data/softmax_kernel/softmax_kernel.cubin");
  driver.wait();
  ASSERT_EQ(driver.shell.sheet(), "kernel");
  const auto side = [&](std::size_t number) -> const pages::LabStages::Side& {
    return driver.shell.page<pages::KernelLabPage>().state().stages.sides[number];
  };
  driver.press(U't', true);
  // The program's file is not here, so TTIR is the first stage.
  EXPECT_EQ(side(0).stage, run::TextStage::ttir);
  EXPECT_EQ(side(1).stage, run::TextStage::sass);
  while (side(0).line + 1 < 40) driver.press(Key::down);  // arith.addf, of tl.sum
  EXPECT_TRUE(shows("zoo.py:23"));
  EXPECT_TRUE(shows("in tl.sum standard.py:293 > _sum_combine standard.py:263, inlined"));
  EXPECT_EQ(side(1).line, 0x500U / 16);  // its first FADD
  EXPECT_TRUE(shows("FADD"));
  driver.settle();
  testing::expect_golden(driver.picture(),
                         {WARPWALK_SOURCE_DIR "/tests/shell/golden", "kernel_lab-stages", WARPWALK_TEST_OUTPUT},
                         driver.type_identity());
  // The same place in another stage.
  driver.press(Key::right);
  driver.press(Key::right);
  EXPECT_EQ(side(0).stage, run::TextStage::llir);
  EXPECT_EQ(side(0).line + 1, 106U);
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "kernel");
  EXPECT_FALSE(driver.shell.page<pages::KernelLabPage>().state().stages.shown);
  // A source has no stages.
  open_example(0);
  driver.press(U't', true);
  EXPECT_FALSE(driver.shell.page<pages::KernelLabPage>().state().stages.shown);
}

TEST_F(KernelLabPage, FiguresOfAnOlderTextSaySo) {
  open_example(2);
  control_enter();
  ASSERT_TRUE(version().up_to_date());
  EXPECT_FALSE(shows("previous text"));
  driver.type("x");
  EXPECT_TRUE(shows("These figures are of the previous text"));
  EXPECT_TRUE(shows("Shared bank conflicts"));
  driver.press(U'z', true);
  EXPECT_FALSE(shows("previous text"));
}

TEST_F(KernelLabPage, TheOtherFiguresAreFolded) {
  open_example(2);
  control_enter();
  EXPECT_TRUE(shows("more figures"));
  EXPECT_FALSE(shows("Registers per thread"));
  driver.press(U'm', true);
  EXPECT_TRUE(shows("Fewer figures"));
  EXPECT_TRUE(driver.shell.page<pages::KernelLabPage>().state().all_figures);
}

TEST_F(KernelLabPage, ThePtxOfAKernelIsEditedWithErrorsAtTheirLine) {
  open_example(0);
  driver.press(U'p', true);
  EXPECT_EQ(version().opened.file_name(), "race.ptx");
  control_enter();
  ASSERT_TRUE(version().run);
  EXPECT_EQ(version().run->findings.size(), 1u);
  driver.press_control(Key::home);
  for (int line = 0; line < 8; ++line) driver.press(Key::down);
  driver.type("x");
  driver.wait();
  ASSERT_EQ(version().messages.size(), 1u);
  EXPECT_EQ(version().messages[0].line, 9u) << version().messages[0].with_place();
}

TEST_F(KernelLabPage, EveryFigureAndExampleHasItsWords) {
  open_example(1);
  control_enter();
  ASSERT_TRUE(version().run);
  for (const run::RunFigure& figure : run::figures_of(*version().run))
    EXPECT_NE(story::lab_figure_name(english(), figure.name), figure.name) << figure.name;
  EXPECT_TRUE(english().has("lab/kernel.figure", "ptx_warp_instructions"));
  for (const run::LabExample& example : run::lab_examples())
    for (const char* const key : {"title", "look"})
      EXPECT_TRUE(english().has("lab/kernel.example." + std::string(example.name), key)) << example.name;
}

TEST_F(KernelLabPage, ALongRunIsCancelledByEsc) {
  open_example(8);
  driver.press_control(Key::enter);
  driver.frame();
  driver.press(Key::escape);
  driver.wait();
  EXPECT_EQ(driver.shell.sheet(), "kernel");
  EXPECT_FALSE(version().run);
  EXPECT_EQ(driver.shell.page<pages::KernelLabPage>().state().note, "cancelled");
}

TEST_F(KernelLabPage, ItOpensFromTheSchedulersAndTheStartPage) {
  View view = driver.shell.opened().view;
  view.file = walk_file("relu_matmul");
  view.scene = "schedulers";
  driver.shell.open(view);
  driver.wait();
  driver.press(U'e');
  EXPECT_EQ(driver.shell.sheet(), "kernel");
  driver.press(Key::escape);  // the stage of the lab is below its page
  EXPECT_EQ(driver.shell.sheet(), "");
  EXPECT_EQ(driver.shell.opened().view.scene, "lab/kernel");
  driver.press(U'e');
  EXPECT_EQ(driver.shell.sheet(), "exercise");
  driver.press(Key::escape);  // to the list
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.opened().view.scene, "lab/exercise");
  driver.press(U'e');
  EXPECT_EQ(driver.shell.opened().view.scene, "lab/latency-hiding");
  driver.press(U'e');
  EXPECT_EQ(driver.shell.opened().view.scene, "schedulers");
}

TEST(LabNumber, IsReadable) {
  EXPECT_EQ(story::lab_difference(-1234.5), "−1,235");
  EXPECT_EQ(story::lab_difference(2), "+2");
  EXPECT_EQ(story::lab_number(1234567), "1,234,567");
  EXPECT_EQ(story::lab_number(0), "0");
  EXPECT_EQ(story::lab_number(12.3456), "12.35");
  EXPECT_EQ(story::lab_number(0.5), "0.500");
  EXPECT_EQ(story::lab_number(2400.7), "2,401");
}

}  // namespace
}  // namespace warpwalk::shell
