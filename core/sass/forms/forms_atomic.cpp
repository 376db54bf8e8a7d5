#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

// clang-format off
constexpr Row rows[] = {
    {"75", "38a", "1", "72=1", Opcode::atom, "=E 87+4:atomic 84+3:evict 73+3:atomic_type_75 79+2:atomic_order_75 77+2:scope_75", "p81 d M r32", "64+8 72"},
    {"75", "3a8", "1", "72=1", Opcode::atomg, "=E 87+4:atomic 84+3:evict 73+3:atomic_type_75 79+2:atomic_order_75 77+2:scope_75", "p81 d M r32", "64+8 72"},
    {"75", "9a8", "4", "72=1 91=1 71=0", Opcode::atomg, "=E 87+4:atomic 84+3:evict 73+3:atomic_type_75 79+2:atomic_order_75 77+2:scope_75", "p81 d M.u64.w70 r32", "72 91"},
    {"75", "38b", "1", "72=1", Opcode::atom, "=E =CAS 84+3:evict 73+3:cas_type_64 79+2:atomic_order_75 77+2:scope_75", "p81 d M r32 r64", "72"},
    {"75", "3a9", "1", "72=1", Opcode::atomg, "=E =CAS 84+3:evict 73+3:cas_type_64 79+2:atomic_order_75 77+2:scope_75", "p81 d M r32 r64", "72"},
    {"75", "98e", "4", "72=1 91=0", Opcode::red, "=E 87+3:reduction 84+3:evict 73+3:atomic_type_75 79+2:atomic_order_75 77+2:scope_75", "M r32", "72"},
    {"75", "98e", "4", "72=1 91=1", Opcode::red, "=E 87+3:reduction 84+3:evict 73+3:atomic_type_75 79+2:atomic_order_75 77+2:scope_75", "M.u64.w90 r32", "72 91"},
    {"80-89", "98a", "4", "72=1 91=1", Opcode::atom, "=E 87+4:atomic 84+3:evict 73+3:atomic_type_75 77+4:store_order", "p81 d M.u64.w70.d71.s101 r32", "72 91"},
    {"90-", "98a", "4", "72=1 91=1", Opcode::atom, "=E 87+4:atomic 84+3:evict 73+3:atomic_type 77+4:store_order", "p81 d M.u64.w70.d71.s101 r32", "72 91"},
    {"90-", "9a2", "4", "72=1 91=1", Opcode::atom, "=E 87+3:float_atomic 84+3:evict 73+4:float_atomic_type 77+4:store_order", "p81 d M.u64.w70.d71.s101 r32", "72 91"},
    {"80-89", "9a8", "4", "72=1 91=1", Opcode::atomg, "=E 87+4:atomic 84+3:evict 73+3:atomic_type_75 77+4:store_order", "p81 d M.u64.w70.d71.s101 r32", "72 91"},
    {"90-", "9a8", "4", "72=1 91=1", Opcode::atomg, "=E 87+4:atomic 84+3:evict 73+3:atomic_type 77+4:store_order", "p81 d M.u64.w70.d71.s101 r32", "72 91"},
    {"90-", "9a3", "4", "72=1 91=1", Opcode::atomg, "=E 87+3:float_atomic 84+3:evict 73+4:float_atomic_type 77+4:store_order", "p81 d M.u64.w70.d71.s101 r32", "72 91"},
    {"80-89", "38b", "1", "72=1 87+2=0", Opcode::atom, "=E =CAS 84+3:evict 73+3:cas_type_64 77+4:store_order", "p81 d M r32 r64", "72"},
    {"90-", "38b", "1", "72=1 87+2=0", Opcode::atom, "=E =CAS 84+3:evict 73+3:cas_type 77+4:store_order", "p81 d M r32 r64", "72"},
    {"90-", "38b", "1", "72=1 87+2=3 77+4=0", Opcode::atom, "=E =CAST =SPIN 84+3:evict 73+3:cas_type", "p81 d M r32 r64", "72 87+2"},
    {"80-89", "3a9", "1", "72=1 87+2=0", Opcode::atomg, "=E =CAS 84+3:evict 73+3:cas_type_64 77+4:store_order", "p81 d M r32 r64", "72"},
    {"90-", "3a9", "1", "72=1 87+2=0", Opcode::atomg, "=E =CAS 84+3:evict 73+3:cas_type 77+4:store_order", "p81 d M r32 r64", "72"},
    {"80-89", "98e", "4", "72=1 91=1", Opcode::red, "=E 87+3:reduction 84+3:evict 73+3:atomic_type_75 77+4:store_order", "M.u64.w90.d71.s101 r32", "72 91"},
    {"90-", "98e", "4", "72=1 91=1", Opcode::redg, "=E 87+3:reduction 84+3:evict 73+3:reduction_type 77+4:store_order", "M.u64.w90.d71.s101 r32", "72 91"},
    {"90-", "9a6", "4", "72=1 91=1", Opcode::redg, "=E 87+3:float_atomic 84+3:evict 73+4:float_atomic_type 77+4:store_order", "M.u64.w90.d71.s101 r32", "72 91"},
    {"", "38c", "1", "", Opcode::atoms, "87+4:atomic 73+3:shared_atomic_type", "d M.x78 r32", "64+8"},
    {"", "98c", "4", "91=1", Opcode::atoms, "87+4:atomic 73+3:shared_atomic_type", "d M.u64.x78 r32", "91"},
    {"", "38d", "1", "87+2=0", Opcode::atoms, "=CAS 73+3:cas_type_64", "d M.x78 r32 r64"},
    {"", "38d", "1", "87+2=3", Opcode::atoms, "=CAST =SPIN 73+3:cas_type_64", "d M.x78 r32 r64", "87+2"},
    {"80-89", "f8c", "7", "87+4=a 73+3=0 91=1", Opcode::atoms, "=POPC =INC =32", "d M.u64.x78.z", ""},
    {"90-", "f8c", "7", "87+4=b 73+3=0 91=1", Opcode::atoms, "=POPC =INC =32", "d M.u64.x78.z"},
    {"80-89", "f8c", "7", "87+4=9 73+3=2 91=1", Opcode::atoms, "=ARRIVE =64", "d M.u64.x78.z", ""},
};
// clang-format on

}  // namespace

std::span<const Row> atomic_rows() { return rows; }

}  // namespace warpwalk::sass
