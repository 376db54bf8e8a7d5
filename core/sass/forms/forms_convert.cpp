#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

constexpr Row convert_table[] = {
    {"80-86", "x3e", "1456", "78=0", Opcode::f2fp, "77?SATFINITE 75?RELU 76:pack_float =PACK_AB 79+2:pack_round",
     "d A S#f", "64+8"},
    {"80-86", "23e", "1", "78=1", Opcode::f2fp, "77?SATFINITE 75?RELU 76:pack_float =MERGE_C 79+2:pack_round", "d B C",
     "78 24+8"},
    {"89-", "x3e", "1456", "78=0 89+2=0 73+2=0", Opcode::f2fp,
     "77?SATFINITE 75?RELU 76,86+2:narrow_float =F32 =PACK_AB 79+2:pack_round", "d A S#f", "64+8"},
    {"89-", "23e", "1", "78=1 89+2=0 73+2=0", Opcode::f2fp,
     "77?SATFINITE 75?RELU 76,86+2:narrow_float =F32 =MERGE_C 79+2:pack_round", "d B C/72:high_half", "78 24+8"},
    {"89-", "23e", "1", "78=1 89+2=1 73+2=0", Opcode::f2fp, "75?RELU 76,86+2:narrow_float =F32 =PACK_B 79+2:pack_round",
     "d B", "78 89+2 24+8 64+8"},
    {"89-", "23e", "1", "78=0 89+2=1 74=1", Opcode::f2fp, "75?RELU 76,86+2:narrow_float 73:f8_source =UNPACK_B",
     "d B/88:high_half", "74 89+2 24+8 64+8"},
    {"89-", "23e", "1", "78=1 89+2=2 73+2=0", Opcode::f2fp,
     "77?SATFINITE 75?RELU 76,86+2:narrow_float =F32 =PACK_AB_MERGE_C 79+2:pack_round", "d A B C/72:high_half",
     "78 89+2"},
    {"89-", "23e", "1", "78=0 89+2=2 73+2=1", Opcode::f2fp,
     "77?SATFINITE 75?RELU 76,86+2:narrow_float =F16 =UNPACK_B_MERGE_C", "d B C/72:high_half", "73 89+2 24+8"},
    {"86-", "243", "1", "77=0", Opcode::f2ip, "76:byte_sign2 =F32 78+2:f2ip_round 74?NTZ 75?RELU",
     "d A B C/72:high_half"},
    {"86-", "x45", "1456", "84+2=2 75+3=2", Opcode::i2fp, "=F32 74:integer_sign 78+2:pack_round", "d S", "84+2 75+3"},
    {"", "y04", "156", "84+3=1", Opcode::f2f, "80?FTZ 75+3:to_float 84+3:from_float 78+2:round", "d S-|/60:high_half",
     "84+3"},
    {"", "y04", "156", "84+3!=1", Opcode::f2f, "80?FTZ 75+3:to_float 84+3:from_float 78+2:round", "d S-|"},
    {"", "y10", "156", "84+3=1", Opcode::f2f, "80?FTZ 75+3:to_float 84+3:from_float 78+2:round", "d S-|/60:high_half",
     "84+3"},
    {"", "y10", "156", "84+3!=1", Opcode::f2f, "80?FTZ 75+3:to_float 84+3:from_float 78+2:round", "d S-|"},
    {"", "y05", "156", "84+3=1", Opcode::f2i, "80?FTZ 75+2,72:to_integer_32 84+3:from_f32 78+2:to_integral 77?NTZ",
     "d S-|/60:high_half", "84+3"},
    {"", "y05", "156", "84+3=4", Opcode::f2i, "80?FTZ 75+2,72:to_integer_32 84+3:from_f32 78+2:to_integral 77?NTZ",
     "d S-|/60:high_half", "84+3"},
    {"", "y05", "156", "84+3!=1 84+3!=4", Opcode::f2i,
     "80?FTZ 75+2,72:to_integer_32 84+3:from_f32 78+2:to_integral 77?NTZ", "d S-|"},
    {"", "y11", "156", "84+3=1", Opcode::f2i, "80?FTZ 75+2,72:to_integer 84+3:from_f32 78+2:to_integral 77?NTZ",
     "d S-|/60:high_half", "84+3"},
    {"", "y11", "156", "84+3=4", Opcode::f2i, "80?FTZ 75+2,72:to_integer 84+3:from_f32 78+2:to_integral 77?NTZ",
     "d S-|/60:high_half", "84+3"},
    {"", "y11", "156", "84+3!=1 84+3!=4", Opcode::f2i,
     "80?FTZ 75+2,72:to_integer 84+3:from_f32 78+2:to_integral 77?NTZ", "d S-|"},
    {"75-89", "y06", "16", "84+2=1", Opcode::i2f, "75+3:to_f32_or_f16 84+2,74:from_integer_32 78+2:round",
     "d S/60:high_half"},
    {"75-89", "y06", "16", "84+2=0", Opcode::i2f, "75+3:to_f32_or_f16 84+2,74:from_integer_32 78+2:round",
     "d S/60+2:byte"},
    {"75-89", "y06", "1456", "85=1", Opcode::i2f, "75+3:to_f32_or_f16 84+2,74:from_integer_32 78+2:round", "d S"},
    {"90-", "y06", "16", "84+2=1", Opcode::i2f, "75+3:to_f32_or_half 84+2,74:from_integer_32 78+2:round",
     "d S/60:high_half"},
    {"90-", "y06", "16", "84+2=0", Opcode::i2f, "75+3:to_f32_or_half 84+2,74:from_integer_32 78+2:round",
     "d S/60+2:byte"},
    {"90-", "y06", "1456", "85=1", Opcode::i2f, "75+3:to_f32_or_half 84+2,74:from_integer_32 78+2:round", "d S"},
    {"", "y12", "16", "84+2=1", Opcode::i2f, "75+3:to_f32 84+2,74:from_integer 78+2:round", "d S/60:high_half"},
    {"", "y12", "16", "84+2=0", Opcode::i2f, "75+3:to_f32 84+2,74:from_integer 78+2:round", "d S/60+2:byte"},
    {"", "y12", "1456", "85=1", Opcode::i2f, "75+3:to_f32 84+2,74:from_integer 78+2:round", "d S"},
    {"", "y07", "156", "75+3=2 84+3=2", Opcode::frnd, "80?FTZ 75+3:to_f32 78+2:to_integral", "d S-|", "84+3"},
    {"", "y07", "156", "75+3=1 84+3=1", Opcode::frnd, "80?FTZ 75+3:to_f32 78+2:to_integral", "d S-|", "84+3"},
    {"80-", "y07", "156", "75+3=4 84+3=4", Opcode::frnd, "80?FTZ 75+3:to_f32 78+2:to_integral", "d S-|", "84+3"},
    {"", "y13", "156", "75+3=3 84+3=3", Opcode::frnd, "80?FTZ 75+3:to_f32 78+2:to_integral", "d S-|", "84+3"},
};

}  // namespace

std::span<const Row> convert_rows() { return convert_table; }

}  // namespace warpwalk::sass
