#include "core/sass/word.h"

#include <algorithm>
#include <iterator>

namespace warpwalk::sass {
namespace {

// In the order of Word.
constexpr std::string_view names[] = {
    "", "",
    "A0TR", "A1T0", "ABS", "ACC", "ADD", "ALL", "AND", "ANY", "ARRIVE", "ART0", "ARV", "ASYNC", "B1", "B2", "B3",
    "B4E", "BF", "BF16", "BF16_V2", "BF16x2.RN", "BF16x4.RN", "BF16x8.RN", "BFLY", "BYPASS", "CAS", "CAST", "CEIL",
    "CLEAR", "COL", "COLLECTIVE", "CONSTANT", "CONV", "COS", "CTA", "D", "D2", "D4", "D8", "DEC", "DEFER_BLOCKING",
    "DIV", "DOWN", "E", "ECL", "ECR", "EF", "EL", "EN", "EQ", "EQU", "EU", "EX", "EX2", "EXCH", "EXCLUSIVE", "F",
    "F16", "F16_V2", "F16x2.RN", "F16x4.RN", "F16x8.RN", "F32", "F32.FTZ.RN", "F32.RN", "F32x2.FTZ.RN", "F32x2.RN",
    "F32x4.FTZ.RN", "F32x4.RN", "F4E", "F64", "F64.RN", "FLOOR", "FMZ", "FTZ", "G", "GE", "GEU", "GPU", "GT", "GTU",
    "H0_H0", "H1", "H1_H1", "H_AND", "HI", "IADD", "IDX", "INC", "IVALL", "L", "LE", "LEU", "LG2", "LO", "LT",
    "LTC128B", "LTC256B", "LTC64B", "LTU", "LU", "LUT", "M1", "M2", "M4", "M8", "M88", "MAX", "MIN", "MMA", "MMIO",
    "MMIO.GPU", "MMIO.SYS", "MOV", "MT88", "128", "16", "16816", "16832", "1684", "1688", "16x2", "16x8x16",
    "16x8x4", "16x8x8", "2", "2A", "32", "4", "4A", "64", "8816", "884", "8x8x4", "NA", "NAN", "NE", "NEU", "NODEC",
    "NOINC", "NTZ", "NUM", "OR", "PACK_AB", "PAND", "PF1", "PF2", "PHASECHK", "PML2", "POPC", "R", "RC16", "RC8",
    "RCP", "RCP64H", "RED", "REL", "RELU", "RESULT", "RM", "RN", "ROW", "RP", "RSQ", "RSQ64H", "RZ", "S", "S16",
    "S16x2", "S32", "S64", "S8", "SAT", "SC", "SH", "SHL", "SIGN", "SIN", "SM", "SPIN", "SQRT", "STRONG",
    "STRONG.GPU", "STRONG.SM", "STRONG.SYS", "SUM", "SX32", "SYNC", "SYS", "T", "TANH", "TF32", "TRANS64", "TRAP",
    "TRUNC", "TRYWAIT", "U", "U16", "U16x2", "U32", "U64", "U8", "UP", "VC", "VIEW", "W", "WARP", "WB", "WEAK",
    "WIDE", "X", "XOR", "XORSIGN", "ZFILL"};

}  // namespace

std::string_view name_of(Word word) { return names[static_cast<std::size_t>(word)]; }

Word word_named(std::string_view name) {
  const auto* const found = std::find(std::begin(names) + 2, std::end(names), name);
  return found == std::end(names) ? Word::invalid : static_cast<Word>(found - std::begin(names));
}

}  // namespace warpwalk::sass
