#include <array>

#include "core/ptx/forms/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

/// Logic, shifts and movement within a thread (PTX ISA 9.0, "Logic and Shift Instructions" and "Data Movement").
constexpr std::array logic_table{
    Row{and_, "", "pred|bits", "d0 s0 s0"},
    Row{or_, "", "pred|bits", "d0 s0 s0"},
    Row{xor_, "", "pred|bits", "d0 s0 s0"},
    Row{not_, "", "pred|bits", "d0 s0"},
    Row{cnot, "", "bits", "d0 s0"},
    Row{lop3, "", "b32", "d0 s0 s0 s0 ib"},
    Row{lop3, "a:or|and", "b32", "E0 s0 s0 s0 ib n"},
    Row{shf, "m:l|r m:clamp|wrap", "b32", "d0 s0 s0 su"},
    Row{shl, "", "bits", "d0 s0 su"},
    Row{shr, "", "bits|int", "d0 s0 su"},
    Row{prmt, "a:f4e|b4e|rc8|ecl|ecr|rc16?", "b32", "d0 s0 s0 su"},
    Row{mov, "", "pred|moved|b128", "w0 m0"},
    Row{mov, "vec", "moved", "v0 V0"},
    Row{cvta, "m:to? s:const|global|shared|shared::cta|shared::cluster|local|param|param::entry", "u32|u64", "d0 y0"},
    Row{isspacep, "s:const|global|shared|shared::cta|shared::cluster|local|param|param::entry", "", "p a"},
    Row{mapa, "s:shared::cluster?", "u32|u64", "d0 y0 su"},
    Row{getctarank, "s:shared::cluster?", "u32|u64", "du y0"},
};

}  // namespace

std::span<const Row> logic_rows() { return logic_table; }

}  // namespace warpwalk::ptx
