#include <bit>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/ptx/parsing.h"

namespace warpwalk::ptx {
namespace {

using Types = std::vector<Type>;

TEST(PtxInstruction, TypesRoundingAndModifiers) {
  const Instruction fma = instruction_of("fma.rm.ftz.sat.f32 f1, f2, f3, f4;");
  EXPECT_EQ(fma.opcode, Opcode::fma);
  EXPECT_EQ(fma.rounding, Rounding::rm);
  EXPECT_TRUE(fma.has(Modifier::ftz) && fma.has(Modifier::sat));
  EXPECT_EQ(fma.modifiers.count(), 2u);
  EXPECT_EQ(fma.types, Types{Type::f32});
  EXPECT_EQ(fma.operands.size(), 4u);
  EXPECT_EQ(instruction_of("cvt.rzi.ftz.s64.f32 q1, f1;").rounding, Rounding::rzi);
  EXPECT_EQ(instruction_of("cvt.rzi.ftz.s64.f32 q1, f1;").types, (Types{Type::s64, Type::f32}));
  EXPECT_EQ(instruction_of("cvt.rn.relu.bf16x2.f32 r1, f1, f2;").types, (Types{Type::bf16x2, Type::f32}));
}

TEST(PtxInstruction, AWordMeansWhatItsInstructionMakesOfIt) {
  EXPECT_TRUE(instruction_of("mul.hi.u32 r1, r2, r3;").has(Modifier::hi));
  EXPECT_EQ(instruction_of("mul.hi.u32 r1, r2, r3;").compare, Compare::none);
  EXPECT_EQ(instruction_of("setp.hi.u32 p1, r2, r3;").compare, Compare::hi);
  EXPECT_EQ(instruction_of("setp.nan.f32 p1, f2, f3;").compare, Compare::nan);
  EXPECT_TRUE(instruction_of("max.NaN.f32 f1, f2, f3;").has(Modifier::nan));
  EXPECT_TRUE(instruction_of("max.xorsign.abs.f32 f1, f2, f3;").has(Modifier::abs));
  EXPECT_EQ(instruction_of("abs.f32 f1, f2;").opcode, Opcode::abs);
  EXPECT_EQ(instruction_of("setp.eq.and.s32 p1, r1, r2, !p3;").action, Action::and_);
  EXPECT_EQ(instruction_of("red.shared.min.s32 [r1], 4;").action, Action::min);
  EXPECT_EQ(instruction_of("vote.sync.uni.pred p1, p2, -1;").action, Action::uni);
  EXPECT_TRUE(instruction_of("ret.uni;").has(Modifier::uni));
  EXPECT_TRUE(instruction_of("bar.red.popc.u32 r1, 0, p1;").has(Modifier::red));
  EXPECT_EQ(instruction_of("bar.red.popc.u32 r1, 0, p1;").action, Action::popc);
  EXPECT_EQ(instruction_of("prmt.b32.ecl r1, r2, 1, 2;").action, Action::ecl);
  EXPECT_TRUE(instruction_of("shf.l.wrap.b32 r1, r2, r3, 4;").has(Modifier::l));
  EXPECT_TRUE(instruction_of("membar.gl;").has(Modifier::gpu));
}

TEST(PtxInstruction, SpacesScopesAndCaches) {
  const Instruction load = instruction_of("ld.acquire.gpu.global.L1::no_allocate.v2.u32 {r1, _}, [q1+-8];");
  EXPECT_EQ(load.space, Space::global);
  EXPECT_EQ(load.vector, 2);
  EXPECT_TRUE(load.has(Modifier::acquire) && load.has(Modifier::gpu) && load.has(Modifier::l1_hint));
  EXPECT_EQ(load.operands[0].elements[1].kind, OperandKind::discard);
  EXPECT_TRUE(load.operands[1].address);
  EXPECT_EQ(load.operands[1].offset, -8);
  EXPECT_EQ(instruction_of("ld.const.f32 f1, [q1];").space, Space::constant);
  EXPECT_EQ(instruction_of("ld.u32 r1, [q1];").space, Space::generic);
  EXPECT_TRUE(instruction_of("ld.shared::cluster.u32 r1, [r2];").has(Modifier::shared_cluster));
  EXPECT_FALSE(instruction_of("ld.shared::cta.u32 r1, [r2];").has(Modifier::shared_cluster));
  EXPECT_TRUE(instruction_of("ld.param::entry.u32 r1, [par+4];").has(Modifier::entry));
  const Instruction copy = instruction_of("cp.async.ca.shared.global.L2::128B [r1], [q1], 8, r2;");
  EXPECT_EQ(copy.opcode, Opcode::cp_async);
  EXPECT_EQ(copy.space, Space::shared);
  EXPECT_TRUE(copy.has(Modifier::global) && copy.has(Modifier::ca) && copy.has(Modifier::l2_prefetch));
  EXPECT_EQ(instruction_of("cvta.to.shared.u64 q1, q2;").space, Space::shared);
  EXPECT_EQ(instruction_of("isspacep.local p1, q2;").space, Space::local);
}

TEST(PtxInstruction, AVariableWithoutASpaceSaysWhereItIs) {
  const Function function = entry_of(".shared .u32 s;\nld.u32 r1, [s];\natom.add.u32 r1, [s], 1;");
  EXPECT_EQ(function.instructions[0].space, Space::shared);
  EXPECT_EQ(function.instructions[1].space, Space::shared);
}

TEST(PtxInstruction, Immediates) {
  const auto bits = [](std::string_view line) { return instruction_of(line).operands.at(1).bits; };
  EXPECT_EQ(bits("mov.u32 r1, 0x10;"), 16u);
  EXPECT_EQ(bits("mov.u32 r1, -1;"), ~std::uint64_t{0});
  EXPECT_EQ(bits("mov.u32 r1, (1<<4);"), 16u);
  EXPECT_EQ(bits("mov.u32 r1, WARP_SZ;"), 32u);
  EXPECT_EQ(bits("mov.f32 f1, 0f3F800000;"), 0x3f800000u);
  EXPECT_EQ(bits("mov.f64 d1, 0d3FF0000000000000;"), std::bit_cast<std::uint64_t>(1.0));
  EXPECT_EQ(bits("mov.f32 f1, 0.1;"), std::bit_cast<std::uint64_t>(0.1));
  EXPECT_EQ(instruction_of("mov.f32 f1, 0.1;").operands[1].literal, Literal::f64);
  EXPECT_EQ(instruction_of("mov.b32 r1, 0f3F800000;").operands[1].literal, Literal::f32);
  EXPECT_EQ(instruction_of("mov.pred p1, 1;").operands[1].kind, OperandKind::immediate);
}

TEST(PtxInstruction, Operands) {
  EXPECT_EQ(instruction_of("mov.u32 r1, %ctaid.z;").operands[1].special, Special::ctaid_z);
  EXPECT_EQ(instruction_of("mov.u64 q1, %globaltimer;").operands[1].special, Special::globaltimer);
  const Instruction pair = instruction_of("setp.lt.f32 p1|_, f1, f2;");
  EXPECT_EQ(pair.operands[0].kind, OperandKind::pair);
  EXPECT_EQ(pair.operands[0].elements[1].kind, OperandKind::discard);
  EXPECT_TRUE(instruction_of("selp.b32 r1, 1, r2, !p1;").operands[3].negated);
  const Instruction pack = instruction_of("mov.b64 q1, {r1, r2};");
  EXPECT_EQ(pack.operands[1].kind, OperandKind::vector);
  EXPECT_EQ(pack.operands[1].elements.size(), 2u);
  EXPECT_EQ(instruction_of("mov.b64 {h1,h2,h3,h4}, q1;").operands[0].elements.size(), 4u);
  const Operand absolute = instruction_of("ld.local.u32 r1, [64];").operands[1];
  EXPECT_EQ(absolute.kind, OperandKind::immediate);
  EXPECT_TRUE(absolute.address);
  EXPECT_EQ(absolute.bits, 64u);
  const Function function = entry_of(".local .b8 depot[16];\nmov.u64 q1, depot+4;");
  EXPECT_EQ(function.instructions[0].operands[1].kind, OperandKind::local_variable);
  EXPECT_EQ(function.instructions[0].operands[1].offset, 4);
  EXPECT_FALSE(function.instructions[0].operands[1].address);
}

TEST(PtxInstruction, TheAddressOfAFunction) {
  const Module module = parsed(module_of(".func f;\n.entry k { .reg .b64 q; mov.u64 q, f; }"));
  const Operand& operand = module.entry("k")->instructions[0].operands[1];
  EXPECT_EQ(operand.kind, OperandKind::function);
  EXPECT_EQ(operand.index, 0);
}

TEST(PtxInstruction, TheFirstGpusFlushSubnormals) {
  const auto first = [](std::string_view target, std::string_view line) {
    return parsed(
               fmt::format(".version 1.4\n.target {}\n.entry k {{ .reg .f32 f<4>; .reg .pred p0; {} }}", target, line))
        .entry("k")
        ->instructions[0];
  };
  const Instruction mad = first("sm_10, map_f64_to_f32", "mad.f32 f0, f1, f2, f3;");
  EXPECT_EQ(mad.opcode, Opcode::fma);
  EXPECT_EQ(mad.rounding, Rounding::rn);
  EXPECT_TRUE(mad.has(Modifier::ftz));
  EXPECT_TRUE(first("sm_13", "setp.lt.f32 p0, f1, f2;").has(Modifier::ftz));
  EXPECT_FALSE(first("sm_20", "add.f32 f0, f1, f2;").has(Modifier::ftz));
  EXPECT_FALSE(first("sm_100", "add.f32 f0, f1, f2;").has(Modifier::ftz));
}

TEST(PtxInstruction, Matrices) {
  const Instruction mma = instruction_of(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {f0,f1,f2,f3}, {r0,r1,r2,r3}, {r4,r5}, {f0,f1,f2,f3};");
  EXPECT_EQ(mma.types, (Types{Type::f32, Type::bf16, Type::bf16, Type::f32}));
  EXPECT_TRUE(mma.has(Modifier::m16n8k16) && mma.has(Modifier::row) && mma.has(Modifier::col));
  EXPECT_FALSE(mma.has(Modifier::a_col) || mma.has(Modifier::b_row));
  const Instruction turned = instruction_of(
      "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 {f0,f1,f2,f3,f4,f5,f6,f7}, {r0,r1}, {r2,r3}, "
      "{f0,f1,f2,f3,f4,f5,f6,f7};");
  EXPECT_TRUE(turned.has(Modifier::a_col) && turned.has(Modifier::b_row));
  EXPECT_FALSE(turned.has(Modifier::row) || turned.has(Modifier::col));
  EXPECT_NE(refusal(body_of("mma.sync.aligned.m16n8k16.col.row.f32.bf16.bf16.f32 {f0,f1,f2,f3}, {r0,r1,r2,r3}, "
                            "{r4,r5}, {f0,f1,f2,f3};")),
            "accepted");
  EXPECT_TRUE(instruction_of("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {r1,r2}, [r3];").has(Modifier::trans));
  const Instruction load =
      instruction_of("wmma.load.a.sync.aligned.col.m16n16k16.shared.bf16 {r0,r1,r2,r3}, [r4], r5;");
  EXPECT_EQ(load.opcode, Opcode::wmma_load_a);
  EXPECT_TRUE(load.has(Modifier::col) && load.has(Modifier::m16n16k16));
}

}  // namespace
}  // namespace warpwalk::ptx
