#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

// The handle of a texture or surface is in a uniform register and the next one, in a constant bank (its number and an
// offset in words) or, with .B, in a register. Constant banks and registers are for architectures before sm_90, and
// surfaces have uniform registers only since then. A fetch writes the first two of its components to one pair of
// registers and the others to another pair.
constexpr Row texture_table[] = {
    {"", "f60", "7", "", Opcode::tex, "60?SCR 87+3:texture_level 84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32? u40 i46+8 w/61+3:texture_shape i72+4?1"},
    {"75-89", "b60", "5", "59=0", Opcode::tex, "60?SCR 87+3:texture_level 84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32? i54+5 i40+14 w/61+3:texture_shape i72+4?1"},
    {"75-89", "361", "1", "59=1", Opcode::tex, "60?SCR =B 87+3:texture_level 84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32? w/61+3:texture_shape i72+4?1"},
    {"", "f66", "7", "", Opcode::tld, "60?SCR 87+3:texture_level 77?CL 84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32? u40 i46+8 w/61+3:texture_shape i72+4?1"},
    {"75-89", "b66", "5", "59=0", Opcode::tld, "60?SCR 87+3:texture_level 77?CL 84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32? i54+5 i40+14 w/61+3:texture_shape i72+4?1"},
    {"75-89", "367", "1", "59=1", Opcode::tld, "60?SCR =B 87+3:texture_level 77?CL 84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32? w/61+3:texture_shape i72+4?1"},
    {"", "f63", "7", "", Opcode::tld4, "60?SCR 87+2:gathered 84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32? u40 i46+8 w/61+3:texture_shape i72+4?1"},
    {"75-89", "b63", "5", "59=0", Opcode::tld4, "60?SCR 87+2:gathered 84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32? i54+5 i40+14 w/61+3:texture_shape i72+4?1"},
    {"75-89", "364", "1", "59=1", Opcode::tld4, "60?SCR =B 87+2:gathered 84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32? w/61+3:texture_shape i72+4?1"},
    {"", "f6c", "7", "", Opcode::txd, "84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32 u40 i46+8 w/61+3:texture_shape i72+4?1"},
    {"75-89", "b6c", "5", "59=0", Opcode::txd, "84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32 i54+5 i40+14 w/61+3:texture_shape i72+4?1"},
    {"75-89", "36d", "1", "59=1", Opcode::txd, "=B 84+3:evict 90?NODEP",
     "p81? >r64 d r24 r32 w/61+3:texture_shape i72+4?1"},
    {"", "f6f", "7", "", Opcode::txq, "90?NODEP", ">r64 d r24 w/62+2:texture_query u40 i46+8 i72+4?1"},
    {"75-89", "b6f", "5", "59=0", Opcode::txq, "90?NODEP", ">r64 d r24 w/62+2:texture_query i54+5 i40+14 i72+4?1"},
    {"75-89", "370", "1", "59=1", Opcode::txq, "=B 90?NODEP", ">r64 d r24 w/62+2:texture_query i72+4?1"},

    {"90-", "f99", "7", "", Opcode::suld, "=D 72?BA 61+3:surface_shape 84+3:evict 73+3:size 77+4:order 59+2:outside",
     "p81? d M.o40+0 u40 i46+8"},
    {"80-89", "b99", "5", "", Opcode::suld, "=D 72?BA 61+3:surface_shape 84+3:evict 73+3:size 77+4:order 59+2:outside",
     "p81? d M.o40+0 i54+5 i40+14"},
    {"80-89", "99a", "4", "", Opcode::suld, "=D 72?BA 61+3:surface_shape 84+3:evict 73+3:size 77+4:order 59+2:outside",
     "p81? d M.o40+0 r64"},
    {"75", "b99", "5", "", Opcode::suld,
     "=D 72?BA 61+3:surface_shape 84+3:evict 73+3:size 79+2:order_75 77+2:scope_75 59+2:outside",
     "p81? d M.o40+0 i54+5 i40+14"},
    {"75", "99a", "4", "", Opcode::suld,
     "=D 72?BA 61+3:surface_shape 84+3:evict 73+3:size 79+2:order_75 77+2:scope_75 59+2:outside", "p81? d M.o40+0 r64"},
    {"90-", "f9d", "7", "", Opcode::sust,
     "=D 72?BA 61+3:surface_shape 84+3:evict 73+3:size 77+4:store_order 59+2:outside", "M.o40+0 r32 u40 i46+8"},
    {"80-89", "b9d", "5", "", Opcode::sust,
     "=D 72?BA 61+3:surface_shape 84+3:evict 73+3:size 77+4:store_order 59+2:outside", "M.o40+0 r32 i54+5 i40+14"},
    {"80-89", "99e", "4", "", Opcode::sust,
     "=D 72?BA 61+3:surface_shape 84+3:evict 73+3:size 77+4:store_order 59+2:outside", "M.o40+0 r32 r64"},
    {"75", "b9d", "5", "", Opcode::sust,
     "=D 72?BA 61+3:surface_shape 84+3:evict 73+3:size 79+2:store_order_75 77+2:scope_75 59+2:outside",
     "M.o40+0 r32 i54+5 i40+14"},
    {"75", "99e", "4", "", Opcode::sust,
     "=D 72?BA 61+3:surface_shape 84+3:evict 73+3:size 79+2:store_order_75 77+2:scope_75 59+2:outside",
     "M.o40+0 r32 r64"},
    {"90-", "f9b", "7", "", Opcode::sust,
     "=P 61+3:surface_shape 84+3:evict 77+4:store_order 72+4:written_channels 59+2:outside", "M.o40+0 r32 u40 i46+8"},
    {"80-89", "b9b", "5", "", Opcode::sust,
     "=P 61+3:surface_shape 84+3:evict 77+4:store_order 72+4:written_channels 59+2:outside",
     "M.o40+0 r32 i54+5 i40+14"},
    {"80-89", "99c", "4", "", Opcode::sust,
     "=P 61+3:surface_shape 84+3:evict 77+4:store_order 72+4:written_channels 59+2:outside", "M.o40+0 r32 r64"},
    {"75", "b9b", "5", "", Opcode::sust,
     "=P 61+3:surface_shape 84+3:evict 79+2:store_order_75 77+2:scope_75 72+4:written_channels 59+2:outside",
     "M.o40+0 r32 i54+5 i40+14"},
    {"75", "99c", "4", "", Opcode::sust,
     "=P 61+3:surface_shape 84+3:evict 79+2:store_order_75 77+2:scope_75 72+4:written_channels 59+2:outside",
     "M.o40+0 r32 r64"},
    {"90-", "f9f", "7", "", Opcode::sured,
     "=D 72?BA 61+3:surface_shape 87+3:reduction 84+3:evict 73+3:surface_reduction_type 77+4:store_order 59+2:outside",
     "M.o40+0 r32 u40 i46+8"},
    {"80-89", "59f", "5", "", Opcode::sured,
     "=D 72?BA 61+3:surface_shape 87+3:reduction 84+3:evict 73+3:surface_reduction_type 77+4:store_order 59+2:outside",
     "M.o40+0 r32 i54+5 i40+14"},
    {"80-89", "3a0", "1", "", Opcode::sured,
     "=D 72?BA 61+3:surface_shape 87+3:reduction 84+3:evict 73+3:surface_reduction_type 77+4:store_order 59+2:outside",
     "M.o40+0 r32 r64"},
    {"75", "59f", "5", "", Opcode::sured,
     "=D 72?BA 61+3:surface_shape 87+3:reduction 84+3:evict 73+3:surface_reduction_type 79+2:store_order_75 "
     "77+2:scope_75 59+2:outside",
     "M.o40+0 r32 i54+5 i40+14"},
    {"75", "3a0", "1", "", Opcode::sured,
     "=D 72?BA 61+3:surface_shape 87+3:reduction 84+3:evict 73+3:surface_reduction_type 79+2:store_order_75 "
     "77+2:scope_75 59+2:outside",
     "M.o40+0 r32 r64"},
};

}  // namespace

std::span<const Row> texture_rows() { return texture_table; }

}  // namespace warpwalk::sass
