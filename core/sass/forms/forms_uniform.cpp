#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

// The uniform datapath. @U: the guard is a uniform predicate.
constexpr Row uniform_table[] = {
    {"", "x82", "46", "", Opcode::umov, "", "ud uS @U", "91"},
    {"", "886", "4", "", Opcode::voteu, "72+2:vote", "ud? q81 P87!90"},
    {"", "x87", "146", "", Opcode::usel, "", "ud uA uS Q87!90 @U", "91"},
    {"", "x8c", "146", "72=0", Opcode::uisetp, "76+3:icmp 73:sign 74+2:bool", "q81 q84 uA uS#s Q87!90 @U", "68+4 91"},
    {"", "x8c", "146", "72=1", Opcode::uisetp, "76+3:icmp 73:sign 74+2:bool 72?EX", "q81 q84 uA uS#s Q87!90 Q68!71 @U",
     "91"},
    {"", "x90", "124", "74=0", Opcode::uiadd3, "", "ud q81? q84? uA- uB-#s uC-#s @U", "87+4 77+4 91"},
    {"", "x90", "124", "74=1", Opcode::uiadd3, "74?X", "ud q81? q84? uA~72 uB~#s uC~#s Q87!90 Q77!80 @U", "91"},
    {"90-", "x97", "14", "74=0", Opcode::uiadd3, "=64", "ud q81? q84? uA- uB-#s uC- @U", "87+4 77+4 91"},
    {"90-", "883", "4", "", Opcode::up2ur, "76+2:byte", "ud UPR uA i32+32 @U", "91"},
    {"90-", "884", "4", "", Opcode::ur2up, "", ">UPR u24/76+2:byte i32+8?1 @U", "91"},
    {"", "x91", "146", "74=0 80=0 73=0", Opcode::ulea, "", "ud q81? uA- uS- i75+5 @U", "64+6 87+4 91"},
    {"", "x91", "146", "74=1 80=0 73=0", Opcode::ulea, "74?X", "ud q81? uA~72 uS~ i75+5 Q87!90 @U", "64+6 91"},
    {"", "x91", "146", "74=0 80=1 73=0", Opcode::ulea, "80?HI", "ud q81? uA- uB- uC i75+5 @U", "87+4 91"},
    {"", "x91", "146", "74=1 80=1 73=0", Opcode::ulea, "80?HI 74?X", "ud q81? uA~72 uB~ uC i75+5 Q87!90 @U", "91"},
    {"", "x91", "146", "74=0 80=1 73=1", Opcode::ulea, "80?HI 73?SX32", "ud q81? uA- uS- i75+5 @U", "64+6 87+4 91"},
    {"", "x91", "146", "74=1 80=1 73=1", Opcode::ulea, "80?HI 74?X 73?SX32", "ud q81? uA~72 uS~ i75+5 Q87!90 @U",
     "64+6 91"},
    {"", "x92", "124", "", Opcode::ulop3, "=LUT 80?PAND", "q81? ud uA uB uC i72+8 Q87!90 @U", "91"},
    {"", "x96", "124", "", Opcode::uprmt, "", "ud uA uB uC @U", "91"},
    {"", "x9b", "14", "", Opcode::ubmsk, "75?W", "ud uA uS @U", "91"},
    {"", "89c", "4", "67=0", Opcode::uplop3, "=LUT", "q81 q84 Q87!90 Q77!80 Q68!71 i64+3,72+5 i16+8 @U", "91"},
    {"", "x99", "124", "", Opcode::ushf, "76:direction 75?W 73+2:shift_type 80?HI", "ud uA uB uC @U", "91"},
    {"", "x9a", "14", "", Opcode::usgxt, "75?W 73:sign", "ud uA uS @U", "91"},
    {"", "xa4", "124", "74=1", Opcode::uimad, "73:sign 74?X", "ud uA uB#s uC~#s Q87!90 @U", "81+3 91"},
    {"", "xa4", "124", "74=0", Opcode::uimad, "73:sign", "ud uA uB#s uC-#s @U", "81+3 87+4 91"},
    {"", "xa5", "124", "74=1", Opcode::uimad, "=WIDE 73:sign 74?X", "ud q81? uA uB#s uC~#s Q87!90 @U", "91"},
    {"", "xa5", "124", "74=0", Opcode::uimad, "=WIDE 73:sign", "ud q81? uA uB#s uC-#s @U", "87+4 91"},
    {"", "xbd", "14", "", Opcode::uflo, "73:sign 74?SH", "ud q81? uS~ @U", "91"},
    {"", "xbe", "14", "", Opcode::ubrev, "", "ud uS @U", "91"},
    {"", "xbf", "14", "", Opcode::upopc, "", "ud uS~ @U", "91"},
    {"90-", "2ca", "1", "84=0", Opcode::r2ur, "", "p81? ud A"},
    {"90-", "2ca", "1", "84=1", Opcode::r2ur, "=OR", "p81 ud A"},
    {"75-89", "3c2", "1", "84=0", Opcode::r2ur, "", "p81? ud A"},
    {"", "9c3", "4", "", Opcode::s2ur, "", "ud X72+8 @U"},
    {"80-", "3c4", "1", "", Opcode::redux, "78+3:redux 73?S32", "ud A"},
    {"90-", "82f", "4", "91=0", Opcode::elect, "", "p81 ud P87!90"},
};

}  // namespace

std::span<const Row> uniform_rows() { return uniform_table; }

}  // namespace warpwalk::sass
