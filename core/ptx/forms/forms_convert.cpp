#include <array>

#include "core/ptx/forms/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

/// Conversions and comparisons (PTX ISA 9.0, "Comparison and Selection Instructions" and "cvt").
constexpr std::array convert_table{
    Row{cvt, "", "integer integer", "D0 S1"},
    // .sat is refused where the destination holds every value of the source.
    Row{cvt, "m:sat", "u8|u16|u32|u64 s8|s16|s32|s64", "D0 S1"},
    Row{cvt, "m:sat", "u8 u16|u32|u64", "D0 S1"},
    Row{cvt, "m:sat", "u16 u32|u64", "D0 S1"},
    Row{cvt, "m:sat", "u32 u64", "D0 S1"},
    Row{cvt, "m:sat", "s8 u8|u16|u32|u64|s16|s32|s64", "D0 S1"},
    Row{cvt, "m:sat", "s16 u16|u32|u64|s32|s64", "D0 S1"},
    Row{cvt, "m:sat", "s32 u32|u64|s64", "D0 S1"},
    Row{cvt, "m:sat", "s64 u64", "D0 S1"},
    Row{cvt, "rnd m:sat?", "f16|f64 integer", "D0 S1"},
    Row{cvt, "rnd m:ftz? m:sat?", "f32 integer|f64", "D0 S1"},
    Row{cvt, "rnd", "bf16 int|f64", "D0 S1"},
    Row{cvt, "to_integral m:sat?", "integer f16|f64", "D0 S1"},
    Row{cvt, "to_integral m:ftz? m:sat?", "integer f32", "D0 S1"},
    Row{cvt, "to_integral", "int bf16", "D0 S1"},
    Row{cvt, "to_integral? m:sat?", "f16 f16", "D0 S1"},
    Row{cvt, "to_integral? m:ftz? m:sat?", "f32 f32", "D0 S1"},
    Row{cvt, "to_integral? m:sat?", "f64 f64", "D0 S1"},
    Row{cvt, "to_integral?", "bf16 bf16", "D0 S1"},
    Row{cvt, "rnd m:ftz? m:sat?", "f16 f32", "D0 S1"},
    Row{cvt, "rnd m:sat?", "f16 f64", "D0 S1"},
    Row{cvt, "rnd m:ftz?", "bf16 f32", "D0 S1"},
    Row{cvt, "rnd?", "bf16 f16", "D0 S1"},
    Row{cvt, "m:ftz? m:sat?", "f32 f16", "D0 S1"},
    Row{cvt, "m:ftz? m:sat?", "f64 f32", "D0 S1"},
    Row{cvt, "m:sat?", "f64 f16", "D0 S1"},
    Row{cvt, "rnd? m:ftz?", "f32 bf16", "D0 S1"},
    Row{cvt, "rnd?", "f16|f64 bf16", "D0 S1"},
    Row{cvt, "r:rn|rz m:relu m:satfinite?", "f16|bf16 f32", "d0 s1"},
    Row{cvt, "r:rn|rz m:satfinite", "f16|bf16 f32", "d0 s1"},
    Row{cvt, "r:rn|rz m:relu? m:satfinite?", "f16x2|bf16x2 f32", "d0 s1 s1"},
    Row{cvt, "r:rna m:satfinite?", "tf32 f32", "d0 s1"},
    Row{cvt, "r:rn|rz m:relu?", "tf32 f32", "d0 s1"},
    Row{cvt, "r:rn m:satfinite m:relu?", "e4m3x2|e5m2x2 f32", "d0 s1 s1"},
    Row{cvt, "r:rn m:satfinite m:relu?", "e4m3x2|e5m2x2 f16x2", "d0 s1"},
    Row{cvt, "r:rn m:relu?", "f16x2 e4m3x2|e5m2x2", "d0 s1"},
    Row{cvt_pack, "m:sat", "u16|s16 s32", "du su su"},
    Row{cvt_pack, "m:sat", "u8|s8|u4|s4|u2|s2 s32 b32", "du su su su"},

    Row{setp, "equality bool?", "bits", "P s0 s0 c"},
    Row{setp, "signed_order bool?", "signed", "P s0 s0 c"},
    Row{setp, "unsigned_order bool?", "unsigned", "P s0 s0 c"},
    Row{setp, "float_order bool? m:ftz?", "f32", "P s0 s0 c"},
    Row{setp, "float_order bool? m:ftz?", "f16", "p s0 s0 c"},
    Row{setp, "float_order bool? m:ftz?", "f16x2", "P s0 s0 c"},
    Row{setp, "float_order bool?", "f64", "P s0 s0 c"},
    Row{setp, "float_order bool?", "bf16", "p s0 s0 c"},
    Row{setp, "float_order bool?", "bf16x2", "P s0 s0 c"},

    Row{set, "equality bool?", "u32|s32|f16|bf16|f32 bits", "d0 s1 s1 c"},
    Row{set, "signed_order bool?", "u32|s32|f16|bf16|f32 signed", "d0 s1 s1 c"},
    Row{set, "unsigned_order bool?", "u32|s32|f16|bf16|f32 unsigned", "d0 s1 s1 c"},
    Row{set, "float_order bool? m:ftz?", "u32|s32|f16|f32 f32", "d0 s1 s1 c"},
    Row{set, "float_order bool?", "bf16 f32", "d0 s1 s1 c"},
    Row{set, "float_order bool?", "u32|s32|f16|bf16|f32 f64", "d0 s1 s1 c"},
    Row{set, "float_order bool? m:ftz?", "u16|s16|u32|s32|f16 f16", "d0 s1 s1 c"},
    Row{set, "float_order bool?", "u16|s16|u32|s32|bf16 bf16", "d0 s1 s1 c"},
    Row{set, "float_order bool? m:ftz?", "u32|s32|f16x2 f16x2", "d0 s1 s1 c"},
    Row{set, "float_order bool?", "u32|s32|bf16x2 bf16x2", "d0 s1 s1 c"},

    Row{selp, "", "moved", "d0 s0 s0 n"},
    Row{slct, "", "moved s32", "d0 s0 s0 s1"},
    Row{slct, "m:ftz?", "moved f32", "d0 s0 s0 s1"},
};

}  // namespace

std::span<const Row> convert_rows() { return convert_table; }

}  // namespace warpwalk::ptx
