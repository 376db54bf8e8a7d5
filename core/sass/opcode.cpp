#include "core/sass/opcode.h"

namespace warpwalk::sass {
namespace {

// In the order of Opcode.
constexpr std::string_view opcode_names[] = {
    "ACQBULK",      "ARRIVES",    "ATOM",          "ATOMG",     "ATOMS",     "B2R",          "BAR",
    "BGMMA",        "BMMA",       "BMOV",          "BMSK",      "BPT",       "BRA",          "BREAK",
    "BREV",         "BRX",        "BSSY",          "BSYNC",     "CALL",      "CCTL",         "CCTLL",
    "CGAERRBAR",    "CS2R",       "DADD",          "DEPBAR",    "DFMA",      "DMMA",         "DMUL",
    "DSETP",        "ELECT",      "ENDCOLLECTIVE", "ERRBAR",    "EXIT",      "F2F",          "F2FP",
    "F2I",          "F2IP",       "FADD",          "FCHK",      "FENCE",     "FFMA",         "FLO",
    "FMNMX",        "FMUL",       "FRND",          "FSEL",      "FSET",      "FSETP",        "FSWZADD",
    "HADD2",        "HFMA2",      "HGMMA",         "HMMA",      "HMNMX2",    "HMUL2",        "HSET2",
    "HSETP2",       "I2F",        "I2FP",          "I2I",       "I2IP",      "IABS",         "IADD3",
    "IDP",          "IGMMA",      "IMAD",          "IMMA",      "IMNMX",     "ISETP",        "KILL",
    "LD",           "LDC",        "LDG",           "LDGDEPBAR", "LDGMC",     "LDGSTS",       "LDL",
    "LDS",          "LDSM",       "LEA",           "LEPC",      "LOP3",      "MATCH",        "MEMBAR",
    "MOV",          "MOVM",       "MUFU",          "NANOSLEEP", "NOP",       "P2R",          "PLOP3",
    "PMTRIG",       "POPC",       "PREEXIT",       "PRMT",      "QGMMA",     "QMMA",         "QSPC",
    "R2P",          "R2UR",       "RED",           "REDAS",     "REDG",      "REDUX",        "RET",
    "RPCMOV",       "S2R",        "S2UR",          "SEL",       "SGXT",      "SHF",          "SHFL",
    "ST",           "STAS",       "STG",           "STL",       "STS",       "STSM",         "SULD",
    "SURED",        "SUST",       "SYNCS",         "TEX",       "TLD",       "TLD4",         "TXD",
    "TXQ",          "UBLKCP",     "UBLKPF",        "UBLKRED",   "UBMSK",     "UBREV",        "UCGABAR_ARV",
    "UCGABAR_WAIT", "UFLO",       "UIADD3",        "UIMAD",     "UISETP",    "ULDC",         "ULEA",
    "ULOP3",        "UMOV",       "UP2UR",         "UPLOP3",    "UPOPC",     "UPRMT",        "UR2UP",
    "USEL",         "USETMAXREG", "USGXT",         "USHF",      "UTMACCTL",  "UTMACMDFLUSH", "UTMALDG",
    "UTMAPF",       "UTMAREDG",   "UTMASTG",       "VABSDIFF",  "VABSDIFF4", "VHMNMX",       "VIADD",
    "VIADDMNMX",    "VIMNMX",     "VIMNMX3",       "VOTE",      "VOTEU",     "WARPGROUP",    "WARPSYNC",
    "YIELD"};

}  // namespace

std::string_view name_of(Opcode opcode) { return opcode_names[static_cast<std::size_t>(opcode)]; }

}  // namespace warpwalk::sass
