#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

constexpr Row move_table[] = {
    {"", "x02", "1456", "", Opcode::mov, "", "d S i72+4?1"},
    {"75-89", "x03", "146", "", Opcode::p2r, "76+2:byte", "d PR A S#s"},
    {"90-", "x03", "146", "", Opcode::p2r, "76+2:byte", "d PR A S"},
    {"", "x04", "146", "", Opcode::r2p, "", ">PR A/76+2:byte S"},
    {"", "805", "4", "", Opcode::cs2r, "80:cs2r", "d X72+8"},
    {"", "806", "4", "", Opcode::vote, "72+2:vote", "d? p81 P87!90"},
    {"", "x07", "1456", "", Opcode::sel, "", "d A S P87!90"},
    {"", "81c", "4", "67=0", Opcode::plop3, "=LUT", "p81 p84 P87!90 P77!80 P68!71 i64+3,72+5 i16+8"},
    {"", "81c", "4", "67=1", Opcode::plop3, "=LUT", "p81 p84 P87!90 P77!80 Q68!71 i64+3,72+5 i16+8", "67"},
    {"", "21f", "1", "", Opcode::plop3, "=LUT", "p81 p84 A/=SIGN B/=SIGN C/=SIGN i72+8 i16+8"},
    {"", "919", "4", "", Opcode::s2r, "", "d X72+8"},
    {"", "389", "1", "", Opcode::shfl, "58+2:shfl", "p81 d A r32 r64"},
    {"", "589", "2", "", Opcode::shfl, "58+2:shfl", "p81 d A r32 i40+13"},
    {"", "989", "4", "", Opcode::shfl, "58+2:shfl", "p81 d A i53+5 r64"},
    {"", "f89", "7", "", Opcode::shfl, "58+2:shfl", "p81 d A i53+5 i40+13"},
    {"", "3a1", "1", "79=0", Opcode::match, "79:match 73?U64", "p81 d A"},
    {"", "3a1", "1", "79=1", Opcode::match, "79:match 73?U64", "d A", "81+3"},
};

}  // namespace

std::span<const Row> move_rows() { return move_table; }

}  // namespace warpwalk::sass
