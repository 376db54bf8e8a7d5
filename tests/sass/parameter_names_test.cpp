// Names of parameters in the debug information of a cubin that nvcc 13.0 made with -G:
//   struct View { int rows; float* data; };
//   __global__ void gather(const float* table, const int* index, float* out, View view, int count)
#include "core/sass/dwarf/debug_info.h"

#include <random>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/sass/recorded.h"

namespace warpwalk::sass {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view gather = "_Z6gatherPKfPKiPf4Viewi";

TEST(ParameterNames, OfAKernelWithDebugInformation) {
  const std::string cubin = read_data("debug_parameters.sm_90.gz");
  EXPECT_THAT(parameter_names(cubin, gather), ElementsAre("table", "index", "out", "view", "count"));
  EXPECT_TRUE(parameter_names(cubin, "_Z6gatherPKf").empty());
  EXPECT_TRUE(parameter_names(cubin, "").empty());
}

TEST(ParameterNames, WithoutDebugInformation) {
  EXPECT_TRUE(parameter_names(read_data("cubins/softmax.sm_90.gz"), gather).empty());
  EXPECT_TRUE(parameter_names("", gather).empty());
}

TEST(ParameterNames, DamagedDebugInformation) {
  const std::string original = read_data("debug_parameters.sm_90.gz");
  std::mt19937_64 random(20250);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = original;
    for (std::size_t changes = 1 + random() % 6; changes > 0; --changes) {
      // .debug_abbrev and .debug_info are in front of the code.
      const std::size_t at = 0x1c44 + random() % 0x213;
      bytes[at] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
    }
    EXPECT_LE(parameter_names(bytes, gather).size(), 200u);
  }
}

}  // namespace
}  // namespace warpwalk::sass
