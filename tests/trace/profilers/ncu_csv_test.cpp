// What ncu prints with --csv: the same launches and values as in the report that it was printed of.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/platform/byte_source.h"
#include "core/platform/read_file.h"
#include "core/trace/ncu/csv_numbers.h"
#include "core/trace/ncu/metrics.h"
#include "core/trace/ncu/read_csv.h"
#include "tests/trace/ncu_sample.h"
#include "tests/trace/support.h"

namespace warpwalk::trace::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string sample_csv(std::string_view name) {
  const auto text =
      platform::read_compressed_file(std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/trace/data/ncu" / name);
  EXPECT_TRUE(text);
  return text ? text->text : std::string();
}

ncu::ReportRead read_csv_text(std::string_view text, Problems& problems, std::size_t window_bytes = 1 << 16) {
  const auto source = platform::memory_source(text);
  Window window(*source, window_bytes, std::uint64_t{64} << 20);
  window.fill(16);
  return ncu::read_csv(window, {}, problems);
}

ncu::Report report_of_csv(std::string_view text) {
  Problems problems;
  ncu::ReportRead read = read_csv_text(text, problems);
  EXPECT_FALSE(read.error) << *read.error;
  EXPECT_TRUE(problems.rows().empty());
  return std::move(read.report);
}

std::map<std::string, double> figures_of_launch(const ncu::Report& report, std::size_t launch) {
  std::map<std::string, double> figures;
  for (const ncu::MeasuredFigure& figure : ncu::measured_figures(report, report.launches.at(launch)))
    figures[figure.name] = figure.value;
  return figures;
}

const std::string raw_header =
    R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",)"
    R"("Device","CC",)";
const std::string details_header = raw_header + R"("Section Name","Metric Name","Metric Unit","Metric Value")"
                                                "\n";
std::string launch_cells(int id, std::string_view kernel) {
  return fmt::format("\"{}\",\"7\",\"app\",\"host\",\"{}\",\"1\",\"13\",\"(64, 2, 1)\",\"(8, 1, 1)\",\"0\",\"9.0\",",
                     id, kernel);
}

TEST(NcuCsv, TheRawPageHasTheFiguresOfTheReport) {
  const ncu::Report csv = report_of_csv(sample_csv("four_kernels.raw.csv.gz"));
  Problems problems;
  const ncu::Report report = read_ncu_sample(ncu_sample(), problems);
  ASSERT_EQ(csv.launches.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(csv.launches[i].name, report.launches[i].name);
    EXPECT_EQ(csv.launches[i].function, report.launches[i].function);
    EXPECT_EQ(csv.launches[i].grid, report.launches[i].grid);
    EXPECT_EQ(csv.launches[i].block, report.launches[i].block);
    EXPECT_EQ(csv.launches[i].stream, report.launches[i].stream);
    const auto expected = figures_of_launch(report, i);
    const auto read = figures_of_launch(csv, i);
    EXPECT_GT(read.size(), 25u);
    for (const auto& [name, value] : read) {
      ASSERT_TRUE(expected.contains(name)) << name;
      // Stalls are a product of a ratio that ncu prints with six digits.
      const double digit = name.starts_with("stall_") ? 1 : 1e-6;
      EXPECT_NEAR(value, expected.at(name), std::max(digit, std::abs(expected.at(name)) * 1e-4)) << name;
    }
  }
  const ncu::ReportDevice* const device = csv.device_of(csv.launches[0]);
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->name, "NVIDIA H200");
  EXPECT_EQ(device->attribute("device__attribute_multiprocessor_count"), 132);
}

TEST(NcuCsv, TheSourcePageHasTheValuesOfTheReportsInstructions) {
  const ncu::Report csv = report_of_csv(sample_csv("four_kernels.source.csv.gz"));
  Problems problems;
  const ncu::Report report = read_ncu_sample(ncu_sample(), problems);
  ASSERT_EQ(csv.launches.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const ncu::Launch& launch = csv.launches[i];
    EXPECT_EQ(launch.name, report.launches[i].name);
    for (const char* const metric :
         {"inst_executed", "memory_l2_theoretical_sectors_global", "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
          "smsp__pcsamp_warps_issue_stalled_barrier", "smsp__pcsamp_sample_count"}) {
      std::map<std::uint64_t, double> expected, read;
      if (const auto* const values = report.by_instruction(report.launches[i], metric))
        for (const ncu::InstructionValue& at : values->values)
          if (at.value != 0) expected[at.offset] = at.value;
      if (const auto* const values = csv.by_instruction(launch, metric))
        for (const ncu::InstructionValue& at : values->values) read[at.offset] = at.value;
      EXPECT_EQ(read, expected) << metric << " of launch " << i;
    }
    const auto expected = figures_of_launch(report, i), read = figures_of_launch(csv, i);
    for (const char* const figure : {"warp_instructions", "global_load_sectors", "global_store_sectors"})
      EXPECT_EQ(read.at(figure), expected.at(figure)) << figure;
  }
  // Line 4 of saxpy loads two floats and stores one, of 32,768 warps.
  const ncu::SourceLines& lines = csv.launches[0].by_line.at(0);
  EXPECT_EQ(lines.file, "/tmp/k.cu");
  const auto executed = std::ranges::find_if(
      lines.metrics, [&](const ncu::LineMetric& one) { return csv.metric_names[one.name] == "inst_executed"; });
  ASSERT_NE(executed, lines.metrics.end());
  EXPECT_THAT(executed->values, ::testing::Contains(std::pair(std::uint64_t{4}, 393216.0)));
  EXPECT_THAT(lines.texts,
              ::testing::Contains(std::pair(std::uint64_t{3}, std::string("int i = blockIdx.x * blockDim.x "
                                                                          "+ threadIdx.x;"))));
}

TEST(NcuCsv, BothPagesInOneFileAreTheSameLaunches) {
  const ncu::Report csv =
      report_of_csv(sample_csv("four_kernels.raw.csv.gz") + sample_csv("four_kernels.source.csv.gz"));
  ASSERT_EQ(csv.launches.size(), 4u);
  EXPECT_TRUE(csv.value(csv.launches[3], "gpu__time_duration.sum"));
  EXPECT_FALSE(csv.launches[3].by_line.empty());
  EXPECT_EQ(figures_of_launch(csv, 3).at("global_load_sectors"), 131'072);
}

TEST(NcuCsv, TheDetailsPageHasLabelsOrNames) {
  const std::string text = "==PROF== Connected to process 7 (/app)\nresult: 5\" long\n" + details_header +
                           launch_cells(0, "k(int *)") +
                           R"("GPU Speed Of Light","Elapsed Cycles","cycle","1,234")"
                           "\n" +
                           launch_cells(0, "k(int *)") +
                           R"("GPU Speed Of Light","Duration","us","2.50")"
                           "\n" +
                           launch_cells(0, "k(int *)") +
                           R"("Rules","","","")"
                           "\n==PROF== Profiling \"m\"\n" +
                           launch_cells(1, "void ns::m<int>(int *)") +
                           R"("Command line profiler metrics","smsp__inst_executed.sum","Kinst","n/a")"
                           "\n" +
                           launch_cells(1, "void ns::m<int>(int *)") +
                           R"("Warp State","Stall Long Scoreboard","inst","3.25")"
                           "\n" +
                           launch_cells(1, "void ns::m<int>(int *)") +
                           R"("A future section","Future Label","","1")"
                           "\n";
  const ncu::Report csv = report_of_csv(text);
  ASSERT_EQ(csv.launches.size(), 2u);
  EXPECT_EQ(figures_of_launch(csv, 0).at("cycles"), 1234);
  EXPECT_EQ(ncu::duration_ns(csv, csv.launches[0]), 2500);
  EXPECT_EQ(csv.launches[1].function, "ns::m");
  EXPECT_THAT(csv.launches[1].grid, ElementsAre(8u, 1u, 1u));
  EXPECT_EQ(csv.value(csv.launches[1], "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"),
            3.25);
  EXPECT_FALSE(csv.value(csv.launches[1], "smsp__inst_executed.sum"));
}

TEST(NcuCsv, NumbersAreReadAsTheLocaleOfTheFileWritesThem) {
  const auto value_of = [](std::string_view other, std::string_view cell) {
    ncu::NumberStyle style;
    style.learn(other);
    return style.number(cell);
  };
  EXPECT_EQ(value_of("", "1,234"), 1234);
  EXPECT_EQ(value_of("", "1,234,567.25"), 1234567.25);
  EXPECT_EQ(value_of("65,77", "117.344"), 117344);
  EXPECT_EQ(value_of("27.595.520", "8412,000000"), 8412);
  EXPECT_EQ(value_of("1.234,5", "1,5"), 1.5);
  EXPECT_EQ(value_of("0,123", "1.000"), 1000);
  EXPECT_EQ(value_of("0.123", "1.000"), 1);
  EXPECT_EQ(value_of("",
                     "1\xe2\x80\xaf"
                     "234"),
            1234);                             // French
  EXPECT_EQ(value_of("", "1'234.5"), 1234.5);  // Swiss
  EXPECT_EQ(value_of("", "12 (5; 7)"), 12);
  EXPECT_EQ(value_of("", "2.5e+06"), 2.5e6);
  for (const char* const none : {"", "-", "n/a", "no data", "nan", "inf", "1,23", "12,3456", "0x10", "(256, 1, 1)"})
    EXPECT_EQ(value_of("", none), std::nullopt) << none;
  EXPECT_EQ(ncu::unit_factor("Kbyte/block"), 1e3);
  EXPECT_EQ(ncu::unit_factor("Gbyte/s"), 1e9);
  EXPECT_EQ(ncu::unit_factor("msecond"), 1e6);
  EXPECT_EQ(ncu::unit_factor("cycle/nsecond"), 1e9);
  EXPECT_EQ(ncu::unit_factor("Kinst"), 1);
  EXPECT_EQ(ncu::unit_factor("%"), 1);
}

TEST(NcuCsv, ALaunchIsAKernelOfATrace) {
  const ReadResult read = read_trace_text(sample_csv("four_kernels.raw.csv.gz"), {}, "four.csv");
  ASSERT_FALSE(read.error) << *read.error;
  ASSERT_EQ(read.trace.kernel_order.size(), 4u);
  const SliceId last = read.trace.kernel_order[3];
  EXPECT_EQ(read.trace.slices.duration[last], 11520);
  const KernelDetail& detail = read.trace.kernels[read.trace.slices.detail[last]];
  EXPECT_EQ(detail.registers, 16);
  EXPECT_EQ(detail.stream, 7);
  EXPECT_EQ(read.trace.records.kernels.at(3).cycles, 17251);
  EXPECT_EQ(read.trace.devices.at(0).sms, 132);
}

TEST(NcuCsv, WhatWasSavedByAnotherProgramIsRead) {
  const std::string plain =
      "\xef\xbb\xbfID;Process ID;Kernel Name;Block Size;Grid Size;gpu__time_duration.sum\r\n;;;;;us\r\n"
      "0;7;k;(1, 1, 1);(1, 1, 1);2,50\r\n";
  const ncu::Report csv = report_of_csv(plain);
  ASSERT_EQ(csv.launches.size(), 1u);
  EXPECT_EQ(ncu::duration_ns(csv, csv.launches[0]), 2500);
}

TEST(NcuCsv, WithoutALaunchTheReasonIsOneLine) {
  const auto error_of = [](std::string_view text) { return read_trace_text(text, {}, "r.csv").error.value_or(""); };
  EXPECT_THAT(error_of("==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - no permission\n"),
              HasSubstr("ERR_NVGPUCTRPERM"));
  EXPECT_THAT(error_of(raw_header + "\"x__y\"\n"), HasSubstr("without a launch"));
  EXPECT_THAT(error_of(R"("Process ID","Kernel Name","Invocations","Metric Name","Average")"
                       "\n"
                       R"("1","k","3","a__b","2")"),
              HasSubstr("--print-summary"));
}

TEST(NcuCsv, ACutOrDamagedRowIsLeftOut) {
  const std::string rows = raw_header + "\"gpu__time_duration.sum\"\n" + launch_cells(0, "k") + "\"5\"\n";
  Problems problems;
  ncu::ReportRead read = read_csv_text(rows + launch_cells(1, "k"), problems);
  EXPECT_EQ(read.report.launches.size(), 1u);
  EXPECT_EQ(problems.count_of(ProblemKind::truncated), 1u);
  Problems lost;
  read = read_csv_text(rows + "\"1\",\"7\",\"app\"\n" + launch_cells(2, "k") + "\"6\"\n", lost);
  EXPECT_EQ(read.report.launches.size(), 2u);
  EXPECT_EQ(lost.count_of(ProblemKind::lost_event), 1u);
}

TEST(NcuCsv, NoCutIsFatalAndTheWindowDoesNotMatter) {
  const std::string text = sample_csv("four_kernels.raw.csv.gz") + sample_csv("four_kernels.source.csv.gz");
  for (std::size_t i = 1; i <= 12; ++i) {
    const std::string_view cut = std::string_view(text).substr(0, text.size() * i / 12);
    Problems small_problems, problems;
    const ncu::ReportRead small = read_csv_text(cut, small_problems, 4096), large = read_csv_text(cut, problems);
    EXPECT_EQ(small.report.launches.size(), large.report.launches.size());
    EXPECT_EQ(small.report.bytes(), large.report.bytes());
  }
}

}  // namespace
}  // namespace warpwalk::trace::test
