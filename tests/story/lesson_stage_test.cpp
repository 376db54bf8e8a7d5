// The stages of the lessons show what their notes speak of.
#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/scene_list.h"
#include "tests/story/words.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

std::string lesson(std::string_view name) {
  std::stringstream text;
  text << std::ifstream(std::string(WARPWALK_SOURCE_DIR) + "/assets/lessons/" + std::string(name)).rdbuf();
  return text.str();
}

TEST(StreamsLesson, ShowsTwoStreamsAndFollowsAKernel) {
  const std::string text = lesson("waiting_in_a_stream.json");
  std::smatch step;
  const std::regex first(
      R"re("file": "two_streams\.json\.gz", "scene": "boardroom", "at": "(\w+)", "follow": "(kernel:\d+)")re");
  ASSERT_TRUE(std::regex_search(text, step, first)) << text;
  const Trace& trace = sample("two_streams");
  const auto walk = follow(trace, step[2].str());
  ASSERT_TRUE(walk) << walk.error();
  ASSERT_EQ(trace.slices.kind[walk->kernel], trace::SliceKind::kernel);
  const auto stage =
      stage_at(*find_scene("boardroom"), {trace, *walk, english(), hardware(), *parse_moment(step[1].str())});
  ASSERT_TRUE(stage) << stage.error();
  const auto& picture = std::get<TimelinePicture>(stage->picture);
  std::size_t streams = 0;
  bool kernel = false;
  for (const Row& row : picture.groups.back().rows) {
    streams += row.shown > 0 && !row.bars.empty() && row.name.starts_with("stream");
    for (const Bar& bar : row.bars) kernel = kernel || (bar.followed && bar.role == Role::kernel);
  }
  EXPECT_EQ(streams, 2u);
  EXPECT_TRUE(kernel);
}

// A control that a step sets, but that its stage lacks, would change nothing.
void expect_settings(std::string_view name, std::size_t expected) {
  const std::string text = lesson(name);
  const Trace& trace = sample("relu_matmul");
  const Walk walk = default_walk(trace);
  const std::regex step(R"re("scene": "([a-z/-]+)", "at": "(\w+)", "set": \{([^}]*)\})re"),
      setting(R"re("([^"]+)": (\d+))re");
  std::size_t settings = 0;
  for (auto one = std::sregex_iterator(text.begin(), text.end(), step); one != std::sregex_iterator(); ++one) {
    const Scene* const scene = find_scene((*one)[1].str());
    ASSERT_NE(scene, nullptr);
    const auto stage = stage_at(*scene, {trace, walk, english(), hardware(), *parse_moment((*one)[2].str())});
    ASSERT_TRUE(stage) << stage.error();
    const std::string all = (*one)[3].str();
    for (auto set = std::sregex_iterator(all.begin(), all.end(), setting); set != std::sregex_iterator(); ++set) {
      ++settings;
      const auto control = std::ranges::find_if(stage->controls, [&](const Control& offered) {
        return std::string(scene->name) + "." + offered.name == (*set)[1].str();
      });
      ASSERT_NE(control, stage->controls.end()) << (*set)[1];
      const double value = std::stod((*set)[2]);
      EXPECT_TRUE(control->kind == Control::Kind::slider
                      ? std::ranges::find(control->steps, value) != control->steps.end()
                      : value < static_cast<double>(control->words.size()))
          << (*set)[1] << " " << value;
    }
  }
  EXPECT_EQ(settings, expected) << name;
}

TEST(Courses, SetControlsOfTheirStages) {
  expect_settings("the_machine.json", 3);
  expect_settings("the_machine_90.json", 9);
  expect_settings("from_zero.json", 5);
  expect_settings("pytorch_engineer.json", 2);
}

}  // namespace
}  // namespace warpwalk::story::testing
