// The lab of tensor cores against the formulas of the PTX ISA for mma.m16n8k16 and against sums in FP64.
#include <cmath>
#include <set>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/story/labs/lab_parts.h"
#include "core/story/labs/tensor_cores/tensor_math.h"
#include "tests/story/labs/lab_figures.h"
#include "tests/story/stages.h"

namespace warpwalk::story::testing {
namespace {

constexpr std::string_view tensor_cores_scene = "lab/tensor-cores";

// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type": groupID = lane >> 2, threadID_in_group = lane
// % 4; element i of a lane's fragment.
std::pair<int, int> by_ptx_isa(TensorMatrix matrix, int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  switch (matrix) {
    case TensorMatrix::a:
      return {i == 0 || i == 1 || i == 4 || i == 5 ? group : group + 8, thread * 2 + (i & 1) + (i < 4 ? 0 : 8)};
    case TensorMatrix::b: return {thread * 2 + (i & 1) + (i < 2 ? 0 : 8), group};
    case TensorMatrix::d: return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
  }
  return {};
}

TEST(TensorCoresLab, ElementsLieWhereThePtxIsaSays) {
  for (const TensorMatrix matrix : {TensorMatrix::a, TensorMatrix::b, TensorMatrix::d}) {
    const int halves = matrix == TensorMatrix::d ? 1 : 2;
    std::set<std::tuple<int, int, int>> places;
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < fragment_registers(matrix) * halves; ++i) {
        const auto [row, column] = by_ptx_isa(matrix, lane, i);
        const FragmentPlace place = place_of(matrix, row, column);
        EXPECT_EQ(place.lane, lane) << row << " " << column;
        EXPECT_EQ(place.reg * halves + place.half, i) << row << " " << column;
        places.insert({place.lane, place.reg, place.half});
      }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(rows_of(matrix) * columns_of(matrix)));
  }
}

TEST(TensorCoresLab, AnElementIsARowTimesAColumn) {
  for (const int element : {0, 43, 127}) {
    const Stage stage = lab_with(tensor_cores_scene, 2, {{"element", element}});
    const TensorTile tile("FP16");
    double sum = 0;
    for (std::size_t k = 0; k < 16; ++k)
      sum += tile.a[static_cast<std::size_t>(element / 8)][k] * tile.b[k][static_cast<std::size_t>(element % 8)];
    EXPECT_EQ(fact_text(stage, "Chosen element of D"), real_text(sum, 6));
    const FragmentPlace place = place_of(TensorMatrix::d, element / 8, element % 8);
    EXPECT_EQ(fact_text(stage, "Its lane and register"), fmt::format("{}, {}", place.lane, place.reg));
  }
}

// Bounds of the errors: half a unit in the last place per rounded input; for the sum, 2^-23 or 2^-10 per step of 16.
TEST(TensorCoresLab, ErrorsAreWithinTheirBounds) {
  for (const auto& [format, unit] :
       {std::pair{"FP16", std::exp2(-11)}, {"BF16", std::exp2(-8)}, {"FP8 E4M3", std::exp2(-4)}})
    for (const std::int64_t length : {16, 256, 4096}) {
      const DotPrecision dot = dot_precision(format, length);
      double exact = 0, magnitude = 0;
      for (std::int64_t i = 0; i < length; ++i) {
        exact += example_number(1, i) * example_number(2, i);
        magnitude += std::abs(example_number(1, i) * example_number(2, i));
      }
      EXPECT_NEAR(dot.exact, exact, 1e-12 * magnitude);
      const double least = std::exp2(-9) * static_cast<double>(length);  // subnormal FP8 inputs
      EXPECT_NEAR(dot.rounded, exact, 2.1 * unit * magnitude + (std::string_view(format) == "FP8 E4M3" ? least : 1e-6));
      const double steps = static_cast<double>(length) / 16;
      EXPECT_NEAR(dot.tensor_fp32, dot.rounded, std::exp2(-22) * magnitude * (steps + 1));
      EXPECT_NEAR(dot.tensor_fp16, dot.rounded, std::exp2(-11) * magnitude * (steps + 1));
    }
}

TEST(TensorCoresLab, OneProductOfSixteenIsExactInFp32) {
  // 22 significant bits of a product of two FP16 numbers fit into FP32; sixteen of them nearly.
  const DotPrecision dot = dot_precision("FP16", 16);
  EXPECT_NEAR(dot.tensor_fp32, dot.rounded, std::exp2(-20));
}

TEST(TensorCoresLab, SparsityKeepsTheTwoLargestOfFour) {
  const SparseRow sparse = sparse_row({0.1, -0.9, 0.5, 0.2, 1, 1, 1, 1, 0, 0, 0, -0.5});
  EXPECT_EQ(sparse.kept, (std::vector<double>{-0.9, 0.5, 1, 1, 0, -0.5}));
  EXPECT_EQ(sparse.positions, (std::vector<int>{1, 2, 0, 1, 0, 3}));
}

TEST(TensorCoresLab, TasksAreDoneByTheirSettings) {
  EXPECT_EQ(tasks_done(tensor_cores_scene, {{"element", 127}, {"lane", 0}})[0], 'x');
  EXPECT_EQ(tasks_done(tensor_cores_scene, {{"lane", 31}})[1], 'x');
  EXPECT_EQ(tasks_done(tensor_cores_scene, {{"matrix", 1}, {"lane", 8}})[2], 'x');
  EXPECT_EQ(tasks_done(tensor_cores_scene, {{"length", 65536}})[3], 'x');
  EXPECT_EQ(tasks_done(tensor_cores_scene, {{"format", 2}})[4], 'x');
}

}  // namespace
}  // namespace warpwalk::story::testing
