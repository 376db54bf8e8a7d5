// Runs small kernels as PTX and as ptxas's machine code for sm_90, sm_100 and sm_120: instructions that no kernel of
// tests/cases has. Both must leave the same memory.
#include <cstring>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/parse/parser.h"
#include "tests/run/machine_code/compile_cubin.h"

namespace warpwalk::gpu {
namespace {

constexpr std::uint32_t lanes = 32, words_per_lane = 8;

/// A kernel whose body reads the words %r0 to %r7 of its lane at %y, and may write them back with st.global.
std::string kernel_of(const std::string& body) {
  std::string text =
      ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 y)\n{\n"
      ".reg .b32 %r<20>;\n.reg .b64 %d<8>;\n.reg .pred %p<4>;\n.reg .b64 %y;\n.reg .b32 %x;\n"
      "ld.param.u64 %y, [y];\nmov.u32 %x, %tid.x;\nmul.wide.u32 %d0, %x, 32;\nadd.u64 %y, %y, %d0;\n";
  for (int i = 0; i < 8; ++i)
    text += "ld.global.u32 %r" + std::to_string(i) + ", [%y+" + std::to_string(4 * i) + "];\n";
  return text + body + "ret;\n}\n";
}

std::vector<std::uint8_t> words_left_by(const Device& device, const Program& program) {
  std::vector<std::uint32_t> words(lanes * words_per_lane);
  for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = i * 0x9e3779b9U ^ i << 7;
  Launch launch;
  launch.block = {lanes, 1, 1};
  launch.buffers = {{"y", std::vector<std::uint8_t>(4 * words.size())}};
  std::memcpy(launch.buffers[0].bytes.data(), words.data(), launch.buffers[0].bytes.size());
  launch.arguments.resize(1);
  launch.arguments[0].buffer = 0;
  const auto result = simulate(device, program, launch);
  if (!result) {
    ADD_FAILURE() << result.error();
  } else {
    for (const Finding& finding : result->findings) ADD_FAILURE() << finding.message;
  }
  return launch.buffers[0].bytes;
}

void expect_same(const std::string& body) {
  if (!testing::has_ptxas()) GTEST_SKIP() << "ptxas is not installed";
  const auto device = load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  ASSERT_TRUE(device) << device.error();
  const std::string text = kernel_of(body);
  auto parsed = ptx::parse(text);
  ASSERT_TRUE(std::holds_alternative<ptx::Module>(parsed)) << std::get<ptx::Error>(parsed).text();
  const auto ptx = prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), "k");
  ASSERT_TRUE(ptx) << ptx.error();
  for (const char* const architecture : {"sm_90", "sm_100", "sm_120"}) {
    SCOPED_TRACE(architecture);
    const std::string cubin = testing::compile_cubin(text, architecture);
    ASSERT_FALSE(cubin.empty());
    const auto machine_code = prepare_machine_code(cubin, "k");
    ASSERT_TRUE(machine_code) << machine_code.error();
    EXPECT_EQ(words_left_by(*device, **machine_code), words_left_by(*device, **ptx));
  }
}

/// A body for the first lane alone, with an mbarrier `bar` that expects 3 arrivals. %p0 says whether the phase of the
/// parity %r15 has ended.
std::string with_mbarrier(const std::string& body) {
  return ".shared .align 8 .b64 bar;\nsetp.ne.u32 %p1, %x, 0;\n@%p1 ret;\nmov.u32 %r15, 0;\n"
         "mbarrier.init.shared.b64 [bar], 3;\n" +
         body + "mbarrier.inval.shared.b64 [bar];\n";
}
const std::string look = "mbarrier.test_wait.parity.shared.b64 %p0, [bar], %r15;\nselp.u32 %r14, 1, 0, %p0;\n";

TEST(MachineCodeKernels, ADroppedArrivalCountsOnlyOnce) {
  // The second phase expects one arrival fewer.
  expect_same(
      with_mbarrier("mov.u32 %r13, 2;\nmbarrier.arrive_drop.shared.b64 %d1, [bar];\n"
                    "mbarrier.arrive.shared.b64 %d1, [bar], %r13;\n" +
                    look + "st.global.u32 [%y], %r14;\nmov.u32 %r15, 1;\n" +
                    "mbarrier.arrive.shared.b64 %d1, [bar];\n" + look + "st.global.u32 [%y+4], %r14;\n" +
                    "mbarrier.arrive.shared.b64 %d1, [bar];\n" + look + "st.global.u32 [%y+8], %r14;\n"));
}

TEST(MachineCodeKernels, APhaseWaitsForItsBytes) {
  expect_same(with_mbarrier(
      "mov.u32 %r13, 2;\nmov.u32 %r12, 48;\nmov.u32 %r11, 16;\n"
      "mbarrier.arrive.expect_tx.shared.b64 %d1, [bar], %r12;\n"
      "mbarrier.arrive.shared.b64 %d1, [bar], %r13;\n" +
      look + "st.global.u32 [%y], %r14;\n" + "mbarrier.complete_tx.shared::cluster.relaxed.cluster.b64 [bar], %r11;\n" +
      look + "st.global.u32 [%y+4], %r14;\nmov.u32 %r11, 32;\n" +
      "mbarrier.complete_tx.shared::cluster.relaxed.cluster.b64 [bar], %r11;\n" + look +
      "st.global.u32 [%y+8], %r14;\n"));
}

TEST(MachineCodeKernels, DifferencesOfBytes) {
  expect_same(
      "vabsdiff4.u32.u32.u32.add %r8, %r0, %r1, %r2;\nvabsdiff4.u32.s32.s32.add %r9, %r0, %r1, %r2;\n"
      "vabsdiff4.u32.u32.u32 %r10, %r0, %r1, %r2;\nvabsdiff4.u32.s32.s32 %r11, %r0, %r1, %r2;\n"
      "st.global.u32 [%y], %r8;\nst.global.u32 [%y+4], %r9;\nst.global.u32 [%y+8], %r10;\nst.global.u32 [%y+12], "
      "%r11;\n");
}

TEST(MachineCodeKernels, SumsWithASignExtendedSource) {
  expect_same(
      "cvt.s64.s32 %d1, %r0;\nmov.b64 %d2, {%r1, %r2};\nshl.b64 %d1, %d1, 5;\nadd.s64 %d3, %d1, %d2;\n"
      "st.global.u64 [%y], %d3;\ncvt.s64.s32 %d1, %r3;\nmul.lo.s64 %d1, %d1, 36;\nsub.s64 %d3, %d2, %d1;\n"
      "st.global.u64 [%y+8], %d3;\n");
}

}  // namespace
}  // namespace warpwalk::gpu
