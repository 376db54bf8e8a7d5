#pragma once

#include "core/gpu/alu/matrix/mma.h"
#include "core/gpu/alu/per_lane.h"

/// The positions of matrix elements in the fragments of mma (PTX ISA 9.0, figures of the fragments). A register holds
/// `count` adjacent elements: 4 of 8 bits, 2 of 16, 1 of 32 or 64. Four lanes share a row of A and a column of B, so
/// the 32 lanes cover a group of eight rows. The manual does not specify the positions for wmma. Here they continue the
/// same pattern, so that a wmma is an mma with more groups of rows or columns.
namespace warpwalk::gpu::alu {

constexpr int max_m = 32;
constexpr int max_n = 32;
constexpr int max_k = 32;

struct Position {
  int row = 0, column = 0;
};

/// Position of element i of register r of a lane in A with m rows. Registers go through the groups of eight rows first.
inline Position position_in_a(int m, int count, int lane, int r, int i) {
  const int groups = m / 8;
  return {lane / 4 + 8 * (r % groups), (r / groups * 4 + lane % 4) * count + i};
}

/// Position in B with n columns: that of A, transposed.
inline Position place_in_b(int n, int count, int lane, int r, int i) {
  const Position turned = position_in_a(n, count, lane, r, i);
  return {turned.column, turned.row};
}

/// Position in C and D with m rows and one or two elements per register.
inline Position place_in_c(int m, int count, int lane, int r, int i) {
  const int at = r * count + i;
  const int groups = m / 8;
  return {lane / 4 + 8 * (at / 2 % groups), 8 * (at / 2 / groups) + lane % 4 * 2 + at % 2};
}

/// m8n8k4 of f16 is four multiplications in one. Multiplication q (0 to 3) uses lanes 4q to 4q+3 and 4q+16 to 4q+19.
/// Returns a lane's row of A and column of B.
inline int line_of_quarter(int lane) { return lane % 4 + (lane >= 16 ? 4 : 0); }
inline int quarter_of(int lane) { return lane / 4 % 4; }
/// Position of element i of C and D in f32. In f16, the row is line_of_quarter and the column is i.
inline Position place_in_quarter(int lane, int i) {
  return {(lane & 1) + (i & 2) + (lane >= 16 ? 4 : 0), (i & 4) + (lane & 2) + (i & 1)};
}

}  // namespace warpwalk::gpu::alu
