#include "core/sass/forms/form.h"

namespace warpwalk::sass {
namespace {

constexpr Row rows[] = {
    {"80-", "237", "1", "73=0 74=1", Opcode::imma, "75,85+2:imma_shape 76+2,83:imma_type 78+2,84:imma_type 82?SAT",
     "d A/=ROW B/=COL C"},
    {"", "23a", "1", "", Opcode::movm, "=16 78+2:transposed", "d A"},
    {"", "83b", "4", "91=0", Opcode::ldsm, "=16 78+2:matrix 72+2:matrix_count", "d M"},
    {"", "83b", "4", "91=1", Opcode::ldsm, "=16 78+2:matrix 72+2:matrix_count", "d M.u32", "91"},
    {"75", "23c", "1", "", Opcode::hmma, "75,78:hmma_shape 76:hmma_accumulator", "d A B C"},
    {"80-", "23c", "1", "", Opcode::hmma, "75,78:hmma_shape 76:hmma_accumulator 82+2:hmma_type", "d A B C"},
    {"80-89", "23f", "1", "76+2=0", Opcode::dmma, "=884 78+2:round", "d A-| B-| C-|"},
    {"90-", "23f", "1", "", Opcode::dmma, "76+2:dmma_shape 78+2:round", "d A-| B-| C-|"},
    {"90-", "844", "4", "91=0", Opcode::stsm, "=16 78+2:matrix 72+2:matrix_count", "M r32"},
};

}  // namespace

std::span<const Row> matrix_rows() { return rows; }

}  // namespace warpwalk::sass
