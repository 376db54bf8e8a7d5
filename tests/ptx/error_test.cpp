#include <ostream>

#include <gtest/gtest.h>

#include "tests/ptx/parsing.h"

namespace warpwalk::ptx {
namespace {

struct Case {
  std::string_view line, refusal;
};

/// Prints the line as the test's name, instead of its address.
void PrintTo(const Case& of, std::ostream* out) { *out << of.line; }

class PtxError : public testing::TestWithParam<Case> {};

TEST_P(PtxError, IsTold) { EXPECT_EQ(refusal(body_of(GetParam().line)), GetParam().refusal); }

INSTANTIATE_TEST_SUITE_P(
    Instructions, PtxError,
    testing::Values(
        Case{"fmaa.rn.f32 f1, f2, f3, f4;", "6:1: `fmaa.rn.f32`: unknown instruction"},
        Case{"tcgen05.fence::before_thread_sync;", "6:1: `tcgen05.fence::before_thread_sync`: unknown instruction"},
        Case{"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {f1,f2,f3,f1}, q1, q2, r1, 0, p1, 1, 1, 0, 0;",
             "6:1: `wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16`: unknown modifier .sp of wgmma.mma_async"},
        Case{"wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc {r1,r2,r3,r1}, q1, q2, p1;",
             "6:1: `wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc`: unknown modifier .m64n8k256 of "
             "wgmma.mma_async"},
        Case{"cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [r1], [q1, "
             "{r1,r2,r3}], [r2], {h1,h2};",
             "6:114: `{`: expected 1 offset in braces"},
        Case{"cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [r1], [q1, "
             "{r1,r2}], [r2], {h1};",
             "6:90: `[`: images have three to five dimensions: channels, one to three of a pixel, and images"},
        Case{"tex.1d.v4.f32.s32 f1;", "6:21: `;`: this tex takes 2 operands, not 1"},
        Case{"fma.rn.fast.f32 f1, f2, f3, f4;", "6:1: `fma.rn.fast.f32`: unknown modifier .fast of fma"},
        Case{"cp.async.bulk.shared.global [q1], [q2], 16;",
             "6:1: `cp.async.bulk.shared.global`: .shared cannot be combined with the rest of this cp.async.bulk"},
        Case{"cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [q1], [r1], 16, [r2];",
             "6:1: `cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes`: .global cannot be "
             "combined with the rest of this cp.async.bulk"},
        Case{"add.ftz.s32 r1, r2, r3;", "6:1: `add.ftz.s32`: this add does not take the type .s32 here"},
        Case{"mul.s32 r1, r2, r3;", "6:1: `mul.s32`: this mul needs one of .hi, .lo"},
        Case{"add r1, r2, r3;", "6:1: `add`: this add takes 1 type, not 0"},
        Case{"add.s32.s32 r1, r2, r3;", "6:1: `add.s32.s32`: this add takes 1 type, not 2"},
        Case{"setp.lt.and.s32 p1, r1, r2;", "6:27: `;`: this setp takes 4 operands, not 3"},
        Case{"setp.lt.s32 p1, r1, r2, p2;", "6:25: `p2`: this setp takes 3 operands, not 4"},
        Case{"setp.lo.s32 p1, r1, r2;", "6:1: `setp.lo.s32`: this setp does not take the type .s32 here"},
        Case{"ld.global.v4.f64 {d1,d2,d3,d4}, [q1];",
             "6:1: `ld.global.v4.f64`: vectors are limited to 16 bytes before sm_100"},
        Case{"shfl.bfly.b32 r1, r2, 1, 31;", "6:1: `shfl.bfly.b32`: this shfl needs .sync"}));

INSTANTIATE_TEST_SUITE_P(
    Operands, PtxError,
    testing::Values(
        Case{"add.s32 r1, r2;", "6:15: `;`: this add takes 3 operands, not 2"},
        Case{"add.s32 r1, r2, r3, r4;", "6:21: `r4`: this add takes 3 operands, not 4"},
        Case{"add.s32 1, r2, r3;", "6:9: `1`: expected a register to write to"},
        Case{"add.s32 r1, q2, r3;", "6:13: `q2`: expected a register of 32 bits for .s32, not a .b64 register"},
        Case{"add.s32 r1, f2, r3;", "6:13: `f2`: a register of type .f32 cannot hold .s32; use a .b32 register"},
        Case{"add.s32 r1, p2, r3;", "6:13: `p2`: expected a non-predicate register, not a .pred register"},
        Case{"add.s32 r1, r2, 1.0;", "6:17: `1.0`: expected a number of type .s32, not a floating-point number"},
        Case{"add.f32 f1, f2, 1;", "6:17: `1`: expected a floating-point number, such as 1.0 or 0f3F800000"},
        Case{"add.f16 h1, h2, 1;", "6:17: `1`: expected a register: .f16 instructions do not accept numbers"},
        Case{"add.s32 r1, [q1], r3;", "6:13: `[`: expected a value, not an address in brackets"},
        Case{"add.s32 r1, !p1, r3;", "6:13: `!`: `!` can only negate predicates"},
        Case{"add.s32 r1, %nothing, r3;", "6:13: `%nothing`: this register is not declared here"},
        Case{"add.s32 r1, %tid.x, r3;",
             "6:13: `%tid.x`: only mov, or cvt to an integer, can read special registers; move it to a register first"},
        Case{"mov.u64 q1, %tid.x;", "6:13: `%tid.x`: %tid.x has 32 bits"},
        Case{"ld.global.u32 r1, q1;", "6:19: `q1`: expected an address in brackets"},
        Case{"ld.global.u32 r1, [f1];", "6:19: `[`: an address must be in a 32-bit or 64-bit register"},
        Case{"ld.global.u32 r1, [par];", "6:19: `[`: this variable is in .param, but the instruction accesses .global"},
        Case{"ld.u32 r1, [par];", "6:12: `[`: this variable is in .param, but the instruction accesses .generic"},
        Case{"ld.global.u32 r1, [q1+1.0];", "6:22: `+`: an offset must be a 32-bit integer"},
        Case{"ld.global.u32 r1, [q1+99999999999];", "6:22: `+`: an offset must be a 32-bit integer"},
        Case{"ld.global.v2.u32 r1, [q1];", "6:18: `r1`: expected 2 registers in braces"},
        Case{"ld.global.v2.u32 {r1,r2,r3}, [q1];", "6:18: `{`: expected 2 registers in braces"},
        Case{"st.global.v2.u32 [q1], {r1,_};", "6:24: `{`: expected a register or a number"},
        Case{"mov.b64 q1, {r1,r2,r3};",
             "6:13: `{`: only .b16 to .b128 can be packed from or unpacked into 2 or 4 parts"},
        Case{"mov.b64 q1, {h1,h2};", "6:13: `{`: expected a register of 32 bits for .b32, not a .b16 register"},
        Case{"selp.b32 r1, r2, r3, r4;", "6:22: `r4`: expected a predicate register, p or !p"},
        Case{"setp.eq.s32 r1, r2, r3;", "6:13: `r1`: expected a predicate register, not a .b32 register"},
        Case{"shfl.sync.idx.b32 r1|r2, r3, 0, 31, -1;",
             "6:19: `r1`: expected a predicate register, not a .b32 register"},
        Case{"lop3.b32 r1, r2, r3, r4, r5;", "6:26: `r5`: expected a constant number"},
        Case{"lop3.b32 r1, r2, r3, r4, 256;", "6:26: `256`: expected a number from 0 to 255"},
        Case{"bar.sync 16;", "6:10: `16`: a barrier number must be from 0 to 15"},
        Case{"bar.sync 0, 33;", "6:13: `33`: the thread count of a barrier must be a multiple of 32"},
        Case{"cp.async.cg.shared.global [r1], [q1], 8;", "6:39: `8`: expected 16 bytes"},
        Case{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {f0,f1,f2,f3}, {r0,r1}, {r2,r3}, {f0,f1,f2,f3};",
             "6:66: `{`: expected 4 registers in braces"}));

INSTANTIATE_TEST_SUITE_P(
    Text, PtxError,
    testing::Values(Case{"add.s32 r1, r2, r3", "7:1: `}`: expected `,` or `;` after an operand"},
                    Case{"add.s32 r1 r2, r3;", "6:12: `r2`: expected `,` or `;` after an operand"},
                    Case{"add.s32 r1, , r3;", "6:13: `,`: expected an operand"},
                    Case{"ld.global.u32 r1, [q1;", "6:22: `;`: expected `]` after an address"},
                    Case{"exit; \"open", "6:7: `\"`: unterminated string: `\"` is missing on this line"},
                    Case{"exit; #", "6:7: `#`: this character is not valid in PTX"},
                    Case{"\xc3\xa9", "6:1: `\\xc3`: this character is not valid in PTX"},
                    Case{"12;", "6:1: `12`: expected an instruction, a label or a directive"},
                    Case{".func f;", "6:1: `.func`: this directive is not allowed inside a function"},
                    Case{".reg .bf16 x;", "6:6: `.bf16`: expected a register type such as .b32"}));

TEST(PtxErrorText, ABodyThatDoesNotEnd) {
  EXPECT_EQ(refusal(module_of(".entry k {\nexit;\n")), "6:1: end of text: expected `}` after the body of a function");
}

TEST(PtxErrorText, ALongTokenIsCut) {
  const std::string text = refusal(body_of(std::string(5000, 'x') + " r1;"));
  EXPECT_EQ(text, "6:1: `" + std::string(80, 'x') + "`: unknown instruction");
}

}  // namespace
}  // namespace warpwalk::ptx
