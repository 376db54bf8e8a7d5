#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

// Copies by the tensor memory accelerator, transaction barriers and accesses to other blocks of a cluster.
constexpr Row bulk_copy_table[] = {
    {"90-", "3b4", "1", "91=1", Opcode::utmaldg, "79+3:tensor_dimensions 82?IM2COL 75?MULTICAST",
     "M.n.u32 M.n.u24 u64 e40,76 @U", "91"},
    {"90-", "5b4", "2", "91=1", Opcode::utmaldg, "79+3:tensor_dimensions", "M.n.u32 M.n.u24 e40,76 @U", "91"},
    {"90-", "3b5", "1", "91=1", Opcode::utmastg, "79+3:tensor_dimensions 82?IM2COL", "M.n.u32 M.n.u24 e40,76 @U", "91"},
    {"90-", "3b6", "1", "91=1", Opcode::utmaredg, "79+3:tensor_dimensions 82?IM2COL 87+3:reduction",
     "M.n.u32 M.n.u24 e40,76 @U", "91"},
    {"90-", "3b8", "1", "91=1", Opcode::utmapf, "=L2 79+3:tensor_dimensions 82?IM2COL", "M.n.u32 M.n.u24 u64 e40,76 @U",
     "91"},
    {"90-", "5b8", "2", "91=1", Opcode::utmapf, "=L2 79+3:tensor_dimensions", "M.n.u32 M.n.u24 e40,76 @U", "91"},
    {"90-", "3ba", "1", "91=1", Opcode::ublkcp, "73:bulk_space 74:bulk_space 75?MULTICAST 81+2:prefetch 83?SEQUENCED",
     "M.n.u32 M.n.u24 u64 e40,76 @U", "91"},
    {"90-", "3bb", "1", "91=1 74=1", Opcode::ublkred,
     "73:bulk_space 74:bulk_space 87+3:reduction 81+4:bulk_type 77+4:store_order", "M.n.u32 M.n.u24 u64 e40,76 @U",
     "91"},
    {"90-", "3bc", "1", "91=1", Opcode::ublkpf, "=L2", "M.n.u24 u64 e40,76 @U", "91"},
    {"90-", "9b7", "4", "91=0", Opcode::utmacmdflush, "", "@U"},
    {"90-", "9b9", "4", "91=1 82=0", Opcode::utmacctl, "=IV", "M.n.u24 @U", "91"},
    {"90-", "9b9", "4", "91=1 82=1", Opcode::utmacctl, "=PF", "M.n.u24 @U", "91 82"},
    {"90-", "9c7", "4", "91=1 72=0", Opcode::ucgabar_arv, "", "@U", "91"},
    {"90-", "dc7", "7", "91=1", Opcode::ucgabar_wait, "", "@U", "91"},
    // Transaction barriers in shared memory.
    {"90-", "5a7", "2", "91=1 70+2=1", Opcode::syncs, "=PHASECHK =TRANS64 72?TRYWAIT", "p81 M.u64.z r32", "70+2 91"},
    {"90-", "9a7", "4", "91=1 70+2=0", Opcode::syncs, "=ARRIVE =TRANS64 73?TMASK 74?RED 75?OPTOUT 84+3:arrive",
     "d M.u64.z r32", "91"},
    {"90-", "9b1", "4", "91=1 70+2=0 73=0", Opcode::syncs, "=CCTL 72:cctl_barrier", "M.u64.z", "91"},
    {"90-", "9b2", "4", "91=1 72+2=0", Opcode::syncs, "=LD =64", "ud M.u24 @U", "91 81+3 84+3 87+3"},
    {"90-", "5b2", "2", "91=1 72+2=1", Opcode::syncs, "=EXCH =64", "ud M.u24 u32 @U", "72+2 91"},
    {"80-89", "9b0", "4", "91=1 72+4=a", Opcode::arrives, "=LDGSTSBAR =64", "M.u64", "91"},
    {"90-", "9b0", "4", "91=1 72+4=a", Opcode::arrives, "=LDGSTSBAR =64 70+2:arrives_count", "M.u64", "91"},
    // Shared memory of another block of the cluster.
    {"90-", "dbd", "7", "90+2=3 75=1", Opcode::stas, "73+2:wide_store_size", "M.u64.w90 r32"},
    {"90-", "dbe", "7", "90+2=2 72=1", Opcode::redas, "87+3:reduction 73+3:shared_atomic_type", "M.u64.w72 r32", "72"},
    // Multicast addresses.
    {"90-", "9a4", "4", "72=1 91=1 71=1 70=1", Opcode::ldgmc,
     "=E 87+3:multicast_operation 73+3:multicast_type 77+4:store_order", "d M.u64.w70.d71", "72 91 90"},
    {"90-", "9a4", "4", "72=1 91=1 71=0 70=1", Opcode::ldgmc,
     "=E 87+3:multicast_operation 73+3:multicast_type 77+4:store_order", "d M.u64.w70.z", "72 91 90"},
    {"90-", "9a5", "4", "72=1 91=1 71=1 70=1", Opcode::ldgmc,
     "=E 87+3:multicast_float_operation 73+4:float_atomic_type 77+4:store_order", "d M.u64.w70.d71", "72 91 90"},
    {"90-", "9a5", "4", "72=1 91=1 71=0 70=1", Opcode::ldgmc,
     "=E 87+3:multicast_float_operation 73+4:float_atomic_type 77+4:store_order", "d M.u64.w70.z", "72 91 90"},
};

}  // namespace

std::span<const Row> bulk_copy_rows() { return bulk_copy_table; }

}  // namespace warpwalk::sass
