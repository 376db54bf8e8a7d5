#include <gtest/gtest.h>

#include "tests/ptx/parsing.h"

namespace warpwalk::ptx {
namespace {

using Bytes = std::vector<std::uint8_t>;

Variable variable_of(std::string_view declaration) {
  const Module module = parsed(module_of(declaration));
  EXPECT_FALSE(module.variables.empty()) << declaration;
  return module.variables.empty() ? Variable{} : module.variables.back();
}

TEST(PtxDeclaration, Header) {
  const Module module = parsed(".version 8.7\n.target sm_75, texmode_independent\n.address_size 64\n");
  EXPECT_EQ(module.version, "8.7");
  EXPECT_EQ(module.target, "sm_75");
  EXPECT_EQ(module.address_size, 64);
  EXPECT_EQ(parsed(".version 9.0 .target sm_90a").target, "sm_90a");
  EXPECT_EQ(refusal(".target sm_90"), "1:1: `.target`: expected `.version` at the beginning of a module");
  EXPECT_EQ(refusal(""), "1:1: end of text: expected `.version` at the beginning of a module");
  EXPECT_EQ(refusal(".version 9.0 .target sm_90 .address_size 32"),
            "1:42: `32`: the address size must be 64: CUDA 13 does not support any other");
}

TEST(PtxDeclaration, AByteOrderMarkAndNulsAtTheEndAreNoPartOfTheText) {
  EXPECT_EQ(parsed("\xef\xbb\xbf.version 9.0\n.target sm_90\n").target, "sm_90");
  EXPECT_EQ(parsed(std::string_view(".version 9.0\n.target sm_90\n\0\0", 29)).target, "sm_90");
  EXPECT_EQ(refusal(std::string_view(".version 9.0\n\0.target sm_90\n", 28)),
            "2:1: `\\x00`: unexpected NUL byte inside the text");
}

TEST(PtxDeclaration, Variables) {
  const Variable plain = variable_of(".global .u32 x;");
  EXPECT_EQ(plain.name, "x");
  EXPECT_EQ(plain.space, Space::global);
  EXPECT_EQ(plain.bytes, 4u);
  EXPECT_EQ(plain.alignment, 4u);
  EXPECT_TRUE(plain.initial.empty());
  EXPECT_FALSE(plain.is_extern);

  const Variable array = variable_of(".visible .const .align 16 .b8 a[2][3];");
  EXPECT_EQ(array.space, Space::constant);
  EXPECT_EQ(array.bytes, 6u);
  EXPECT_EQ(array.alignment, 16u);

  const Variable vectors = variable_of(".global .v4 .f32 v[2];");
  EXPECT_EQ(vectors.bytes, 32u);
  EXPECT_EQ(vectors.alignment, 16u);

  const Variable dynamic = variable_of(".extern .shared .align 16 .b8 sm[];");
  EXPECT_TRUE(dynamic.is_extern);
  EXPECT_EQ(dynamic.bytes, 0u);
  EXPECT_EQ(dynamic.space, Space::shared);

  EXPECT_EQ(variable_of(".global .attribute(.managed) .align 4 .u32 m = 3;").bytes, 4u);
  const std::string local = "{\n.global .u32 x;\n}\n";
  const Module blocks = parsed(module_of(".entry k() {\n" + local + local + "ret;\n}"));
  ASSERT_EQ(blocks.variables.size(), 2u);
  EXPECT_NE(blocks.variables[0].name, blocks.variables[1].name);
  EXPECT_EQ(parsed(module_of(".weak .global .u16 a, b[3];")).variables.size(), 2u);
}

TEST(PtxDeclaration, InitialValues) {
  EXPECT_EQ(variable_of(".global .u32 x = 7;").initial, (Bytes{7, 0, 0, 0}));
  EXPECT_EQ(variable_of(".global .u32 x = {7};").initial, (Bytes{7, 0, 0, 0}));
  EXPECT_EQ(variable_of(".global .s16 x = -2;").initial, (Bytes{0xfe, 0xff}));
  EXPECT_EQ(variable_of(".global .f32 x = 0f3F800000;").initial, (Bytes{0, 0, 0x80, 0x3f}));
  EXPECT_EQ(variable_of(".global .f32 x = 1.0;").initial, (Bytes{0, 0, 0x80, 0x3f}));
  EXPECT_EQ(variable_of(".global .f64 x = 0d3FF8000000000000;").initial, (Bytes{0, 0, 0, 0, 0, 0, 0xf8, 0x3f}));
  EXPECT_EQ(variable_of(".global .f64 x = 1.5;").initial, (Bytes{0, 0, 0, 0, 0, 0, 0xf8, 0x3f}));
  EXPECT_EQ(variable_of(".global .u8 x[4] = {1, 0x2, 1+2, 4,};").initial, (Bytes{1, 2, 3, 4}));
}

TEST(PtxDeclaration, WhatIsNotGivenIsZero) {
  const Variable small = variable_of(".const .align 1 .b8 x[3000] = {1, 2};");
  EXPECT_EQ(small.bytes, 3000u);
  EXPECT_EQ(small.initial, (Bytes{1, 2}));
}

TEST(PtxDeclaration, ArraysOfArrays) {
  EXPECT_EQ(variable_of(".global .u8 x[2][2] = {{1}, {3, 4}};").initial, (Bytes{1, 0, 3, 4}));
  EXPECT_EQ(variable_of(".global .u8 x[2][2] = {1, 2, 3};").initial, (Bytes{1, 2, 3}));
  EXPECT_EQ(variable_of(".global .u16 x[] = {1, 2, 3};").bytes, 6u);
  EXPECT_EQ(variable_of(".global .u8 x[][2] = {{1, 2}, {3, 4}, {5}};").bytes, 6u);
  EXPECT_EQ(variable_of(".global .v2 .u8 x[2] = {{1, 2}, {3, 4}};").initial, (Bytes{1, 2, 3, 4}));
  EXPECT_EQ(refusal(module_of(".global .u8 x[2] = {1, 2, 3};")), "4:27: `3`: too many values; at most 2 fit here");
  EXPECT_EQ(refusal(module_of(".global .u8 x[2][2] = {{1, 2, 3}};")), "4:31: `3`: too many values; at most 2 fit here");
}

TEST(PtxDeclaration, Addresses) {
  const Module module = parsed(module_of(
      ".func f;\n.global .u32 a;\n.global .u64 x[5] = {a, generic(a), a+8, generic(a)+4, f};\n.shared .u32 s;\n"
      ".global .u32 y = s;"));
  const std::vector<Relocation>& all = module.variables[1].relocations;
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(module.variables[1].initial.size(), 40u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(all[i].offset, 8 * i);
    EXPECT_EQ(all[i].bytes, 8);
    EXPECT_EQ(all[i].index, 0);
    EXPECT_EQ(all[i].function, i == 4);
    EXPECT_EQ(all[i].generic, i == 1 || i == 3);
  }
  EXPECT_EQ(all[2].addend, 8);
  EXPECT_EQ(all[3].addend, 4);
  EXPECT_EQ(module.variables[3].relocations.at(0).bytes, 4);
}

TEST(PtxDeclaration, BytesOfAddresses) {
  const Variable packed = variable_of(
      ".global .u32 a;\n.global .align 1 .u8 x[9] = {1, 0XFF(generic(a)), 0xFF00(generic(a)), 0xFF0000(generic(a)),\n"
      "0xFF000000(generic(a)), 0xFF00000000(generic(a)), 0xFF0000000000(generic(a)), 0xFF000000000000(generic(a)),\n"
      "0xFF00000000000000(generic(a)+4)};");
  ASSERT_EQ(packed.relocations.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(packed.relocations[i].offset, i + 1);
    EXPECT_EQ(packed.relocations[i].bytes, 1);
    EXPECT_EQ(packed.relocations[i].byte, i);
    EXPECT_TRUE(packed.relocations[i].generic);
  }
  EXPECT_EQ(packed.relocations[7].addend, 4);
  EXPECT_EQ(packed.initial, (Bytes{1, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(refusal(module_of(".global .u32 a;\n.global .u8 x = 0xF0(a);")),
            "5:17: `0xF0`: expected a one-byte mask, as in 0xFF00(name), in a byte array");
}

TEST(PtxDeclaration, WhatIsRefused) {
  EXPECT_EQ(refusal(module_of(".global .u32 x;\n.global .u32 x;")), "5:14: `x`: this variable is already defined");
  EXPECT_EQ(refusal(module_of(".extern .global .u32 x;\n.global .u32 x = 1;")), "accepted");
  EXPECT_EQ(refusal(module_of(".global .u32 x;\n.shared .u32 x;")), "5:14: `x`: already declared in .global");
  EXPECT_EQ(refusal(module_of(".global .pred x;")), "4:9: `.pred`: predicates cannot be stored in memory");
  EXPECT_EQ(refusal(module_of(".global .tf32 x;")),
            "4:9: `.tf32`: only instructions can have this type, not variables");
  EXPECT_EQ(
      refusal(module_of(".global .texref t;\n.global .surfref s;\n.global .samplerref l = { filter_mode = linear };")),
      "accepted");
  EXPECT_EQ(refusal(module_of(".global .samplerref l = { filter_mode")),
            "4:38: end of text: expected `}` after the properties of a texture");
  EXPECT_EQ(refusal(module_of(".global .align 3 .u32 x;")), "4:16: `3`: an alignment must be a power of two");
  EXPECT_EQ(refusal(module_of(".global .u32 x")),
            "4:15: end of text: expected `;` after the declaration of a variable");
  EXPECT_EQ(refusal(module_of(".shared .u32 x = 1;")),
            "4:16: `=`: only .global and .const variables can have initial values");
  EXPECT_EQ(refusal(module_of(".global .u32 x = y;")),
            "4:18: `y`: no variable or function with this name has been declared");
  EXPECT_EQ(refusal(module_of(".global .u32 x = 1.5;")),
            "4:18: `1.5`: a variable of type .u32 cannot have a floating-point value");
  EXPECT_EQ(refusal(module_of(".const .b8 x[100000];")),
            "4:14: `100000`: expected a number of elements from 0 to 65536");
  EXPECT_EQ(refusal(module_of(".const .b32 x[40000];")),
            "4:13: `x`: this variable is larger than the limit of 65536 bytes");
  EXPECT_EQ(refusal(module_of("exit;")), "4:1: `exit`: expected a directive such as .entry, .func or .global");
  EXPECT_EQ(refusal(module_of(".nonsense")), "4:1: `.nonsense`: this directive is not allowed here");
}

TEST(PtxDeclaration, ParameterOffsets) {
  const Module module = parsed(module_of(
      ".visible .entry k(\n.param .u8 a,\n.param .u64 .ptr .global .align 16 b,\n.param .align 8 .b8 c[12],\n"
      ".param .f64 d, .param .u32 .ptr e\n)\n.maxntid 256, 2\n.reqntid 64,1,1\n.minnctapersm 3\n.maxnreg 40\n{\n"
      ".reg .u32 %r;\nld.param.u32 %r, [c+8];\n}"));
  const Function* const entry = module.entry("k");
  ASSERT_NE(entry, nullptr);
  ASSERT_EQ(entry->parameters.size(), 5u);
  const std::vector<std::uint32_t> offsets{0, 8, 16, 32, 40}, bytes{1, 8, 12, 8, 4};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(entry->parameters[i].offset, offsets[i]) << i;
    EXPECT_EQ(entry->parameters[i].bytes, bytes[i]) << i;
  }
  EXPECT_EQ(entry->maxntid, (std::array<std::uint32_t, 3>{256, 2, 1}));
  EXPECT_EQ(entry->reqntid, (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(entry->minnctapersm, 3u);
  EXPECT_EQ(entry->maxnreg, 40u);
  EXPECT_FALSE(entry->explicit_cluster);
  EXPECT_FALSE(entry->reqnctapercluster);
  const Operand& address = entry->instructions.at(0).operands.at(1);
  EXPECT_EQ(address.kind, OperandKind::parameter);
  EXPECT_TRUE(address.address);
  EXPECT_FALSE(address.returns);
  EXPECT_EQ(address.index, 2);
  EXPECT_EQ(address.offset, 8);
}

TEST(PtxDeclaration, Clusters) {
  const Function sized = parsed(module_of(".entry k .reqnctapercluster 2,3 { exit; }")).functions[0];
  EXPECT_EQ(sized.reqnctapercluster, (std::array<std::uint32_t, 3>{2, 3, 1}));
  EXPECT_FALSE(sized.explicit_cluster);
  const Function open = parsed(module_of(".entry k .explicitcluster .maxclusterrank 8 { exit; }")).functions[0];
  EXPECT_TRUE(open.explicit_cluster);
  EXPECT_FALSE(open.reqnctapercluster);
  EXPECT_EQ(open.maxclusterrank, 8u);
}

TEST(PtxDeclaration, ADeclarationComesBeforeItsDefinition) {
  const Module module =
      parsed(module_of(".func (.param .b32 r) f(.param .b32 a);\n.extern .func __assertfail(.param .b64 a) .noreturn;\n"
                       ".func (.param .b32 r) f(.param .b32 b) { ret; }"));
  ASSERT_EQ(module.functions.size(), 2u);
  EXPECT_TRUE(module.functions[0].defined);
  EXPECT_EQ(module.functions[0].parameters[0].name, "b");
  EXPECT_FALSE(module.functions[1].defined);
  EXPECT_TRUE(module.functions[1].noreturn);
  EXPECT_EQ(module.entry("f"), nullptr) << "a function is no entry";
  EXPECT_EQ(refusal(module_of(".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }")),
            "5:7: `f`: already declared on line 4 with different parameters");
  EXPECT_EQ(refusal(module_of(".func f { ret; }\n.func f { ret; }")), "5:7: `f`: this function is already defined");
  EXPECT_EQ(refusal(module_of(".func f(.param .b32 a, .param .b32 a) { ret; }")),
            "4:36: `a`: duplicate parameter name");
  EXPECT_EQ(refusal(module_of(".entry k(.param .b8 a[40000]) { ret; }")),
            "4:23: `40000`: expected a number of elements from 0 to 32764");
}

TEST(PtxDeclaration, ParametersInRegisters) {
  const Module module = parsed(module_of(".func (.reg .u32 r) f(.reg .u32 a) { mov.u32 r, a; ret; }"));
  const Function& function = module.functions.at(0);
  EXPECT_TRUE(function.parameters[0].in_register);
  // The parameter is loaded first, the return value is stored last.
  ASSERT_EQ(function.instructions.size(), 4u);
  EXPECT_EQ(function.instructions[0].opcode, Opcode::ld);
  EXPECT_EQ(function.instructions[0].operands[0].index, function.parameters[0].reg);
  EXPECT_EQ(function.instructions[1].operands[0].index, function.returns[0].reg);
  EXPECT_EQ(function.instructions[1].operands[1].index, function.parameters[0].reg);
  EXPECT_EQ(function.instructions[2].opcode, Opcode::st);
  EXPECT_EQ(function.instructions[2].operands[1].index, function.returns[0].reg);
}

TEST(PtxDeclaration, AnAliasIsTheOtherFunction) {
  const Module module =
      parsed(module_of(".func f;\n.func g;\n.global .u64 t[2] = {g, f};\n.entry k { call g; ret; }\n.func f { trap; "
                       "ret; }\n.alias g, f;"));
  EXPECT_EQ(module.entry("k")->instructions[0].operands[1].index, 0);
  EXPECT_EQ(module.variables[0].relocations[0].index, 0);
  EXPECT_FALSE(module.functions[1].defined);
  EXPECT_EQ(refusal(module_of(".func f;\n.func g;\n.alias g, f;")),
            "6:11: `f`: the target of an alias must have a body");
}

}  // namespace
}  // namespace warpwalk::ptx
