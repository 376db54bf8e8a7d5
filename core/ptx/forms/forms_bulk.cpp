#include <array>

#include "core/ptx/forms/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

/// Bulk copies by the tensor memory accelerator, and asynchronous stores to the shared memory of a cluster (PTX ISA
/// 9.0, "Data Movement and Conversion Instructions: Asynchronous copy").
constexpr std::array bulk_table{
    Row{cp_async_bulk, "s:shared::cta|shared::cluster m:global counted m:L2::cache_hint?", "", "A A sm A k"},
    Row{cp_async_bulk, "s:shared::cluster m:global counted m:multicast::cluster m:L2::cache_hint?", "",
        "A A sm A sh k"},
    Row{cp_async_bulk, "s:shared::cluster m:shared::cta counted", "", "A A sm A"},
    Row{cp_async_bulk, "s:global m:shared::cta m:bulk_group m:L2::cache_hint?", "", "A A sm k"},
    Row{cp_async_bulk_commit_group, "", "", ""},
    Row{cp_async_bulk_wait_group, "m:read?", "", "in"},
    Row{cp_async_bulk_prefetch, "m:L2 s:global m:L2::cache_hint?", "", "A sm k"},

    Row{cp_async_bulk_tensor, "tensor s:shared::cta|shared::cluster m:global m:tile? counted m:L2::cache_hint?", "",
        "A M A k"},
    Row{cp_async_bulk_tensor,
        "tensor s:shared::cluster m:global m:tile? counted m:multicast::cluster m:L2::cache_hint?", "", "A M A sh k"},
    Row{cp_async_bulk_tensor, "tensor s:global m:shared::cta m:tile? m:bulk_group m:L2::cache_hint?", "", "M A k"},
    Row{cp_async_bulk_tensor, "tensor s:shared::cta|shared::cluster m:global m:im2col counted m:L2::cache_hint?", "",
        "A M A O k"},
    Row{cp_async_bulk_tensor,
        "tensor s:shared::cluster m:global m:im2col counted m:multicast::cluster m:L2::cache_hint?", "",
        "A M A O sh k"},
    Row{cp_async_bulk_tensor, "tensor s:global m:shared::cta m:im2col_no_offs m:bulk_group m:L2::cache_hint?", "",
        "M A k"},
    Row{cp_async_bulk_prefetch_tensor, "tensor m:L2 s:global m:tile? m:L2::cache_hint?", "", "M k"},
    Row{cp_async_bulk_prefetch_tensor, "tensor m:L2 s:global m:im2col m:L2::cache_hint?", "", "M O k"},
    Row{tensormap_replace, "m:tile m:global_address s:global|shared::cta? m:b1024", "b64", "A s0"},
    Row{tensormap_replace, "m:tile m:rank s:global|shared::cta? m:b1024", "b32", "A s0"},
    Row{tensormap_replace, "m:tile m:box_dim|global_dim|element_stride s:global|shared::cta? m:b1024", "b32",
        "A in s0"},
    Row{tensormap_replace, "m:tile m:global_stride s:global|shared::cta? m:b1024", "b64", "A in s0"},
    Row{tensormap_replace, "m:tile m:elemtype|interleave_layout|swizzle_mode|fill_mode s:global|shared::cta? m:b1024",
        "b32", "A in"},
    Row{tensormap_cp_fenceproxy, "s:global m:shared::cta m:tensormap::generic m:release scope m:sync m:aligned", "",
        "A A il"},
    Row{cp_reduce_async_bulk_tensor,
        "tensor s:global m:shared::cta a:add|min|max|inc|dec|and|or|xor m:tile? m:bulk_group m:L2::cache_hint?", "",
        "M A k"},

    Row{cp_reduce_async_bulk, "s:global m:shared::cta m:bulk_group m:L2::cache_hint? a:add", "u32|s32|u64|f32|f64",
        "A A sm k"},
    Row{cp_reduce_async_bulk, "s:global m:shared::cta m:bulk_group m:L2::cache_hint? a:add m:noftz", "f16|bf16",
        "A A sm k"},
    Row{cp_reduce_async_bulk, "s:global m:shared::cta m:bulk_group m:L2::cache_hint? a:min|max",
        "u32|s32|u64|s64|f16|bf16", "A A sm k"},
    Row{cp_reduce_async_bulk, "s:global m:shared::cta m:bulk_group m:L2::cache_hint? a:inc|dec", "u32", "A A sm k"},
    Row{cp_reduce_async_bulk, "s:global m:shared::cta m:bulk_group m:L2::cache_hint? a:and|or|xor", "b32|b64",
        "A A sm k"},
    Row{cp_reduce_async_bulk, "s:shared::cluster m:shared::cta counted a:add", "u32|s32|u64", "A A sm A"},
    Row{cp_reduce_async_bulk, "s:shared::cluster m:shared::cta counted a:min|max", "u32|s32", "A A sm A"},
    Row{cp_reduce_async_bulk, "s:shared::cluster m:shared::cta counted a:inc|dec", "u32", "A A sm A"},
    Row{cp_reduce_async_bulk, "s:shared::cluster m:shared::cta counted a:and|or|xor", "b32", "A A sm A"},

    Row{st_async, "m:weak? s:shared::cta|shared::cluster? counted vec?", "b32|b64|u32|u64|s32|s64|f32|f64", "A V0 A"},
    Row{red_async, "m:relaxed m:cluster s:shared::cluster? counted a:add", "u32|s32|u64|s64", "A s0 A"},
    Row{red_async, "m:relaxed m:cluster s:shared::cluster? counted a:min|max", "u32|s32", "A s0 A"},
    Row{red_async, "m:relaxed m:cluster s:shared::cluster? counted a:inc|dec", "u32", "A s0 A"},
    Row{red_async, "m:relaxed m:cluster s:shared::cluster? counted a:and|or|xor", "b32", "A s0 A"},
};

}  // namespace

std::span<const Row> bulk_rows() { return bulk_table; }

}  // namespace warpwalk::ptx
