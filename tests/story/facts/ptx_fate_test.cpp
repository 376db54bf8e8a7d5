// How ptxas translated PTX instructions: on texts written by hand, and on shipped kernels read by hand.
#include "core/story/facts/code/ptx_fate.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/ptx/parse/parser.h"
#include "core/records/hardware.h"
#include "core/story/facts/code/decoded_kernel.h"
#include "tests/story/words.h"

namespace warpwalk::story::testing {
namespace {

using FateKind = PtxFate::Kind;
using sass::Opcode;

ptx::Module parsed_module(std::string_view body) {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_param_0) {\n" +
      std::string(body) + "}\n";
  auto module = ptx::parse(text);
  EXPECT_TRUE(std::holds_alternative<ptx::Module>(module)) << std::get<ptx::Error>(module).text();
  return std::get<ptx::Module>(std::move(module));
}

sass::Operand reg(std::uint8_t number, bool written = false) {
  sass::Operand operand;
  operand.reg = number;
  operand.written = written;
  return operand;
}

sass::Decoded machine(Opcode opcode, std::vector<sass::Operand> operands = {},
                      std::vector<sass::Modifier> modifiers = {}) {
  sass::Instruction instruction;
  instruction.opcode = opcode;
  instruction.operands = std::move(operands);
  instruction.modifiers = std::move(modifiers);
  return instruction;
}

const PtxFate& at_line(const std::vector<PtxFate>& fates, std::uint32_t line) {
  static const PtxFate none;
  const auto found = std::ranges::find(fates, line, &PtxFate::line);
  EXPECT_NE(found, fates.end()) << line;
  return found == fates.end() ? none : *found;
}

// Lines 5 to 7 declare registers; the code begins in line 8.
constexpr std::string_view straight = R"(.reg .b64 %rd<4>;
.reg .b32 %r<6>;
.reg .f32 %f<4>;
ld.param.u64 %rd1, [k_param_0];
cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 2;
add.s32 %r3, %r2, 1;
ld.global.f32 %f1, [%rd2];
add.f32 %f2, %f1, %f1;
st.global.f32 [%rd2], %f2;
ret;
)";

TEST(PtxFate, MergedIsWhatTheUserOfTheResultDoes) {
  const ptx::Module module = parsed_module(straight);
  const std::vector<sass::Decoded> code = {machine(Opcode::s2r, {reg(0, true)}),
                                           machine(Opcode::lea, {reg(1, true)}),
                                           machine(Opcode::ldg, {reg(2, true)}),
                                           machine(Opcode::fadd, {reg(3, true)}),
                                           machine(Opcode::stg),
                                           machine(Opcode::exit)};
  const std::vector<std::uint32_t> lines = {10, 12, 13, 14, 15, 16};
  const std::vector<PtxFate> fates = ptx_fates(*module.entry("k"), code, lines);
  ASSERT_EQ(fates.size(), 9u);
  EXPECT_EQ(at_line(fates, 8).kind, FateKind::operand);  // the parameter, of the load
  EXPECT_EQ(at_line(fates, 8).into, 13u);
  EXPECT_EQ(at_line(fates, 9).kind, FateKind::removed);
  EXPECT_EQ(at_line(fates, 10).kind, FateKind::kept);
  EXPECT_EQ(at_line(fates, 11).kind, FateKind::merged);  // LEA shifts and adds
  EXPECT_EQ(at_line(fates, 11).into, 12u);
  for (const PtxFate& fate : fates) EXPECT_EQ(fate.moved, 0) << fate.line;
}

TEST(PtxFate, TheFewestInstructionsThatExplainTheOrderMoved) {
  const ptx::Module module = parsed_module(straight);
  const std::vector<sass::Decoded> code = {machine(Opcode::ldg, {reg(2, true)}),
                                           machine(Opcode::s2r, {reg(0, true)}),
                                           machine(Opcode::shf, {reg(4, true)}),
                                           machine(Opcode::iadd3, {reg(1, true)}),
                                           machine(Opcode::fadd, {reg(3, true)}),
                                           machine(Opcode::stg),
                                           machine(Opcode::exit)};
  const std::vector<std::uint32_t> lines = {13, 10, 11, 12, 14, 15, 16};
  const std::vector<PtxFate> fates = ptx_fates(*module.entry("k"), code, lines);
  // Before three others; those stay where they are.
  for (const PtxFate& fate : fates) EXPECT_EQ(fate.moved, fate.line == 13 ? 3 : 0) << fate.line;
}

TEST(PtxFate, AWiderAccessDoesTheWorkOfSeveral) {
  const ptx::Module module = parsed_module(R"(.reg .b64 %rd<4>;
.reg .f32 %f<6>;
.reg .b32 %r<2>;
ld.global.f32 %f1, [%rd1];
ld.global.f32 %f2, [%rd1+4];
ld.global.f32 %f3, [%rd1+8];
ld.global.f32 %f4, [%rd2+4];
add.f32 %f5, %f1, %f2;
add.f32 %f5, %f3, %f4;
ret;
)");
  std::vector<sass::Decoded> code = {machine(Opcode::ldg, {reg(4, true)}), machine(Opcode::fadd, {reg(8, true)}),
                                     machine(Opcode::fadd, {reg(9, true)}), machine(Opcode::exit)};
  // A load of 64 bits: of the elements at +0 and +4, not of that at +8 or that of the other address.
  std::get<sass::Instruction>(code[0]).modifiers = {{sass::Field::size, sass::Word::n64}};
  const std::vector<PtxFate> fates = ptx_fates(*module.entry("k"), code, std::vector<std::uint32_t>{8, 12, 13, 14});
  EXPECT_EQ(at_line(fates, 9).kind, FateKind::merged);
  EXPECT_EQ(at_line(fates, 9).into, 8u);
  EXPECT_EQ(at_line(fates, 10).kind, FateKind::removed);
  EXPECT_EQ(at_line(fates, 11).kind, FateKind::removed);
}

constexpr std::string_view counted_loop = R"(.reg .pred %p<2>;
.reg .b64 %rd<4>;
.reg .b32 %r<2>;
$L:
ld.global.u32 %r1, [%rd1];
st.global.u32 [%rd2], %r1;
add.s64 %rd1, %rd1, 4;
setp.ne.s64 %p1, %rd1, %rd3;
@%p1 bra $L;
ret;
)";

TEST(PtxFate, ALoopIsUnrolledIfAllOfItsAccessesAreThereSeveralTimes) {
  const ptx::Module module = parsed_module(counted_loop);
  const sass::Decoded load = machine(Opcode::ldg, {reg(4, true)}), store = machine(Opcode::stg),
                      add = machine(Opcode::iadd3, {reg(2, true)}), compare = machine(Opcode::isetp),
                      branch = machine(Opcode::bra), exit = machine(Opcode::exit);
  const std::vector<PtxFate> unrolled =
      ptx_fates(*module.entry("k"), std::vector{load, store, load, store, add, compare, branch, exit},
                std::vector<std::uint32_t>{9, 10, 9, 10, 11, 12, 13, 14});
  EXPECT_EQ(at_line(unrolled, 9).kind, FateKind::unrolled);
  EXPECT_EQ(at_line(unrolled, 9).copies, 2u);
  EXPECT_EQ(at_line(unrolled, 10).kind, FateKind::unrolled);
  EXPECT_EQ(at_line(unrolled, 11).kind, FateKind::kept);  // one step for both copies
  const std::vector<PtxFate> once =
      ptx_fates(*module.entry("k"), std::vector{load, store, store, add, add, compare, branch, exit},
                std::vector<std::uint32_t>{9, 10, 10, 11, 11, 12, 13, 14});
  EXPECT_EQ(at_line(once, 9).kind, FateKind::kept);
  EXPECT_EQ(at_line(once, 10).kind, FateKind::expanded);
  EXPECT_EQ(at_line(once, 11).kind, FateKind::expanded);
}

struct Shipped {
  DecodedKernel kernel;
  std::vector<std::uint32_t> lines;
  std::vector<PtxFate> fates;
};

Shipped shipped_kernel(std::string_view name, std::string_view level) {
  const auto kernel = std::ranges::find(hardware().levelled, name, &records::LevelledKernel::name);
  const auto compiled = std::ranges::find(kernel->levels, level, &records::CompiledLevel::name);
  Shipped all;
  all.kernel = *decoded_kernel(compiled->module, kernel->entry);
  for (const trace::LineMapRow& row : line_map(all.kernel, compiled->module.source_file))
    all.lines.push_back(row.ptx_line);
  const auto module = ptx::parse(compiled->module.ptx);
  all.fates = ptx_fates(*std::get<ptx::Module>(module).entry(kernel->entry), all.kernel.code, all.lines);
  return all;
}

std::ptrdiff_t count_fates(const Shipped& all, FateKind kind) {
  return std::ranges::count(all.fates, kind, &PtxFate::kind);
}

// Read off the listing of cuobjdump: eight LDS.128 in place of 32 loads of one row; LEA in place of shift and add.
TEST(PtxFate, OfTheTiledProduct) {
  const Shipped all = shipped_kernel("matmul_tiled", "-O3");
  for (const std::uint32_t line : {100u, 103u, 106u}) {
    EXPECT_EQ(at_line(all.fates, line).kind, FateKind::merged);
    EXPECT_EQ(at_line(all.fates, line).into, 97u);
  }
  EXPECT_EQ(at_line(all.fates, 97).kind, FateKind::kept);
  EXPECT_EQ(at_line(all.fates, 40).into, 69u);
  EXPECT_EQ(at_line(all.fates, 34).kind, FateKind::operand);
  EXPECT_EQ(at_line(all.fates, 71).kind, FateKind::removed);
  EXPECT_EQ(count_fates(all, FateKind::unrolled), 0);
  EXPECT_EQ(std::ranges::count(all.fates, 97u, &PtxFate::into), 3);
}

// The loop of four elements, which NVVM made, is there seven times: four in the large loop, two, and one.
TEST(PtxFate, OfTheUnrolledLoop) {
  const Shipped all = shipped_kernel("matmul_naive", "-O3");
  for (const std::uint32_t line : {70u, 71u, 72u, 74u, 85u}) {
    EXPECT_EQ(at_line(all.fates, line).kind, FateKind::unrolled) << line;
    EXPECT_EQ(at_line(all.fates, line).copies, 7u) << line;
  }
  EXPECT_EQ(at_line(all.fates, 106).kind, FateKind::kept);   // .pragma "nounroll"
  EXPECT_EQ(at_line(all.fates, 63).kind, FateKind::merged);  // IMAD.WIDE multiplies and adds
  EXPECT_EQ(at_line(all.fates, 63).into, 73u);
  EXPECT_TRUE(at_line(all.fates, 86).uniform);  // UIADD3
  EXPECT_EQ(count_fates(shipped_kernel("matmul_naive", "-O1"), FateKind::unrolled), 0);
}

TEST(PtxFate, WithoutOptimisationNothingIsMergedUnrolledOrMoved) {
  for (const records::LevelledKernel& kernel : hardware().levelled)
    for (const std::string_view level : {"-G", "-O0"}) {
      const Shipped all = shipped_kernel(kernel.name, level);
      EXPECT_EQ(count_fates(all, FateKind::merged), 0) << kernel.name << level;
      EXPECT_EQ(count_fates(all, FateKind::unrolled), 0) << kernel.name << level;
      for (const PtxFate& fate : all.fates) EXPECT_EQ(fate.moved, 0) << kernel.name << level << " " << fate.line;
    }
}

TEST(PtxFate, EachMachineInstructionBelongsToItsLine) {
  for (const records::LevelledKernel& kernel : hardware().levelled)
    for (const records::CompiledLevel& level : kernel.levels) {
      const Shipped all = shipped_kernel(kernel.name, level.name);
      std::vector<int> seen(all.kernel.code.size(), 0);
      for (const PtxFate& fate : all.fates)
        for (const std::uint32_t i : fate.sass) {
          EXPECT_EQ(all.lines[i], fate.line);
          ++seen[i];
        }
      for (std::size_t i = 0; i < seen.size(); ++i)
        EXPECT_EQ(seen[i], std::ranges::count(all.fates, all.lines[i], &PtxFate::line)) << kernel.name << level.name;
      for (const PtxFate& fate : all.fates)
        EXPECT_EQ(fate.sass.empty(),
                  fate.kind == FateKind::merged || fate.kind == FateKind::operand || fate.kind == FateKind::removed);
    }
}

}  // namespace
}  // namespace warpwalk::story::testing
