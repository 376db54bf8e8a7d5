#include "core/story/stage/controls.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace warpwalk::story {
namespace {

TEST(Controls, KeepWhatIsSetByScene) {
  Controls controls;
  EXPECT_FALSE(controls.get("sm", "registers"));
  controls.set("sm.registers", 64);
  controls.set("sm.registers", 32);
  controls.set("launch.grid", 7);
  EXPECT_EQ(controls.get("sm", "registers"), 32);
  controls.clear_scene("sm");
  EXPECT_FALSE(controls.get("sm", "registers"));
  EXPECT_EQ(controls.get("launch", "grid"), 7);
  controls.clear("launch.grid");
  controls.clear("launch.grid");
  EXPECT_EQ(controls, Controls{});
}

TEST(Controls, SettingsAreReadFromText) {
  const auto [set, error] = parse_setting("sm.registers=64");
  ASSERT_FALSE(error);
  EXPECT_EQ(set.first, "sm.registers");
  EXPECT_EQ(set.second, 64);
  EXPECT_EQ(parse_setting("a.b=-1.5e3").first.second, -1500);
  for (const char* wrong : {"", "=", "sm", "sm=", "sm=4", "sm.=4", ".x=4", "sm.x", "sm.x=", "sm.x=4k", "sm.x=nan",
                            "sm.x=inf", "sm.x=1e999"}) {
    const auto refused = parse_setting(wrong).second;
    ASSERT_TRUE(refused) << wrong;
    EXPECT_EQ(refused->find(wrong), 0u) << *refused;
  }
}

TEST(ControlSteps, GrowAndHoldWhatTheTraceSays) {
  EXPECT_EQ(steps_by(32, 100, 32), (std::vector<double>{32, 64, 96, 100}));
  EXPECT_EQ(steps_growing(1, 10), (std::vector<double>{1, 2, 3, 4, 6, 8, 10}));
  EXPECT_EQ(with_step({1, 2, 4}, 3), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(with_step({1, 2, 4}, 4), (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(with_step({1, 2, 4}, 9), (std::vector<double>{1, 2, 4, 9}));
  EXPECT_EQ(step_at({1, 2, 4}, 4), 2u);
  EXPECT_EQ(step_at({1, 2, 4}, 100), 2u);
  EXPECT_EQ(step_at({1, 2, 4}, -5), 0u);
  for (const double to : {1.0, 2.0, 1000.0, 123456.0}) {
    const std::vector<double> steps = steps_growing(1, to);
    EXPECT_EQ(steps.back(), to);
    EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
    EXPECT_EQ(std::adjacent_find(steps.begin(), steps.end()), steps.end()) << to;
  }
}

}  // namespace
}  // namespace warpwalk::story
