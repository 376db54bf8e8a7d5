// warpwalk simulate --accuracy: the shipped comparisons with an H200, each row of the files, with their origin.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;

std::size_t rows_of(const std::string& file) {
  const std::string text = text_of(std::string(WARPWALK_SOURCE_DIR "/assets/devices/") + file);
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) - 1;
}

/// The lines of tables: they are indented. Each of the groups has two lines of column names.
std::size_t rows_in(const std::string& report, std::size_t groups) {
  std::size_t rows = 0;
  for (std::size_t at = report.find("\n  "); at != std::string::npos; at = report.find("\n  ", at + 1)) ++rows;
  return rows - 2 * groups;
}

TEST(Accuracy, OfLaunches) {
  const Outcome outcome = run({"simulate", "--accuracy", "launches"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  EXPECT_THAT(outcome.out, HasSubstr("assets/devices/h200_validation.csv"));
  EXPECT_THAT(outcome.out, HasSubstr("\nreference: 31 launches; NVIDIA H200, measured by 2026-11-21; simulated 20"));
  EXPECT_THAT(outcome.out, HasSubstr("\n24 launches with a spread of at most 6 %: mean absolute error 4.7 %, worst"));
  EXPECT_THAT(outcome.out, HasSubstr("\n45 launches with a spread of at most 6 %: mean absolute error 6.1 %, worst"));
  EXPECT_EQ(rows_in(outcome.out, 6), rows_of("h200_validation.csv") + rows_of("h100_validation.csv"));
}

TEST(Accuracy, OfRecordedLaunches) {
  const Outcome outcome = run({"simulate", "--accuracy", "recorded"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("\ntransformer_step_float32: 47 kernels; NVIDIA H100 80GB HBM3, measured by 2026-11-27"));
  EXPECT_THAT(outcome.out, HasSubstr("\nthe same bits as on the GPU: 47 of 47; median ratio of the times 0.99"));
  EXPECT_THAT(outcome.out, HasSubstr("\nh200_triton_relu_matmul: 1 kernel; NVIDIA H200"));
  EXPECT_EQ(rows_in(outcome.out, 4), rows_of("h200_recorded.csv"));
}

TEST(Accuracy, OfParameters) {
  const Outcome outcome = run({"simulate", "--accuracy", "parameters"});
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("\n  launch_overhead "));
  EXPECT_THAT(outcome.out, HasSubstr("\nmean absolute error with all parameters: 4.2 %"));
  EXPECT_EQ(rows_in(outcome.out, 1), rows_of("h200_effects.csv"));
}

TEST(Accuracy, ACellThatIsNoNumber) {
  const Folder folder;
  std::filesystem::create_directories(folder.path() / "devices");
  folder.file("devices/h200_effects.csv",
              "set,parameter,value,status,without,mean_error_pct,launch,change_pct,gpu,measured_by,simulated_on\n"
              "all,none,0,fitted,nothing,four,relu,0.0,NVIDIA H200,2026-11-21,2026-11-23\n");
  const Outcome outcome = run({"simulate", "--accuracy", "parameters"}, {"WARPWALK_ASSETS=" + folder.path().string()});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("h200_effects.csv: all, none: \"four\" is not a number"));
}

TEST(Accuracy, AFileThatIsNotOfThisForm) {
  const Folder folder;
  std::filesystem::create_directories(folder.path() / "devices");
  folder.file("devices/h200_effects.csv", "set,parameter\n");
  const Outcome outcome = run({"simulate", "--accuracy", "parameters"}, {"WARPWALK_ASSETS=" + folder.path().string()});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error_lines(), 1u) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("h200_effects.csv: line 1: expected set,parameter,value"));
}

}  // namespace
}  // namespace warpwalk::testing
