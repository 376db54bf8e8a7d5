#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

constexpr Row matrix_table[] = {
    {"75", "236", "1", "75=0", Opcode::hmma, "=884 76:hmma_accumulator 78:hmma_accumulator 79+2:step 77?SATFINITE",
     "d A-/73:row_col B-/74:row_col C"},
    {"75", "237", "1", "74=1 83+2=0", Opcode::imma, "75,85+2:imma_shape_75 76+2:imma_type 78+2:imma_type 82?SAT",
     "d A/=ROW B/=COL C"},
    {"75", "237", "1", "74=1 83+2=3", Opcode::imma, "75,85+2:imma_4_shape_75 76+2:nibble_type 78+2:nibble_type 82?SAT",
     "d A/=ROW B/=COL C", "83+2"},
    {"80-", "237", "1", "72+3=4 83+2=0", Opcode::imma, "75,85+2:imma_shape 76+2:imma_type 78+2:imma_type 82?SAT",
     "d A/=ROW B/=COL C", "83+2"},
    {"80-89", "237", "1", "72+3=4 83+2=3", Opcode::imma,
     "75,85+2:imma_4_shape 76+2:nibble_type 78+2:nibble_type 82?SAT", "d A/=ROW B/=COL C", "83+2"},
    {"80-", "237", "1", "72+3=5 83+2=0 81=0", Opcode::imma,
     "=SP 75,85+2:imma_sparse_shape 76+2:imma_type 78+2:imma_type 82?SAT", "d A/=ROW B/=COL C r40 i48+2", "83+2"},
    {"80-89", "237", "1", "72+3=5 83+2=3 81=0", Opcode::imma,
     "=SP 75,85+2:imma_sparse_4_shape 76+2:nibble_type 78+2:nibble_type 82?SAT", "d A/=ROW B/=COL C r40 i48+2", "83+2"},
    {"75", "23d", "1", "73+2=2 77=0 80=1", Opcode::bmma, "75+2:bmma_shape_75 =XOR =POPC", "d A/=ROW B/=COL C"},
    {"80-", "23d", "1", "73+2=2 77=0 80=1", Opcode::bmma, "75+2:bmma_shape 78:bmma_operation =POPC",
     "d A/=ROW B/=COL C"},
    {"89", "27a", "1", "80=0", Opcode::qmma, "74+3:qmma_shape 77:qmma_accumulator 78:f8_type 79:f8_type",
     "d A-/=ROW B-/=COL C Q87!90?^"},
    {"89", "27a", "1", "80=1", Opcode::qmma,
     "=SP 81?REGOFFSET 74+3:qmma_sparse_shape 77:qmma_accumulator 78:f8_type 79:f8_type",
     "d A-/=ROW B-/=COL C Q87!90?^ r40 i48+2", "80"},
    {"", "23a", "1", "", Opcode::movm, "=16 78+2:transposed", "d A"},
    {"", "83b", "4", "91=0", Opcode::ldsm, "=16 78+2:matrix 72+2:matrix_count", "d M"},
    {"", "83b", "4", "91=1", Opcode::ldsm, "=16 78+2:matrix 72+2:matrix_count", "d M.u32", "91"},
    {"75", "23c", "1", "", Opcode::hmma, "75,78:hmma_shape 76:hmma_accumulator", "d A B C"},
    {"80-", "23c", "1", "73=1 81=0", Opcode::hmma, "=SP 75,78:hmma_sparse_shape 76:hmma_accumulator 82+2:hmma_type",
     "d A- B- C r40 i48+2", "73"},
    {"80-", "23c", "1", "73=0", Opcode::hmma, "75,78:hmma_shape 76:hmma_accumulator 82+2:hmma_type", "d A B C"},
    {"80-89", "23f", "1", "76+2=0", Opcode::dmma, "=884 78+2:round", "d A-| B-| C-|"},
    {"90-", "23f", "1", "", Opcode::dmma, "76+2:dmma_shape 78+2:round", "d A-| B-| C-|"},
    {"90-", "844", "4", "91=0", Opcode::stsm, "=16 78+2:matrix 72+2:matrix_count", "M r32"},
    {"90-", "844", "4", "91=1", Opcode::stsm, "=16 78+2:matrix 72+2:matrix_count", "M.u64 r32", "91"},
};

}  // namespace

std::span<const Row> matrix_rows() { return matrix_table; }

}  // namespace warpwalk::sass
