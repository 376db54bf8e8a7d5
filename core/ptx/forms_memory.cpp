#include <array>

#include "core/ptx/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

/// Loads, stores, atomics, copies and fences (PTX ISA 9.0, "Data Movement" and "Parallel Synchronization").
constexpr std::array rows{
    Row{ld, "ld_order? scope? state? ld_cache? l1_hint? l2_hint? m:L2::cache_hint? l2_prefetch? vec?", "stored|b128",
        "v0 A k"},
    Row{ld, "s:global ld_cache? m:nc l1_hint? l2_hint? m:L2::cache_hint? l2_prefetch? vec?", "stored|b128", "v0 A k"},
    Row{ldu, "s:global? vec?", "stored|b128", "v0 A"},
    Row{st, "st_order? scope? state? st_cache? l1_hint? l2_hint? m:L2::cache_hint? vec?", "stored|b128", "A V0 k"},

    Row{atom, "atom_order? scope? atomic_state? a:and|or|xor m:L2::cache_hint?", "b32|b64", "o0 A s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:exch m:L2::cache_hint?", "b32|b64|b128", "o0 A s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:cas m:L2::cache_hint?", "b16|b32|b64|b128", "o0 A s0 s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:add m:L2::cache_hint?", "u32|s32|u64|f32|f64", "o0 A s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:add m:noftz m:L2::cache_hint?", "half|bhalf", "o0 A s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:inc|dec m:L2::cache_hint?", "u32", "o0 A s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:min|max m:L2::cache_hint?", "int32_64", "o0 A s0 k"},
    Row{atom, "atom_order? scope? s:global? a:add m:L2::cache_hint? vec", "f32", "v0 A V0 k"},
    Row{atom, "atom_order? scope? s:global? a:add|min|max m:noftz m:L2::cache_hint? vec", "half|bhalf", "v0 A V0 k"},

    Row{red, "m:relaxed|release? scope? atomic_state? a:and|or|xor m:L2::cache_hint?", "b32|b64", "A s0 k"},
    Row{red, "m:relaxed|release? scope? atomic_state? a:add m:L2::cache_hint?", "u32|s32|u64|f32|f64", "A s0 k"},
    Row{red, "m:relaxed|release? scope? atomic_state? a:add m:noftz m:L2::cache_hint?", "half|bhalf", "A s0 k"},
    Row{red, "m:relaxed|release? scope? atomic_state? a:inc|dec m:L2::cache_hint?", "u32", "A s0 k"},
    Row{red, "m:relaxed|release? scope? atomic_state? a:min|max m:L2::cache_hint?", "int32_64", "A s0 k"},
    Row{red, "m:relaxed|release? scope? s:global? a:add m:L2::cache_hint? vec", "f32", "A V0 k"},
    Row{red, "m:relaxed|release? scope? s:global? a:add|min|max m:noftz m:L2::cache_hint? vec", "half|bhalf",
        "A V0 k"},

    Row{prefetch, "s:global|local? m:L1|L2", "", "A"},
    Row{prefetch, "s:global l2_hint", "", "A"},
    Row{prefetchu, "m:L1", "", "A"},
    Row{discard, "s:global? m:L2", "", "A i"},
    Row{applypriority, "s:global? l2_hint", "", "A i"},
    Row{createpolicy, "m:fractional l2_hint l2_hint?", "b64", "d0 sf?"},
    Row{createpolicy, "m:range s:global? l2_hint l2_hint?", "b64", "d0 A su su"},

    Row{cp_async, "m:ca|cg s:shared|shared::cta m:global l2_prefetch?", "", "A A i z?"},
    Row{cp_async, "m:ca|cg s:shared|shared::cta m:global m:L2::cache_hint l2_prefetch?", "", "A A i z? k"},
    Row{cp_async_commit_group, "", "", ""},
    Row{cp_async_wait_group, "", "", "i"},
    Row{cp_async_wait_all, "", "", ""},

    Row{fence, "m:sc|acq_rel? m:cta|cluster|gpu|sys", "", ""},
    Row{fence, "m:acquire|release m:cta|cluster|gpu|sys", "", ""},
    Row{fence, "m:mbarrier_init m:release m:cluster", "", ""},
    Row{fence, "m:proxy m:alias", "", ""},
    Row{fence, "m:proxy m:async s:global|shared|shared::cta|shared::cluster?", "", ""},
    Row{membar, "m:cta|gl|sys", "", ""},
    Row{membar, "m:proxy m:alias", "", ""},

    Row{alloca_, "", "u32|u64", "d0 s0 i?"},
    Row{stacksave, "", "u32|u64", "d0"},
    Row{stackrestore, "", "u32|u64", "s0"},
};

}  // namespace

std::span<const Row> memory_rows() { return rows; }

}  // namespace warpwalk::ptx
