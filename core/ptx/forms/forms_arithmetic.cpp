#include <array>

#include "core/ptx/forms/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

/// Integer arithmetic (PTX ISA 9.0, "Integer Arithmetic Instructions" and "Extended-Precision Integer Arithmetic").
constexpr std::array arithmetic_table{
    Row{add, "", "unsigned|signed|u16x2|s16x2", "d0 s0 s0"},
    Row{add, "m:sat", "s32", "d0 s0 s0"},
    Row{add, "m:cc", "int32_64", "d0 s0 s0"},
    Row{addc, "m:cc?", "int32_64", "d0 s0 s0"},
    Row{sub, "", "int", "d0 s0 s0"},
    Row{sub, "m:sat", "s32", "d0 s0 s0"},
    Row{sub, "m:cc", "int32_64", "d0 s0 s0"},
    Row{subc, "m:cc?", "int32_64", "d0 s0 s0"},
    Row{mul, "m:hi|lo", "int", "d0 s0 s0"},
    Row{mul, "m:wide", "u16|u32|s16|s32", "dx s0 s0"},
    Row{mad, "m:hi|lo", "int", "d0 s0 s0 s0"},
    Row{mad, "m:wide", "u16|u32|s16|s32", "dx s0 s0 sx"},
    Row{mad, "m:hi m:sat", "s32", "d0 s0 s0 s0"},
    Row{mad, "m:hi|lo m:cc", "int32_64", "d0 s0 s0 s0"},
    Row{madc, "m:hi|lo m:cc?", "int32_64", "d0 s0 s0 s0"},
    Row{mul24, "m:hi|lo", "int32", "d0 s0 s0"},
    Row{mad24, "m:hi|lo", "int32", "d0 s0 s0 s0"},
    Row{mad24, "m:hi m:sat", "s32", "d0 s0 s0 s0"},
    Row{sad, "", "int", "d0 s0 s0 s0"},
    Row{div, "", "int", "d0 s0 s0"},
    Row{rem, "", "int", "d0 s0 s0"},
    Row{abs, "", "signed", "d0 s0"},
    Row{neg, "", "signed", "d0 s0"},
    Row{min, "", "int|u16x2|s16x2", "d0 s0 s0"},
    Row{min, "m:relu", "s32|s16x2", "d0 s0 s0"},
    Row{max, "", "int|u16x2|s16x2", "d0 s0 s0"},
    Row{max, "m:relu", "s32|s16x2", "d0 s0 s0"},
    Row{popc, "", "b32|b64", "du s0"},
    Row{clz, "", "b32|b64", "du s0"},
    Row{bfind, "m:shiftamt?", "int32_64", "du s0"},
    Row{fns, "", "b32", "d0 su su su"},
    Row{brev, "", "b32|b64", "d0 s0"},
    Row{bfe, "", "int32_64", "d0 s0 su su"},
    Row{bfi, "", "b32|b64", "d0 s0 s0 su su"},
    Row{szext, "m:clamp|wrap", "int32", "d0 s0 su"},
    Row{bmsk, "m:clamp|wrap", "b32", "d0 su su"},
    Row{dp4a, "", "int32 int32", "du su su su"},
    Row{dp2a, "m:lo|hi", "int32 int32", "du su su su"},
};

}  // namespace

std::span<const Row> arithmetic_rows() { return arithmetic_table; }

}  // namespace warpwalk::ptx
