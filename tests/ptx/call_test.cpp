#include <gtest/gtest.h>

#include "tests/ptx/parsing.h"

namespace warpwalk::ptx {
namespace {

constexpr std::string_view callee = ".func (.param .b32 r) f(.param .align 4 .b8 a[24], .param .b64 b);\n";

std::string call_body(std::string_view lines) {
  return module_of(std::string(callee) + ".visible .entry k {\n.reg .b64 q<4>; .reg .b32 r<4>; .reg .pred p<2>;\n" +
                   std::string(lines) + "\n}");
}
Instruction call_of(std::string_view lines) {
  const Module module = parsed(call_body(lines));
  const Function* const entry = module.entry("k");
  return entry == nullptr || entry->instructions.empty() ? Instruction{} : entry->instructions.back();
}
constexpr std::string_view parameters = ".param .b32 out; .param .align 4 .b8 one[24]; .param .b64 two;\n";

TEST(PtxCall, WithReturnsAndArguments) {
  const Instruction call = call_of(std::string(parameters) + "call.uni (out), \n\tf, \n\t(\n\tone, \n\ttwo\n\t);");
  EXPECT_EQ(call.opcode, Opcode::call);
  EXPECT_TRUE(call.has(Modifier::uni));
  ASSERT_EQ(call.operands.size(), 3u);
  EXPECT_EQ(call.operands[0].kind, OperandKind::vector);
  ASSERT_EQ(call.operands[0].elements.size(), 1u);
  EXPECT_EQ(call.operands[0].elements[0].kind, OperandKind::local_variable);
  EXPECT_EQ(call.operands[0].elements[0].index, 0);
  EXPECT_EQ(call.operands[1].kind, OperandKind::function);
  EXPECT_EQ(call.operands[1].index, 0);
  ASSERT_EQ(call.operands[2].elements.size(), 2u);
  EXPECT_EQ(call.operands[2].elements[1].index, 2);
}

TEST(PtxCall, WithoutOperandLists) {
  const Module module = parsed(module_of(".func g;\n.entry k { call g; call.uni g, (); }"));
  for (const Instruction& call : module.entry("k")->instructions) {
    ASSERT_EQ(call.operands.size(), 3u);
    EXPECT_TRUE(call.operands[0].elements.empty());
    EXPECT_TRUE(call.operands[2].elements.empty());
  }
}

TEST(PtxCall, ThroughARegister) {
  const Instruction call =
      call_of(std::string(parameters) +
              "proto : .callprototype (.param .b32 _) _ (.param .align 4 .b8 _[24], .param .b64 _);\n"
              "@p1 call (out), q1, (one, two), proto;");
  ASSERT_EQ(call.operands.size(), 4u);
  EXPECT_EQ(call.operands[1].kind, OperandKind::reg);
  EXPECT_EQ(call.operands[3].kind, OperandKind::prototype);
  EXPECT_EQ(call.operands[3].index, 0);
  EXPECT_GE(call.guard, 0);
}

TEST(PtxCall, PrototypesOfListedTargets) {
  const Module module =
      parsed(call_body(std::string(parameters) + "call (out), q1, (one, two), T;\nT: .calltargets f;"));
  const Function& entry = *module.entry("k");
  ASSERT_EQ(entry.prototypes.size(), 1u);
  EXPECT_EQ(entry.prototypes[0].parameters.size(), 2u);
  EXPECT_EQ(entry.instructions[0].operands[3].index, 0);
}

TEST(PtxCall, RegistersAndNumbersAreArguments) {
  EXPECT_EQ(refusal(module_of(".func g(.reg .u32 a, .param .b64 b, .reg .u32 c);\n"
                              ".entry k { .reg .b32 r; .reg .b64 q; call g, (r, q, 7); }")),
            "accepted");
}

TEST(PtxCall, AFunctionCallsItself) {
  const Module module =
      parsed(module_of(".func (.param .b32 r) f(.param .b32 a) { .param .b32 x; call (x), f, (a); ret; }"));
  const Operand& argument = module.functions[0].instructions[0].operands[2].elements[0];
  EXPECT_EQ(argument.kind, OperandKind::parameter);
  EXPECT_FALSE(argument.returns);
}

TEST(PtxCall, WhatIsRefused) {
  const std::string with = std::string(parameters);
  EXPECT_EQ(refusal(call_body(with + "call (out), f, (one);")),
            "8:1: `call`: this call has 1 argument; the callee has 2");
  EXPECT_EQ(refusal(call_body(with + "call f, (one, two);")),
            "8:1: `call`: this call has 0 return values; the callee has 1");
  EXPECT_EQ(refusal(call_body(with + "call (out), f, (two, two);")),
            "8:1: `call`: argument 0 has 8 bytes; the callee expects 24");
  EXPECT_EQ(refusal(call_body(with + "call (out), nobody, (one, two);")),
            "8:13: `nobody`: this name is not declared here");
  EXPECT_EQ(refusal(call_body(with + "call (out), r1, (one, two);")),
            "8:13: `r1`: a function address must be in a 64-bit register");
  EXPECT_EQ(refusal(call_body(with + "call (out), q1, (one, two);")),
            "8:27: `;`: an indirect call needs the name of its .callprototype");
  EXPECT_EQ(refusal(call_body(with + "call (out), q1, (one, two), nowhere;")),
            "8:29: `nowhere`: no such label in this function");
  EXPECT_EQ(refusal(call_body(with + "call (out), f, (one, two), f;")),
            "8:28: `f`: a direct call does not take a prototype");
  EXPECT_EQ(refusal(call_body(".local .b32 x;\n" + with + "call (x), f, (one, two);")),
            "9:1: `call`: return value 0 is not a .param variable or register of type .b32");
}

}  // namespace
}  // namespace warpwalk::ptx
