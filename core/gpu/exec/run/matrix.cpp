#include <cstring>
#include <vector>

#include "core/gpu/exec/bank_conflicts.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"

namespace warpwalk::gpu::handlers {

namespace {

/// Computes the row addresses as offsets in the shared window.
void row_addresses(Machine& m, const Op& op, std::uint64_t* at) {
  m.addresses(op, m.program.accesses[op.table_index], at);
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    if (at[lane] - shared_window < shared_window_bytes) at[lane] -= shared_window;
  }
}

/// Counts the shared-memory wavefronts per matrix of eight 16-byte rows.
void count_rows(Machine& m, const std::uint64_t* at, std::size_t matrices, bool store) {
  Counters& counters = m.tally.counters;
  counters.add_shared_request(store);
  for (std::size_t k = 0; k < matrices; ++k)
    counters.add_wavefronts(store, wavefronts_of(at, 0xffu << 8 * k, 16, store));
}

/// Position of the element pair that `lane` holds of an 8x8 matrix: row lane / 4, columns 2 * (lane % 4) and the next.
struct Pair {
  int row, column;
};
Pair pair_of(int lane) { return {lane / 4, lane % 4 * 2}; }

}  // namespace

void multiply_matrices(Machine& m, const Op& op) {
  if (!m.require_full_warp(op)) return;
  const MatrixOp& matrix = m.program.matrices[op.table_index];
  void* d[32];
  const void *a[32], *b[32], *c[32];
  for (std::size_t k = 0; k < matrix.d.size(); ++k) d[k] = m.at<void>(matrix.d[k]);
  for (std::size_t k = 0; k < matrix.a.size(); ++k) a[k] = m.at<const void>(matrix.a[k]);
  for (std::size_t k = 0; k < matrix.b.size(); ++k) b[k] = m.at<const void>(matrix.b[k]);
  for (std::size_t k = 0; k < matrix.c.size(); ++k) c[k] = m.at<const void>(matrix.c[k]);
  matrix.mma.run(matrix.mma, {d, a, b, c});
}

void load_matrix(Machine& m, const Op& op) {
  if (!m.require_full_warp(op)) return;
  const MatrixOp& matrix = m.program.matrices[op.target];
  const std::size_t count = matrix.d.size();
  alignas(64) std::uint64_t at[lanes_per_warp];
  row_addresses(m, op, at);
  const std::uint32_t rows = count == 4 ? all_lanes : (1u << 8 * count) - 1;
  count_rows(m, at, count, false);
  Places places;
  const std::uint32_t reached = m.translate_shared(op, rows, at, 16, false, places);
  std::uint16_t elements[4][8][8] = {};
  for_lanes(reached, [&](int lane) { std::memcpy(elements[lane / 8][lane % 8], places.host[lane], 16); });
  for (std::size_t k = 0; k < count; ++k) {
    auto* const d = m.at<std::uint32_t>(matrix.d[k]);
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      const auto [row, column] = pair_of(lane);
      const std::uint32_t low = matrix.transposed ? elements[k][column][row] : elements[k][row][column];
      const std::uint32_t high = matrix.transposed ? elements[k][column + 1][row] : elements[k][row][column + 1];
      d[lane] = high << 16 | low;
    }
  }
}

void store_matrix(Machine& m, const Op& op) {
  if (!m.require_full_warp(op)) return;
  const MatrixOp& matrix = m.program.matrices[op.target];
  const std::size_t count = matrix.a.size();
  alignas(64) std::uint64_t at[lanes_per_warp];
  row_addresses(m, op, at);
  const std::uint32_t rows = count == 4 ? all_lanes : (1u << 8 * count) - 1;
  count_rows(m, at, count, true);
  std::uint16_t elements[4][8][8] = {};
  for (std::size_t k = 0; k < count; ++k) {
    const auto* const a = m.at<const std::uint32_t>(matrix.a[k]);
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      const auto [row, column] = pair_of(lane);
      std::uint16_t& low = matrix.transposed ? elements[k][column][row] : elements[k][row][column];
      std::uint16_t& high = matrix.transposed ? elements[k][column + 1][row] : elements[k][row][column + 1];
      low = static_cast<std::uint16_t>(a[lane]);
      high = static_cast<std::uint16_t>(a[lane] >> 16);
    }
  }
  Places places;
  const std::uint32_t reached = m.translate_shared(op, rows, at, 16, true, places);
  for_lanes(reached, [&](int lane) { std::memcpy(places.host[lane], elements[lane / 8][lane % 8], 16); });
}

void move_matrix(Machine& m, const Op& op) {
  if (!m.require_full_warp(op)) return;
  std::uint16_t elements[8][8];
  const auto* const a = m.at<const std::uint32_t>(op.a);
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    const auto [row, column] = pair_of(lane);
    elements[row][column] = static_cast<std::uint16_t>(a[lane]);
    elements[row][column + 1] = static_cast<std::uint16_t>(a[lane] >> 16);
  }
  auto* const d = m.at<std::uint32_t>(op.d);
  for (int lane = 0; lane < lanes_per_warp; ++lane) {
    const auto [row, column] = pair_of(lane);
    d[lane] = static_cast<std::uint32_t>(elements[column + 1][row]) << 16 | elements[column][row];
  }
}

}  // namespace warpwalk::gpu::handlers
