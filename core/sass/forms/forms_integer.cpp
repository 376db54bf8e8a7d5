#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

constexpr Row rows[] = {
    {"75", "x0c", "1456", "72=0", Opcode::isetp, "76+3:icmp 73:sign 74+2:bool", "p81 p84 A S#s P87!90 P68!71?"},
    {"75", "x0c", "1456", "72=1", Opcode::isetp, "76+3:icmp 73:sign 74+2:bool 72?EX", "p81 p84 A S#s P87!90 P68!71?"},
    {"80-", "x0c", "1456", "72=0", Opcode::isetp, "76+3:icmp 73:sign 74+2:bool", "p81 p84 A S#s P87!90", "68+4"},
    {"80-", "x0c", "1456", "72=1", Opcode::isetp, "76+3:icmp 73:sign 74+2:bool 72?EX", "p81 p84 A S#s P87!90 P68!71"},
    {"", "x10", "1234567", "74=0", Opcode::iadd3, "", "d p81? p84? A- B-#s C-#s", "87+4 77+4"},
    {"", "x10", "1234567", "74=1", Opcode::iadd3, "74?X", "d p81? p84? A~72 B~#s C~#s P87!90 P77!80"},
    {"", "x11", "1456", "74=0 80=0 73=0", Opcode::lea, "", "d p81? A- S- i75+5", "64+8 87+4"},
    {"", "x11", "1456", "74=1 80=0 73=0", Opcode::lea, "74?X", "d p81? A~72 S~ i75+5 P87!90", "64+8"},
    {"", "x11", "1456", "74=0 80=1 73=0", Opcode::lea, "80?HI", "d p81? A- B- C i75+5", "87+4"},
    {"", "x11", "1456", "74=1 80=1 73=0", Opcode::lea, "80?HI 74?X", "d p81? A~72 B~ C i75+5 P87!90"},
    {"", "x11", "1456", "74=0 80=1 73=1", Opcode::lea, "80?HI 73?SX32", "d p81? A- S- i75+5", "64+8 87+4"},
    {"", "x11", "1456", "74=1 80=1 73=1", Opcode::lea, "80?HI 74?X 73?SX32", "d p81? A~72 S~ i75+5 P87!90", "64+8"},
    {"", "x11", "237", "74=0 80=1 73=0", Opcode::lea, "80?HI", "d p81? A- r64 C i75+5", "87+4"},
    {"", "x11", "237", "74=1 80=1 73=0", Opcode::lea, "80?HI 74?X", "d p81? A~72 r64 C i75+5 P87!90"},
    {"", "x12", "1456", "", Opcode::lop3, "=LUT 80?PAND", "p81? d A B C i72+8 P87!90"},
    {"", "x13", "1456", "", Opcode::iabs, "", "d S"},
    {"", "x14", "123456", "", Opcode::vabsdiff, "73:sign", "d p81? A B C"},
    {"", "x15", "123456", "", Opcode::vabsdiff4, "73:byte_sign 75?ACC", "d p81? A B C"},
    {"", "x16", "123456", "", Opcode::prmt, "72+3:prmt", "d A B C"},
    {"", "x17", "1456", "", Opcode::imnmx, "73:sign", "d A S#s P87!90"},
    {"", "x19", "123456", "", Opcode::shf, "76:direction 75?W 73+2:shift_type 80?HI", "d A B C"},
    {"", "x1a", "1456", "", Opcode::sgxt, "75?W 73:sign", "d A S"},
    {"", "x1b", "1456", "", Opcode::bmsk, "75?W", "d A S"},
    {"", "x24", "1234567", "74=1", Opcode::imad, "73:sign 74?X", "d A B#s C~#s P87!90", "81+3"},
    {"", "x24", "145", "74=0 24+8=ff 91=0", Opcode::imad, "=MOV 73:sign", "d A B#s C-", "81+3 87+4"},
    {"", "x24", "1", "74=0 32+8=ff", Opcode::imad, "=MOV 73:sign", "d A B C-", "81+3 87+4"},
    {"", "x24", "23", "74=0 24+8=ff 91=0", Opcode::imad, "=MOV 73:sign", "d A B C-#s", "81+3 87+4"},
    {"", "x24", "23", "74=0 64+8=ff 91=0", Opcode::imad, "=MOV 73:sign", "d A B C-#s", "81+3 87+4"},
    {"", "x24", "4", "74=0 32+32=0", Opcode::imad, "=MOV 73:sign", "d A B#s C-", "81+3 87+4"},
    {"", "x24", "4", "74=0 32+32=1", Opcode::imad, "=IADD 73:sign", "d A B#s C-", "81+3 87+4"},
    {"", "x24", "4", "74=0 64+8=ff pow2(32+32) 32+32!=10000 32+32!=1", Opcode::imad, "=SHL 73:sign", "d A B#s C-",
     "81+3 87+4"},
    {"", "x24", "1234567", "74=0", Opcode::imad, "73:sign", "d A B#s C-#s", "81+3 87+4"},
    {"", "x25", "1234567", "74=0", Opcode::imad, "=WIDE 73:sign", "d p81? A B#s C-#s", "87+4"},
    {"", "x25", "1234567", "74=1", Opcode::imad, "=WIDE 73:sign 74?X", "d p81? A B#s C~#s P87!90"},
    {"", "x26", "123456", "76=1", Opcode::idp, "=2A 77:half 73:short_sign 74:byte_sign2", "d A B C-"},
    {"", "x26", "123456", "76=0", Opcode::idp, "=4A 73:byte_sign2 74:byte_sign2", "d A B C-"},
    {"", "x27", "1234567", "74=0", Opcode::imad, "=HI 73:sign", "d p81? A B#s C-#s", "87+4"},
    {"", "x27", "1234567", "74=1", Opcode::imad, "=HI 73:sign 74?X", "d p81? A B#s C~#s P87!90"},
    {"90-", "x36", "1456", "", Opcode::viadd, "73:packed", "d A S-"},
    {"90-", "x46", "123456", "", Opcode::viaddmnmx, "72+2:minmax_type 76?RELU", "d A B- C P87!90", "81+3"},
    {"90-", "x48", "1456", "81+3=7 84+3=7", Opcode::vimnmx, "72+2:minmax_type 76?RELU", "d A S#s P87!90", ""},
    {"", "y00", "1456", "", Opcode::flo, "73:sign 74?SH", "d p81? S~"},
    {"", "y01", "1456", "", Opcode::brev, "", "d S"},
    {"", "y09", "1456", "", Opcode::popc, "", "d S~"},
    {"", "x38", "156", "", Opcode::i2i, "76+2:narrow_type =S32 =SAT", "d S"},
    {"90-", "239", "1", "", Opcode::i2ip, "76+3:pack_type =S32 74?SAT", "d A B C"},
};

}  // namespace

std::span<const Row> integer_rows() { return rows; }

}  // namespace warpwalk::sass
