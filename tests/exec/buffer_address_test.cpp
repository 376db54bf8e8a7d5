// Buffers at addresses given by the launch, as from a caching allocator.
#include <cstring>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/launch.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::gpu {
namespace {

using ::testing::HasSubstr;

// Writes the address of x to y, followed by the eight bytes at distance `away` from it.
constexpr std::string_view pointer_kernel = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y, .param .u64 away)
{
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [x];
	ld.param.u64 %rd2, [y];
	ld.param.u64 %rd3, [away];
	st.global.u64 [%rd2], %rd1;
	add.s64 %rd4, %rd1, %rd3;
	ld.global.u64 %rd5, [%rd4];
	st.global.u64 [%rd2+8], %rd5;
	ret;
}
)";

struct Outcome {
  std::string error, found;
  std::uint64_t address = 0, read = 0;
};

Outcome outcome_of(std::uint64_t x, std::uint64_t y, std::uint64_t away) {
  const Device device = *load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  auto module = std::make_shared<const ptx::Module>(std::get<ptx::Module>(ptx::parse(pointer_kernel)));
  const auto program = *prepare(module, "k");
  Launch launch;
  launch.buffers = {{"x", std::vector<std::uint8_t>(64, 1), true, x}, {"y", std::vector<std::uint8_t>(64, 2), true, y}};
  std::vector<std::uint8_t> bytes(8);
  std::memcpy(bytes.data(), &away, 8);
  launch.arguments = {{{}, 0, 0}, {{}, 1, 0}, {bytes, -1, 0}};
  Outcome outcome;
  auto simulated = simulate(device, *program, launch);
  if (!simulated) {
    outcome.error = simulated.error();
    return outcome;
  }
  for (const Finding& finding : simulated->findings) outcome.found += finding.message;
  std::memcpy(&outcome.address, launch.buffers[1].bytes.data(), 8);
  std::memcpy(&outcome.read, launch.buffers[1].bytes.data() + 8, 8);
  return outcome;
}

TEST(BufferAddresses, AreThoseThatTheLaunchGives) {
  const Outcome outcome = outcome_of(buffers_base + 0x1200, buffers_base + 0x600, 8);
  EXPECT_EQ(outcome.error + outcome.found, "");
  EXPECT_EQ(outcome.address, buffers_base + 0x1200);
  EXPECT_EQ(outcome.read, 0x0101010101010101u);
}

TEST(BufferAddresses, OthersAreChosenApart) {
  const Outcome outcome = outcome_of(0, buffers_base, 8);
  EXPECT_EQ(outcome.error + outcome.found, "");
  EXPECT_GE(outcome.address, buffers_base + 64);
  EXPECT_EQ(outcome.read, 0x0101010101010101u);
}

TEST(BufferAddresses, NeighboursTouch) {
  EXPECT_EQ(outcome_of(buffers_base, buffers_base + 64, 56).found, "");
  EXPECT_THAT(outcome_of(buffers_base, buffers_base + 128, 64).found, HasSubstr("past the end of buffer `x`"));
}

TEST(BufferAddresses, InOneAnotherOrElsewhereAreRefused) {
  EXPECT_THAT(outcome_of(buffers_base, buffers_base + 32, 0).error, HasSubstr("buffer `y`"));
  EXPECT_THAT(outcome_of(global_base + 512, buffers_base, 0).error, HasSubstr("buffer `x`"));
  EXPECT_THAT(outcome_of(shared_window - 32, buffers_base, 0).error, HasSubstr("buffer `x`"));
  EXPECT_EQ(outcome_of(buffers_base - 512, buffers_base, 8).error, "") << "recorded addresses may be anywhere else";
  EXPECT_THAT(outcome_of(buffers_base, buffers_end - 32, 0).error, HasSubstr("buffer `y`"));
}

}  // namespace
}  // namespace warpwalk::gpu
