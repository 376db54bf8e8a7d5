#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

constexpr Row float_table[] = {
    {"", "x08", "1456", "", Opcode::fsel, "80?FTZ", "d A-| S-|#f P87!90"},
    {"75", "x09", "1456", "", Opcode::fmnmx, "80?FTZ", "d A-| S-|#f P87!90"},
    {"80", "x09", "1456", "", Opcode::fmnmx, "80?FTZ 81?NAN", "d A-| S-|#f P87!90"},
    {"86-", "x09", "1456", "", Opcode::fmnmx, "80?FTZ 81?NAN 82?XORSIGN", "d A-| S-|#f P87!90"},
    {"", "x0a", "1456", "", Opcode::fset, "=BF 76+4:fcmp 80?FTZ 74+2:bool", "d A-| S-|#f P87!90"},
    {"", "x0b", "1456", "", Opcode::fsetp, "76+4:fcmp 80?FTZ 74+2:bool", "p81 p84 A-| S-|#f P87!90"},
    {"", "x20", "1456", "", Opcode::fmul, "80,76:ftz 84+3:fmul_scale 78+2:round 77?SAT", "d A-| S-|#f"},
    {"", "x21", "1237", "", Opcode::fadd, "80?FTZ 78+2:round 77?SAT", "d A-| Z-|#f"},
    {"", "x23", "1234567", "", Opcode::ffma, "80,76:ftz 78+2:round 77?SAT", "d A-| B-|#f C-|#f"},
    {"", "x28", "1456", "", Opcode::dmul, "78+2:round", "d A-| S-|#d"},
    {"", "x29", "1237", "", Opcode::dadd, "78+2:round", "d A-| C-|#d"},
    {"", "x2a", "1237", "", Opcode::dsetp, "76+4:dcmp 74+2:bool", "p81 p84 A-| Z-|#d P87!90"},
    {"", "x2b", "1234567", "", Opcode::dfma, "78+2:round", "d A-| B-|#d C-|#d"},
    {"", "y02", "1456", "", Opcode::fchk, "", "p81 A-| S-|#f"},
    {"75-89", "y08", "156", "73=0", Opcode::mufu, "74+4:mufu 73:mufu_type", "d S-|"},
    {"", "822", "4", "", Opcode::fswzadd, "80?FTZ 78+2:round 77?NDV", "d A r64 n32+8"},
    {"75-89", "y08", "4", "73=0 75+3=3", Opcode::mufu, "74+4:mufu 73:mufu_type", "d S-|#d", "75+3"},
    {"90-", "y08", "4", "72+2=0 75+3=3", Opcode::mufu, "74+4:mufu 72+2:mufu_type", "d S-|#d", "75+3"},
    {"75-89", "y08", "4", "73=0 75+3!=3", Opcode::mufu, "74+4:mufu 73:mufu_type", "d S-|#f"},
    {"75-89", "y08", "16", "73!=0 75+3!=3", Opcode::mufu, "74+4:mufu 73:mufu_type", "d S-|/60:high_half"},
    {"90-", "y08", "156", "72+2=0", Opcode::mufu, "74+4:mufu 72+2:mufu_type", "d S-|"},
    {"90-", "y08", "4", "72+2=0 75+3!=3", Opcode::mufu, "74+4:mufu 72+2:mufu_type", "d S-|#f"},
    {"90-", "y08", "16", "72+2!=0 75+3!=3", Opcode::mufu, "74+4:mufu 72+2:mufu_type", "d S-|/60:high_half"},
};

}  // namespace

std::span<const Row> float_rows() { return float_table; }

}  // namespace warpwalk::sass
