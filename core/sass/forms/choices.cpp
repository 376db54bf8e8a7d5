#include <map>

#include "core/sass/forms/form.h"
#include "core/sass/forms/notation.h"

namespace warpwalk::sass {
namespace {

/// A list as text: the values in order of their bits. (WORD): a default that the text omits. ".": a
/// value without a word. "!": an invalid value, like all values past the end.
struct ListText {
  std::string_view name;
  Field field;
  std::string_view values;
};

constexpr ListText lists[] = {
    {"round", Field::rounding, "(RN) RM RP RZ"},
    {"to_integral", Field::rounding, "(RN) FLOOR CEIL TRUNC"},
    {"pack_round", Field::rounding, "(RN) ! ! RZ"},
    {"ftz", Field::denormals, ". FTZ FMZ !"},
    {"fmul_scale", Field::scale, "! D8 D4 D2 (M1) M2 M4 M8"},
    {"fcmp", Field::compare, "F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T"},
    {"dcmp", Field::compare, "MIN LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU MAX"},
    {"icmp", Field::compare, "F LT EQ LE GT NE GE T"},
    {"bool", Field::combine, "AND OR XOR !"},
    {"sign", Field::type, "U32 (S32)"},
    {"integer_sign", Field::source_type, "U32 S32"},
    {"byte_sign", Field::type, "U8 (S8)"},
    {"byte_sign2", Field::type, "U8 S8"},
    {"short_sign", Field::type, "U16 S16"},
    {"packed", Field::type, ". 16x2"},
    {"minmax_type", Field::type, "U32 (S32) U16x2 S16x2"},
    {"narrow_type", Field::type, "U8 S8 U16 S16"},
    {"pack_type", Field::type, "U8 S8 U16 S16"},
    {"pack_nibble_type", Field::type, "! ! ! ! ! ! U4 S4"},
    {"pack_crumb_type", Field::type, "! ! ! ! U2 S2 ! !"},
    {"half", Field::part, "LO HI"},
    {"direction", Field::direction, "L R"},
    {"shift_type", Field::type, "S64 U64 S32 U32"},
    {"prmt", Field::mode, "(IDX) F4E B4E RC8 ECL ECR RC16 !"},
    {"byte", Field::part, ". B1 B2 B3"},
    {"cs2r", Field::size, "32 (64)"},
    {"vote", Field::mode, "ALL ANY EQ !"},
    {"match", Field::mode, "ALL ANY"},
    {"shfl", Field::mode, "IDX UP DOWN BFLY"},
    {"redux", Field::operation, "(AND) OR XOR SUM MIN MAX ! !"},
    {"mufu", Field::operation, "COS SIN EX2 LG2 RCP RSQ RCP64H RSQ64H SQRT TANH"},
    {"mufu_type", Field::type, "(F32) F16 BF16 !"},
    {"high_half", Field::part, ". H1"},
    {"halves", Field::part, ". ! H0_H0 H1_H1"},
    {"constant_halves", Field::part, ". F32 H0_H0 H1_H1"},
    {"half_type", Field::type, "(F16_V2) ! BF16_V2 !"},
    {"pack_float", Field::type, "(F16) BF16"},
    {"pack_float_shown", Field::type, "F16 BF16"},
    {"to_float", Field::type, "! F16 F32 F64 BF16"},
    {"from_float", Field::source_type, "! F16 F32 F64 BF16"},
    {"to_f32", Field::type, "! F16 (F32) F64 BF16"},
    {"to_f32_or_half", Field::type, "! F16 (F32) ! BF16"},
    {"to_f32_or_f16", Field::type, "! F16 (F32) ! !"},
    {"from_f32", Field::source_type, "! F16 (F32) F64 BF16"},
    {"to_integer", Field::type, "U8 U16 U32 U64 S8 S16 (S32) S64"},
    {"to_integer_32", Field::type, "U8 U16 U32 ! S8 S16 (S32) !"},
    {"from_integer_32", Field::source_type, "U8 U16 U32 ! S8 S16 (S32) !"},
    {"from_integer", Field::source_type, "U8 U16 U32 U64 S8 S16 (S32) S64"},
    {"transposed", Field::layout, "MT88 ! ! !"},
    {"matrix", Field::layout, "M88 MT88 ! !"},
    {"matrix_count", Field::size, ". 2 4 !"},
    {"imma_shape", Field::shape, "8816 ! ! ! 16816 16832"},
    {"imma_type", Field::type, "U8 S8"},
    {"hmma_shape", Field::shape, "1688 16816 1684 !"},
    {"hmma_sparse_shape", Field::shape, "1688 16816 ! 16832"},
    {"imma_shape_75", Field::shape, "8816"},
    {"imma_4_shape", Field::shape, "! ! 8832 ! ! 16832 16864 !"},
    {"imma_4_shape_75", Field::shape, "! ! 8832"},
    {"imma_sparse_shape", Field::shape, "! ! ! ! ! 16832 16864 !"},
    {"imma_sparse_4_shape", Field::shape, "! ! ! ! ! ! 16864 168128"},
    {"nibble_type", Field::type, "U4 S4"},
    {"bmma_shape_75", Field::shape, "88128"},
    {"bmma_shape", Field::shape, "88128 168128 168256 !"},
    {"bmma_operation", Field::combine, "XOR AND"},
    {"qmma_shape", Field::shape, "! 16816 ! 16832 ! !"},
    {"qmma_sparse_shape", Field::shape, "! ! ! 16832 ! 16864"},
    {"qmma_accumulator", Field::type, "F16 F32"},
    {"f8_type", Field::source_type, "E4M3 E5M2"},
    {"f8_source", Field::source_type, "E5M2 E4M3"},
    {"row_col", Field::layout, "ROW COL"},
    {"step", Field::mode, "STEP0 STEP1 STEP2 STEP3"},
    {"matrix_flags", Field::mode,
     ". negA negB negA.negB tnspA negA.tnspA negB.tnspA negA.negB.tnspA tnspB negA.tnspB negB.tnspB negA.negB.tnspB "
     "tnspA.tnspB negA.tnspA.tnspB negB.tnspA.tnspB negA.negB.tnspA.tnspB"},
    {"matrix_signs", Field::mode, ". negA negB negA.negB"},
    {"matrix_b_flags", Field::mode, ". negB tnspB negB.tnspB"},
    {"matrix_b_sign", Field::mode, ". negB"},
    {"tensor_dimensions", Field::shape, "1D 2D 3D 4D 5D ! ! !"},
    {"bulk_space", Field::mode, "G S"},
    {"bulk_type", Field::type, "(U32) S32 U64 S64 F16.RN F32.RN F32.FTZ.RN F64.RN BF16.RN"},
    {"multicast_type", Field::type, "32 S32 64 S64"},
    {"multicast_operation", Field::operation, "ADD MIN MAX ! ! AND OR XOR"},
    {"multicast_float_operation", Field::operation, "ADD ! MIN ! MAX ! F32ADD !"},
    {"fence_space", Field::mode, "S G"},
    {"nanosleep", Field::mode, ". SYNCS WARP ! RAND"},
    {"saturation", Field::mode, ". SAT SATRELU !"},
    {"f2ip_round", Field::rounding, "(RN) ! ! TRUNC"},
    {"half_ftz", Field::denormals, ". FTZ FMZ OOB"},
    {"narrow_float", Field::type, "F16 BF16 ! TF32 E5M2 E4M3 ! !"},
    {"hmma_accumulator", Field::type, "F16 F32"},
    {"hmma_type", Field::source_type, "(F16) BF16 TF32 !"},
    {"dmma_shape", Field::shape, "8x8x4 16x8x4 16x8x8 16x8x16"},
    {"evict", Field::eviction, "EF (EN) EL LU EU NA ! !"},
    {"prefetch", Field::prefetch, ". LTC64B LTC128B LTC256B"},
    {"bypass", Field::mode, "BYPASS ."},
    {"prefetch_75", Field::prefetch, ". LTC64B LTC128B !"},
    {"wide_store_size", Field::size, "(32) 64 128"},
    {"size", Field::size, "U8 S8 U16 S16 (32) 64 128 !"},
    {"wide_size", Field::size, "! ! ! ! (32) 64 128 !"},
    {"constant_size", Field::size, "U8 S8 U16 S16 (32) 64 ! !"},
    {"order", Field::order, "(WEAK) ! ! ! CONSTANT STRONG.SM ! STRONG.GPU MMIO.GPU ! STRONG.SYS ! MMIO.SYS"},
    {"store_order", Field::order, "(WEAK) ! ! ! ! STRONG.SM ! STRONG.GPU MMIO.GPU ! STRONG.SYS ! MMIO.SYS"},
    {"atomic_order_75", Field::order, "! ! STRONG !"},
    {"store_order_75", Field::order, "! (WEAK) STRONG MMIO"},
    {"order_75", Field::order, "CONSTANT (WEAK) STRONG MMIO"},
    {"scope_75", Field::scope, "CTA SM GPU SYS"},
    {"cctl", Field::operation, "PF1 PF2 WB IV ! RS ! ! ! PML2 DML2 RML2"},
    {"cctl_all", Field::operation, "! ! ! ! IVALL"},
    {"cctl_space", Field::mode, ". U C I"},
    {"cctl_barrier", Field::operation, "IV WB"},
    {"membar", Field::order, "SC ALL ! MMIO"},
    {"membar_75", Field::order, "SC ALL ! !"},
    {"membar_scope", Field::scope, "CTA SM GPU SYS ! VC ! !"},
    {"space", Field::mode, "G L S D"},
    {"space_75", Field::mode, "G L S !"},
    {"arrive", Field::mode, ". A1T0 A0T1 A0TR A0TX ART0"},
    {"arrives_count", Field::mode, ". ARVCNT TRANSCNT !"},
    {"atomic", Field::operation, "ADD MIN MAX INC DEC AND OR XOR EXCH"},
    {"reduction", Field::operation, "ADD MIN MAX INC DEC AND OR XOR"},
    {"float_atomic", Field::operation, "ADD ! MIN ! MAX"},
    {"atomic_type_75", Field::type, "(U32) S32 64 F32.FTZ.RN F16x2.RN S64 F64.RN !"},
    {"atomic_type", Field::type, "(U32) S32 64 S64 128 ! ! !"},
    {"reduction_type", Field::type, "(U32) S32 64 S64 ! ! ! !"},
    {"float_atomic_type", Field::type,
     "F16x2.RN F16x4.RN F16x8.RN BF16x2.RN BF16x4.RN BF16x8.RN ! ! ! F32.FTZ.RN F32x2.FTZ.RN F32x4.FTZ.RN F32.RN "
     "F32x2.RN F32x4.RN F64.RN"},
    {"shared_atomic_type", Field::type, "(U32) S32 64"},
    {"shared_atomic_type_90", Field::type, "(U32) S32 64 ! 128"},
    {"cas_type", Field::type, "(U32) ! 64 ! 128"},
    {"cas_type_64", Field::type, "(U32) ! 64"},
    {"nodec", Field::mode, ". NODEC"},
    {"texture_shape", Field::shape, "1D 2D 3D CUBE ARRAY_1D ARRAY_2D ! ARRAY_CUBE"},
    {"texture_level", Field::mode, ". LZ LB LL ! ! ! !"},
    {"gathered", Field::part, "R G B A"},
    {"texture_query", Field::mode, "TEX_HEADER_DIMENSION ! ! !"},
    {"surface_shape", Field::shape, "1D ! 1D_ARRAY 2D 2D_ARRAY 3D ! !"},
    {"outside", Field::mode, "IGN . TRAP !"},
    {"written_channels", Field::part, "! R ! ! ! ! ! ! ! ! ! ! ! ! ! ."},
    {"surface_reduction_type", Field::type, "(U32) S32 U64 ! ! ! ! !"},
    {"reconvergence", Field::mode, ". RELIABLE RECONVERGENT !"},
    {"uniform_constant_size", Field::size, "U8 S8 U16 S16 (32) 64 128 !"},
    {"texture_level_100", Field::mode, ". LZ LB LL ! ! ! !"},
    {"fetch_level", Field::mode, "LZ ! ! ! ! ! ! !"},
    {"multicast_float_operation_100", Field::operation, "ADD ! MIN ! MAX ! HPADD !"},
    {"evict_l2", Field::eviction, "EFL2 ENL2 ELL2 !"},
    {"size_256", Field::size, "! ! ! ! 256 ! ! !"},
    {"order_256", Field::order, "(WEAK) ! ! ! CONSTANT"},
    {"store_order_256", Field::order, "(WEAK)"},
    {"byte_matrix_count", Field::size, ". 2 ! !"},
    {"f6_source", Field::source_type, "E2M3 E3M2"},
    {"f6_type", Field::type, "! E2M1 E2M3 E3M2 ! ! ! !"},
    {"f8_type_120", Field::source_type, "E4M3 E5M2"},
    {"warp_extreme", Field::operation, "MAX MAXABS MIN MINABS"},
    {"warp_extreme_type", Field::type, "(U32) S32 F32 !"},
    {"sign_64", Field::type, "U32 (S32) U64 S64"},
    {"packed_extreme", Field::type, "U32 S32 U16x2 S16x2 U8x4 S8x4 ! !"},
    {"byte_sum", Field::type, "! ! ! ! U8x4 S8x4 ! !"},
    {"bar", Field::operation, "SYNC ARV RED"},
    {"bar_reduction", Field::combine, "POPC AND OR !"},
};

constexpr unsigned column_step = 8, largest_columns = 256;

/// The shapes of HGMMA: the columns in five bits, then the depth.
ChoiceList half_group_shapes() {
  ChoiceList list{Field::shape, {}};
  for (const unsigned depth : {16U, 8U, 32U})
    for (unsigned n = column_step; n <= largest_columns; n += column_step)
      list.choices.push_back({group_shape(n, depth), true});
  return list;
}

/// The shapes of QGMMA.
ChoiceList byte_group_shapes() {
  ChoiceList list{Field::shape, {}};
  for (const unsigned depth : {32U, 64U})
    for (unsigned n = column_step; n <= largest_columns; n += column_step)
      list.choices.push_back({group_shape(n, depth), true});
  return list;
}

/// The next number of columns that IGMMA and BGMMA have: from 32 on, only multiples of 16.
unsigned next_columns(unsigned n) { return n < 32 ? n + column_step : n + 2 * column_step; }

/// The shapes of IGMMA: three values for each number of columns.
ChoiceList integer_group_shapes() {
  ChoiceList list{Field::shape, {}};
  for (unsigned n = column_step; n <= largest_columns; n = next_columns(n)) {
    list.choices.push_back({group_shape(n, 32), true});
    list.choices.push_back({group_shape(n, 64), true});
    list.choices.push_back({Word::invalid, false});
  }
  return list;
}

/// The shapes of BGMMA.
ChoiceList bit_group_shapes() {
  ChoiceList list{Field::shape, {}};
  for (unsigned n = column_step; n <= largest_columns; n = next_columns(n))
    list.choices.push_back({group_shape(n, 256), true});
  return list;
}

std::map<std::string_view, ChoiceList> parse_lists() {
  std::map<std::string_view, ChoiceList> parsed{{"hgmma_shape", half_group_shapes()},
                                                {"qgmma_shape", byte_group_shapes()},
                                                {"igmma_shape", integer_group_shapes()},
                                                {"bgmma_shape", bit_group_shapes()}};
  for (const ListText& text : lists) {
    ChoiceList& list = parsed[text.name];
    list.field = text.field;
    for (const std::string_view value : split_words(text.values)) {
      if (value == "!")
        list.choices.push_back({Word::invalid, false});
      else if (value == ".")
        list.choices.push_back({Word::none, false});
      else if (value.front() == '(')
        list.choices.push_back({word_named(value.substr(1, value.size() - 2)), false});
      else
        list.choices.push_back({word_named(value), true});
    }
  }
  return parsed;
}

}  // namespace

const ChoiceList* choice_list(std::string_view name) {
  static const std::map<std::string_view, ChoiceList> parsed = parse_lists();
  const auto found = parsed.find(name);
  return found == parsed.end() ? nullptr : &found->second;
}

}  // namespace warpwalk::sass
