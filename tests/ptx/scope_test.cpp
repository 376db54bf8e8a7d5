#include <gtest/gtest.h>

#include "tests/ptx/parsing.h"

namespace warpwalk::ptx {
namespace {

std::string register_name(const Function& function, const Operand& operand) {
  return function.registers.at(static_cast<std::size_t>(operand.index)).name;
}

TEST(PtxScope, ARangeHasItsRegistersAndNoMore) {
  const Function function = entry_of(".reg .u32 %a<3>, b;\nmov.u32 %a0, 1;\nmov.u32 %a2, 1;\nmov.u32 b, 1;");
  ASSERT_EQ(function.instructions.size(), 3u);
  EXPECT_EQ(register_name(function, function.instructions[0].operands[0]), "%a0");
  EXPECT_EQ(register_name(function, function.instructions[1].operands[0]), "%a2");
  EXPECT_EQ(register_name(function, function.instructions[2].operands[0]), "b");
  EXPECT_EQ(refusal(body_of(".reg .u32 %a<3>;\nmov.u32 %a3, 1;")), "7:9: `%a3`: this register is not declared here");
  EXPECT_EQ(refusal(body_of(".reg .u32 %a<3>;\nmov.u32 %a, 1;")), "7:9: `%a`: this register is not declared here");
  EXPECT_EQ(refusal(body_of(".reg .u32 %a<3>;\nmov.u32 %a01, 1;")), "7:9: `%a01`: this register is not declared here");
}

TEST(PtxScope, APrefixMayEndInADigit) {
  const Function function = entry_of(".reg .u32 %a1<12>;\nmov.u32 %a111, 1;\nmov.u32 %a10, 1;");
  EXPECT_EQ(register_name(function, function.instructions[0].operands[0]), "%a111");
  EXPECT_EQ(register_name(function, function.instructions[1].operands[0]), "%a10");
}

TEST(PtxScope, AnInnerNameHidesAnOuterOne) {
  const Function function = entry_of(
      ".reg .u32 x;\nmov.u32 x, 1;\n{\n.reg .u64 x;\nmov.u64 x, 2;\n{\n.reg .u16 x;\nmov.u16 x, 3;\n}\n}\nmov.u32 x, "
      "4;");
  ASSERT_EQ(function.instructions.size(), 4u);
  const auto type = [&](std::size_t i) {
    return function.registers[static_cast<std::size_t>(function.instructions[i].operands[0].index)].type;
  };
  EXPECT_EQ(type(0), Type::u32);
  EXPECT_EQ(type(1), Type::u64);
  EXPECT_EQ(type(2), Type::u16);
  EXPECT_EQ(type(3), Type::u32);
  EXPECT_EQ(function.instructions[0].operands[0].index, function.instructions[3].operands[0].index);
}

TEST(PtxScope, ANameEndsWithItsBlock) {
  EXPECT_EQ(refusal(body_of("{\n.reg .u32 x;\n}\nmov.u32 x, 1;")), "9:9: `x`: this name is not declared here");
}

TEST(PtxScope, TwiceInOneBlockIsRefused) {
  EXPECT_EQ(refusal(body_of(".reg .u32 x;\n.reg .u64 x;")), "7:11: `x`: this name is already declared in this block");
  EXPECT_EQ(refusal(body_of(".reg .u32 x<2>;\n.reg .u64 x<3>;")),
            "7:11: `x`: registers with this name are already declared in this block");
  EXPECT_EQ(refusal(body_of(".local .u32 x;\n.shared .u64 x;")),
            "7:14: `x`: this name is already declared in this block");
}

TEST(PtxScope, LabelsForwardBackwardAndAtTheEnd) {
  const Function function = entry_of("A:\nbra B;\nbra A;\nB:\nbra.uni C;\nC:");
  ASSERT_EQ(function.instructions.size(), 3u);
  EXPECT_EQ(function.instructions[0].operands[0].kind, OperandKind::label);
  EXPECT_EQ(function.instructions[0].operands[0].index, 2);
  EXPECT_EQ(function.instructions[1].operands[0].index, 0);
  EXPECT_EQ(function.instructions[2].operands[0].index, 3) << "one past the last instruction";
  EXPECT_TRUE(function.instructions[2].has(Modifier::uni));
}

TEST(PtxScope, ALabelBelongsToItsBlock) {
  const Function function =
      entry_of("{\nAGAIN: @p1 bra DONE;\nbra AGAIN;\nDONE:\n}\n{\nAGAIN: @p1 bra DONE;\nbra AGAIN;\nDONE:\n}\nexit;");
  ASSERT_EQ(function.instructions.size(), 5u);
  EXPECT_EQ(function.instructions[0].operands[0].index, 2);
  EXPECT_EQ(function.instructions[1].operands[0].index, 0);
  EXPECT_EQ(function.instructions[2].operands[0].index, 4);
  EXPECT_EQ(function.instructions[3].operands[0].index, 2);
}

TEST(PtxScope, ALabelInABlockThatIsNotAroundIsFoundIfItIsTheOnlyOne) {
  EXPECT_EQ(entry_of("bra IN;\n{\nexit;\nIN:\nexit;\n}").instructions[0].operands[0].index, 2);
  EXPECT_EQ(refusal(body_of("bra IN;\n{\nIN:\nexit;\n}\n{\nIN:\nexit;\n}")),
            "6:5: `IN`: several blocks define this label, but none of them encloses this use");
}

TEST(PtxScope, LabelsThatAreMissingOrTwice) {
  EXPECT_EQ(refusal(body_of("bra NOWHERE;")), "6:5: `NOWHERE`: no such label in this function");
  EXPECT_EQ(refusal(body_of("A:\nexit;\nA:\nexit;")), "8:1: `A`: this label is already defined in this block");
}

TEST(PtxScope, BranchTables) {
  const Function function = entry_of("brx.idx r1, TABLE;\nTABLE: .branchtargets A, B, A;\nA: exit;\nB: trap;");
  ASSERT_EQ(function.tables.size(), 1u);
  EXPECT_EQ(function.tables[0], (std::vector<std::int32_t>{1, 2, 1}));
  const Instruction& branch = function.instructions[0];
  EXPECT_EQ(branch.opcode, Opcode::brx_idx);
  EXPECT_EQ(branch.operands[0].kind, OperandKind::reg);
  EXPECT_EQ(branch.operands[1].kind, OperandKind::table);
  EXPECT_EQ(branch.operands[1].index, 0);
  EXPECT_EQ(refusal(body_of("brx.idx r1, A;\nA: exit;")), "6:13: `A`: expected a branch table (.branchtargets)");
  EXPECT_EQ(refusal(body_of("bra T;\nT: .branchtargets A;\nA: exit;")), "6:5: `T`: expected an instruction label");
  EXPECT_EQ(refusal(body_of("brx.idx q1, T;\nT: .branchtargets A;\nA: exit;")),
            "6:9: `q1`: expected a 32-bit register with the index of a branch target");
  EXPECT_EQ(refusal(body_of("brx.idx -r1, T;\nT: .branchtargets A;\nA: exit;")),
            "6:9: `-`: expected a 32-bit register with the index of a branch target");
}

TEST(PtxScope, Guards) {
  const Function function = entry_of("@p1 exit;\n@!p2 exit;\nexit;");
  EXPECT_EQ(function.registers[static_cast<std::size_t>(function.instructions[0].guard)].name, "p1");
  EXPECT_EQ(function.instructions[0].guard_negated, 0);
  EXPECT_EQ(function.registers[static_cast<std::size_t>(function.instructions[1].guard)].name, "p2");
  EXPECT_EQ(function.instructions[1].guard_negated, 1);
  EXPECT_EQ(function.instructions[2].guard, -1);
  EXPECT_EQ(refusal(body_of("@r1 exit;")), "6:2: `r1`: expected a predicate register after @");
}

}  // namespace
}  // namespace warpwalk::ptx
