// Runs small kernels as ptxas's machine code for sm_100 and sm_120, with instructions that compute capabilities 10.0
// and 12.0 added, and as PTX that says the same. Both must leave the same memory.
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "core/gpu/device/device_file.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/ptx/parse/parser.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/forms/decode.h"
#include "tests/run/machine_code/compile_cubin.h"

namespace warpwalk::gpu {
namespace {

using sass::Opcode;
using sass::Word;

constexpr std::uint32_t blackwell_threads = 64, words_of_thread = 16;

/// A kernel whose body reads the first eight words of its thread, %r0 to %r7, as such, as floats and as pairs, and
/// writes the others at %y + 32. %u0 to %u3 are parameters, the same for all threads.
std::string blackwell_kernel_of(const std::string& body) {
  std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 y, .param .u32 u0, .param .u32 u1, .param .u32 u2, .param .u64 w)\n{\n"
      ".reg .b32 %r<20>, %u<4>;\n.reg .f32 %f<20>;\n.reg .b64 %d<20>, %v<20>;\n.reg .pred %p<4>;\n.reg .b64 %y, %w;\n"
      ".reg .b32 %x;\nld.param.u64 %y, [y];\nld.param.u64 %w, [w];\nmov.u32 %x, %tid.x;\nmul.wide.u32 %d19, %x, 64;\n"
      "add.u64 %y, %y, %d19;\n";
  for (int i = 0; i < 3; ++i) text += "ld.param.u32 %u" + std::to_string(i) + ", [u" + std::to_string(i) + "];\n";
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    text += "ld.global.u32 %r" + n + ", [%y+" + std::to_string(4 * i) + "];\nmov.b32 %f" + n + ", %r" + n + ";\n";
  }
  for (int i = 0; i < 4; ++i)
    text += "mov.b64 %d" + std::to_string(i) + ", {%r" + std::to_string(2 * i) + ", %r" + std::to_string(2 * i + 1) +
            "};\n";
  return text + body + "ret;\n}\n";
}

/// The contents of the buffer after the kernel. Before it, the buffer holds small and large integers, and floats of
/// every kind.
std::vector<std::uint8_t> words_left_on_blackwell(const Device& device, const Program& program) {
  constexpr std::uint32_t kinds[] = {0,          1,          0x3f800000, 0xbf800000, 0x00000001, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0x80000000, 0xffffffff, 0x7fffffff, 0x40490fdb, 0xc0200000, 5};
  std::vector<std::uint32_t> words(blackwell_threads * words_of_thread);
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    const std::uint32_t mixed = (i * 0x9e3779b9U) ^ (i << 7);
    words[i] = mixed % 3 == 0 ? kinds[mixed / 8 % std::size(kinds)] : mixed;
  }
  Launch launch;
  launch.block = {blackwell_threads, 1, 1};
  launch.grid = {1, 5, 1};
  launch.buffers = {{"y", std::vector<std::uint8_t>(4 * words.size())}};
  std::memcpy(launch.buffers[0].bytes.data(), words.data(), launch.buffers[0].bytes.size());
  launch.arguments.resize(5);
  launch.arguments[0].buffer = 0;
  constexpr std::uint32_t values[] = {37, 0x40a00000, 0xfffffff5};
  for (std::size_t i = 0; i < 3; ++i) {
    launch.arguments[i + 1].bytes.resize(4);
    std::memcpy(launch.arguments[i + 1].bytes.data(), &values[i], 4);
  }
  launch.arguments[4].bytes = {0xf0, 0xff, 0xff, 0xff, 3, 0, 0, 0x80};
  SimulateOptions options;
  options.sanitize = true;
  const auto result = simulate(device, program, launch, options);
  if (!result) {
    ADD_FAILURE() << result.error();
  } else {
    for (const Finding& finding : result->findings) ADD_FAILURE() << finding.message;
  }
  return launch.buffers[0].bytes;
}

/// An instruction that the machine code must have, so that the test is about it.
struct Needed {
  Opcode opcode;
  Word modifier = Word::none;
};

bool has_instruction(const std::string& cubin, Needed needed) {
  const auto parsed = sass::parse_cubin(cubin);
  if (!parsed) return false;
  for (const sass::CubinFunction& function : parsed->functions)
    for (const sass::Decoded& decoded : sass::decode(parsed->architecture, function.code))
      if (const auto* const i = std::get_if<sass::Instruction>(&decoded))
        if (i->opcode == needed.opcode && (needed.modifier == Word::none || i->has(needed.modifier))) return true;
  return false;
}

/// `body` is compiled for the architecture, `same` is executed as PTX.
void expect_same_on(const std::string& architecture, const std::vector<Needed>& needed, const std::string& body,
                    const std::string& same) {
  if (!testing::has_ptxas()) GTEST_SKIP() << "ptxas is not installed";
  const auto device = load_device(WARPWALK_SOURCE_DIR "/assets/devices/h200.json");
  ASSERT_TRUE(device) << device.error();
  auto parsed = ptx::parse(blackwell_kernel_of(same));
  ASSERT_TRUE(std::holds_alternative<ptx::Module>(parsed)) << std::get<ptx::Error>(parsed).text();
  const auto ptx = prepare(std::make_shared<const ptx::Module>(std::get<ptx::Module>(std::move(parsed))), "k");
  const std::string cubin = testing::compile_cubin(blackwell_kernel_of(body), architecture);
  ASSERT_FALSE(cubin.empty());
  for (const Needed& one : needed)
    EXPECT_TRUE(has_instruction(cubin, one)) << name_of(one.opcode) << " " << name_of(one.modifier);
  const auto machine_code = prepare_machine_code(cubin, "k");
  ASSERT_TRUE(ptx) << ptx.error();
  ASSERT_TRUE(machine_code) << machine_code.error();
  EXPECT_EQ(words_left_on_blackwell(*device, **machine_code), words_left_on_blackwell(*device, **ptx));
}

void expect_same_on(const std::string& architecture, const std::vector<Needed>& needed, const std::string& body) {
  expect_same_on(architecture, needed, body, body);
}

/// Stores %d10, %d11 ... behind the words that the kernel has read.
std::string store_pairs(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "st.global.u64 [%y+" + std::to_string(32 + 8 * i) + "], %d1" + std::to_string(i) + ";\n";
  return text;
}

TEST(Blackwell, PairsOfFloats) {
  expect_same_on(
      "sm_100", {{Opcode::fadd2}, {Opcode::fmul2}, {Opcode::ffma2}},
      "add.rn.f32x2 %d10, %d0, %d1;\nmul.rz.f32x2 %d11, %d1, %d2;\nfma.rn.ftz.f32x2 %d12, %d0, %d2, %d3;\n"
      "sub.rp.f32x2 %d13, %d2, %d3;\n" +
          store_pairs(4),
      "add.rn.f32 %f10, %f0, %f2;\nadd.rn.f32 %f11, %f1, %f3;\nmov.b64 %d10, {%f10, %f11};\n"
      "mul.rz.f32 %f10, %f2, %f4;\nmul.rz.f32 %f11, %f3, %f5;\nmov.b64 %d11, {%f10, %f11};\n"
      "fma.rn.ftz.f32 %f10, %f0, %f4, %f6;\nfma.rn.ftz.f32 %f11, %f1, %f5, %f7;\nmov.b64 %d12, {%f10, %f11};\n"
      "sub.rp.f32 %f10, %f4, %f6;\nsub.rp.f32 %f11, %f5, %f7;\nmov.b64 %d13, {%f10, %f11};\n" +
          store_pairs(4));
}

TEST(Blackwell, ExtremesOfThreeFloats) {
  expect_same_on("sm_100", {{Opcode::fmnmx3}, {Opcode::fmnmx3, Word::nan}},
                 "min.f32 %f10, %f0, %f1, %f2;\nmax.NaN.f32 %f11, %f3, %f4, %f5;\nst.global.f32 [%y+32], %f10;\n"
                 "st.global.f32 [%y+36], %f11;\n",
                 "min.f32 %f10, %f0, %f1;\nmin.f32 %f10, %f10, %f2;\nmax.NaN.f32 %f11, %f3, %f4;\n"
                 "max.NaN.f32 %f11, %f11, %f5;\nst.global.f32 [%y+32], %f10;\nst.global.f32 [%y+36], %f11;\n");
}

TEST(Blackwell, ExtremesOfAWarp) {
  const std::string body =
      "redux.sync.max.u32 %r10, %r0, 0xffffffff;\nredux.sync.min.s32 %r11, %r1, 0xffffffff;\n"
      "st.global.u32 [%y+32], %r10;\nst.global.u32 [%y+36], %r11;\n";
  expect_same_on("sm_100", {{Opcode::credux}, {Opcode::credux, Word::s32}}, body);
  expect_same_on("sm_120", {{Opcode::redux}}, body);
}

class BlackwellMemory : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Gpu, BlackwellMemory, ::testing::Values("sm_100", "sm_120"),
                         [](const auto& architecture) { return architecture.param; });

TEST_P(BlackwellMemory, AccessesOf32Bytes) {
  std::string floats, loads, stores;
  for (int i = 8; i < 16; ++i) {
    const std::string n = std::to_string(i), at = std::to_string(4 * i - 32);
    floats += (i == 8 ? "%f" : ", %f") + n;
    loads += "ld.global.f32 %f" + n + ", [%y+" + at + "];\n";
    stores += "st.global.f32 [%y+" + std::to_string(4 * i) + "], %f" + n + ";\n";
  }
  const std::string change = "add.f32 %f9, %f9, %f10;\nadd.f32 %f15, %f15, %f13;\n";
  expect_same_on(GetParam(), {{Opcode::ldg, Word::n256}, {Opcode::stg, Word::n256}},
                 "add.u64 %y, %y, 64;\nld.global.v8.f32 {" + floats + "}, [%y+-64];\n" + change +
                     "st.global.v8.f32 [%y+-32], {" + floats + "};\n",
                 loads + change + stores);
}

// Compare-and-swap in shared memory sets a predicate if it succeeded.
TEST_P(BlackwellMemory, SwapsInSharedMemory) {
  expect_same_on(
      GetParam(), {{Opcode::atoms, Word::cast}},
      ".shared .align 4 .f32 s;\nmov.u32 %r10, 0;\nst.shared.u32 [s], %r10;\nbar.sync 0;\nmov.f32 %f10, 0f3f800000;\n"
      "red.shared.add.f32 [s], %f10;\nbar.sync 0;\nld.shared.f32 %f11, [s];\nst.global.f32 [%y+32], %f11;\n");
}

TEST_P(BlackwellMemory, ConstantsOfTheLaunch) {
  expect_same_on(
      GetParam(), {{Opcode::ldcu}},
      "mov.u32 %r10, %ntid.x;\nmov.u32 %r11, %nctaid.y;\nmad.lo.u32 %r10, %r10, 7, %r11;\n"
      "mov.u32 %r12, %cluster_nctaid.x;\nmad.lo.u32 %r10, %r10, 7, %r12;\nmov.u32 %r13, %dynamic_smem_size;\n"
      "add.u32 %r10, %r10, %r13;\nadd.u32 %r10, %r10, %u0;\nst.global.u32 [%y+32], %r10;\n");
}

TEST(Blackwell, SumsOf64Bits) {
  expect_same_on("sm_120", {{Opcode::iadd, Word::n64}, {Opcode::iadd, Word::x}},
                 "add.cc.u64 %d10, %d0, %d1;\naddc.u64 %d11, %d2, %d3;\nsub.cc.u64 %d12, %d0, %d1;\n"
                 "subc.u64 %d13, %d2, %d3;\n" +
                     store_pairs(4));
  expect_same_on(
      "sm_120", {{Opcode::iadd, Word::n64}},
      "add.u64 %d10, %d0, %w;\nsub.u64 %d11, %w, %d1;\nadd.u64 %d12, %d2, -16;\nadd.u64 %d13, %d3, 4294967280;\n" +
          store_pairs(4));
}

TEST(Blackwell, ComparisonsAndSelectionsOf64Bits) {
  std::string body;
  constexpr const char* compares[] = {"lt.s64", "gt.u64", "le.s64", "ne.u64"};
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i), other = std::to_string((i + 1) % 4);
    body += std::string("setp.") + compares[i] + " %p0, %d" + n + ", " +
            (i == 3   ? "%w"
             : i == 2 ? "-16"
                      : "%d" + other) +
            ";\nselp.b64 %d1" + n + ", %d" + other + ", " + (i == 1 ? "-7" : "%d" + n) + ", %p0;\n";
  }
  expect_same_on("sm_120", {{Opcode::isetp, Word::s64}, {Opcode::isetp, Word::u64}, {Opcode::sel, Word::n64}},
                 body + store_pairs(4));
}

TEST(Blackwell, ExtremesOf64Bits) {
  expect_same_on("sm_120", {{Opcode::imnmx, Word::s64}, {Opcode::imnmx, Word::u64}},
                 "min.s64 %d10, %d0, %d1;\nmax.u64 %d11, %d1, %d2;\nmax.s64 %d12, %d2, %w;\nmin.u64 %d13, %d3, -5;\n" +
                     store_pairs(4));
}

TEST(Blackwell, SaturatedSums) {
  expect_same_on("sm_120", {{Opcode::viadd, Word::isat}},
                 "add.sat.s32 %r10, %r0, %r1;\nsub.sat.s32 %r11, %r2, %r3;\nst.global.u32 [%y+32], %r10;\n"
                 "st.global.u32 [%y+36], %r11;\n");
}

TEST(Blackwell, FloatsOfTheUniformDatapath) {
  expect_same_on("sm_120", {{Opcode::ufmul}, {Opcode::ui2fp}, {Opcode::ui2f}},
                 "mov.u32 %r10, %ctaid.y;\nmov.b32 %f11, %u1;\ncvt.rn.f32.u32 %f10, %r10;\nmul.f32 %f12, %f10, %f11;\n"
                 "cvt.rzi.u32.f32 %r11, %f12;\ncvt.rp.f32.u32 %f13, %r10;\nmul.f32 %f14, %f13, %f11;\n"
                 "cvt.rzi.u32.f32 %r12, %f14;\nmad.lo.u32 %r12, %r11, 7, %r12;\nadd.u32 %r12, %r12, %r0;\n"
                 "red.global.add.u32 [%y+32], %r12;\n");
}

}  // namespace
}  // namespace warpwalk::gpu
