// The tensors of Triton kernels as the debugger shows them, against plain arithmetic and what the run stores.
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Entries of Triton 3.6's cache for sm_90: x + y with 256 elements per block, and a matrix product of tiles of
// 64 x 64 x 32 with three stages of cp.async and wgmma.
const std::filesystem::path cache = WARPWALK_SOURCE_DIR "/tests/compiled/data";

Outcome debug_add(const std::string& x, const std::vector<std::string>& commands) {
  std::vector<std::string> arguments = {"debug",  (cache / "add_kernel").string(),
                                        "--grid", "4",
                                        "--arg",  "x_ptr=" + x,
                                        "--arg",  "y_ptr=1000 2",
                                        "--arg",  "output_ptr=1000 0",
                                        "--arg",  "n_elements=1000"};
  for (const std::string& command : commands) arguments.insert(arguments.end(), {"--command", command});
  return run(arguments);
}

TEST(Tiles, HaveTheValuesOfTheBlockInFocus) {
  const Outcome outcome =
      debug_add("1000 iota", {"break zoo.py:14 if blockIdx.x == 1 && threadIdx.x == 0", "run", "cycle 100000",
                              "focus block 1 warp 0", "info tiles", "print x[5]", "print y[5]", "print %2[7]",
                              "who x[5]", "info stores", "info nan", "info outside"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("x[5] = 261"));
  EXPECT_THAT(outcome.out, HasSubstr("y[5] = 2 "));
  EXPECT_THAT(outcome.out, HasSubstr("%2[7] = 265"));
  EXPECT_THAT(outcome.out, HasSubstr("checked against the registers that the run wrote: 256 of 256"));
  EXPECT_THAT(outcome.out, HasSubstr("by tt.load (%x_5) at zoo.py:12"));
  EXPECT_THAT(outcome.out, HasSubstr("LDG"));
  EXPECT_THAT(outcome.out, HasSubstr("read from x_ptr[261]"));
  EXPECT_THAT(outcome.out, HasSubstr("it was in memory before the launch"));
  EXPECT_THAT(outcome.out, HasSubstr("1000 of 1000 elements equal the run's, 1000 of them to the bit"));
  EXPECT_THAT(outcome.out, HasSubstr("block 1 computes no NaN"));
  EXPECT_THAT(outcome.out, HasSubstr("block 1 accesses nothing outside of the buffers"));
}

TEST(Tiles, AppearWhenTheThreadHasComputedThem) {
  const Outcome first = debug_add("1000 iota", {"info tiles"});
  EXPECT_THAT(first.out, HasSubstr("has computed no tensor yet"));
  EXPECT_EQ(debug_add("1000 iota", {"print x"}).status, 2);
  EXPECT_THAT(debug_add("1000 iota", {"print x"}).error, HasSubstr("not computed yet"));
  // The step back takes away what the step gave.
  const Outcome both =
      debug_add("1000 iota", {"break zoo.py:14", "run", "info tiles", "reverse-continue", "info tiles"});
  ASSERT_EQ(both.status, 0) << both.error;
  EXPECT_THAT(both.out, HasSubstr("has computed no tensor yet"));
}

TEST(Tiles, NameTheFirstNan) {
  const Folder folder;
  std::vector<float> x(1000, 1.0F);
  x[300] = x[310] = std::numeric_limits<float>::quiet_NaN();
  const std::string file = folder.file("x.bin", {reinterpret_cast<const char*>(x.data()), 4 * x.size()});
  const Outcome outcome = debug_add("1000 file " + file, {"cycle 100000", "focus block 1", "info nan", "info tiles"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("zoo.py:12: element [44] of x (%x_5) is the first NaN, of 2 there"));
  EXPECT_THAT(outcome.out, HasSubstr("it was read from x_ptr[300]"));
  EXPECT_THAT(outcome.out, HasSubstr("2 NaN, the first at [44]"));
}

TEST(Tiles, NameTheElementOfAFinding) {
  const Outcome outcome = debug_add("900 iota", {"focus block 3", "info outside"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(
      outcome.out,
      HasSubstr("zoo.py:12: reads element [132] of x (%x_5), 4 bytes past the end of x_ptr; its mask includes it, "
                "100 of 256 elements are outside"));
  const Outcome found =
      run({"simulate", (cache / "add_kernel").string(), "--grid", "4", "--arg", "x_ptr=900 iota", "--arg",
           "y_ptr=1000 2", "--arg", "output_ptr=1000 0", "--arg", "n_elements=1000", "--cycles", "off"});
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.out, HasSubstr("zoo.py:12: reads element [132] of x (%x_5), in register 0 of lane 2 of warp 2"));
}

TEST(Tiles, OfAMatrixProductAreInRegistersAndSharedMemory) {
  const Outcome outcome = run({"debug",     (cache / "matmul_kernel").string(),
                               "--grid",    "2x2",
                               "--arg",     "a_ptr=12288",
                               "--arg",     "b_ptr=12288",
                               "--arg",     "c_ptr=16384",
                               "--arg",     "M=128",
                               "--arg",     "N=128",
                               "--arg",     "K=96",
                               "--arg",     "stride_am=96",
                               "--arg",     "stride_bk=128",
                               "--arg",     "stride_cm=128",
                               "--command", "break zoo.py:35",
                               "--command", "run",
                               "--command", "info tiles",
                               "--command", "info stores"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("16384 of 16384 elements equal the run's"));
  EXPECT_THAT(outcome.out, HasSubstr("checked against registers: 4,096 of 4,096"));
  EXPECT_THAT(outcome.out, HasSubstr("checked against shared memory"));
}

TEST(Tiles, AreThoseOfTritonOnly) {
  const Outcome outcome = debug_add("1000 iota", {"print nothing[3, 5]"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1U);
  EXPECT_EQ(debug_add("1000 iota", {"cycle 100000", "print x[256]"}).status, 2);
}

}  // namespace
}  // namespace warpwalk::testing
