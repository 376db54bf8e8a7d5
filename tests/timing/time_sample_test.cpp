// The cycles of a launch from its first waves of blocks, against those of all of them.
#include "core/gpu/timing/launch/time_sample.h"

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "tests/timing/timed.h"

namespace warpwalk::gpu {
namespace {

const std::filesystem::path tiled_product = "validate/reference/timed/matmul16_128x128x128.json";

const Device& two_sms() {
  static const Device device = *load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200_2sm.json");
  return device;
}

/// Its 64 blocks are four waves of this GPU.
struct SampledProduct {
  explicit SampledProduct(double part_of_instructions) {
    run::LoadedLaunch loaded = timed::load(tiled_product);
    const LaunchTiming all = timed::time(loaded, {}, two_sms());
    cycles = all.cycles;
    loaded = timed::load(tiled_product);
    const auto instructions = static_cast<double>(all.warp_instructions);
    const auto made =
        time_sample(two_sms(), *loaded.program, loaded.launch, instructions / 64, part_of_instructions * instructions);
    EXPECT_TRUE(made) << made.error();
    sampled = *made;
  }
  double cycles = 0;
  SampledTiming sampled;
};

TEST(TimeSample, TimesAllBlocksIfThatIsAffordable) {
  const SampledProduct product(1.01);
  EXPECT_TRUE(product.sampled.whole);
  EXPECT_EQ(product.sampled.cycles, product.cycles);
  EXPECT_EQ(product.sampled.blocks_timed, 64U);
}

TEST(TimeSample, WavesThatAreLeftOutTakeAsLongAsOthers) {
  const SampledProduct product(0.8);
  EXPECT_FALSE(product.sampled.whole);
  EXPECT_EQ(product.sampled.blocks_timed, 48U);
  EXPECT_LT(product.sampled.timing.cycles, 0.9 * product.cycles);
  EXPECT_NEAR(product.sampled.cycles / product.cycles, 1, 0.05);
}

TEST(TimeSample, ALaunchThatIsCutGoesOnAtTheSameRate) {
  const SampledProduct product(0.2);
  EXPECT_TRUE(product.sampled.timing.cut);
  EXPECT_LT(product.sampled.timing.cycles, 0.4 * product.cycles);
  EXPECT_NEAR(product.sampled.cycles / product.cycles, 1, 0.15);
}

}  // namespace
}  // namespace warpwalk::gpu
