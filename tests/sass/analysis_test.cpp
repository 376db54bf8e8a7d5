// Registers read and written, control flow, live registers and dependences, on ptxas's code for this repository's
// kernels (record.py). ptxas allocates registers without gaps between a value's write and its last read, so that
// its own code is the reference: nothing is read before it is written, and next to nothing is written in vain.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/sass/analysis/dependences.h"
#include "core/sass/text.h"
#include "tests/sass/recorded.h"

namespace warpwalk::sass {
namespace {

std::string names(const RegisterSet& set) {
  std::string text;
  const auto add = [&](const auto& bits, const char* prefix) {
    for (std::size_t i = 0; i < bits.size(); ++i)
      if (bits[i]) text += (text.empty() ? "" : " ") + std::string(prefix) + std::to_string(i);
  };
  add(set.general, "R");
  add(set.uniform, "UR");
  add(set.predicates, "P");
  add(set.uniform_predicates, "UP");
  return text;
}

/// A function of a recorded cubin, analysed.
struct Analysed {
  std::string bytes;  ///< that the views point into
  Cubin cubin;
  const CubinFunction* function = nullptr;
  std::vector<Decoded> code;
  ControlFlow flow;
  Liveness live;

  const Instruction& at(std::uint64_t address) const {
    return std::get<Instruction>(code.at(address / instruction_bytes));
  }
  std::string text(std::size_t i) const { return text_of(std::get<Instruction>(code[i]), cubin.architecture); }
};

void analyse(Analysed& a, const CubinFunction& function) {
  a.function = &function;
  a.code = decode(a.cubin.architecture, function.code);
  a.flow = control_flow(a.code, function);
  a.live = liveness(a.code, a.flow, function);
}

void load_analysed(Analysed& a, const std::string& name) {
  a.bytes = read_data("cubins/" + name);
  auto parsed = parse_cubin(a.bytes);
  ASSERT_TRUE(parsed) << name << ": " << parsed.error();
  a.cubin = *std::move(parsed);
  ASSERT_FALSE(a.cubin.functions.empty());
  analyse(a, a.cubin.functions.front());
}

TEST(RegisterUse, WidthsFollowOpcodeAndModifiers) {
  struct Expected {
    Architecture architecture;
    const char *text, *reads, *writes;
  };
  using enum Architecture;
  const Expected expected[] = {
      {sm_75, "DFMA R8, R12, -R8, R16", "R8 R9 R12 R13 R16 R17", "R8 R9"},
      {sm_75, "IMAD.WIDE.U32.X R18, R5, R3, R18, P3", "R3 R5 R18 R19 P3", "R18 R19"},
      {sm_75, "IMAD.HI.U32 R24, P0, R9, R30, R4", "R4 R5 R9 R30", "R24 P0"},
      {sm_75, "HMMA.1688.F32 R12, R4, R25, R12", "R4 R5 R12 R13 R14 R15 R25", "R12 R13 R14 R15"},
      {sm_90, "IMMA.16816.S8.S8 R4, R18.ROW, R14.COL, R4", "R4 R5 R6 R7 R14 R18 R19", "R4 R5 R6 R7"},
      {sm_90, "DMMA.8x8x4 R24, R14, R16, R24", "R14 R15 R16 R17 R24 R25 R26 R27", "R24 R25 R26 R27"},
      {sm_90, "LDSM.16.M88.4 R16, [R17]", "R17", "R16 R17 R18 R19"},
      {sm_90, "LDGSTS.E.BYPASS.128.ZFILL [R7], desc[UR6][R2.64], P0", "R2 R3 R7 UR6 UR7 P0", ""},
      {sm_75, "ATOMG.E.MAX.64.STRONG.GPU PT, R12, [R2], R12", "R2 R3 R12 R13", "R12 R13"},
      {sm_75, "ATOMG.E.MAX.S32.STRONG.GPU PT, R9, [R6], R9", "R6 R7 R9", "R9"},
      {sm_75, "LDG.E.128.CONSTANT.SYS R56, [R68+0x1000]", "R68 R69", "R56 R57 R58 R59"},
      {sm_75, "SHFL.IDX P1, R17, R9, R6, 0xf", "R6 R9", "R17 P1"},
      {sm_75, "R2P PR, R8, 0x3", "R8", "P0 P1"},
      {sm_90, "P2R R17, PR, RZ, 0x1", "P0", "R17"},
      {sm_90, "CS2R R12, SR_CLOCKLO", "", "R12 R13"},
      {sm_90, "MATCH.ALL.U64 P4, R19, R2", "R2 R3", "R19 P4"},
      {sm_90, "UIMAD.WIDE.U32 UR4, UR18, UR16, UR4", "UR4 UR5 UR16 UR18", "UR4 UR5"},
      {sm_75, "ULDC.64 UR6, c[0x0][UR8+0x188]", "UR8", "UR6 UR7"},
      {sm_75, "RET.REL.NODEC R4 0x0", "R4 R5", ""},
      {sm_75, "@!P1 I2F.U16 R5, R5", "R5 P1", "R5"},
      {sm_90, "SYNCS.PHASECHK.TRANS64 P0, [UR7], R3", "R3 UR7", "P0"},
  };
  const std::string contents = read_data("instructions.gz");
  const auto recorded = parse_recorded(contents);
  for (const Expected& one : expected) {
    const auto found = std::ranges::find_if(
        recorded, [&](const Recorded& r) { return r.architecture == one.architecture && r.text == one.text; });
    ASSERT_NE(found, recorded.end()) << one.text;
    const Decoded decoded = decode(found->architecture, found->encoding, found->address);
    ASSERT_TRUE(std::holds_alternative<Instruction>(decoded)) << one.text;
    const RegisterUse use = register_use(std::get<Instruction>(decoded));
    EXPECT_EQ(names(use.reads), one.reads) << one.text;
    EXPECT_EQ(names(use.writes), one.writes) << one.text;
    EXPECT_EQ(use.always, one.text[0] != '@') << one.text;
  }
}

TEST(Liveness, AgreesWithTheRegisterAllocationOfPtxas) {
  std::size_t kernels = 0, written = 0, in_vain = 0, early = 0;
  const std::filesystem::path folder = std::string(WARPWALK_SOURCE_DIR) + "/tests/sass/data/cubins";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    Analysed a;
    ASSERT_NO_FATAL_FAILURE(load_analysed(a, file.path().filename().string()));
    for (const CubinFunction& function : a.cubin.functions) {
      analyse(a, function);
      ++kernels;
      EXPECT_TRUE(a.flow.complete && a.live.complete) << file.path() << " " << function.name;
      EXPECT_LE(a.live.occupied(a.live.peak()).general.count(), function.registers) << file.path();
      if (!a.live.at_entry.empty()) ++early;
      EXPECT_LE(names(a.live.at_entry).size(), 3u) << file.path() << " " << function.name;
      for (std::size_t i = 0; i < a.code.size(); ++i) {
        for (std::size_t r = function.registers; r < 255; ++r) EXPECT_FALSE(a.live.occupied(i).general[r]);
        // R1 is the stack pointer, which many kernels do not need.
        RegisterSet vain = a.live.uses[i].writes - a.live.after[i];
        vain.general.reset(1);
        written += a.live.uses[i].writes.general.count() + a.live.uses[i].writes.uniform.count();
        in_vain += vain.general.count() + vain.uniform.count();
      }
    }
  }
  EXPECT_GE(kernels, 115u);
  EXPECT_GT(written, 10'000u);
  // Unused halves of products and of vectors from memory. A width that is wrong in one opcode gives far more.
  EXPECT_LT(in_vain * 200, written);
  EXPECT_LE(early, 2u);
}

TEST(Liveness, EveryInstructionOfReluAsOnPaper) {
  Analysed a;
  ASSERT_NO_FATAL_FAILURE(load_analysed(a, "relu.sm_90.gz"));
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"LDC R1, c[0x0][0x28]", ""},
      {"S2R R0, SR_TID.X", ""},
      {"S2UR UR4, SR_CTAID.X", "R0"},
      {"LDC R7, c[0x0][RZ]", "R0 UR4"},
      {"IMAD R7, R7, UR4, R0", "R0 R7 UR4"},
      {"ULDC UR4, c[0x0][0x220]", "R7"},
      {"ISETP.GE.AND P0, PT, R7, UR4, PT", "R7 UR4"},
      {"@P0 EXIT", "R7 P0"},
      {"LDC.64 R2, c[0x0][0x210]", "R7"},
      {"ULDC.64 UR4, c[0x0][0x208]", "R2 R3 R7"},
      {"LDC.64 R4, c[0x0][0x218]", "R2 R3 R7 UR4 UR5"},
      {"IMAD.WIDE R2, R7, 0x4, R2", "R2 R3 R4 R5 R7 UR4 UR5"},
      {"LDG.E R2, desc[UR4][R2.64]", "R2 R3 R4 R5 R7 UR4 UR5"},
      {"IMAD.WIDE R4, R7, 0x4, R4", "R2 R4 R5 R7 UR4 UR5"},
      {"FMNMX.NAN R7, RZ, R2, !PT", "R2 R4 R5 UR4 UR5"},
      {"STG.E desc[UR4][R4.64], R7", "R4 R5 R7 UR4 UR5"},
      {"EXIT", ""},
  };
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(a.text(i), expected[i].first);
    EXPECT_EQ(names(a.live.before[i]), expected[i].second) << a.text(i);
  }
  EXPECT_EQ(a.live.peak(), 10u);  // LDC.64 R4: R2 to R5 and R7
  EXPECT_EQ(a.live.occupied(10).general.count(), 5u);
}

TEST(Dependences, WhatReluWaitsForAndReads) {
  Analysed a;
  ASSERT_NO_FATAL_FAILURE(load_analysed(a, "relu.sm_90.gz"));
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(producers(a.flow, a.live, 4), (Numbers{1, 2, 3}));  // IMAD: TID.X, CTAID.X and the block's size
  EXPECT_EQ(producers(a.flow, a.live, 7), (Numbers{6}));        // @P0 EXIT: ISETP
  EXPECT_EQ(producers(a.flow, a.live, 15), (Numbers{9, 13, 14}));
  // FMNMX waits for the load, whose result arrives later than any fixed number of cycles.
  const auto waited = awaited(a.code, a.flow, 14);
  ASSERT_EQ(waited.size(), 1u);
  EXPECT_EQ(waited[0].instruction, 12u);
  EXPECT_TRUE(waited[0].on_write);
  EXPECT_EQ(waited[0].barrier, a.at(0xc0).control.write_barrier);
}

// Whenever an instruction reads what a load or another instruction with a barrier writes, the barrier was waited for.
TEST(Dependences, BarriersProtectEveryResultThatHasOne) {
  std::size_t checked = 0;
  for (const char* const name : {"softmax.sm_90.gz", "matmul_tiled.sm_80.gz", "softmax.sm_75.gz"}) {
    Analysed a;
    ASSERT_NO_FATAL_FAILURE(load_analysed(a, name));
    for (std::uint32_t i = 0; i < a.code.size(); ++i) {
      for (const std::uint32_t from : producers(a.flow, a.live, i)) {
        const Control& control = std::get<Instruction>(a.code[from]).control;
        if (control.write_barrier == Control::no_barrier || from + 1 != i) continue;
        ++checked;
        const auto waited = awaited(a.code, a.flow, i);
        EXPECT_TRUE(std::ranges::any_of(
            waited,
            [&](const BarrierSetter& s) { return s.instruction == from && s.barrier == control.write_barrier; }))
            << name << " " << a.text(i) << " after " << a.text(from);
      }
    }
  }
  EXPECT_GT(checked, 10u);
}

TEST(ControlFlow, CallsReturnToTheirCallers) {
  Analysed a;
  ASSERT_NO_FATAL_FAILURE(load_analysed(a, "calls.sm_90.gz"));
  std::size_t calls = 0;
  for (std::uint32_t i = 0; i < a.code.size(); ++i) {
    if (std::get<Instruction>(a.code[i]).opcode != Opcode::call || !a.flow.reachable[i]) continue;
    ++calls;
    ASSERT_EQ(a.flow.successors[i].size(), 1u);
    EXPECT_NE(a.flow.successors[i][0], i + 1);
    const auto& before_next = a.flow.predecessors[i + 1];
    EXPECT_TRUE(std::ranges::any_of(
        before_next, [&](std::uint32_t from) { return std::get<Instruction>(a.code[from]).opcode == Opcode::ret; }));
  }
  EXPECT_GE(calls, 4u);
  EXPECT_FALSE(a.flow.reachable.back());  // padding after the code
}

TEST(ControlFlow, HostileCodeIsAnalysedToo) {
  // Every instruction unknown, none, or jumping out of the code.
  const CubinFunction function;
  const std::vector<Decoded> none;
  EXPECT_EQ(liveness(none, control_flow(none, function), function).peak(), 0u);
  const std::vector<Decoded> unknown(3, UnknownInstruction{});
  const ControlFlow flow = control_flow(unknown, function);
  EXPECT_FALSE(flow.complete);
  EXPECT_TRUE(liveness(unknown, flow, function).before[2].empty());
  Instruction jump;
  jump.opcode = Opcode::bra;
  jump.operands.push_back({.kind = OperandKind::target, .value = -16});
  const std::vector<Decoded> out = {jump};
  EXPECT_TRUE(control_flow(out, function).successors[0].empty());
}

TEST(ControlFlow, TangledCodeTakesNoLongerThanRealCode) {
  constexpr std::uint32_t count = 5000;
  std::string table;
  for (std::uint32_t i = 0; i < count; ++i)
    for (unsigned byte = 0; byte < 4; ++byte) table.push_back(static_cast<char>((16 * i) >> (8 * byte) & 0xff));
  CubinFunction function;
  function.constants.push_back({2, table});
  // Every instruction jumps to any address; or every other one calls the next but one, and the others return.
  std::vector<Decoded> jumps, calls;
  for (std::uint32_t i = 0; i < count; ++i) {
    Instruction jump;
    jump.opcode = Opcode::brx;
    jump.operands.push_back({.kind = OperandKind::reg, .reg = static_cast<std::uint8_t>(i % 200)});
    jumps.emplace_back(jump);
    Instruction call;
    call.opcode = i % 2 == 0 ? Opcode::call : Opcode::ret;
    call.guard.reg = static_cast<std::uint8_t>(i % 7);
    if (i % 2 == 0) call.operands.push_back({.kind = OperandKind::target, .value = 16 * (i + 2) % (16 * count)});
    calls.emplace_back(call);
  }
  for (const auto& code : {jumps, calls}) {
    const ControlFlow flow = control_flow(code, function);
    EXPECT_FALSE(flow.complete);
    const Liveness live = liveness(code, flow, function);
    EXPECT_EQ(live.before.size(), count);
    producers(flow, live, count - 1);
    awaited(code, flow, count - 1);
  }
}

}  // namespace
}  // namespace warpwalk::sass
