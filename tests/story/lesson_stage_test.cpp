// The stages of the lessons show what their notes speak of.
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "core/story/scenes.h"
#include "tests/story/small_trace.h"
#include "tests/story/words.h"

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
      R"re("file": "two_streams\.json\.gz", "scene": "boardroom", "at": "b(\d)", "follow": "(kernel:\d+)")re");
  ASSERT_TRUE(std::regex_search(text, step, first)) << text;
  const Trace& trace = sample("two_streams");
  const auto [walk, error] = follow(trace, step[2].str());
  ASSERT_FALSE(error) << *error;
  ASSERT_EQ(trace.slices.kind[walk.kernel], trace::SliceKind::kernel);
  const Stage stage =
      find_scene("boardroom")->stage({trace, walk, english(), hardware(), {Moment::Kind::beat, std::stoi(step[1]), 1}});
  const auto& picture = std::get<TimelinePicture>(stage.picture);
  std::size_t streams = 0;
  bool kernel = false;
  for (const Row& row : picture.groups.back().rows) {
    streams += row.shown > 0 && !row.bars.empty() && row.name.starts_with("stream");
    for (const Bar& bar : row.bars) kernel = kernel || (bar.followed && bar.role == Role::kernel);
  }
  EXPECT_EQ(streams, 2u);
  EXPECT_TRUE(kernel);
}

}  // namespace
}  // namespace warpwalk::story::testing
