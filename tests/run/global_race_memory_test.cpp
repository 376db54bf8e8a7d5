// Launches whose global memory is too large to check all of it for races.
#include <algorithm>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/run/launch/report.h"
#include "core/run/launch/run_launch.h"

namespace warpwalk::run {
namespace {

const std::filesystem::path source = WARPWALK_SOURCE_DIR;
constexpr std::string_view note = "--sanitize: the kernel accesses too much global memory to check all of it for races";

/// The report on a launch whose search for races may take so much memory.
std::string report_with(std::size_t global_race_bytes, bool sanitize) {
  const gpu::Device device = *gpu::load_device(source / "assets/devices/h200.json");
  auto loaded = load_launch(source / "tests/reference/cases/vecadd/launch.json", device);
  if (!loaded) return loaded.error();
  auto& launch = *loaded;
  gpu::SimulateOptions how;
  how.sanitize = sanitize;
  how.global_race_bytes = global_race_bytes;
  const auto ran = run_launch(device, launch, how, {.choice = CyclesChoice::off});
  if (!ran) return ran.error();
  EXPECT_TRUE(ran->good()) << "a note is no finding";
  return report_text(device, launch, *ran);
}

TEST(GlobalRaceMemory, ANoteSaysThatNotAllWasChecked) {
  EXPECT_THAT(report_with(1 << 16, true), ::testing::HasSubstr(note));
  EXPECT_THAT(report_with(std::size_t{1} << 30, true), ::testing::Not(::testing::HasSubstr(note)));
  EXPECT_THAT(report_with(1 << 16, false), ::testing::Not(::testing::HasSubstr(note)));
}

}  // namespace
}  // namespace warpwalk::run
