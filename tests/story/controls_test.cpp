#include "core/story/stage/controls.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/story/scene_list.h"

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

// A control of some lab that holds a text of at most 40 bytes.
const TextControl* line_of_some_lab(std::string_view name) {
  static const TextControl line = {"line", 40};
  return name == "lab/some.line" ? &line : nullptr;
}

auto parsed_setting(std::string_view text) { return parse_setting(text, line_of_some_lab); }

TEST(Controls, HoldANumberOrAText) {
  Controls controls;
  controls.set("lab/some.line", Setting("relu(a)"));
  controls.set("lab/some.count", 3);
  EXPECT_EQ(controls.get_text("lab/some", "line"), "relu(a)");
  EXPECT_FALSE(controls.get("lab/some", "line"));
  EXPECT_FALSE(controls.get_text("lab/some", "count"));
  EXPECT_FALSE(controls.get_text("lab/some", "other"));
  controls.clear_scene("lab/some");
  EXPECT_EQ(controls, Controls{});
}

TEST(Controls, SettingsAreReadFromText) {
  const auto set = parse_setting("sm.registers=64");
  ASSERT_TRUE(set) << set.error();
  EXPECT_EQ(set->name, "sm.registers");
  EXPECT_EQ(set->value, Setting(64.0));
  EXPECT_EQ(parse_setting("sm.b=-1.5e3")->value, Setting(-1500.0));
  for (const char* wrong : {"", "=", "sm", "sm=", "sm=4", "sm.=4", ".x=4", "sm.x", "sm.x=", "sm.x=4k", "sm.x=nan",
                            "sm.x=inf", "sm.x=1e999"}) {
    const auto refused = parse_setting(wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().find(wrong), 0u) << refused.error();
  }
}

// A text is taken as it is: a number, equals signs, spaces and quotes are part of it.
TEST(Controls, ATextControlTakesEverythingAfterTheFirstEqualsSign) {
  for (const char* text : {"", "64", " relu(a) ", "x.sum(dim=1)", "a & b % c", "\"quoted\"", "it's", "größer 日本"}) {
    const auto set = parsed_setting(fmt::format("lab/some.line={}", text));
    ASSERT_TRUE(set) << set.error();
    EXPECT_EQ(set->name, "lab/some.line");
    EXPECT_EQ(set->value, Setting(text));
  }
  EXPECT_FALSE(parsed_setting("lab/some.other=relu(a)")) << "not a text control";
  EXPECT_FALSE(parsed_setting("lab/some.line"));
}

TEST(Controls, ATextIsOneLineOfUtf8OfBoundedLength) {
  const auto error_of = [](const std::string& text) {
    const auto set = parsed_setting("lab/some.line=" + text);
    return set ? "" : set.error();
  };
  EXPECT_EQ(error_of(std::string(40, 'a')), "");
  EXPECT_EQ(error_of(std::string(41, 'a')), "lab/some.line: the text has 41 bytes; at most 40 fit");
  EXPECT_EQ(error_of("a\nb"), "lab/some.line: byte 2 of the text is a control character; write one line of text");
  EXPECT_EQ(error_of("a\xff"), "lab/some.line: byte 2 of the text is not UTF-8");
  using namespace std::string_literals;
  for (const std::string& wrong :
       {"\0"s, "\t"s, "\x7f"s, "\xc2\x85"s, "\xe2\x80\xa8"s, "\xc0\x80"s, "\xed\xa0\x80"s, "\xe2\x82"s})
    EXPECT_THAT(error_of("ab" + wrong), ::testing::HasSubstr("byte 3"));
}

// Any bytes either are refused with one printable line, or read back as the same setting.
TEST(Controls, SettingsReadBackAsTheSameSetting) {
  std::mt19937 random(3);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const bool printable = round % 2 == 0;
    for (unsigned left = random() % 45; left > 0; --left)
      text.push_back(static_cast<char>(printable ? ' ' + random() % 95 : random() % 256));
    const auto set = parsed_setting(setting_text("lab/some.line", text));
    if (!set) {
      EXPECT_FALSE(text_fault(set.error(), 1000)) << set.error();
      continue;
    }
    ++accepted;
    EXPECT_EQ(set->value, Setting(text));
    EXPECT_EQ(*parsed_setting(setting_text(set->name, set->value)), *set);
    const double number = std::bit_cast<double>(std::uint64_t{random()} << 32 | random());
    if (!std::isfinite(number)) continue;
    EXPECT_EQ(parsed_setting(setting_text("sm.x", number))->value, Setting(number));
  }
  EXPECT_GT(accepted, 5000);
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
