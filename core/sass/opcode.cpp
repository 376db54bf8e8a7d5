#include "core/sass/opcode.h"

namespace warpwalk::sass {
namespace {

// In the order of Opcode.
constexpr std::string_view names[] = {
    "ACQBULK", "ATOM", "ATOMG", "ATOMS", "B2R", "BAR", "BMOV", "BMSK", "BPT", "BRA", "BREAK", "BREV", "BRX", "BSSY",
    "BSYNC", "CALL", "CCTL", "CGAERRBAR", "CS2R", "DADD", "DEPBAR", "DFMA", "DMMA", "DMUL", "DSETP", "ELECT",
    "ENDCOLLECTIVE", "ERRBAR", "EXIT", "F2F", "F2FP", "F2I", "FADD", "FCHK", "FENCE", "FFMA", "FLO", "FMNMX", "FMUL",
    "FRND", "FSEL", "FSET", "FSETP", "HADD2", "HFMA2", "HMMA", "HMNMX2", "HMUL2", "HSET2", "HSETP2", "I2F", "I2FP",
    "I2I", "I2IP", "IABS", "IADD3", "IDP", "IMAD", "IMMA", "IMNMX", "ISETP", "KILL", "LD", "LDC", "LDG", "LDGDEPBAR",
    "LDGSTS", "LDL", "LDS", "LDSM", "LEA", "LEPC", "LOP3", "MATCH", "MEMBAR", "MOV", "MOVM", "MUFU", "NANOSLEEP",
    "NOP", "P2R", "PLOP3", "POPC", "PREEXIT", "PRMT", "QSPC", "R2P", "R2UR", "RED", "REDG", "REDUX", "RET", "S2R",
    "S2UR", "SEL", "SGXT", "SHF", "SHFL", "ST", "STG", "STL", "STS", "STSM", "SULD", "SURED", "SUST", "SYNCS", "TEX",
    "TLD", "TLD4", "TXD", "TXQ", "UBMSK", "UBREV", "UFLO", "UIADD3", "UIMAD", "UISETP", "ULDC", "ULEA", "ULOP3",
    "UMOV", "UPLOP3", "UPOPC", "UPRMT", "USEL", "USGXT", "USHF", "VABSDIFF", "VABSDIFF4", "VIADD", "VIADDMNMX",
    "VIMNMX", "VOTE", "VOTEU", "WARPSYNC", "YIELD"};

}  // namespace

std::string_view name_of(Opcode opcode) { return names[static_cast<std::size_t>(opcode)]; }

}  // namespace warpwalk::sass
