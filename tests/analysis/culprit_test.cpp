// Eight programs with one delay each, recorded with torch.profiler by tests/analysis/delays/record.py on an H200
// (item_in_loop and profiler_overhead: on an H100): the verdict names the cause and the line. Each delay is in a
// function of its own.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "core/analysis/time/idle_lines.h"
#include "core/trace/read/read_trace.h"
#include "core/words/idle_text.h"
#include "tests/analysis/assets.h"

namespace warpwalk::analysis {
namespace {

struct Delay {
  const char* trace;
  IdleVerdict cause;
  const char* function;  ///< in which the delay is
};

class Culprit : public ::testing::TestWithParam<Delay> {};

TEST_P(Culprit, IsNamedWithItsLine) {
  const std::filesystem::path folder = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/analysis/delays";
  const trace::ReadResult read = trace::read_trace(folder / (std::string(GetParam().trace) + ".json.gz"));
  ASSERT_FALSE(read.error) << *read.error;
  const PathFinder paths(read.trace);
  const std::vector<IdleReport> reports = idle_reports(read.trace, paths);
  ASSERT_EQ(reports.size(), 1u);
  const IdleReport& report = reports.front();
  EXPECT_EQ(name_of(report.cause()), name_of(GetParam().cause));
  const CodePlaces places(read.trace);
  const IdleLine culprit = culprit_of(read.trace, places, report);
  EXPECT_TRUE(culprit.line.starts_with("record.py(") &&
              culprit.line.ends_with(std::string("): ") + GetParam().function))
      << culprit.line;
  EXPECT_GT(2 * culprit.time, report.time_of(report.cause()));
  const std::string text = words::verdict_text(english(), report) + words::culprit_text(english(), report, culprit);
  EXPECT_NE(text.find(culprit.line), std::string::npos) << text;
  // The parts of each gap, and of each path, add up to the nanosecond.
  std::int64_t idle = 0;
  for (const IdleGap& gap : report.gaps) {
    std::int64_t at = gap.from;
    for (const IdlePart& part : report.parts_of(gap)) {
      ASSERT_EQ(part.from, at);
      at = part.to;
    }
    ASSERT_EQ(at, gap.to);
    idle += gap.length();
  }
  EXPECT_EQ(idle, report.idle());
  std::int64_t path = 0;
  for (const PathSegment& segment : paths.whole().segments) path += segment.length();
  EXPECT_EQ(path, read.trace.end_ns - read.trace.begin_ns);
}

INSTANTIATE_TEST_SUITE_P(Delays, Culprit,
                         ::testing::Values(Delay{"late_launch", IdleVerdict::launch_bound, "slow_python"},
                                           Delay{"sleeping_loader", IdleVerdict::blocked, "__getitem__"},
                                           Delay{"item_in_loop", IdleVerdict::synchronised, "loss_value"},
                                           Delay{"lazy_loading", IdleVerdict::loading, "first_use"},
                                           Delay{"small_kernels", IdleVerdict::launch_bound, "row_by_row"},
                                           Delay{"pageable_copy", IdleVerdict::copy_bound, "upload"},
                                           Delay{"idle_worker", IdleVerdict::launch_bound, "slow_python"},
                                           Delay{"profiler_overhead", IdleVerdict::launch_bound, "deep"}),
                         [](const auto& test) { return std::string(test.param.trace); });

TEST(Culprit, TheProfilersOptionsAreNamedBesideTheVerdict) {
  const std::filesystem::path folder = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/analysis/delays";
  const auto options = [&](const char* name) { return slowing_options(trace::read_trace(folder / name).trace); };
  EXPECT_EQ(options("profiler_overhead.json.gz"), (std::vector<std::string_view>{"with_stack", "profile_memory"}));
  EXPECT_EQ(options("late_launch.json.gz"), (std::vector<std::string_view>{"with_stack"}));
}

}  // namespace
}  // namespace warpwalk::analysis
