#pragma once

#include "core/gpu/alu/mma.h"
#include "core/gpu/alu/per_lane.h"

/// Where the elements of an mma's matrices are (PTX ISA 9.0, the figures of its fragments). A register holds `count`
/// elements side by side: 4 of 8 bits, 2 of 16, 1 of 32 or 64. Four lanes share a row of A and a column of B; groups of
/// eight lanes' quads are the rows. The manual leaves open where wmma's elements are; here they go on in the same way,
/// so that a wmma is an mma with more groups of rows or columns.
namespace warpwalk::gpu::alu {

constexpr int largest_m = 32;
constexpr int largest_n = 32;
constexpr int largest_k = 32;

struct Place {
  int row = 0, column = 0;
};

/// Element i of register r of a lane in A, of m rows: registers go down the groups of eight rows first.
inline Place place_in_a(int m, int count, int lane, int r, int i) {
  const int groups = m / 8;
  return {lane / 4 + 8 * (r % groups), (r / groups * 4 + lane % 4) * count + i};
}

/// In B, of n columns: as A, turned over.
inline Place place_in_b(int n, int count, int lane, int r, int i) {
  const Place turned = place_in_a(n, count, lane, r, i);
  return {turned.column, turned.row};
}

/// In C and D, of m rows, with one or two elements a register.
inline Place place_in_c(int m, int count, int lane, int r, int i) {
  const int at = r * count + i;
  const int groups = m / 8;
  return {lane / 4 + 8 * (at / 2 % groups), 8 * (at / 2 / groups) + lane % 4 * 2 + at % 2};
}

/// Of m8n8k4 of halves, which is four multiplications in one: lanes 4q to 4q+3 and 16 more, for q = 0 to 3. Rows of A,
/// columns of B.
inline int line_of_quarter(int lane) { return lane % 4 + (lane >= 16 ? 4 : 0); }
inline int quarter_of(int lane) { return lane / 4 % 4; }
/// Element i of C and D in f32; those in f16 are row line_of_quarter, column i.
inline Place place_in_quarter(int lane, int i) {
  return {(lane & 1) + (i & 2) + (lane >= 16 ? 4 : 0), (i & 4) + (lane & 2) + (i & 1)};
}

}  // namespace warpwalk::gpu::alu
