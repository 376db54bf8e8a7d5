#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

// Targets are multiples of 4 bytes: bits 34-81 up to sm_89; since sm_90 bits 16-23 hold the low part.
constexpr Row rows[] = {
    {"", "918", "4", "", Opcode::nop, "", ""},
    {"", "94d", "4", "", Opcode::exit, "", "P87!90?"},
    {"75-89", "947", "4", "91=0 32+2=0", Opcode::bra, "", "P87!90? t34+48"},
    {"75-89", "947", "4", "91=0 32+2=1", Opcode::bra, "32?U", "P87!90? t34+48"},
    {"75-89", "947", "4", "91=0 32+2=2", Opcode::bra, "33?DIV", "P87!90? t34+48"},
    {"75-89", "947", "4", "91=0 32+2=3", Opcode::bra, "=CONV", "P87!90? t34+48", "32+2"},
    {"80-89", "947", "4", "91=1 32+2=2", Opcode::bra, "33?DIV", "P87!90? u24~30 t34+48", "91"},
    {"80-89", "947", "4", "91=1 32+2=3", Opcode::bra, "=CONV", "P87!90? u24~30 t34+48", "32+2 91"},
    {"90-", "947", "4", "91=0 32+2=0", Opcode::bra, "", "P87!90? t16+8,34+48"},
    {"90-", "947", "4", "91=0 32+2=1 84=0", Opcode::bra, "32?U", "P87!90? t16+8,34+48"},
    {"90-", "947", "4", "91=0 32+2=1 84=1", Opcode::bra, "32?U 84?ANY", "P87!90? t16+8,34+48"},
    {"90-", "947", "4", "91=0 32+2=2", Opcode::bra, "33?DIV", "P87!90? t16+8,34+48"},
    {"90-", "947", "4", "91=1 32+2=2", Opcode::bra, "33?DIV", "P87!90? u24~30 t16+8,34+48", "91"},
    {"75-89", "949", "4", "", Opcode::brx, "", "P87!90? r24 o34+48?"},
    {"90-", "949", "4", "", Opcode::brx, "", "P87!90? r24 o16+8,34+48?"},
    {"75-89", "343", "1", "", Opcode::call, "=ABS 86?NOINC", "P87!90? r24 T34+47?"},
    {"90-", "343", "1", "", Opcode::call, "=ABS 86?NOINC", "P87!90? r24 T16+8,34+47?"},
    {"75-89", "344", "1", "", Opcode::call, "=REL 86?NOINC", "P87!90? r24 t34+48"},
    {"90-", "344", "1", "", Opcode::call, "=REL 86?NOINC", "P87!90? r24 t16+8,34+48"},
    {"75-89", "943", "4", "91=0", Opcode::call, "=ABS 86?NOINC", "P87!90? T34+47"},
    {"90-", "943", "4", "91=0", Opcode::call, "=ABS 86?NOINC", "P87!90? T16+8,34+47"},
    {"75-89", "944", "4", "91=0", Opcode::call, "=REL 86?NOINC", "P87!90? t34+48"},
    {"90-", "944", "4", "91=0", Opcode::call, "=REL 86?NOINC", "P87!90? t16+8,34+48"},
    {"75-89", "950", "4", "85=1", Opcode::ret, "=ABS 86:nodec", "P87!90? r24 T34+47", "85"},
    {"90-", "950", "4", "85=1", Opcode::ret, "=ABS 86:nodec", "P87!90? r24 T16+8,34+47", "85"},
    {"75-89", "950", "4", "85=0", Opcode::ret, "=REL 86:nodec", "P87!90? r24 t34+48"},
    {"90-", "950", "4", "85=0", Opcode::ret, "=REL 86:nodec", "P87!90? r24 t16+8,34+48"},
    {"75-89", "945", "4", "", Opcode::bssy, "", "P87!90? >b16+4 t34+30"},
    {"90-", "945", "4", "", Opcode::bssy, "", "P87!90? >b16+4 t34+30"},
    {"", "941", "4", "", Opcode::bsync, "", "P87!90? b16+4"},
    {"", "942", "4", "", Opcode::break_, "", "P87!90? b16+4"},
    {"", "946", "4", "", Opcode::yield, "", "P87!90?"},
    {"", "355", "1", "", Opcode::bmov, "=32 84?CLEAR", "d b24+4"},
    {"", "356", "1", "", Opcode::bmov, "=32", ">b24+4 r32"},
    {"75", "348", "1", "", Opcode::warpsync, "", "P87!90? r32"},
    {"80-89", "348", "1", "85=0", Opcode::warpsync, "86?EXCLUSIVE", "P87!90? r32"},
    {"90-", "348", "1", "86=0", Opcode::warpsync, "85?EXCLUSIVE", "P87!90? r24"},
    {"90-", "348", "1", "86=1 85=0", Opcode::warpsync, "86?COLLECTIVE", "P87!90? r24 t16+8,34+48"},
    {"75-89", "948", "4", "", Opcode::warpsync, "", "P87!90? i32+32"},
    {"90-", "948", "4", "86=1", Opcode::warpsync, "86?COLLECTIVE =ALL", "P87!90? t16+8,34+48"},
    {"90-", "948", "4", "86=0", Opcode::warpsync, "=ALL", "P87!90?"},
    {"", "95b", "4", "", Opcode::kill, "", "P87!90?"},
    {"90-", "82d", "4", "", Opcode::preexit, "", ""},
    {"90-", "82e", "4", "", Opcode::acqbulk, "", ""},
    {"90-", "91b", "4", "", Opcode::endcollective, "", "P87!90?"},
    {"75-89", "34e", "1", "", Opcode::lepc, "", "d"},
    {"90-", "94e", "4", "", Opcode::lepc, "", "d y24+58"},
    {"75", "95d", "4", "", Opcode::nanosleep, "85?WARP", "P87!90? i32+32"},
    {"80-", "95d", "4", "", Opcode::nanosleep, "85?WARP", "P87!90? i32+32"},
    {"", "95c", "4", "84+2=3", Opcode::bpt, "=TRAP", "i34+3?", "84+2"},
    {"", "91a", "4", "47=1", Opcode::depbar, "=LE", "s44+3 i38+6 m32+6?", "47"},
    // The register holds the number of the barrier and the count of threads.
    {"", "31d", "1", "77+3!=2", Opcode::bar, "77+3:bar 80?DEFER_BLOCKING", "r32 r32", "87+4"},
    {"", "31d", "1", "77+3=2", Opcode::bar, "77+3:bar 74+2:bar_reduction 80?DEFER_BLOCKING", "r32 r32 P87!90"},
    {"", "51d", "2", "77+3=1", Opcode::bar, "77+3:bar 80?DEFER_BLOCKING", "r32 i42+12", "87+4"},
    {"", "51d", "2", "77+3=0", Opcode::bar, "77+3:bar 80?DEFER_BLOCKING", "r32 i42+12?", "87+4"},
    {"", "51d", "2", "77+3=2", Opcode::bar, "77+3:bar 74+2:bar_reduction 80?DEFER_BLOCKING", "r32 i42+12? P87!90"},
    {"", "91d", "4", "77+3!=2", Opcode::bar, "77+3:bar 80?DEFER_BLOCKING", "i54+4 r32", "87+4"},
    {"", "91d", "4", "77+3=2", Opcode::bar, "77+3:bar 74+2:bar_reduction 80?DEFER_BLOCKING", "i54+4 r32 P87!90"},
    {"", "b1d", "5", "77+3=1", Opcode::bar, "77+3:bar 80?DEFER_BLOCKING", "i54+4 i42+12", "87+4"},
    {"", "b1d", "5", "77+3=0", Opcode::bar, "77+3:bar 80?DEFER_BLOCKING", "i54+4 i42+12?", "87+4"},
    {"", "b1d", "5", "77+3=2", Opcode::bar, "77+3:bar 74+2:bar_reduction 80?DEFER_BLOCKING", "i54+4 i42+12? P87!90"},
    {"", "31c", "1", "78+2=1", Opcode::b2r, "=RESULT", "d p81?", "78"},
};

}  // namespace

std::span<const Row> control_rows() { return rows; }

}  // namespace warpwalk::sass
