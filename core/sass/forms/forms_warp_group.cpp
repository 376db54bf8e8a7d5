#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

// Matrix products of a warp group (wgmma). A is in shared memory or, in the second row of each kind, in registers.
constexpr Row warp_group_table[] = {
    {"90-", "9f0", "1", "91=1 73=0", Opcode::hgmma, "53+5,58+2:hgmma_shape 75:hmma_accumulator 76+2:hmma_type",
     "d G24/72,63,61,62:matrix_flags r64 Q87!90?^ g84+3"},
    {"90-", "9f0", "1", "91=1 73=1", Opcode::hgmma,
     "=SP 74?REGOFFSET 53+5,58+2:hgmma_shape 75:hmma_accumulator 76+2:hmma_type",
     "d G24/72,63,61,62:matrix_flags r64 Q87!90?^ r40 i48+2 g84+3", "73"},
    {"90-", "df0", "1", "91=1 73=0", Opcode::hgmma, "53+5,58+2:hgmma_shape 75:hmma_accumulator 76+2:hmma_type",
     "d r24-72 G32/63,62:matrix_b_flags r64 Q87!90?^ g84+3"},
    {"90-", "df0", "1", "91=1 73=1", Opcode::hgmma,
     "=SP 74?REGOFFSET 53+5,58+2:hgmma_shape 75:hmma_accumulator 76+2:hmma_type",
     "d r24-72 G32/63,62:matrix_b_flags r64 Q87!90?^ r40 i48+2 g84+3", "73"},
    {"90-", "9f1", "1", "91=1 73=0", Opcode::igmma, "53+6:igmma_shape 76:byte_sign2 82:byte_sign2 75?SAT",
     "d G24 r64 Q87!90?^ g84+3"},
    {"90-", "9f1", "1", "91=1 73=1", Opcode::igmma,
     "=SP 74?REGOFFSET 53+6:igmma_shape 76:byte_sign2 82:byte_sign2 75?SAT", "d G24 r64 Q87!90?^ r40 i48+2? g84+3",
     "73"},
    {"90-", "df1", "1", "91=1 73=0", Opcode::igmma, "53+6:igmma_shape 76:byte_sign2 82:byte_sign2 75?SAT",
     "d r24 G32 r64 Q87!90?^ g84+3"},
    {"90-", "df1", "1", "91=1 73=1", Opcode::igmma,
     "=SP 74?REGOFFSET 53+6:igmma_shape 76:byte_sign2 82:byte_sign2 75?SAT", "d r24 G32 r64 Q87!90?^ r40 i48+2? g84+3",
     "73"},
    {"90-", "9f2", "1", "91=1 77+2=2 80=1", Opcode::bgmma, "53+5:bgmma_shape =AND =POPC", "d G24 r64 Q87!90?^ g84+3"},
    {"90-", "df2", "1", "91=1 77+2=2 80=1", Opcode::bgmma, "53+5:bgmma_shape =AND =POPC",
     "d r24 G32 r64 Q87!90?^ g84+3"},
    {"90-", "9f3", "1", "91=1 73=0", Opcode::qgmma, "53+5,58:qgmma_shape 75:hmma_accumulator 76:f8_type 77:f8_type",
     "d G24/72,63:matrix_signs r64 Q87!90?^ g84+3"},
    {"90-", "9f3", "1", "91=1 73=1", Opcode::qgmma,
     "=SP 74?REGOFFSET 53+5,58:qgmma_shape 75:hmma_accumulator 76:f8_type 77:f8_type",
     "d G24/72,63:matrix_signs r64 Q87!90?^ r40 i48+2? g84+3", "73"},
    {"90-", "df3", "1", "91=1 73=0", Opcode::qgmma, "53+5,58:qgmma_shape 75:hmma_accumulator 76:f8_type 77:f8_type",
     "d r24-72 G32/63:matrix_b_sign r64 Q87!90?^ g84+3"},
    {"90-", "df3", "1", "91=1 73=1", Opcode::qgmma,
     "=SP 74?REGOFFSET 53+5,58:qgmma_shape 75:hmma_accumulator 76:f8_type 77:f8_type",
     "d r24-72 G32/63:matrix_b_sign r64 Q87!90?^ r40 i48+2? g84+3", "73"},
    {"90-", "9c5", "4", "79+2=0", Opcode::warpgroup, "=ARRIVE", ""},
    {"90-", "9c5", "4", "79+2=1", Opcode::warpgroup, "=WAIT", ""},
    {"90-", "9c5", "4", "79+2=2 47=1 84+3=0", Opcode::warpgroup, "=DEPBAR =LE", "g84+3 i72+3"},
    {"90-", "9c8", "4", "91=1 72+3=5", Opcode::usetmaxreg, "=DEALLOC =CTAPOOL", "i32+10 @U", "81+3"},
    {"90-", "9c8", "4", "91=1 72+3=6", Opcode::usetmaxreg, "=TRY_ALLOC =CTAPOOL", "q81 i32+10 @U"},
    {"90-", "9c9", "4", "91=1 72=0", Opcode::usetshmsz, "", "i32+20 @U"},
    {"90-", "9c9", "4", "91=1 72=1", Opcode::usetshmsz, "=FLUSH", "@U"},
};

}  // namespace

std::span<const Row> warp_group_rows() { return warp_group_table; }

}  // namespace warpwalk::sass
