// The labs of the thread hierarchy, divergence and occupancy against counts made one by one and
// against published limits.
#include <array>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/blocks/littles_law.h"
#include "core/gpu/blocks/occupancy.h"
#include "core/records/hardware.h"
#include "core/story/labs/warp/mask_run.h"
#include "core/story/scene_list.h"
#include "tests/story/crafted/crafted.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view hierarchy_lab = "lab/hierarchy", divergence_lab = "lab/divergence",
                           occupancy_lab_name = "lab/occupancy";

TEST(HierarchyLab, NumbersThreadsAsNestedLoopsDo) {
  for (const auto& [x, y, z] : {std::array{16, 8, 2}, {24, 4, 1}, {1, 1, 64}, {1024, 1, 1}, {3, 8, 32}}) {
    int number = 0;
    const Stage stage = lab_with(hierarchy_lab, 2, {{"block_x", x}, {"block_y", y}, {"block_z", z}});
    const int set_x = static_cast<int>(lab_control(stage, "block_x")),
              set_y = static_cast<int>(lab_control(stage, "block_y")),
              set_z = static_cast<int>(lab_control(stage, "block_z"));
    const auto& cells = panel_picture<CellGrid>(stage).cells;
    ASSERT_EQ(cells.size(), static_cast<std::size_t>(set_x * set_y * set_z));
    for (int k = 0; k < set_z; ++k)
      for (int j = 0; j < set_y; ++j)
        for (int i = 0; i < set_x; ++i, ++number) {
          EXPECT_EQ(cells[static_cast<std::size_t>(number)].tip,
                    fmt::format("thread ({}, {}, {}): number {}, warp {}, lane {}", i, j, k, number, number / 32,
                                number % 32));
          if (number % 37 != 0) continue;
          const Stage there = lab_with(
              hierarchy_lab, 3, {{"block_x", x}, {"block_y", y}, {"block_z", z}, {"thread", number}, {"block", 5}});
          EXPECT_EQ(fact_text(there, "Its warp and lane"), fmt::format("{}, {}", number / 32, number % 32));
          EXPECT_EQ(fact_text(there, "Index in the grid"), with_thousands(5 * set_x * set_y * set_z + number));
        }
  }
}

TEST(HierarchyLab, NoSettingAsksForTooManyThreads) {
  for (const double x : {1.0, 7.0, 96.0, 1024.0})
    for (const double y : {1.0, 33.0, 1024.0})
      for (const double z : {1.0, 64.0}) {
        const Stage stage = lab_with(hierarchy_lab, 2, {{"block_x", x}, {"block_y", y}, {"block_z", z}});
        const double threads =
            lab_control(stage, "block_x") * lab_control(stage, "block_y") * lab_control(stage, "block_z");
        EXPECT_LE(threads, 1024);
        EXPECT_LE(lab_control(stage, "block_z"), 64);
      }
}

TEST(HierarchyLab, AClusterDividesTheGrid) {
  for (const double x : {1.0, 2.0, 6.0, 12.0, 32.0}) {
    const Stage stage = lab_with(hierarchy_lab, 4, {{"grid_x", x}, {"cluster", 8}});
    const int grid = static_cast<int>(lab_control(stage, "grid_x")),
              cluster = static_cast<int>(lab_control(stage, "cluster"));
    EXPECT_EQ(grid % cluster, 0) << x;
    EXPECT_LE(cluster, 8);
  }
}

TEST(HierarchyLab, TasksAreDoneByTheirSettings) {
  EXPECT_EQ(tasks_done(hierarchy_lab, {{"block_x", 8}, {"block_y", 8}, {"block_z", 4}}).substr(0, 2), "x-");
  EXPECT_EQ(tasks_done(hierarchy_lab, {{"block_x", 24}, {"block_y", 3}, {"block_z", 1}}), "-x--x-");
  EXPECT_EQ(tasks_done(hierarchy_lab, {{"block_x", 32}, {"block_y", 4}, {"thread", 32}}).substr(2, 2), "xx");
  EXPECT_EQ(tasks_done(hierarchy_lab, {{"grid_x", 8}, {"grid_y", 1}, {"cluster", 2}})[5], 'x');
}

using Shape = MaskProgram::Shape;
using Condition = MaskProgram::Condition;

// Every lane by itself: what it would run alone.
std::int64_t alone(const MaskProgram& program, int lane) {
  const int way = way_of(program, lane);
  const int bodies = program.shape == Shape::loop ? way : program.shape == Shape::one_sided ? (way == 0 ? 1 : 0) : 1;
  return 3 + std::int64_t{bodies} * program.body;
}

TEST(DivergenceLab, NoLaneRunsMoreOrLessThanAlone) {
  for (const Shape shape : {Shape::one_sided, Shape::two_sided, Shape::cases, Shape::loop})
    for (const Condition condition :
         {Condition::first_lanes, Condition::every_nth, Condition::by_hash, Condition::by_warp})
      for (const int split : {1, 2, 7, 16, 32})
        for (const int body : {1, 8}) {
          const MaskProgram program = {shape, condition, split, body};
          const std::vector<MaskSegment> run = mask_run(program);
          std::int64_t lanes = 0, warp = 0;
          for (int lane = 0; lane < 32; ++lane) {
            std::int64_t own = 0;
            for (const MaskSegment& segment : run)
              if ((segment.mask >> lane & 1) != 0) own += segment.instructions;
            EXPECT_EQ(own, alone(program, lane));
            lanes += own;
          }
          for (const MaskSegment& segment : run) {
            EXPECT_NE(segment.mask, 0u);
            warp += segment.instructions;
          }
          const MaskCounts counts = counts_of(run);
          EXPECT_EQ(counts.lanes, lanes);
          EXPECT_EQ(counts.warp, warp);
          if (condition == Condition::by_warp) {
            EXPECT_EQ(counts.efficiency(), 100);
          }
        }
}

TEST(DivergenceLab, TheConditionsSplitTheWarpAsTheySay) {
  const auto taken = [](Condition condition, int split) {
    int lanes = 0;
    for (int lane = 0; lane < 32; ++lane) lanes += way_of({Shape::two_sided, condition, split, 1}, lane) == 0;
    return lanes;
  };
  for (int split = 1; split <= 32; ++split) {
    EXPECT_EQ(taken(Condition::first_lanes, split), split);
    EXPECT_EQ(taken(Condition::every_nth, split), (32 + split - 1) / split);
    std::set<int> cases;
    for (int lane = 0; lane < 32; ++lane) cases.insert(way_of({Shape::cases, Condition::every_nth, split, 1}, lane));
    EXPECT_EQ(static_cast<int>(cases.size()), split);
  }
}

TEST(DivergenceLab, TasksAreDoneByTheirSettings) {
  EXPECT_EQ(tasks_done(divergence_lab, {}), "------");
  EXPECT_EQ(tasks_done(divergence_lab, {{"shape", 2}, {"condition", 1}, {"split", 32}}), "x-----");
  EXPECT_EQ(tasks_done(divergence_lab, {{"condition", 1}, {"split", 2}}), "-x----");
  EXPECT_EQ(tasks_done(divergence_lab, {{"condition", 3}}), "--x---");
  EXPECT_EQ(tasks_done(divergence_lab, {{"shape", 3}, {"split", 32}}), "---x--");
  EXPECT_EQ(tasks_done(divergence_lab, {{"shape", 3}, {"condition", 3}}), "----x-");
  EXPECT_EQ(tasks_done(divergence_lab, {{"shape", 0}, {"split", 1}, {"body", 32}}), "-----x");
}

// By the table of compute capability 9.0 in the CUDA C++ Programming Guide, computed by hand.
TEST(OccupancyLab, FitsBlocksAsThePublishedLimitsSay) {
  const auto warps = [](double block, double registers, double shared) {
    return fact_text(lab_with(occupancy_lab_name, 1, {{"block", block}, {"registers", registers}, {"shared", shared}}),
                     "Warps per SM");
  };
  EXPECT_EQ(warps(256, 32, 0), "64");
  EXPECT_EQ(warps(256, 33, 0),
            "48");  // 40 registers as allocated: 1,280 per warp, 12 warps of 16,384 per sub-partition
  EXPECT_EQ(warps(256, 64, 0), "32");
  EXPECT_EQ(warps(256, 255, 0), "8");
  EXPECT_EQ(warps(1024, 65, 0), "0");      // 1,024 threads × 72 registers are more than 65,536
  EXPECT_EQ(warps(32, 32, 0), "32");       // 32 blocks
  EXPECT_EQ(warps(128, 32, 102400), "8");  // 100 KiB each, with 1 KiB reserved: 2 of 228
}

TEST(OccupancyLab, LittlesLawFromThePublishedFigures) {
  const gpu::Device& h200 = *hardware().find("h200");
  const gpu::MemoryInFlight memory(h200);
  const double seconds = 655 / 1.98e9;
  EXPECT_NEAR(memory.needed, 4.8e12 / 132 * seconds, 1e-6);
  EXPECT_NEAR(memory.share(memory.needed / 2), 0.5, 1e-12);
  EXPECT_EQ(memory.share(10 * memory.needed), 1);
  const auto share = [](double loads, double width) {
    return fact_text(lab_with(occupancy_lab_name, 3,
                              {{"block", 256}, {"registers", 32}, {"shared", 0}, {"loads", loads}, {"width", width}}),
                     "Bandwidth, at most");
  };
  EXPECT_EQ(share(1, 0), fmt::format("{:.1f} %", 100 * 64 * 128 / (4.8e12 / 132 * seconds)));
  EXPECT_EQ(share(2, 0), "100.0 %");
  EXPECT_EQ(share(1, 2), "100.0 %");
}

TEST(OccupancyLab, MoreIsNotFasterAsRecorded) {
  const auto run = [](int blocks) { return find_run(hardware().lab_runs, fmt::format("windows_{}", blocks)); };
  for (const int blocks : {1, 2, 4, 6, 8}) EXPECT_LT(*run(3)->active.measured, *run(blocks)->active.measured);
  // The simulated launches agree that neither few blocks nor many are the fastest, and the work is the same.
  EXPECT_LT(*run(3)->active.simulated, *run(1)->active.simulated);
  EXPECT_LT(*run(3)->active.simulated, *run(8)->active.simulated);
  EXPECT_NEAR(run(8)->instructions / run(1)->instructions, 1, 0.01);
  const Stage stage = lab_with(occupancy_lab_name, 5);
  EXPECT_EQ(stage.title, "3 blocks per SM are the fastest; eight take 35 % longer");
  EXPECT_EQ(lab_without_records(occupancy_lab_name, 5).title, "No launch is recorded here");
}

TEST(OccupancyLab, TasksAreDoneByTheirSettings) {
  EXPECT_EQ(tasks_done(occupancy_lab_name, {{"block", 256}, {"registers", 32}, {"shared", 0}}), "x----x");
  EXPECT_EQ(tasks_done(occupancy_lab_name, {{"block", 256}, {"registers", 128}, {"shared", 0}}), "-x----");
  EXPECT_EQ(tasks_done(occupancy_lab_name, {{"block", 128}, {"registers", 32}, {"shared", 102400}}), "--x---");
  EXPECT_EQ(tasks_done(occupancy_lab_name, {{"block", 32}, {"registers", 32}, {"shared", 0}}), "---x--");
  EXPECT_EQ(tasks_done(occupancy_lab_name, {{"block", 256}, {"registers", 128}, {"shared", 0}, {"loads", 8}}),
            "-x--x-");
}

// The programs that start on each GPU according to the programming guide: rows are machine code and PTX, columns the
// GPUs.
TEST(ComputeCapabilityLab, StartsAsTheGuideSays) {
  struct Case {
    double cubin, ptx;   // numbers in the lists: 0 none, 1 sm_75, 2 sm_80, 3 sm_86, 4 sm_90, 5 sm_90a, 7 sm_100f
    const char* starts;  // m: machine code, p: PTX, x: error; for 7.0, 7.5, 8.0, 8.6, 8.9, 9.0, 10.0, 10.3, 12.0
  };
  for (const Case& one : {Case{2, 2, "xxmmmpppp"},
                          {2, 0, "xxmmmxxxx"},
                          {0, 1, "xpppppppp"},
                          {0, 5, "xxxxxpxxx"},
                          {4, 1, "xppppmppp"},
                          {3, 7, "xxxmmxppx"},
                          {0, 0, "xxxxxxxxx"}}) {
    const Stage stage = lab_with("lab/compute-capability", 4, {{"cubin", one.cubin}, {"ptx", one.ptx}});
    std::string starts;
    for (const Cell& cell : panel_picture<CellGrid>(stage).cells)
      starts += cell.tone == Tone::work ? 'm' : cell.tone == Tone::shared ? 'p' : 'x';
    EXPECT_EQ(starts, one.starts) << one.cubin << " " << one.ptx;
  }
}

TEST(ComputeCapabilityLab, TasksAreDoneByTheirSettings) {
  constexpr std::string_view lab = "lab/compute-capability";
  EXPECT_EQ(tasks_done(lab, {{"gpu", 2}}), "------");
  EXPECT_EQ(tasks_done(lab, {{"gpu", 5}}), "x-----");
  EXPECT_EQ(tasks_done(lab, {{"gpu", 5}, {"ptx", 0}}), "-x----");
  EXPECT_EQ(tasks_done(lab, {{"gpu", 3}}), "--x---");
  EXPECT_EQ(tasks_done(lab, {{"gpu", 0}, {"cubin", 0}, {"ptx", 5}}), "---x--");
  EXPECT_EQ(tasks_done(lab, {{"gpu", 0}, {"cubin", 0}, {"ptx", 1}}), "----x-");
  EXPECT_EQ(tasks_done(lab, {{"gpu", 0}, {"cubin", 0}, {"ptx", 0}}), "-----x");
}

// Only instructions of the followed kernel count: not comments, and not other kernels of the module.
TEST(ComputeCapabilityLab, AKernelUsesWhatItsOwnInstructionsSay) {
  const auto used = [](std::string_view added, std::string_view before) {
    Crafted made = std::move(crafted_lab().front());
    std::string& ptx = made.trace.records.modules[0].ptx;
    ptx.insert(ptx.find(before), added);
    const Stage stage = stage_at_beat(*find_scene("lab/compute-capability"), made.trace, made.walk, 6);
    std::ptrdiff_t rows = 0;
    for (const TableRow& row : panel_picture<TablePicture>(stage).rows) rows += row.followed ? 1 : 0;
    return rows;
  };
  EXPECT_EQ(used("  redux.sync.add.s32 %r1, %r2, -1;\n", "  ret;"), 1);
  EXPECT_EQ(used("  // redux.sync.add.s32 %r1, %r2, -1;\n", "  ret;"), 0);
  EXPECT_EQ(used(".visible .entry other()\n{\n  redux.sync.add.s32 %r1, %r2, -1;\n}\n", ".visible"), 0);
}

}  // namespace
}  // namespace warpwalk::story::testing
