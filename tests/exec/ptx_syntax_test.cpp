// Ways to write PTX that ptxas takes and that nvcc does not use.
#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/exec/run_ptx.h"

namespace warpwalk::testing {
namespace {

/// The first `count` words that a kernel of one warp, or of one thread for fewer than 32 words, stores. Each thread has
/// its number in %t and the address of its own word of y in %o.
std::vector<std::uint32_t> words_of(std::string_view body, std::string_view variables = "", std::size_t count = 32) {
  const std::string text = fmt::format(
      ".reg .b32 %t, %r<8>; .reg .b64 %o, %q<4>; .reg .pred %p<4>; .reg .f32 %f<4>; .reg .b16 %h<4>;\n"
      "mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.u64 %o, %o, %y;\n{}",
      body);
  // One thread stores several words, or each thread of a warp its own.
  const std::uint32_t threads = count == 32 ? 32 : 1;
  const PtxOutcome outcome = run_ptx({.body = text, .variables = variables, .block = {threads, 1, 1}});
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reports(), Reports());
  std::vector<std::uint32_t> words(count);
  if (outcome.y.size() >= 4 * count) std::memcpy(words.data(), outcome.y.data(), 4 * count);
  return words;
}

std::string error_of(std::string_view body, std::string_view variables = "") {
  return run_ptx({.body = body, .variables = variables}).error;
}

template <class F>
std::vector<std::uint32_t> each_thread(F f) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t t = 0; t < 32; ++t) words.push_back(f(t));
  return words;
}

TEST(PtxSyntax, VectorRegisters) {
  EXPECT_EQ(words_of(".reg .v2 .b32 %v; mov.u32 %v.x, %t; mov.u32 %v.y, 10; add.u32 %r0, %v.x, %v.g;\n"
                     "st.global.u32 [%o], %r0;"),
            each_thread([](std::uint32_t t) { return t + 10; }));
  // Whole vectors, ranges of them, and the names of colors.
  EXPECT_EQ(words_of(".reg .align 16 .v4 .b32 %v<2>; mov.v4.b32 %v0, {1, 2, 3, 4}; mov.v4.u32 %v1, %v0;\n"
                     "mov.b32 %v1.a, 40; st.global.v4.b32 [%y], %v1; ld.global.v4.b32 %v0, [%y];\n"
                     "st.global.v2.b32 [%y+16], {%v0.w, %v0.r};",
                     "", 6),
            (std::vector<std::uint32_t>{1, 2, 3, 40, 40, 1}));
  // A vector is also what a wider register is packed from.
  EXPECT_EQ(words_of(".reg .v2 .b16 %v; .reg .v4 .b16 %u; mov.b32 %v, 0x20001; mov.b32 %r0, %v; mov.b64 %u, "
                     "0x4000300020001;\nmov.b32 %r1, {%v.y, %u.w}; st.global.v2.u32 [%y], {%r0, %r1};",
                     "", 2),
            (std::vector<std::uint32_t>{0x20001, 0x40002}));
  EXPECT_EQ(words_of(".reg .v4 .u32 %v; mov.v4.u32 %v, %tid; mov.v4.u32 {%r0, %r1, %r2, _}, %ntid;\n"
                     "add.u32 %v.x, %v.x, %r0; st.global.u32 [%o], %v.x;"),
            each_thread([](std::uint32_t t) { return t + 32; }));
}

TEST(PtxSyntax, VectorRegistersThatAreRefused) {
  EXPECT_EQ(error_of(".reg .v2 .pred %v;"), "10:10: `.pred`: a vector register cannot hold predicates");
  EXPECT_EQ(error_of(".reg .v4 .f64 %v;"), "10:10: `.f64`: a vector register has at most 16 bytes");
  EXPECT_EQ(error_of(".reg .v2 .b32 %v; add.u32 %v, %v, %v;"), "10:27: `%v`: expected a register to write to");
  EXPECT_EQ(error_of(".reg .v2 .b32 %v; mov.b32 %v.z, 1;"),
            "10:27: `%v.z`: the elements of this vector are .x and .y, or .r and .g");
  EXPECT_EQ(error_of(".reg .v2 .b32 %v; st.global.v4.b32 [%y], {%v, %v};"),
            "10:43: `%v`: expected a register with one value, not a vector register");
  EXPECT_EQ(error_of(".reg .v4 .b32 %v; ld.global.v2.b32 %v, [%y];"), "10:36: `%v`: expected 2 registers in braces");
  EXPECT_EQ(
      error_of(".reg .b32 %v; mov.b32 %v.x, 1;"),
      "10:23: `%v.x`: only a vector register has elements such as .x, and only video instructions take .b0 or .h10");
}

TEST(PtxSyntax, ParametersInRegisters) {
  const std::string_view twice = ".func (.reg .b32 out) twice (.reg .b32 in) { add.u32 out, in, in; ret; }";
  const auto doubled = each_thread([](std::uint32_t t) { return 2 * t; });
  EXPECT_EQ(words_of("call (%r0), twice, (%t); st.global.u32 [%o], %r0;", twice), doubled);
  // Without `ret`, with a number, with .param variables, and through a pointer.
  EXPECT_EQ(words_of("call (%r0), f, (%t); st.global.u32 [%o], %r0;",
                     ".func (.reg .b32 out) f (.reg .b32 in) { add.u32 out, in, in; }"),
            doubled);
  EXPECT_EQ(words_of("call (%r0), twice, (21); call (_), twice, (1); st.global.u32 [%o], %r0;", twice),
            each_thread([](std::uint32_t) { return 42u; }));
  EXPECT_EQ(words_of(".param .b32 a; st.param.b32 [a], %t; call (a), twice, (a); ld.param.b32 %r0, [a];\n"
                     "st.global.u32 [%o], %r0;",
                     twice),
            doubled);
  EXPECT_EQ(words_of("mov.u64 %q0, twice; p: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n"
                     "call (%r0), %q0, (%t), p; st.global.u32 [%o], %r0;",
                     twice),
            doubled);
  EXPECT_EQ(
      words_of("call (%r0), f, (%t); st.global.u32 [%o], %r0;",
               ".func (.param .b32 out) f (.param .b32 in) { .reg .b32 x; ld.param.b32 x, [in]; add.u32 x, x, x;\n"
               "st.param.b32 [out], x; ret; }"),
      doubled);
}

TEST(PtxSyntax, SeveralParametersInRegisters) {
  // Two results, different types, a loop to the beginning of the function, a return that only some lanes take.
  EXPECT_EQ(words_of("mov.f32 %f0, 0f3f000000; setp.gt.u32 %p0, %t, 3; mov.u32 %r0, 100;\n"
                     "@%p0 call (%r0, %f1), f, (%t, 1.5); st.global.u32 [%o], %r0;",
                     ".func (.reg .u32 n, .reg .f32 y) f (.reg .u32 in, .reg .f32 x) {\n"
                     ".reg .pred p; L: mov.u32 n, in; add.f32 y, x, x; setp.gt.u32 p, in, 20; @p ret;\n"
                     "add.u32 in, in, 10; bra L; }"),
            each_thread([](std::uint32_t t) {
              return t <= 3 ? 100 : t > 20 ? t : t > 10 ? t + 10 : t == 10 ? 30 : t + 20;
            }));
  EXPECT_EQ(words_of(".reg .v2 .b32 %v; mov.v2.b32 %v, {1, %t}; call (%v), swap, (%v); st.global.u32 [%o], %v.x;",
                     ".func (.reg .v2 .b32 o) swap (.reg .v2 .b32 i) { mov.b32 o.x, i.y; mov.b32 o.y, i.x; ret; }"),
            each_thread([](std::uint32_t t) { return t; }));
  // A function calls itself.
  EXPECT_EQ(words_of("call (%r0), sum, (%t); st.global.u32 [%o], %r0;",
                     ".func (.reg .b32 s) sum (.reg .b32 n) { .reg .pred p; .reg .b32 m; mov.b32 s, 0;\n"
                     "setp.eq.u32 p, n, 0; @p ret; sub.u32 m, n, 1; call (s), sum, (m); add.u32 s, s, n; ret; }"),
            each_thread([](std::uint32_t t) { return t * (t + 1) / 2; }));
}

TEST(PtxSyntax, ConstantPredicates) {
  EXPECT_EQ(words_of("selp.b32 %r0, %t, 7, 1; selp.b32 %r1, %t, 7, 0; selp.b32 %r2, %r0, %r1, !2;\n"
                     "mad.lo.u32 %r0, %r0, 8, %r2; st.global.u32 [%o], %r0;"),
            each_thread([](std::uint32_t t) { return 8 * t + 7; }));
  EXPECT_EQ(
      words_of("setp.lt.and.u32 %p0, %t, 4, 1; setp.lt.and.u32 %p1, %t, 8, 0; setp.lt.xor.u32 %p2|%p3, %t, 2, 1;\n"
               "selp.u32 %r0, 1, 0, %p0; @%p1 add.u32 %r0, %r0, 10; @%p2 add.u32 %r0, %r0, 100;\n"
               "st.global.u32 [%o], %r0;"),
      each_thread([](std::uint32_t t) { return (t < 4 ? 1u : 0u) + (t < 2 ? 0u : 100u); }));
  EXPECT_EQ(words_of("bar.red.popc.u32 %r0, 0, 1; bar.red.popc.u32 %r1, 0, 0; mad.lo.u32 %r0, %r1, 1000, %r0;\n"
                     "st.global.u32 [%o], %r0;"),
            each_thread([](std::uint32_t) { return 32u; }));
}

TEST(PtxSyntax, RegisterPlusConstant) {
  EXPECT_EQ(words_of("st.global.u32 [%o], %t + 1;"), each_thread([](std::uint32_t t) { return t + 1; }));
  EXPECT_EQ(words_of("setp.lt.u32 %p0, %t + 30, 32; mov.u32 %r0, %t + 2 * 3; @%p0 mov.u32 %r0, %t + -1;\n"
                     "add.u32 %r0, %r0+1, %r0; st.global.u32 [%o], %r0;"),
            each_thread([](std::uint32_t t) { return t < 2 ? 2 * t - 1 : 2 * t + 13; }));
  EXPECT_EQ(
      words_of("cvt.u16.u32 %h0, %t; st.global.u16 [%o], %h0 + 0xffff; mov.u64 %q0, 0; st.global.u16 [%o+2], %h0;"),
      each_thread([](std::uint32_t t) { return ((t - 1) & 0xffff) | t << 16; }));
  EXPECT_EQ(words_of("mov.u64 %q0, 1; st.global.u64 [%y], %q0 + 0x500000000;", "", 2),
            (std::vector<std::uint32_t>{1, 5}));
  EXPECT_EQ(error_of(".reg .f32 %f; st.global.f32 [%y], %f + 1;"),
            "10:35: `%f`: a constant can only be added to an integer register");
  EXPECT_EQ(error_of(".reg .b32 %r; ld.global.u32 %r + 1, [%y];"),
            "10:29: `%r`: a destination is neither negated nor a sum");
  EXPECT_EQ(error_of(".reg .b32 %r; st.global.u32 [%y], %r + 1.5;"),
            "10:38: `+`: only an integer can be added to a register here");
}

TEST(PtxSyntax, GlobalVariablesInFunctions) {
  EXPECT_EQ(words_of(".global .b32 five = 5; .const .b32 two[2] = {1, 2}; { .global .b32 five = 6;\n"
                     "ld.global.u32 %r0, [five]; } ld.global.u32 %r1, [five]; ld.const.u32 %r2, [two+4];\n"
                     "mad.lo.u32 %r0, %r0, 10, %r1; mad.lo.u32 %r0, %r0, 10, %r2; st.global.u32 [%o], %r0;"),
            each_thread([](std::uint32_t) { return 652u; }));
  // Initial values may name what the function has declared, and other functions have names of their own.
  EXPECT_EQ(words_of(".global .u32 v = 7; .global .u64 to = v; ld.global.u64 %q0, [to]; ld.global.u32 %r0, [%q0];\n"
                     "call (%r1), f; add.u32 %r0, %r0, %r1; st.global.u32 [%o], %r0;",
                     ".func (.reg .b32 r) f { .global .u32 v = 30; ld.global.u32 r, [v]; ret; }"),
            each_thread([](std::uint32_t) { return 37u; }));
  EXPECT_EQ(error_of(".global .b32 a; .global .b32 a;"), "10:30: `a`: this name is already declared in this block");
  EXPECT_EQ(error_of(".reg .b32 r; .global .u64 p = r;"),
            "10:31: `r`: no variable or function with this name has been declared");
  EXPECT_EQ(error_of(".global .texref t;"), "10:17: `t`: a texture or surface cannot be declared inside a function");
}

TEST(PtxSyntax, SpecialRegistersWereHalves) {
  EXPECT_EQ(words_of("cvt.u32.u16 %r0, %ntid.x; mov.u16 %h0, %ntid.x; cvt.s32.s16 %r1, %h0; shl.b32 %r1, %r1, 16;\n"
                     "or.b32 %r0, %r0, %r1; st.global.u32 [%o], %r0;",
                     "", 1)[0],
            0x00010001u);
}

TEST(PtxSyntax, FmaOutOfBounds) {
  // 0x7ff7 in a or b, which a tensor copy fills in, makes the result 0; another NaN and c do not (seen on an H200).
  const auto fma = [](std::string_view type, std::string_view a, std::string_view b, std::string_view c) {
    return words_of(fmt::format("mov.b16 %h0, {}; mov.b16 %h1, {}; mov.b16 %h2, {}; fma.rn.oob{} %h3, %h0, %h1, %h2;\n"
                                "cvt.u32.u16 %r0, %h3; st.global.u32 [%o], %r0;",
                                a, b, c, type),
                    "", 1)[0];
  };
  EXPECT_EQ(fma(".f16", "0x7ff7", "0x3c00", "0x3c00"), 0u);
  EXPECT_EQ(fma(".f16", "0x3c00", "0xfff7", "0x3c00"), 0u);
  EXPECT_EQ(fma(".f16", "0x7ff8", "0x3c00", "0x3c00"), 0x7fffu);
  EXPECT_EQ(fma(".f16", "0x3c00", "0x3c00", "0x7ff7"), 0x7fffu);
  EXPECT_EQ(fma(".f16", "0x3c00", "0x4000", "0x3c00"), 0x4200u);
  EXPECT_EQ(fma(".relu.f16", "0xbc00", "0x4000", "0x3c00"), 0u);
  EXPECT_EQ(fma(".sat.f16", "0x3c00", "0x4000", "0x3c00"), 0x3c00u);
  EXPECT_EQ(fma(".bf16", "0x7ff7", "0x3f80", "0x3f80"), 0u);
  EXPECT_EQ(fma(".relu.bf16", "0x3f80", "0x4000", "0x3f80"), 0x4040u);
  EXPECT_EQ(words_of("mov.b32 %r0, 0x7ff73c00; mov.b32 %r1, 0x3c003c00; fma.rn.oob.f16x2 %r2, %r0, %r1, %r1;\n"
                     "st.global.u32 [%o], %r2;",
                     "", 1)[0],
            0x00004000u);
}

TEST(PtxSyntax, ConversionsFromBf16RoundInAllDirections) {
  // The results are those of an H200.
  const auto converted = [](std::string_view rounding, std::uint32_t from) {
    return words_of(fmt::format("mov.b16 %h0, {}; cvt.{}.f16.bf16 %h1, %h0; cvt.u32.u16 %r0, %h1;\n"
                                "st.global.u32 [%o], %r0;",
                                from, rounding),
                    "", 1)[0];
  };
  EXPECT_EQ(converted("rn", 0xf742), 0xfc00u);
  EXPECT_EQ(converted("rz", 0xf742), 0xfbffu);
  EXPECT_EQ(converted("rp", 0x7f01), 0x7c00u);
  EXPECT_EQ(converted("rm", 0x7f01), 0x7bffu);
  EXPECT_EQ(converted("rp", 0x3416), 3u);
  EXPECT_EQ(converted("rm", 0x3416), 2u);
  EXPECT_EQ(words_of("mov.b16 %h0, 0x4049; cvt.rz.f32.bf16 %f0, %h0; st.global.f32 [%o], %f0;", "", 1)[0], 0x40490000u);
}

}  // namespace
}  // namespace warpwalk::testing
