// The lab "observe": windows against a count by unit steps, its figures against the record, and the record against
// itself.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/records/hardware.h"
#include "core/story/labs/observe/observe.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

const records::ObserverRecord& observer_record() { return *hardware().observers; }

double recorded_figure(std::string_view moment, std::string_view tool, std::string_view figure) {
  const auto value = observer_record().number(moment, tool, figure);
  EXPECT_TRUE(value.has_value()) << moment << " " << tool << " " << figure;
  return value.value_or(std::nan(""));
}

TEST(Sampling, IsACountOfUnitSteps) {
  for (const int kernel : {1, 3, 10})
    for (const int gap : {0, 1, 4, 25})
      for (const int window : {1, 2, 7, 30})
        for (const int offset : {0, 1, 6}) {
          const auto shares = window_shares({double(kernel), double(gap)}, window, offset, 9);
          for (int i = 0; i < 9; ++i) {
            int busy = 0;
            for (int t = offset + i * window; t < offset + (i + 1) * window; ++t) busy += t % (kernel + gap) < kernel;
            ASSERT_NEAR(shares[static_cast<std::size_t>(i)], 100.0 * busy / window, 1e-9)
                << kernel << " " << gap << " " << window << " " << offset << " " << i;
          }
        }
  EXPECT_EQ(gpu_share(1, 4, 132, 64).sms, 1.0 / 132);
  EXPECT_EQ(gpu_share(132, 4, 132, 64).occupancy, 4.0 / 64);
  EXPECT_EQ(gpu_share(1e6, 4, 132, 64).occupancy, 1);
}

TEST(ObserveLab, TheRecordSaysWhatTheLabClaims) {
  // Utilization is blind to the size of a kernel.
  EXPECT_GT(recorded_figure("tiny", "nvml", "utilization"), 95);
  EXPECT_LT(recorded_figure("tiny", "gpm", "sm_util"), 1);
  EXPECT_NEAR(recorded_figure("tiny", "gpm", "sm_util"), 100.0 / 132, 0.15);
  // One warp of 64 on one of 132 SMs.
  EXPECT_NEAR(recorded_figure("tiny", "gpm", "sm_occupancy"), 100.0 / 132 / 64, 0.002);
  EXPECT_NEAR(recorded_figure("tiny", "ncu", "achieved_occupancy"), 100.0 / 64, 0.01);
  // The layers of memory.
  for (const std::string_view moment : Observe::moments) {
    EXPECT_LE(recorded_figure(moment, "torch", "memory_allocated"),
              recorded_figure(moment, "torch", "memory_reserved"));
    EXPECT_LE(recorded_figure(moment, "torch", "memory_reserved"),
              recorded_figure(moment, "smi", "process_memory") * 1024 * 1024);
    EXPECT_EQ(recorded_figure(moment, "nvml", "used") + recorded_figure(moment, "nvml", "free"),
              recorded_figure(moment, "nvml", "total"));
    EXPECT_EQ(recorded_figure(moment, "nvml", "free"), recorded_figure(moment, "torch", "mem_get_info_free"));
  }
  // Busy memory needs occupancy, busy Tensor Cores do not.
  EXPECT_GT(recorded_figure("memory", "gpm", "sm_occupancy"), 5 * recorded_figure("compute", "gpm", "sm_occupancy"));
  EXPECT_GT(recorded_figure("compute", "gpm", "tensor_util"), 90);
}

TEST(ObserveLab, MeasuredUtilizationIsTheShareOfTime) {
  const auto all = measured_duties(observer_record());
  ASSERT_GT(all.size(), 10u);
  std::size_t bursts = 0;
  for (const MeasuredDuty& one : all) {
    if (one.kernel_us == 0) {
      EXPECT_EQ(one.utilization(), 0);
      continue;
    }
    // A launch and its end take some microseconds, so tiny gaps are longer than asked for.
    const DutyCycle duty{one.kernel_us, one.gap_us};
    if (one.kernel_us >= 1000) {
      EXPECT_NEAR(one.busy, 100 * duty.share(), 1.5) << one.kernel_us << " " << one.gap_us;
    }
    EXPECT_NEAR(one.utilization(), one.busy, 5) << one.kernel_us << " " << one.gap_us;
    if (one.kernel_us < 100000) continue;
    ++bursts;
    ASSERT_TRUE(one.renewed().has_value());
  }
  EXPECT_EQ(bursts, 2u);
  for (const MeasuredDuty& one : all)
    if (one.kernel_us == 100000) {
      EXPECT_NEAR(*one.renewed(), 200, 25);
    }
}

TEST(ObserveLab, ItsFiguresAreThoseOfTheRecord) {
  const Stage tiny = lab_with("lab/observe", 1, {{"moment", 1}});
  EXPECT_EQ(fact_text(tiny, "Utilization (nvidia-smi)"),
            fmt::format("{:g} %", recorded_figure("tiny", "smi", "utilization.gpu")));
  EXPECT_EQ(fact_text(tiny, "Blocks"), "1");
  const auto& rows = panel_picture<TablePicture>(tiny).rows;
  EXPECT_EQ(rows.size(), std::size(Observe::instruments));
  const Stage idle = lab_with("lab/observe", 1, {{"moment", 0}, {"instrument", 9}});
  EXPECT_EQ(fact_text(idle, "Blocks"), "(none)");
  EXPECT_TRUE(panel_picture<TablePicture>(idle).rows.at(9).followed);
  // 1 GiB per cell: two of tensors, four of cache.
  const Stage memory = lab_with("lab/observe", 3, {{"moment", 0}});
  const auto& grid = panel_picture<CellGrid>(memory);
  EXPECT_EQ(std::ranges::count(grid.cells, Tone::memory, &Cell::tone), 2);
  EXPECT_EQ(std::ranges::count(grid.cells, Tone::shared, &Cell::tone), 4);
  EXPECT_EQ(std::ranges::count(grid.cells, Tone::host, &Cell::tone), 1);
  EXPECT_EQ(grid.cells.size(), 141u);
  const Stage share = lab_with("lab/observe", 4, {{"kernel", 1000}, {"gap", 1000}, {"blocks", 66}});
  EXPECT_EQ(fact_text(share, "Utilization"), "50.0 %");
  EXPECT_EQ(fact_text(share, "SMs with work"), "25.0 %");
  EXPECT_EQ(fact_text(share, "Occupancy"), "1.56 %");
}

TEST(ObserveLab, EveryInstrumentIsExplained) {
  std::set<std::string> texts;
  for (std::size_t i = 0; i < std::size(Observe::instruments); ++i) {
    const Stage stage = lab_with("lab/observe", 1, {{"instrument", static_cast<double>(i)}});
    const auto& panels = lab_panels(stage).rows.at(0).panels;
    texts.insert(std::get<TablePicture>(panels.at(0).picture).rows.at(i).cells.at(1).text);
    for (const TableRow& row : std::get<TablePicture>(panels.at(1).picture).rows) {
      EXPECT_THAT(row.cells.at(1).text, ::testing::Not(::testing::HasSubstr("(no narration")));
      texts.insert(row.cells.at(1).text);
    }
  }
  for (const std::string& key : english().keys("lab/observe.instrument"))
    EXPECT_TRUE(texts.contains(english().text("lab/observe.instrument", key))) << key;
}

TEST(ObserveLab, WithoutARecordItSaysSo) {
  for (const std::int64_t beat : {1, 2, 3, 4, 5, 6}) {
    const Stage stage = lab_without_records("lab/observe", beat);
    EXPECT_EQ(stage.title, "No moment is recorded here");
    EXPECT_EQ(stage.missing.size(), 1u);
  }
  EXPECT_TRUE(lab_without_records("lab/observe", 7).missing.empty());
  EXPECT_EQ(records::parse_observer_readings("x\n").error(), "line 1: expected moment,instrument,figure,value");
  EXPECT_EQ(records::parse_duty_readings("kind,blocks,kernel_us,gap_us,at_ms,value\nbusy,1,2,3,4,\n").error(),
            "row 1: \"\" is not a number");
}

TEST(ObserveLab, TasksAreDoneByTheSettings) {
  const auto done = [](std::initializer_list<std::pair<const char*, double>> settings) {
    return tasks_done("lab/observe", settings);
  };
  EXPECT_EQ(done({{"gap", 9000}}), "------");
  EXPECT_EQ(done({{"gap", 0}}), "x-----");
  EXPECT_EQ(done({{"blocks", 2112}, {"kernel", 10000}, {"gap", 9000}, {"window", 50}}), "-x----");
  EXPECT_EQ(done({{"blocks", 132}, {"gap", 9000}, {"kernel", 10000}, {"window", 50}}), "-xx---");
  EXPECT_EQ(done({{"gap", 20000}, {"kernel", 10000}, {"window", 50}}), "---x--");
  EXPECT_EQ(done({{"gap", 9000}, {"kernel", 10000}, {"window", 50}, {"moment", 5}}), "----x-");
  EXPECT_EQ(done({{"gap", 9000}, {"kernel", 10000}, {"window", 50}, {"moment", 4}}), "-----x");
}

}  // namespace
}  // namespace warpwalk::story::testing
