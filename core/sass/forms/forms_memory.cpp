#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

constexpr Row memory_table[] = {
    // Global and generic memory. Since sm_80 the uniform register is a memory descriptor.
    {"75", "381", "1", "72=1", Opcode::ldg, "=E 84+3:evict 68+2:prefetch_75 73+3:size 79+2:order_75 77+2:scope_75",
     "p81? d M", "72"},
    {"75", "981", "4", "72=1 91=1", Opcode::ldg, "=E 84+3:evict 68+2:prefetch_75 73+3:size 79+2:order_75 77+2:scope_75",
     "p81? d M.u32.w90", "72 91"},
    {"75", "980", "4", "72=1 91=0 90=0", Opcode::ld, "=E 84+3:evict 73+3:size 79+2:order_75 77+2:scope_75",
     "d M.o32+32", "72 81+3"},
    {"80-", "381", "1", "72=1", Opcode::ldg, "=E 84+3:evict 68+2:prefetch 73+3:size 77+4:order", "p81? d M", "72"},
    {"80-", "981", "4", "72=1 91=1", Opcode::ldg, "=E 84+3:evict 68+2:prefetch 73+3:size 77+4:order",
     "p81? d M.u32.w90.d76.s101", "72 91"},
    {"80-", "980", "4", "72=1 91=1", Opcode::ld, "=E 84+3:evict 68+2:prefetch 73+3:size 77+4:order",
     "d M.u32.w90.d76.s101", "72 91 81+3"},
    {"80-", "980", "4", "72=1 91=0 90=0", Opcode::ld, "=E 84+3:evict 73+3:size 77+4:order", "d M.o32+32", "72 81+3"},
    {"75", "385", "1", "72=1", Opcode::st, "=E 84+3:evict 73+3:size 79+2:store_order_75 77+2:scope_75", "M.o32+32 r64",
     "72"},
    {"75", "980", "4", "72=1 91=1", Opcode::ld, "=E 84+3:evict 73+3:size 79+2:order_75 77+2:scope_75", "d M.u32.w90",
     "72 91 81+3"},
    {"75", "985", "4", "72=1 91=1", Opcode::st, "=E 84+3:evict 73+3:size 79+2:store_order_75 77+2:scope_75",
     "M.u64.w90 r32", "72 91"},
    {"75", "386", "1", "72=1", Opcode::stg, "=E 84+3:evict 73+3:size 79+2:store_order_75 77+2:scope_75", "M r32", "72"},
    {"75", "986", "4", "72=1 91=1", Opcode::stg, "=E 84+3:evict 73+3:size 79+2:store_order_75 77+2:scope_75",
     "M.u64.w90 r32", "72 91"},
    {"80-", "386", "1", "72=1", Opcode::stg, "=E 84+3:evict 73+3:size 77+4:store_order", "M r32", "72"},
    {"80-", "385", "1", "72=1", Opcode::st, "=E 84+3:evict 73+3:size 77+4:store_order", "M.o32+32 r64", "72"},
    {"80-", "986", "4", "72=1 91=1", Opcode::stg, "=E 84+3:evict 73+3:size 77+4:store_order", "M.u64.w90.d76.s101 r32",
     "72 91"},
    {"80-", "985", "4", "72=1 91=1", Opcode::st, "=E 84+3:evict 73+3:size 77+4:store_order", "M.u64.w90.d76.s101 r32",
     "72 91"},
    {"80-", "fae", "7", "91=1", Opcode::ldgsts, "=E 81:bypass 84+3:evict 71+2:prefetch 73+3:wide_size 82?ZFILL",
     "M.r16.o44+20 M.u64.w70.d76.s101.o32+12 P87!90?", "91"},
    {"80-", "dae", "6", "91=1", Opcode::ldgsts, "=E 81:bypass 84+3:evict 71+2:prefetch 73+3:wide_size 82?ZFILL",
     "M.r16.u64.o44+20 M.w70.o32+12 P87!90?", "91"},
    {"80-", "9af", "4", "", Opcode::ldgdepbar, "", ""},
    // Local memory.
    {"", "983", "4", "91=0", Opcode::ldl, "84+3:evict 73+3:size", "d M"},
    {"", "983", "4", "91=1", Opcode::ldl, "84+3:evict 73+3:size", "d M.u32", "91"},
    {"", "387", "1", "91=0", Opcode::stl, "84+3:evict 73+3:size", "M r32"},
    {"", "987", "4", "91=1", Opcode::stl, "84+3:evict 73+3:size", "M.u64 r32", "91"},
    // Shared memory.
    {"75", "984", "4", "91=0", Opcode::lds, "76?U 73+3:size", "d M.x78"},
    {"75", "984", "4", "91=1", Opcode::lds, "76?U 73+3:size", "d M.u32.x78", "91"},
    {"80-", "984", "4", "91=0", Opcode::lds, "73+3:size", "d M.x78"},
    {"80-", "984", "4", "91=1", Opcode::lds, "73+3:size", "d M.u32.x78", "91"},
    {"", "388", "1", "91=0", Opcode::sts, "73+3:size", "M.x78 r32"},
    {"", "988", "4", "91=1", Opcode::sts, "73+3:size", "M.u64.x78 r32", "91"},
    // Constant memory.
    {"", "b82", "5", "", Opcode::ldc, "73+3:constant_size", "d cA"},
    {"", "ab9", "5", "91=0", Opcode::uldc, "73+3:constant_size", "ud c @U", "91"},
    {"", "ab9", "5", "91=1", Opcode::uldc, "73+3:constant_size", "ud c @U"},
    {"", "abb", "5", "91=1", Opcode::uldc, "73+3:constant_size", "ud cuA @U", "91"},
    // Caches and ordering.
    {"", "98f", "4", "87+4=4", Opcode::cctl, "78+2:cctl_space 87+4:cctl_all", "", "24+8"},
    {"", "98f", "4", "87+4!=4 72=1", Opcode::cctl, "=E 78+2:cctl_space 87+4:cctl", "M.o32+32", "72"},
    {"", "990", "4", "", Opcode::cctll, "87+4:cctl", "M"},
    {"75", "992", "4", "", Opcode::membar, "79+2:membar_75 76+3:membar_scope", ""},
    {"80-", "992", "4", "", Opcode::membar, "79+2:membar 76+3:membar_scope", ""},
    {"", "9ab", "4", "", Opcode::errbar, "", ""},
    {"90-", "5ab", "2", "", Opcode::cgaerrbar, "", ""},
    {"90-", "3c6", "1", "", Opcode::fence, "=VIEW =ASYNC 72:fence_space", ""},
    {"75-89", "3aa", "1", "72=1", Opcode::qspc, "=E 73+2:space_75", "p81 d M", "72"},
    {"90-", "3aa", "1", "72=1", Opcode::qspc, "=E 73+2:space", "p81 d M", "72"},
    {"90-", "9aa", "4", "72=1 91=1", Opcode::qspc, "=E 73+2:space", "p81 d M.u32.w90", "72 91"},
};

}  // namespace

std::span<const Row> memory_rows() { return memory_table; }

}  // namespace warpwalk::sass
