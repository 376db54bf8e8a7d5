// Simulated launches beside those that Nsight Compute measured on an H200.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/platform/temporary_folder.h"
#include "core/run/launch/report.h"
#include "core/run/measured/compare_measured.h"
#include "core/run/measured/measured_lines.h"
#include "core/run/measured/pair_launches.h"
#include "core/run/measured/report_code.h"
#include "core/run/measured/summary.h"
#include "core/trace/ncu/read_report.h"
#include "tests/trace/ncu_sample.h"

namespace warpwalk::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using trace::ncu::Report;

const Report& measured_sample() {
  static const Report report = [] {
    trace::Problems problems;
    return trace::test::read_ncu_sample(trace::test::ncu_sample(), problems);
  }();
  return report;
}

TEST(PairLaunches, TheNthOfAKernelIsTheNthOfItsName) {
  Report report;
  for (const char* const name : {"a", "b", "a", "c"}) report.launches.emplace_back().function = name;
  report.launches[1].mangled = "_Z1bv";
  const auto rows = pair_launches({"a", "_Z1bv", "b", "a", "a"}, report);
  EXPECT_THAT(rows, ElementsAre(0u, 1u, std::nullopt, 2u, std::nullopt));
}

TEST(PairLaunches, AChosenLaunchMustExist) {
  const Report& report = measured_sample();
  EXPECT_EQ(*chosen_launch(report, "_Z4sumsPKfPf", {}), 2u);
  EXPECT_EQ(*chosen_launch(report, "other", 4), 3u);
  EXPECT_THAT(chosen_launch(report, "other", {}).error(), HasSubstr("no launch of other, but of saxpy, strided, sums"));
  EXPECT_THAT(chosen_launch(report, "other", 5).error(), HasSubstr("--ncu-launch 5: the report has 4 launches"));
  EXPECT_FALSE(chosen_launch(report, "other", 0));
}

// The rows of ncu's source page that have a line number.
TEST(LinesMeasured, AreThoseOfTheSourcePage) {
  const Report& report = measured_sample();
  std::size_t launch = 0, compared = 0;
  std::vector<std::string> header;
  MeasuredLines lines;
  for (const std::vector<std::string>& row : trace::test::ncu_csv("four_kernels.source.csv.gz")) {
    if (row[0] == "Function Name") lines = measured_lines(report, report.launches.at(launch++), "k.cu");
    if (row[0] == "Line No") header = row;
    if (row.size() != header.size() || row[0].empty() || row[0] == "Line No") continue;
    const auto number = [&](const char* column) {
      return std::stoull(row[static_cast<std::size_t>(std::ranges::find(header, column) - header.begin())]);
    };
    const auto known = lines.lines.find(std::stoull(row[0]));
    const LineMeasurements line = known == lines.lines.end() ? LineMeasurements{} : known->second;
    EXPECT_EQ(line.instructions, number("Instructions Executed")) << row[1];
    EXPECT_EQ(line.sectors, number("L2 Theoretical Sectors Global")) << row[1];
    EXPECT_EQ(line.ideal_sectors, number("L2 Theoretical Sectors Global Ideal")) << row[1];
    std::uint64_t samples = 0;
    for (const auto& [reason, count] : line.samples) samples += count;
    EXPECT_EQ(samples, number("# Samples")) << row[1];
    EXPECT_EQ(line.samples.contains("long_scoreboard") ? line.samples.at("long_scoreboard") : 0,
              number("stall_long_sb"));
    compared += line.instructions > 0;
  }
  EXPECT_EQ(launch, 4u);
  EXPECT_GT(compared, 15u);
  EXPECT_THAT(std::string(source_text_of(report, report.launches[0], "k.cu")), HasSubstr("int main()"));
}

Report csv_sample() {
  const auto file = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/trace/data/ncu/four_kernels.source.csv.gz";
  auto read = trace::ncu::read_report_file(file);
  EXPECT_TRUE(read) << (read ? "" : read.error());
  return read ? std::move(read->report) : Report();
}

// The lines of a report follow from its machine code, those of the CSV are ncu's own.
TEST(LinesMeasured, OfACsvAreThoseOfTheReport) {
  const Report& report = measured_sample();
  const Report csv = csv_sample();
  ASSERT_EQ(csv.launches.size(), report.launches.size());
  for (std::size_t i = 0; i < csv.launches.size(); ++i) {
    const MeasuredLines expected = measured_lines(report, report.launches[i], "k.cu");
    const MeasuredLines read = measured_lines(csv, csv.launches[i], "k.cu");
    EXPECT_EQ(read.source_file, "k.cu");
    EXPECT_EQ(read.stalled, expected.stalled);
    for (const auto& [line, values] : expected.lines) {
      if (values.instructions == 0) continue;
      ASSERT_TRUE(read.lines.contains(line)) << line;
      const LineMeasurements& same = read.lines.at(line);
      EXPECT_EQ(same.instructions, values.instructions) << line;
      EXPECT_EQ(same.sectors, values.sectors) << line;
      EXPECT_EQ(same.samples, values.samples) << line;
      EXPECT_FALSE(same.text.empty());
    }
  }
  EXPECT_THAT(measured_lines(csv, csv.launches[0], "other.cu").missing, HasSubstr("no lines of other.cu"));
}

TEST(PairLaunches, OfACsvAreFoundByTheFunction) {
  const Report csv = csv_sample();
  EXPECT_EQ(*chosen_launch(csv, "_Z4sumsPKfPf", {}), 2u);
  EXPECT_EQ(*chosen_launch(csv, "transpose", {}), 3u);
  EXPECT_FALSE(chosen_launch(csv, "_Z5otherPf", {}));
}

TEST(LinesMeasured, SayWhyTheyAreMissing) {
  Report report = measured_sample();
  report.sources[0].cubin.clear();
  EXPECT_THAT(measured_lines(report, report.launches[0], "k.cu").missing, HasSubstr("-lineinfo"));
  report.launches[0].by_instruction.clear();
  EXPECT_THAT(measured_lines(report, report.launches[0], "k.cu").missing, HasSubstr("SourceCounters"));
}

TEST(CompareMeasured, TheMeasuredCodeHasTheMeasuredCounts) {
  const Report& report = measured_sample();
  const auto device = gpu::load_device(std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/devices/h200.json");
  ASSERT_TRUE(device);
  const platform::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "launch.json";
  std::ofstream(folder.path() / "k.cubin", std::ios::binary) << report.sources[0].cubin;
  std::ofstream(file) << R"({"kernel": "transpose", "cubin": "k.cubin", "grid": [32, 32, 1], "block": [32, 32, 1],
    "args": [{"buffer": "in", "dtype": "f32", "count": 1048576, "fill": 0},
             {"buffer": "out", "dtype": "f32", "count": 1048576, "fill": 0}, {"scalar": 1024, "dtype": "i32"}]})";
  auto loaded = load_launch(file, *device);
  ASSERT_TRUE(loaded) << loaded.error();
  gpu::SimulateOptions how;
  how.by_instruction = true;
  auto result = run_launch(*device, *loaded, how);
  ASSERT_TRUE(result) << result.error();
  const BesideMeasured beside = compare_with_measured(report, 3, "r.ncu-rep", *device, *loaded, *result, "");
  EXPECT_EQ(beside.launch, 4u);
  EXPECT_EQ(beside.gpu, "NVIDIA H200");
  EXPECT_THAT(beside.notes, ElementsAre());
  for (const char* const name :
       {"registers", "blocks_per_sm", "occupancy_pct", "warp_instructions", "thread_instructions",
        "global_load_sectors", "global_store_sectors", "shared_load_wavefronts", "shared_bank_conflicts"}) {
    const auto pair = std::ranges::find(beside.figures, name, &MeasuredPair::name);
    ASSERT_NE(pair, beside.figures.end()) << name;
    EXPECT_EQ(pair->ratio(), 1.0) << name << ": " << pair->measured << ", " << pair->simulated;
  }
  EXPECT_EQ(beside.source_file, "k.cu");
  for (const MeasuredLine& line : beside.lines) {
    EXPECT_EQ(line.measured_instructions, line.simulated_instructions) << line.line;
    EXPECT_EQ(line.measured_sectors, line.simulated_sectors) << line.line;
    EXPECT_EQ(line.measured_conflicts, line.simulated_conflicts) << line.line;
  }
  result->measured = beside;
  const std::string text = report_text(*device, *loaded, *result), json = report_json(*device, *loaded, *result);
  EXPECT_THAT(text, HasSubstr("beside launch 4 of r.ncu-rep (Nsight Compute 2025.3.1.0, NVIDIA H200)"));
  EXPECT_THAT(json, HasSubstr("\"measured_lines\""));
  EXPECT_EQ(same_code(report.sources[0].cubin, loaded->cubin, "_Z9transposePKfPfi"), true);
  EXPECT_EQ(same_code(report.sources[0].cubin, "no cubin", "_Z9transposePKfPfi"), std::nullopt);
}

TEST(CompareMeasured, TheSummaryHasTheRatios) {
  std::vector<BesideMeasured> launches(3);
  launches[0].figures = {{"cycles", 100, 110}, {"stall_wait", 1, 5, true}};
  launches[1].figures = {{"cycles", 100, 90}, {"registers", 16, 16}};
  launches[2].figures = {{"cycles", 100, 102}, {"conflicts", 0, 3}};
  const std::vector<FigureSummary> rows = summarize(launches);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].name, "cycles");
  EXPECT_EQ(rows[0].launches, 3u);
  EXPECT_DOUBLE_EQ(rows[0].median_ratio, 1.02);
  EXPECT_DOUBLE_EQ(rows[0].least_ratio, 0.9);
  EXPECT_DOUBLE_EQ(rows[0].greatest_ratio, 1.1);
  const auto registers = std::ranges::find(rows, "registers", &FigureSummary::name);
  EXPECT_EQ(registers->equal, 1u);
  EXPECT_EQ(std::ranges::find(rows, "conflicts", &FigureSummary::name)->ratios, 0u);
}

}  // namespace
}  // namespace warpwalk::run
