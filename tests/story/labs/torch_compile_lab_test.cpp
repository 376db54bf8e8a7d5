// lab/torch-compile: its sums against those of the recording that another program has made (a spreadsheet's), and its
// tasks.
#include <gtest/gtest.h>

#include "core/records/triton_record.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view compile_lab = "lab/torch-compile";

TEST(TorchCompileLab, SumsAreThoseOfTheRecording) {
  const Stage code = lab_with(compile_lab, 1, {{"line", 1}});
  EXPECT_EQ(fact_text(code, "Launches in eager mode"), "8");
  EXPECT_EQ(fact_text(code, "Launches, compiled"), "1");
  EXPECT_EQ(fact_text(code, "Registers per thread"), "27");
  const Stage times = lab_with(compile_lab, 2, {{"line", 1}});
  EXPECT_EQ(fact_text(times, "GPU time, eager"), "281.4 µs");
  EXPECT_EQ(fact_text(times, "GPU time, compiled"), "31.7 µs");
  EXPECT_EQ(fact_text(times, "Eager time by compiled time"), "8.86");
  const Stage tuned = lab_with(compile_lab, 2, {{"line", 3}, {"way", 1}});
  EXPECT_EQ(fact_text(tuned, "GPU time, compiled"), "32.3 µs");
}

TEST(TorchCompileLab, TasksAreDoneBySettings) {
  const auto done = [](double line, double way) { return tasks_done(compile_lab, {{"line", line}, {"way", way}}); };
  EXPECT_EQ(done(0, 0), "----");  // 120 to 60 µs
  EXPECT_EQ(done(1, 0), "x---");
  EXPECT_EQ(done(3, 0), "-xx-");
  EXPECT_EQ(done(3, 1), "---x");
}

TEST(TorchCompileLab, WithoutRecordingsItSaysSo) {
  for (std::int64_t beat = 1; beat <= 4; ++beat) EXPECT_EQ(lab_without_records(compile_lab, beat).missing.size(), 1u);
}

TEST(TritonRecord, DamagedRowsOfLinesAreRefused) {
  const std::string head =
      "line,way,kernel,time_us,cycles,read_bytes,written_bytes,instructions,registers,grid,block\n";
  const auto read = records::parse_line_kernels(head + "gelu,eager,k<4; float>,2.5,9,8,7,6,5,4,3\n");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->front().kernel, "k<4, float>");
  EXPECT_FALSE(records::parse_line_kernels(head + "gelu,eager,k,0,9,8,7,6,5,4,3\n"));
  EXPECT_FALSE(records::parse_line_kernels(head + "gelu,eager,k,2.5,9,8,7,6,5,4\n"));
}

}  // namespace
}  // namespace warpwalk::story::testing
