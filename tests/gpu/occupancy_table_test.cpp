// Compares occupancy_of() with NVIDIA's occupancy calculator (tests/gpu/data/README.md).
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "core/gpu/blocks/occupancy.h"
#include "tests/gpu/devices.h"

namespace warpwalk::gpu {
namespace {

/// The bit with which the calculator reports a limiting factor.
constexpr unsigned bit_of(Limiter limiter) {
  switch (limiter) {
    case Limiter::warps: return 0x01;
    case Limiter::registers: return 0x02;
    case Limiter::shared: return 0x04;
    case Limiter::blocks: return 0x08;
    case Limiter::barriers: break;
  }
  return 0x10;
}

Occupancy::Limit limit_of(const std::string& word) {
  return word == "-" ? Occupancy::Limit() : Occupancy::Limit(std::stoll(word));
}

TEST(OccupancyTable, EveryAnswerOfTheCalculator) {
  const std::map<std::string, Device> devices = {{"7.5", shipped("t4")},
                                                 {"8.0", shipped("a100")},
                                                 {"8.6", shipped("rtx3090")},
                                                 {"8.9", shipped("rtx4090")},
                                                 {"9.0", shipped("h200")}};
  std::ifstream in(std::string(WARPWALK_SOURCE_DIR) + "/tests/gpu/data/occupancy_calculator.txt");
  ASSERT_TRUE(in);
  int rows = 0, impossible = 0;
  for (std::string line; std::getline(in, line); ++rows) {
    std::istringstream words(line);
    std::string capability, arrow, registers, shared, warps, blocks, barriers;
    BlockNeeds needs;
    int optin = 0, carveout = -1, error = 0;
    unsigned factors = 0;
    std::int64_t expected = 0;
    words >> capability >> needs.threads >> needs.registers >> needs.static_shared >> needs.dynamic_shared >>
        needs.barriers >> optin >> carveout >> arrow >> error >> expected >> factors >> registers >> shared >> warps >>
        blocks >> barriers;
    ASSERT_TRUE(words) << line;
    ASSERT_EQ(error, 0) << line;
    needs.shared_optin = optin == 1;
    if (carveout >= 0) needs.carveout_percent = carveout;
    const Device& device = devices.at(capability);
    ASSERT_EQ(*device.compute_capability, capability);
    const Occupancy result = occupancy_of(device, needs);

    EXPECT_EQ(result.blocks_per_sm, expected) << line;
    EXPECT_EQ(result.limit(Limiter::registers), limit_of(registers)) << line;
    EXPECT_EQ(result.limit(Limiter::shared), limit_of(shared)) << line;
    EXPECT_EQ(result.limit(Limiter::warps), limit_of(warps)) << line;
    EXPECT_EQ(result.limit(Limiter::blocks), limit_of(blocks)) << line;
    EXPECT_EQ(result.limit(Limiter::barriers), limit_of(barriers)) << line;
    // If barriers lower the result further, the calculator leaves the bits of other resources set. Only its barrier bit
    // is then correct.
    unsigned factor_bits = 0;
    for (const Limiter limiter : result.limiters) factor_bits |= bit_of(limiter);
    if (result.limiters == std::vector<Limiter>{Limiter::barriers}) factors &= bit_of(Limiter::barriers);
    EXPECT_EQ(factor_bits, factors) << line;
    impossible += expected == 0 ? 1 : 0;
  }
  EXPECT_EQ(rows, 1000);
  EXPECT_EQ(impossible, 184);  // kernels that cannot run
}

}  // namespace
}  // namespace warpwalk::gpu
