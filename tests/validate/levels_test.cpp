// assets/kernel_lab/levels/cycles.csv, which lab/ptx-sass shows, is what the model gives now.
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/gpu/timing/launch/time_launch.h"
#include "core/run/launch/run_launch.h"
#include "tests/reference/compared.h"

namespace warpwalk {
namespace {

// The launch of the transpose with the code of a level.
std::filesystem::path launch_with(const std::filesystem::path& lab, const std::string& level) {
  const std::filesystem::path cubin = level == "3" ? lab / "bank_conflicts.cubin.gz"
                                                   : lab / "levels" / fmt::format("bank_conflicts.{}.cubin.gz", level);
  const std::filesystem::path file =
      std::filesystem::path(::testing::TempDir()) / fmt::format("transpose_{}.json", level);
  std::ofstream(file) << fmt::format(
      R"({{ "kernel": "transpose", "cubin": "{}", "grid": [16, 16, 1], "block": [32, 8, 1],
           "args": [{{"buffer": "a", "dtype": "f32", "count": 262144, "fill": "iota"}},
                    {{"buffer": "b", "dtype": "f32", "count": 262144}}, {{"scalar": 512, "dtype": "i32"}}] }})",
      cubin.string());
  return file;
}

TEST(KernelLevels, TheFiguresOfTheTransposeAreWhatTheModelGives) {
  const gpu::Device device = reference::h200();
  const std::filesystem::path lab = std::filesystem::path(WARPWALK_SOURCE_DIR) / "assets/kernel_lab";
  int compared = 0;
  for (const reference::Row& row : reference::rows_of(lab / "levels/cycles.csv")) {
    if (row.at("kernel") != "bank_conflicts") continue;
    auto loaded = run::load_launch(launch_with(lab, row.at("level")), device);
    ASSERT_TRUE(loaded) << loaded.error();
    auto& launch = *loaded;
    const auto timed = gpu::time_launch(device, *launch.program, launch.launch, {});
    ASSERT_TRUE(timed) << timed.error();
    const auto& timing = *timed;
    EXPECT_EQ(static_cast<double>(timing.cycles), std::stod(row.at("cycles_simulated")))
        << row.at("level") << ": run tests/validate/levels.py";
    EXPECT_EQ(static_cast<double>(timing.warp_instructions), std::stod(row.at("warp_instructions")));
    ++compared;
  }
  EXPECT_EQ(compared, 5);
}

}  // namespace
}  // namespace warpwalk
