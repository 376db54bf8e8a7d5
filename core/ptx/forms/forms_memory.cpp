#include <array>

#include "core/ptx/forms/form.h"

namespace warpwalk::ptx {
namespace {

using enum Opcode;

/// Loads, stores, atomics, copies and fences (PTX ISA 9.0, "Data Movement" and "Parallel Synchronization").
constexpr std::array memory_table{
    Row{ld, "m:weak? state? ld_cache? m:L2::cache_hint? l2_prefetch? vec?", "stored|b128", "v0 A k"},
    Row{ld, "m:weak? state? l1_hint m:L2::cache_hint? l2_prefetch? vec?", "stored|b128", "v0 A k"},
    Row{ld, "m:volatile state? l2_prefetch? vec?", "stored|b128", "v0 A"},
    Row{ld, "m:relaxed|acquire scope state? l1_hint? m:L2::cache_hint? l2_prefetch? vec?", "stored|b128", "v0 A k"},
    Row{ld, "m:mmio m:relaxed m:sys s:global?", "stored|b128", "v0 A"},
    Row{ld, "s:global m:ca|cg|cs? m:nc l1_hint? m:L2::cache_hint? l2_prefetch? vec?", "stored|b128", "v0 A k"},
    Row{ldu, "s:global? vec?", "stored|b128", "v0 A"},
    Row{st, "m:weak? st_state? st_cache? m:L2::cache_hint? vec?", "stored|b128", "A V0 k"},
    Row{st, "m:weak? st_state? l1_hint m:L2::cache_hint? vec?", "stored|b128", "A V0 k"},
    Row{st, "m:volatile st_state? vec?", "stored|b128", "A V0"},
    Row{st, "m:relaxed|release scope st_state? l1_hint? m:L2::cache_hint? vec?", "stored|b128", "A V0 k"},
    Row{st, "m:mmio m:relaxed m:sys s:global?", "stored|b128", "A V0"},

    Row{atom, "atom_order? scope? atomic_state? a:and|or|xor m:L2::cache_hint?", "b32|b64", "o0 A s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:exch m:L2::cache_hint?", "b32|b64|b128", "o0 A s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:cas m:L2::cache_hint?", "b16|b32|b64|b128", "o0 A s0 s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:add m:L2::cache_hint?", "u32|s32|u64|f32|f64", "o0 A s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:add m:noftz m:L2::cache_hint?", "half|bhalf", "o0 A s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:inc|dec m:L2::cache_hint?", "u32", "o0 A s0 k"},
    Row{atom, "atom_order? scope? atomic_state? a:min|max m:L2::cache_hint?", "int32_64", "o0 A s0 k"},
    Row{atom, "atom_order? scope? s:global? a:add m:L2::cache_hint? vec", "f32", "v0 A V0 k"},
    Row{atom, "atom_order? scope? s:global? a:add|min|max m:noftz m:L2::cache_hint? vec", "half|bhalf", "v0 A V0 k"},

    Row{red, "red_order? scope? atomic_state? a:and|or|xor m:L2::cache_hint?", "b32|b64", "A s0 k"},
    Row{red, "red_order? scope? atomic_state? a:add m:L2::cache_hint?", "u32|s32|u64|f32|f64", "A s0 k"},
    Row{red, "red_order? scope? atomic_state? a:add m:noftz m:L2::cache_hint?", "half|bhalf", "A s0 k"},
    Row{red, "red_order? scope? atomic_state? a:inc|dec m:L2::cache_hint?", "u32", "A s0 k"},
    Row{red, "red_order? scope? atomic_state? a:min|max m:L2::cache_hint?", "int32_64", "A s0 k"},
    Row{red, "red_order? scope? s:global? a:add m:L2::cache_hint? vec", "f32", "A V0 k"},
    Row{red, "red_order? scope? s:global? a:add|min|max m:noftz m:L2::cache_hint? vec", "half|bhalf", "A V0 k"},

    Row{prefetch, "s:global|local? m:L1|L2", "", "A"},
    Row{prefetch, "s:global m:L2::evict_last|L2::evict_normal", "", "A"},
    Row{prefetch, "s:param|const? m:tensormap", "", "A"},
    Row{prefetchu, "m:L1", "", "A"},
    Row{discard, "s:global? m:L2", "", "A il"},
    Row{applypriority, "s:global? m:L2::evict_normal", "", "A il"},
    Row{createpolicy, "m:fractional l2_hint m:L2::evict_first|L2::evict_unchanged?", "b64", "d0 sf?"},
    Row{createpolicy, "m:cvt m:L2", "b64", "d0 s0"},
    Row{createpolicy, "m:range s:global? l2_hint m:L2::evict_first|L2::evict_unchanged?", "b64", "d0 A su su"},

    Row{cp_async, "m:ca s:shared|shared::cta m:global m:L2::cache_hint? l2_prefetch?", "", "A A ic z? k"},
    Row{cp_async, "m:cg s:shared|shared::cta m:global m:L2::cache_hint? l2_prefetch?", "", "A A ig z? k"},
    Row{cp_async_commit_group, "", "", ""},
    Row{cp_async_wait_group, "", "", "ia"},
    Row{cp_async_wait_all, "", "", ""},
    Row{mbarrier_init, "cta_state?", "b64", "A su"},
    Row{mbarrier_inval, "cta_state?", "b64", "A"},
    Row{mbarrier_arrive, "cta_state?", "b64", "o0 A su?"},
    Row{mbarrier_arrive, "m:noComplete cta_state?", "b64", "d0 A su"},
    Row{mbarrier_arrive, "m:release|relaxed m:cta|cluster cta_state?", "b64", "o0 A su?"},
    Row{mbarrier_arrive, "m:release m:cta m:noComplete cta_state?", "b64", "d0 A su"},
    Row{mbarrier_arrive, "m:release|relaxed m:cta|cluster s:shared::cluster", "b64", "_ A su?"},
    Row{mbarrier_arrive, "s:shared::cluster", "b64", "_ A su?"},
    Row{mbarrier_arrive, "m:expect_tx cta_state?", "b64", "o0 A su"},
    Row{mbarrier_arrive, "m:expect_tx s:shared::cluster", "b64", "_ A su"},
    Row{mbarrier_arrive, "m:expect_tx m:release|relaxed m:cta|cluster cta_state?", "b64", "o0 A su"},
    Row{mbarrier_arrive, "m:expect_tx m:release|relaxed m:cta|cluster s:shared::cluster", "b64", "_ A su"},
    Row{mbarrier_arrive_drop, "cta_state?", "b64", "o0 A su?"},
    Row{mbarrier_arrive_drop, "m:noComplete cta_state?", "b64", "d0 A su"},
    Row{mbarrier_arrive_drop, "m:release|relaxed m:cta|cluster cta_state?", "b64", "o0 A su?"},
    Row{mbarrier_arrive_drop, "m:release m:cta m:noComplete cta_state?", "b64", "d0 A su"},
    Row{mbarrier_arrive_drop, "m:release|relaxed? m:cta|cluster? s:shared::cluster", "b64", "_ A su?"},
    Row{mbarrier_arrive_drop, "m:expect_tx cta_state?", "b64", "o0 A su"},
    Row{mbarrier_arrive_drop, "m:expect_tx m:release|relaxed? m:cta|cluster? s:shared::cluster", "b64", "_ A su"},
    Row{mbarrier_arrive_drop, "m:expect_tx m:release|relaxed m:cta|cluster cta_state?", "b64", "o0 A su"},
    Row{mbarrier_expect_tx, "s:shared|shared::cta|shared::cluster?", "b64", "A su"},
    Row{mbarrier_expect_tx, "m:relaxed m:cta|cluster s:shared|shared::cta|shared::cluster?", "b64", "A su"},
    Row{mbarrier_complete_tx, "s:shared|shared::cta|shared::cluster?", "b64", "A su"},
    Row{mbarrier_complete_tx, "m:relaxed m:cta|cluster s:shared|shared::cta|shared::cluster?", "b64", "A su"},
    Row{mbarrier_test_wait, "cta_state?", "b64", "p A s0"},
    Row{mbarrier_test_wait, "m:acquire|relaxed m:cta|cluster cta_state?", "b64", "p A s0"},
    Row{mbarrier_test_wait, "m:parity cta_state?", "b64", "p A su"},
    Row{mbarrier_test_wait, "m:parity m:acquire|relaxed m:cta|cluster cta_state?", "b64", "p A su"},
    Row{mbarrier_try_wait, "cta_state?", "b64", "p A s0 su?"},
    Row{mbarrier_try_wait, "m:acquire|relaxed m:cta|cluster cta_state?", "b64", "p A s0 su?"},
    Row{mbarrier_try_wait, "m:parity cta_state?", "b64", "p A su su?"},
    Row{mbarrier_try_wait, "m:parity m:acquire|relaxed m:cta|cluster cta_state?", "b64", "p A su su?"},
    Row{mbarrier_pending_count, "", "b64", "du s0"},
    Row{cp_async_mbarrier_arrive, "m:noinc? cta_state?", "b64", "A"},

    Row{fence, "m:sc|acq_rel? m:cta|cluster|gpu|sys", "", ""},
    Row{fence, "m:acquire|release m:cta|cluster|gpu|sys", "", ""},
    Row{fence, "m:mbarrier_init m:release m:cluster", "", ""},
    Row{fence, "m:proxy m:alias", "", ""},
    Row{fence, "m:proxy m:async s:global|shared|shared::cta|shared::cluster?", "", ""},
    Row{fence, "m:proxy m:async::generic m:acquire m:sync_restrict::shared::cluster m:cluster", "", ""},
    Row{fence, "m:proxy m:async::generic m:release m:sync_restrict::shared::cta m:cluster", "", ""},
    Row{fence, "m:acquire m:sync_restrict::shared::cluster m:cluster", "", ""},
    Row{fence, "m:release m:sync_restrict::shared::cta m:cluster", "", ""},
    Row{fence, "m:proxy m:tensormap::generic m:release scope", "", ""},
    Row{fence, "m:proxy m:tensormap::generic m:acquire scope", "", "A il"},
    Row{membar, "m:cta|gl|sys", "", ""},
    Row{membar, "m:proxy m:alias", "", ""},

    Row{alloca_, "", "u32|u64", "d0 s0 i2?"},
    Row{stacksave, "", "u32|u64", "d0"},
    Row{stackrestore, "", "u32|u64", "r0"},
};

}  // namespace

std::span<const Row> memory_rows() { return memory_table; }

}  // namespace warpwalk::ptx
