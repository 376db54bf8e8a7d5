// The tensors of Triton kernels as the debugger shows them, against plain arithmetic and what the run stores.
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/verbs/debug/commands.h"

namespace warpwalk::verbs {
namespace {

using ::testing::HasSubstr;

/// Executes commands for an entry of Triton 3.6's cache for sm_90, and returns what they print; the first error ends
/// it.
std::string debugged(const std::string& entry, const std::string& grid,
                     const std::map<std::string, std::string, std::less<>>& arguments,
                     const std::vector<std::string>& commands) {
  DebugTarget target;
  target.file = std::filesystem::path(WARPWALK_SOURCE_DIR) / "tests/compiled/data" / entry;
  target.gpu = WARPWALK_SOURCE_DIR "/assets/devices/h200.json";
  target.given.grid = grid;
  target.given.arguments = arguments;
  const auto run = DebugRun::open(DebugLoader({}), target, {});
  if (!run) return "error: " + run.error();
  DebugCommands executed(**run);
  std::string text;
  for (const std::string& command : commands) {
    const auto output = executed.execute(command);
    if (!output) return text + "error: " + output.error() + "\n";
    text += *output;
  }
  return text;
}

/// x + y with 256 elements per block.
std::string debugged_add(const std::string& x, const std::vector<std::string>& commands) {
  return debugged("add_kernel", "4",
                  {{"x_ptr", x}, {"y_ptr", "1000 2"}, {"output_ptr", "1000 0"}, {"n_elements", "1000"}}, commands);
}

TEST(Tiles, HaveTheValuesOfTheBlockInFocus) {
  const std::string text =
      debugged_add("1000 iota", {"cycle 100000", "focus block 1 warp 0", "info tiles", "print x[5]", "print y[5]",
                                 "print %2[7]", "who x[5]", "info stores", "info nan", "info outside"});
  for (const char* const part :
       {"x[5] = 261", "y[5] = 2 ", "%2[7] = 265", "checked against the registers that the run wrote: 256 of 256",
        "by tt.load (%x_5) at zoo.py:12", "LDG", "read from x_ptr[261]", "it was in memory before the launch",
        "1000 of 1000 elements equal the run's, 1000 of them to the bit", "block 1 computes no NaN",
        "block 1 accesses nothing outside of the buffers"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(Tiles, AppearWhenTheThreadHasComputedThem) {
  EXPECT_THAT(debugged_add("1000 iota", {"info tiles"}), HasSubstr("has computed no tensor yet"));
  EXPECT_THAT(debugged_add("1000 iota", {"print x"}), HasSubstr("error: x is not computed yet"));
  const std::string both = debugged_add(
      "1000 iota", {"cycle 100000", "print x[3]", "reverse-continue", "focus block 0 warp 0", "print x[3]"});
  EXPECT_THAT(both, HasSubstr("x[3] = 3"));
  EXPECT_THAT(both, HasSubstr("error: x is not computed yet"));
}

TEST(Tiles, NameTheFirstNan) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "tiles_with_nan.bin";
  std::vector<float> x(1000, 1.0F);
  x[300] = x[310] = std::numeric_limits<float>::quiet_NaN();
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(x.data()), static_cast<std::streamsize>(4 * x.size()));
  const std::string text =
      debugged_add("1000 file " + file.string(), {"cycle 100000", "focus block 1", "info nan", "info tiles"});
  std::filesystem::remove(file);
  EXPECT_THAT(text, HasSubstr("zoo.py:12: element [44] of x (%x_5) is the first NaN, of 2 there"));
  EXPECT_THAT(text, HasSubstr("it was read from x_ptr[300]"));
  EXPECT_THAT(text, HasSubstr("2 NaN, the first at [44]"));
}

TEST(Tiles, NameTheElementOfAFinding) {
  const std::string text = debugged_add("900 iota", {"focus block 3", "info outside", "catch out_of_bounds", "run"});
  EXPECT_THAT(text, HasSubstr("zoo.py:12: reads element [132] of x (%x_5), 4 bytes past the end of x_ptr; its mask "
                              "includes it, 100 of 256 elements are outside"));
  EXPECT_THAT(text, HasSubstr("zoo.py:12: reads element [132] of x (%x_5), in register 0 of lane "));
}

TEST(Tiles, OfAMatrixProductAreInRegistersAndSharedMemory) {
  // Tiles of 64 x 64 x 32 with three stages of cp.async, and wgmma.
  const std::string text = debugged("matmul_kernel", "2x2",
                                    {{"a_ptr", "12288"},
                                     {"b_ptr", "12288"},
                                     {"c_ptr", "16384"},
                                     {"M", "128"},
                                     {"N", "128"},
                                     {"K", "96"},
                                     {"stride_am", "96"},
                                     {"stride_bk", "128"},
                                     {"stride_cm", "128"}},
                                    {"break zoo.py:35", "run", "cycle 100000", "info tiles", "info stores"});
  EXPECT_THAT(text, HasSubstr("16384 of 16384 elements equal the run's"));
  EXPECT_THAT(text, HasSubstr("checked against the registers that the run wrote: 4,096 of 4,096"));
}

TEST(Tiles, RefuseWhatTheyDoNotHave) {
  EXPECT_THAT(debugged_add("1000 iota", {"cycle 100000", "print x[256]"}),
              HasSubstr("error: x is 256 f32: no element has this index"));
  EXPECT_THAT(debugged_add("1000 iota", {"print nothing[3, 5]"}), HasSubstr("error: print nothing[3, 5]: "));
}

}  // namespace
}  // namespace warpwalk::verbs
