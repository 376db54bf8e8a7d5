#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

// clang-format off
constexpr Row rows[] = {
    {"90-", "x30", "1", "78=0", Opcode::hadd2, "85?BF16_V2 80?FTZ 77?SAT", "d A-|/74+2:halves Z-|/60+2:halves"},
    {"90-", "x30", "1", "78=1 24+8!=ff", Opcode::hadd2, "85?BF16_V2 78?F32 80?FTZ 77?SAT", "d A-|/74+2:halves Z-|/60+2:halves"},
    {"90-", "x30", "1", "78=1 24+8=ff 73=0", Opcode::hadd2, "85?BF16_V2 78?F32 80?FTZ 77?SAT", "d A-|/74+2:halves Z-|/60+2:halves"},
    {"75-89", "x30", "1", "78=0", Opcode::hadd2, "80?FTZ 77?SAT", "d A-|/74+2:halves Z-|/60+2:halves"},
    {"75-89", "x30", "1", "78=1 24+8!=ff", Opcode::hadd2, "78?F32 80?FTZ 77?SAT", "d A-|/74+2:halves Z-|/60+2:halves"},
    {"75-89", "x30", "1", "78=1 24+8=ff 73=0", Opcode::hadd2, "78?F32 80?FTZ 77?SAT", "d A-|/74+2:halves Z-|/60+2:halves"},
    {"", "x30", "2", "78=0 85=0", Opcode::hadd2, "80?FTZ 77?SAT", "d A-|/74+2:halves Z#h"},
    {"90-", "x30", "2", "78=0 85=1", Opcode::hadd2, "85?BF16_V2 80?FTZ 77?SAT", "d A-|/74+2:halves Z#b"},
    {"", "x30", "3", "60+2=1", Opcode::hadd2, "78?F32 80?FTZ 77?SAT", "d A-|/74+2:halves Z-|/60+2:constant_halves"},
    {"90-", "x32", "1", "", Opcode::hmul2, "85?BF16_V2 80,76:ftz 77?SAT", "d A-|/74+2:halves S-|/60+2:halves"},
    {"75-89", "x32", "1", "", Opcode::hmul2, "80,76:ftz 77?SAT", "d A-|/74+2:halves S-|/60+2:halves"},
    {"", "x32", "4", "85=0", Opcode::hmul2, "80,76:ftz 77?SAT", "d A-|/74+2:halves S#h"},
    {"90-", "x32", "4", "85=1", Opcode::hmul2, "85?BF16_V2 80,76:ftz 77?SAT", "d A-|/74+2:halves S#b"},
    {"90-", "x33", "1", "", Opcode::hset2, "64+2:half_type 71?BF 76+4:fcmp 80?FTZ 69+2:bool", "d A-|/74+2:halves Z-|/60+2:halves P87!90"},
    {"75-89", "x33", "1", "64+2=0", Opcode::hset2, "71?BF 76+4:fcmp 80?FTZ 69+2:bool", "d A-|/74+2:halves Z-|/60+2:halves P87!90"},
    {"", "x33", "2", "64+2=0", Opcode::hset2, "71?BF 76+4:fcmp 80?FTZ 69+2:bool", "d A-|/74+2:halves Z#h P87!90"},
    {"90-", "x34", "1", "", Opcode::hsetp2, "64+2:half_type 76+4:fcmp 71?H_AND 80?FTZ 69+2:bool", "p81 p84 A-|/74+2:halves Z-|/60+2:halves P87!90"},
    {"75-89", "x34", "1", "64+2=0", Opcode::hsetp2, "76+4:fcmp 71?H_AND 80?FTZ 69+2:bool", "p81 p84 A-|/74+2:halves Z-|/60+2:halves P87!90"},
    {"", "x34", "2", "64+2=0", Opcode::hsetp2, "76+4:fcmp 71?H_AND 80?FTZ 69+2:bool", "p81 p84 A-|/74+2:halves Z#h P87!90"},
    {"80", "x40", "1", "", Opcode::hmnmx2, "80?FTZ 81?NAN", "d A-|/74+2:halves S-|/60+2:halves P87!90"},
    {"86-89", "x40", "1", "", Opcode::hmnmx2, "80?FTZ 81?NAN 82?XORSIGN", "d A-|/74+2:halves S-|/60+2:halves P87!90"},
    {"90-", "x40", "1", "", Opcode::hmnmx2, "85?BF16_V2 80?FTZ 81?NAN 82?XORSIGN", "d A-|/74+2:halves S-|/60+2:halves P87!90"},
    {"75", "x31", "1", "", Opcode::hfma2, "80,76:ftz 77?SAT", "d A-|/74+2:halves B-|/60+2:halves C-84|83/81+2:halves", "87+4"},
    {"75", "x31", "4", "", Opcode::hfma2, "80,76:ftz 77?SAT", "d A-|/74+2:halves B#h C-84|83/81+2:halves", "87+4"},
    {"80-89", "x31", "1", "79=0", Opcode::hfma2, "80,76:ftz 77?SAT", "d A-|/74+2:halves B-|/60+2:halves C-84|83/81+2:halves", "87+4"},
    {"80-89", "x31", "4", "79=0", Opcode::hfma2, "80,76:ftz 77?SAT", "d A-|/74+2:halves B#h C-84|83/81+2:halves", "87+4"},
    {"80-89", "x35", "1", "79=0", Opcode::hfma2, "=MMA 80,76:ftz 77?SAT", "d A-| B-| C-84|83", "87+4"},
    {"80-89", "x35", "2", "79=0", Opcode::hfma2, "=MMA 80,76:ftz 77?SAT", "d A-| B-84|83 C#h", "87+4"},
    {"80-89", "x35", "4", "79=0", Opcode::hfma2, "=MMA 80,76:ftz 77?SAT", "d A-| B#h C-84|83", "87+4"},
    {"80-89", "x31", "1", "79=1", Opcode::hfma2, "80,76:ftz 79?RELU 77?SAT", "d A-|/74+2:halves B-|/60+2:halves C-84|83/81+2:halves P87!90?"},
    {"80-89", "x31", "4", "79=1", Opcode::hfma2, "80,76:ftz 79?RELU 77?SAT", "d A-|/74+2:halves B#h C-84|83/81+2:halves P87!90?"},
    {"80-89", "x35", "1", "79=1", Opcode::hfma2, "=MMA 80,76:ftz 79?RELU 77?SAT", "d A-| B-| C-84|83 P87!90?"},
    {"80-89", "x35", "2", "79=1", Opcode::hfma2, "=MMA 80,76:ftz 79?RELU 77?SAT", "d A-| B-84|83 C#h P87!90?"},
    {"80-89", "x35", "4", "79=1", Opcode::hfma2, "=MMA 80,76:ftz 79?RELU 77?SAT", "d A-| B#h C-84|83 P87!90?"},
    {"90-", "x31", "1", "79=0 85=0", Opcode::hfma2, "80,76:ftz 77?SAT", "d A-|/74+2:halves B-|/60+2:halves C-84|83/81+2:halves", "87+4"},
    {"90-", "x31", "4", "79=0 85=0", Opcode::hfma2, "80,76:ftz 77?SAT", "d A-|/74+2:halves B#h C-84|83/81+2:halves", "87+4"},
    {"90-", "x35", "1", "79=0 85=0", Opcode::hfma2, "=MMA 80,76:ftz 77?SAT", "d A-| B-| C-84|83", "87+4"},
    {"90-", "x35", "2", "79=0 85=0", Opcode::hfma2, "=MMA 80,76:ftz 77?SAT", "d A-| B-84|83 C#h", "87+4"},
    {"90-", "x35", "4", "79=0 85=0", Opcode::hfma2, "=MMA 80,76:ftz 77?SAT", "d A-| B#h C-84|83", "87+4"},
    {"90-", "x31", "1", "79=1 85=0", Opcode::hfma2, "80,76:ftz 79?RELU 77?SAT", "d A-|/74+2:halves B-|/60+2:halves C-84|83/81+2:halves P87!90?"},
    {"90-", "x31", "4", "79=1 85=0", Opcode::hfma2, "80,76:ftz 79?RELU 77?SAT", "d A-|/74+2:halves B#h C-84|83/81+2:halves P87!90?"},
    {"90-", "x35", "1", "79=1 85=0", Opcode::hfma2, "=MMA 80,76:ftz 79?RELU 77?SAT", "d A-| B-| C-84|83 P87!90?"},
    {"90-", "x35", "2", "79=1 85=0", Opcode::hfma2, "=MMA 80,76:ftz 79?RELU 77?SAT", "d A-| B-84|83 C#h P87!90?"},
    {"90-", "x35", "4", "79=1 85=0", Opcode::hfma2, "=MMA 80,76:ftz 79?RELU 77?SAT", "d A-| B#h C-84|83 P87!90?"},
    {"90-", "x31", "1", "79=0 85=1", Opcode::hfma2, "85?BF16_V2 80,76:ftz 77?SAT", "d A-|/74+2:halves B-|/60+2:halves C-84|83/81+2:halves", "87+4"},
    {"90-", "x31", "4", "79=0 85=1", Opcode::hfma2, "85?BF16_V2 80,76:ftz 77?SAT", "d A-|/74+2:halves B#b C-84|83/81+2:halves", "87+4"},
    {"90-", "x35", "1", "79=0 85=1", Opcode::hfma2, "=MMA 85?BF16_V2 80,76:ftz 77?SAT", "d A-| B-| C-84|83", "87+4"},
    {"90-", "x35", "2", "79=0 85=1", Opcode::hfma2, "=MMA 85?BF16_V2 80,76:ftz 77?SAT", "d A-| B-84|83 C#b", "87+4"},
    {"90-", "x35", "4", "79=0 85=1", Opcode::hfma2, "=MMA 85?BF16_V2 80,76:ftz 77?SAT", "d A-| B#b C-84|83", "87+4"},
    {"90-", "x31", "1", "79=1 85=1", Opcode::hfma2, "85?BF16_V2 80,76:ftz 79?RELU 77?SAT", "d A-|/74+2:halves B-|/60+2:halves C-84|83/81+2:halves P87!90?"},
    {"90-", "x31", "4", "79=1 85=1", Opcode::hfma2, "85?BF16_V2 80,76:ftz 79?RELU 77?SAT", "d A-|/74+2:halves B#b C-84|83/81+2:halves P87!90?"},
    {"90-", "x35", "1", "79=1 85=1", Opcode::hfma2, "=MMA 85?BF16_V2 80,76:ftz 79?RELU 77?SAT", "d A-| B-| C-84|83 P87!90?"},
    {"90-", "x35", "2", "79=1 85=1", Opcode::hfma2, "=MMA 85?BF16_V2 80,76:ftz 79?RELU 77?SAT", "d A-| B-84|83 C#b P87!90?"},
    {"90-", "x35", "4", "79=1 85=1", Opcode::hfma2, "=MMA 85?BF16_V2 80,76:ftz 79?RELU 77?SAT", "d A-| B#b C-84|83 P87!90?"},
};
// clang-format on

}  // namespace

std::span<const Row> half_rows() { return rows; }

}  // namespace warpwalk::sass
