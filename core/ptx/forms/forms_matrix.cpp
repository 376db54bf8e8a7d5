#include <array>

#include "core/ptx/forms/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

constexpr std::string_view fragments = "{d {a {b {c";

/// Dense matrix products by a warp and by a warp group, and the instructions that move their fragments (PTX ISA 9.0,
/// "Matrix multiply-accumulate operation using mma instruction", "... using wmma instructions", "Asynchronous Warpgroup
/// Level Matrix Multiply-Accumulate Operations"). The types of mma are those of d, a, b and c.
constexpr std::array matrix_table{
    Row{mma, "m:sync m:aligned m:m8n8k4 A:row|col B:row|col", "f32 f16 f16 f16|f32", fragments},
    Row{mma, "m:sync m:aligned m:m8n8k4 A:row|col B:row|col", "f16 f16 f16 f16", fragments},
    Row{mma, "m:sync m:aligned m:m8n8k4 A:row B:col rnd?", "f64 f64 f64 f64", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k4|m16n8k8|m16n8k16 A:row B:col rnd?", "f64 f64 f64 f64", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k8|m16n8k16 A:row B:col", "f16 f16 f16 f16", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k8|m16n8k16 A:row B:col", "f32 f16 f16 f32", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k8|m16n8k16 A:row B:col", "f32 bf16 bf16 f32", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k4|m16n8k8 A:row B:col", "f32 tf32 tf32 f32", fragments},
    Row{mma, "m:sync m:aligned m:m8n8k16|m16n8k16|m16n8k32 A:row B:col m:satfinite?", "s32 u8|s8 u8|s8 s32", fragments},
    Row{mma, "m:sync m:aligned m:m8n8k32|m16n8k32|m16n8k64 A:row B:col m:satfinite?", "s32 u4|s4 u4|s4 s32", fragments},
    Row{mma, "m:sync m:aligned m:m8n8k128|m16n8k128|m16n8k256 A:row B:col a:and|xor m:popc", "s32 b1 b1 s32", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k16|m16n8k32 A:row B:col", "f32 e4m3|e5m2 e4m3|e5m2 f32", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k16|m16n8k32 A:row B:col", "f16 e4m3|e5m2 e4m3|e5m2 f16", fragments},

    Row{ldmatrix, "m:sync m:aligned m:m8n8 m:x1|x2|x4 m:trans? s:shared|shared::cta?", "b16", "{n A"},
    Row{stmatrix, "m:sync m:aligned m:m8n8 m:x1|x2|x4 m:trans? s:shared|shared::cta?", "b16", "A {n"},
    Row{movmatrix, "m:sync m:aligned m:m8n8 m:trans", "b16", "du ru"},

    Row{wmma_load_a, "m:sync m:aligned m:row|col wmma_shape wmma_state?", "f16|bf16|u8|s8", "{a A su?"},
    Row{wmma_load_a, "m:sync m:aligned m:row|col m:m16n16k8 wmma_state?", "tf32", "{a A su?"},
    Row{wmma_load_a, "m:sync m:aligned m:row|col m:m8n8k4 wmma_state?", "f64", "{a A su?"},
    Row{wmma_load_b, "m:sync m:aligned m:row|col wmma_shape wmma_state?", "f16|bf16|u8|s8", "{b A su?"},
    Row{wmma_load_b, "m:sync m:aligned m:row|col m:m16n16k8 wmma_state?", "tf32", "{b A su?"},
    Row{wmma_load_b, "m:sync m:aligned m:row|col m:m8n8k4 wmma_state?", "f64", "{b A su?"},
    Row{wmma_load_c, "m:sync m:aligned m:row|col wmma_shape wmma_state?", "f16|f32|s32", "{c A su?"},
    Row{wmma_load_c, "m:sync m:aligned m:row|col m:m16n16k8 wmma_state?", "f32", "{c A su?"},
    Row{wmma_load_c, "m:sync m:aligned m:row|col m:m8n8k4 wmma_state?", "f64", "{c A su?"},
    Row{wmma_store_d, "m:sync m:aligned m:row|col wmma_shape wmma_state?", "f16|f32|s32", "A {c su?"},
    Row{wmma_store_d, "m:sync m:aligned m:row|col m:m16n16k8 wmma_state?", "f32", "A {c su?"},
    Row{wmma_store_d, "m:sync m:aligned m:row|col m:m8n8k4 wmma_state?", "f64", "A {c su?"},
    Row{wmma_mma, "m:sync m:aligned A:row|col B:row|col wmma_shape", "f16|f32 f16|f32", fragments},
    Row{wmma_mma, "m:sync m:aligned A:row|col B:row|col wmma_shape", "f32 bf16 bf16 f32", fragments},
    Row{wmma_mma, "m:sync m:aligned A:row|col B:row|col m:m16n16k8", "f32 tf32 tf32 f32", fragments},
    Row{wmma_mma, "m:sync m:aligned A:row|col B:row|col m:m8n8k4 rnd?", "f64 f64 f64 f64", fragments},
    Row{wmma_mma, "m:sync m:aligned A:row|col B:row|col wmma_shape m:satfinite?", "s32 u8 u8 s32", fragments},
    Row{wmma_mma, "m:sync m:aligned A:row|col B:row|col wmma_shape m:satfinite?", "s32 s8 s8 s32", fragments},

    Row{wgmma_fence, "m:sync m:aligned?", "", ""},
    Row{wgmma_commit_group, "m:sync m:aligned?", "", ""},
    Row{wgmma_wait_group, "m:sync m:aligned?", "", "in"},
    Row{wgmma_mma_async, "m:sync m:aligned? N:k16", "f16|f32 f16 f16", "{d X sq n is is iz iz?"},
    Row{wgmma_mma_async, "m:sync m:aligned? N:k16", "f32 bf16 bf16", "{d X sq n is is iz iz?"},
    Row{wgmma_mma_async, "m:sync m:aligned? N:k8", "f32 tf32 tf32", "{d X sq n is is"},
    Row{wgmma_mma_async, "m:sync m:aligned? N:k32", "f16|f32 e4m3|e5m2 e4m3|e5m2", "{d X sq n is is"},
    Row{wgmma_mma_async, "m:sync m:aligned? N:k32i m:satfinite?", "s32 u8|s8 u8|s8", "{d X sq n"},
};

}  // namespace

std::span<const Row> matrix_rows() { return matrix_table; }

}  // namespace warpwalk::ptx
