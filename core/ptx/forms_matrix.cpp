#include <array>

#include "core/ptx/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

constexpr std::string_view fragments = "{0 {1 {2 {3";

/// mma.sync of dense matrices and what moves their fragments (PTX ISA 9.0, "Matrix multiply-accumulate operation using
/// mma instruction"). The types are those of d, a, b and c.
constexpr std::array rows{
    Row{mma, "m:sync m:aligned m:m8n8k4 m:row m:col", "f16|f32 f16 f16 f16|f32", fragments},
    Row{mma, "m:sync m:aligned m:m8n8k4 m:row m:col rnd?", "f64 f64 f64 f64", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k4|m16n8k8|m16n8k16 m:row m:col rnd?", "f64 f64 f64 f64", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k8|m16n8k16 m:row m:col", "f16|f32 f16 f16 f16|f32", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k8|m16n8k16 m:row m:col", "f32 bf16 bf16 f32", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k4|m16n8k8 m:row m:col", "f32 tf32 tf32 f32", fragments},
    Row{mma, "m:sync m:aligned m:m8n8k16|m16n8k16|m16n8k32 m:row m:col m:satfinite?", "s32 u8|s8 u8|s8 s32", fragments},
    Row{mma, "m:sync m:aligned m:m16n8k16|m16n8k32 m:row m:col", "f16|f32 e4m3|e5m2 e4m3|e5m2 f16|f32", fragments},
    Row{ldmatrix, "m:sync m:aligned m:m8n8 m:x1|x2|x4 m:trans? s:shared|shared::cta?", "b16", "{n A"},
    Row{stmatrix, "m:sync m:aligned m:m8n8 m:x1|x2|x4 m:trans? s:shared|shared::cta?", "b16", "A {n"},
    Row{movmatrix, "m:sync m:aligned m:m8n8 m:trans", "b16", "du su"},
};

}  // namespace

std::span<const Row> matrix_rows() { return rows; }

}  // namespace warpwalk::ptx
