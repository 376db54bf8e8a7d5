// The lab "tiling": overlapping against a simulation by unit steps, the instructions against the compiled kernels, and
// its figures against the records.
#include "core/story/labs/tiling/tiling.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "core/gpu/device/device.h"
#include "core/records/hardware.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/forms/decode.h"
#include "core/sass/text.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

const std::filesystem::path labs_folder = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/validate/labs";

// Time by time: a copier and a multiplier, each busy with one step, and a number of buffers.
int tiling_time(int steps, int copy, int multiply, int buffers) {
  int copied = 0, multiplied = 0, copying = 0, multiplying = 0;
  for (int now = 0;; ++now) {
    if (copying > 0 && --copying == 0) ++copied;
    if (multiplying > 0 && --multiplying == 0) ++multiplied;
    if (multiplied == steps) return now;
    if (multiplying == 0 && copied > multiplied) multiplying = multiply;
    if (copying == 0 && copied < steps && copied - multiplied < buffers) copying = copy;
  }
}

TEST(Overlap, IsThatOfACopierAndAMultiplier) {
  for (const int steps : {1, 2, 7})
    for (const int copy : {1, 3, 8})
      for (const int multiply : {1, 3, 5, 8})
        for (const int buffers : {1, 2, 3, 4}) {
          const std::vector<OverlapStep> all = overlapped(steps, copy, multiply, buffers);
          EXPECT_EQ(all.back().multiply_end, tiling_time(steps, copy, multiply, buffers))
              << steps << " " << copy << " " << multiply << " " << buffers;
          const double closed =
              buffers == 1 ? steps * (copy + multiply) : copy + multiply + (steps - 1) * std::max(copy, multiply);
          EXPECT_EQ(all.back().multiply_end, closed);
        }
  EXPECT_TRUE(overlapped(0, 1, 1, 2).empty());
}

TEST(Tiling, ItsInstructionsAreThoseOfTheCompiledKernels) {
  std::ostringstream ptx;
  ptx << std::ifstream(labs_folder / "labs.ptx").rdbuf();
  const gzFile file = gzopen((labs_folder / "labs.cubin.gz").c_str(), "rb");
  ASSERT_NE(file, nullptr);
  std::string cubin;
  char part[4096];
  for (int n = 0; (n = gzread(file, part, sizeof part)) > 0;) cubin.append(part, static_cast<std::size_t>(n));
  gzclose(file);
  const auto parsed = sass::parse_cubin(cubin);
  ASSERT_TRUE(parsed) << parsed.error();
  std::string machine;
  const auto& code = *parsed;
  for (const sass::CubinFunction& function : code.functions)
    for (const sass::Decoded& one : sass::decode(code.architecture, function.code))
      machine += std::holds_alternative<sass::Instruction>(one)
                     ? sass::text_of(std::get<sass::Instruction>(one), code.architecture) + "\n"
                     : std::get<sass::UnknownInstruction>(one).what + "\n";
  const Stage stage = lab_with("lab/tiling", 6);
  const auto& table = panel_picture<TablePicture>(stage);
  ASSERT_EQ(table.rows.size(), 7u);
  for (const TableRow& row : table.rows) {
    EXPECT_THAT(ptx.str(), ::testing::HasSubstr(row.cells.at(2).text));
    EXPECT_THAT(machine, ::testing::HasSubstr(row.cells.at(3).text));
  }
}

TEST(Tiling, BytesAreTheSimulatedSectorsUpToTheResult) {
  // The simulated launches load both matrices as often as the formula says, and store the result.
  for (const auto& [launch, edge] : {std::pair{"tiling_tiled", 32.0}, {"tiling_registers", 64.0}}) {
    const records::LabRun* const run = find_run(hardware().lab_runs, launch);
    ASSERT_NE(run, nullptr);
    const double formula = 2.0 * 1024 * 1024 * 1024 * 4 / edge, bytes = 32 * run->global_sectors;
    EXPECT_GE(bytes, formula + 1024 * 1024 * 4);
    EXPECT_LE(bytes, formula + 4 * 1024 * 1024 * 4);
  }
  const Stage stage = lab_with("lab/tiling", 2, {{"tile", 32}});
  EXPECT_EQ(fact_text(stage, "Loaded by all blocks"), "256 MiB");
  EXPECT_EQ(fact_text(stage, "Shared memory per block"), "8 KiB");
  EXPECT_EQ(fact_text(stage, "Operations per loaded byte"), "8 FLOP/B");
}

TEST(Tiling, TheRooflineIsThatOfTheDescription) {
  const Stage stage = lab_with("lab/tiling", 3);
  const gpu::Device& device = *hardware().find("h200");
  const double peak = 2e-12 * static_cast<double>(*device.sm_count * *device.fp32_lanes) * *device.sm_clock;
  EXPECT_EQ(fact_text(stage, "Peak of the FP32 lanes"), fmt::format("{:.1f} TFLOP/s", peak));
  const auto& picture = panel_picture<ScatterPicture>(stage);
  for (const ScatterPoint& point : picture.points) EXPECT_LE(point.y, 1e12 * peak) << point.name;
}

TEST(Tiling, TheKernelsAreThoseOfTheRecord) {
  const Stage stage = lab_with("lab/tiling", 4);
  for (const auto& [label, launch] :
       {std::pair{"naive", "tiling_naive"}, {"shared memory", "tiling_tiled"}, {"cuda::barrier", "tiling_barrier"}})
    EXPECT_EQ(
        fact_text(stage, label),
        with_thousands(static_cast<std::int64_t>(*find_run(hardware().lab_runs, launch)->cycles.measured)) + " cycles");
  EXPECT_EQ(lab_without_records("lab/tiling", 4).title, "No launch is recorded here");
  for (const std::int64_t beat : {1, 2, 3, 5, 6, 7})
    EXPECT_TRUE(lab_without_records("lab/tiling", beat).missing.empty());
}

TEST(Tiling, TasksAreDoneByTheSettings) {
  const auto done = [](double tile, double copy, double multiply, double buffers) {
    return tasks_done("lab/tiling", {{"tile", tile}, {"copy", copy}, {"multiply", multiply}, {"buffers", buffers}});
  };
  EXPECT_EQ(done(1, 400, 300, 2), "-----");
  EXPECT_EQ(done(128, 400, 300, 2), "x----");
  EXPECT_EQ(done(256, 400, 300, 2), "-----");  // does not fit
  EXPECT_EQ(done(64, 400, 300, 2), "-x---");
  EXPECT_EQ(done(1, 300, 400, 2), "--x--");
  EXPECT_EQ(done(1, 50, 500, 1), "---x-");
  EXPECT_EQ(done(1, 400, 400, 2), "----x");
}

}  // namespace
}  // namespace warpwalk::story::testing
