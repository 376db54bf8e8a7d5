// The line of source beside the machine code, of the default walk's kernel in CUDA C++.
#include "core/story/facts/code/source_lines.h"

#include <algorithm>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/run/replay/history.h"
#include "core/run/replay/load_recorded.h"
#include "core/story/facts/code/instruction_text.h"
#include "core/trace/read/read_trace.h"
#include "tests/story/words.h"

namespace warpwalk::story {
namespace {

TEST(SourceLines, StandBesideEveryInstruction) {
  const auto read = trace::read_trace(WARPWALK_SOURCE_DIR "/assets/walks/h200_relu_matmul_inside.json.gz");
  const trace::SliceId kernel = run::recorded_launches(read.trace).front();
  run::HistoryOptions options;
  options.device = *gpu::load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  const auto built = run::build_history(read.trace, kernel, options);
  ASSERT_EQ(built.index(), 0u);
  const auto history = std::get<0>(built);
  const auto travel = run::TimeTravel::make(read.trace, kernel, history, options);
  ASSERT_TRUE(travel) << travel.error();
  std::size_t multiplications = 0, barriers = 0;
  for (std::uint32_t i = 0; i < instruction_count(**travel); ++i) {
    const std::string text = instruction_text(**travel, *history, i).text;
    const auto column = source_column(testing::english(), **travel, *history, i, 5);
    ASSERT_TRUE(column) << text;
    EXPECT_EQ(column->kind, CodeKind::source);
    ASSERT_EQ(column->window.lines.size(), 5u);
    EXPECT_EQ(std::ranges::count(column->window.lines, true, &CodeLine::lit), 1) << text;
    const CodeLine& line = column->window.lines[column->window.focus];
    EXPECT_TRUE(line.lit);
    if (text.starts_with("FFMA")) {
      EXPECT_THAT(line.text, ::testing::HasSubstr("sum += a_tile[y][i] * b_tile[i][x];"));
      ++multiplications;
    }
    if (text.starts_with("BAR.SYNC")) {
      EXPECT_THAT(line.text, ::testing::HasSubstr("__syncthreads();"));
      ++barriers;
    }
  }
  EXPECT_EQ(multiplications, 16u);
  EXPECT_EQ(barriers, 2u);
  run::History without = *history;
  without.source.clear();
  EXPECT_FALSE(source_column(testing::english(), **travel, without, 0, 5));
}

}  // namespace
}  // namespace warpwalk::story
