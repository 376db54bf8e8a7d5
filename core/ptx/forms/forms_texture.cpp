#include <array>

#include "core/ptx/forms/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

/// Textures and surfaces (PTX ISA 9.0, "Texture Instructions" and "Surface Instructions").
constexpr std::array texture_table{
    Row{tex, "m:base? geometry v:v4", "u32|s32|f32 s32|f32", "v0 T1"},
    Row{tex, "m:level geometry v:v4", "u32|s32|f32 s32|f32", "v0 T1 s1"},
    Row{tex, "m:grad geometry v:v4", "u32|s32|f32 f32", "v0 T1 G1 G1"},
    Row{tld4, "m:r|g|b|a m:2d|a2d|cube|acube v:v4", "u32|s32|f32 f32", "v0 T1"},
    Row{txq,
        "m:width|height|depth|channel_data_type|channel_order|normalized_coords|array_size|num_mipmap_levels|"
        "num_samples",
        "b32", "d0 A"},
    Row{txq, "m:level m:width|height|depth", "b32", "d0 A su"},
    Row{suld_b, "surface_geometry m:ca|cg|cs|cv? vec? outside", "b8|b16|b32|b64", "v0 Tu"},
    Row{sust_b, "surface_geometry m:wb|cg|cs|wt? vec? outside", "b8|b16|b32|b64", "Tu V0"},
    Row{sust_p, "surface_geometry m:wb|cg|cs|wt? vec? outside", "b32", "Tu V0"},
    Row{sured_b, "a:add surface_geometry outside", "u32|s32|u64", "Tu s0"},
    Row{sured_b, "a:min|max surface_geometry outside", "u32|s32", "Tu s0"},
    Row{sured_b, "a:and|or surface_geometry outside", "b32", "Tu s0"},
    Row{suq, "m:width|height|depth|channel_data_type|channel_order|array_size", "b32", "d0 A"},
};

}  // namespace

std::span<const Row> texture_rows() { return texture_table; }

}  // namespace warpwalk::ptx
