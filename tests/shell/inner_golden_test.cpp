// Pictures of the schedulers' and the lanes' scenes for examples of the Kernel lab, pixel by pixel: what each example
// is there to show.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/run/kernel_lab/examples.h"
#include "tests/app/golden_picture.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

struct Shot {
  const char* example;
  const char* scene;
  std::int64_t beat;
};

constexpr Shot shots[] = {
    {"bank_conflicts", "lanes", 4},
    {"divergence", "lanes", 5},
    {"race", "lanes", 6},
    {"race", "lanes", 3},
    {"bounds", "lanes", 6},
    {"barrier_fixed", "schedulers", 3},
    {"matmul_tiled", "schedulers", 6},
};

std::string name_of(const Shot& shot) { return fmt::format("{}_{}_{}", shot.example, shot.scene, shot.beat); }

class InnerGolden : public ::testing::TestWithParam<Shot> {};

TEST_P(InnerGolden, Picture) {
  const Shot& shot = GetParam();
  Driver driver(1280, 720, true);
  driver.open(walk_file("relu_matmul"));
  driver.press(U'q');  // the answers are shown without their questions
  driver.press(U'j');
  driver.press(U'o', true);
  bool found = false;
  for (const run::LabExample& example : run::lab_examples()) {
    driver.press(Key::down);
    found = example.name == shot.example;
    if (found) break;
  }
  ASSERT_TRUE(found);
  driver.press(Key::enter);
  driver.wait();
  driver.press_control(Key::enter);
  driver.wait();
  driver.press(U'g', true);
  driver.wait();
  ASSERT_EQ(driver.shell.opened().view.scene, "schedulers") << driver.shell.note().text;
  if (std::string_view(shot.scene) == "lanes") driver.press(Key::down);
  while (driver.shell.opened().stage->beat < shot.beat) driver.press(Key::right);
  driver.wait();
  driver.settle();
  ASSERT_EQ(driver.shell.opened().stage->scene, shot.scene);
  testing::expect_golden(driver.picture(),
                         {WARPWALK_SOURCE_DIR "/tests/shell/golden", name_of(shot), WARPWALK_TEST_OUTPUT},
                         driver.type_identity());
}

INSTANTIATE_TEST_SUITE_P(Examples, InnerGolden, ::testing::ValuesIn(shots),
                         [](const auto& one) { return name_of(one.param); });

}  // namespace
}  // namespace warpwalk::shell
